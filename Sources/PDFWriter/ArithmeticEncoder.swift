/// The adaptive binary arithmetic encoder of JBIG2 (ITU-T T.88, annex E).
struct ArithmeticEncoder {
  private var code: UInt32 = 0
  private var interval: UInt32 = 0x8000
  private var count = 12
  /// The last byte may still be changed by a carry. The first is none and is dropped in the end.
  private var output: [UInt8] = [0]
  /// For each context the row of the table and the likelier symbol in the lowest bit.
  private var states: [UInt8]
  private let rows = Self.table

  init(contexts: Int) {
    states = [UInt8](repeating: 0, count: contexts)
  }

  /// Codes one bit in a context (E.2.4).
  @inline(__always)
  mutating func encode(_ bit: Int, in context: Int) {
    let state = states[context]
    let row = rows[Int(state >> 1)]
    let size = UInt32(row.size)
    interval -= size
    if bit == Int(state & 1) {
      if interval & 0x8000 != 0 {
        code &+= size
        return
      }
      // The likelier symbol has the larger part, whichever that is.
      if interval < size { interval = size } else { code &+= size }
      states[context] = row.nextLikely << 1 | state & 1
    } else {
      if interval < size { code &+= size } else { interval = size }
      states[context] = row.nextUnlikely << 1 | (row.flips ? ~state & 1 : state & 1)
    }
    renormalize()
  }

  /// Codes zeros in context 0, many at a time where they are likely.
  mutating func encode(zeros: Int) {
    var rest = zeros
    while rest > 0 {
      let state = states[0]
      if state & 1 == 0 {
        // Each takes its part off the interval until that is too small.
        let size = UInt32(rows[Int(state >> 1)].size)
        let steps = min(rest, Int((interval - 0x8000) / size))
        interval -= UInt32(steps) * size
        code &+= UInt32(steps) * size
        rest -= steps
        if rest == 0 { return }
      }
      encode(0, in: 0)
      rest -= 1
    }
  }

  /// Writes what is left, with the marker that ends it (E.2.9).
  consuming func finish() -> [UInt8] {
    let limit = code + interval
    code |= 0xFFFF
    if code >= limit { code -= 0x8000 }
    code <<= UInt32(count)
    writeByte()
    code <<= UInt32(count)
    writeByte()
    if output.last != 0xFF { output.append(0xFF) }
    output.append(0xAC)
    output.removeFirst()
    return output
  }

  private mutating func renormalize() {
    repeat {
      interval <<= 1
      code <<= 1
      count -= 1
      if count == 0 { writeByte() }
    } while interval & 0x8000 == 0
  }

  /// E.2.8: after a byte of ones comes one of seven bits, so that a carry stops there.
  private mutating func writeByte() {
    let last = output.count - 1
    if output[last] != 0xFF, code & 0x800_0000 != 0 {
      output[last] += 1
      if output[last] == 0xFF { code &= 0x7FF_FFFF }
    }
    if output[last] == 0xFF {
      output.append(UInt8(truncatingIfNeeded: code >> 20))
      code &= 0xF_FFFF
      count = 7
    } else {
      output.append(UInt8(truncatingIfNeeded: code >> 19))
      code &= 0x7_FFFF
      count = 8
    }
  }

  private typealias Row = (size: UInt16, nextLikely: UInt8, nextUnlikely: UInt8, flips: Bool)

  /// Table E.1.
  private static let table: [Row] = [
    (0x5601, 1, 1, true), (0x3401, 2, 6, false), (0x1801, 3, 9, false), (0x0AC1, 4, 12, false),
    (0x0521, 5, 29, false), (0x0221, 38, 33, false), (0x5601, 7, 6, true), (0x5401, 8, 14, false),
    (0x4801, 9, 14, false), (0x3801, 10, 14, false), (0x3001, 11, 17, false),
    (0x2401, 12, 18, false), (0x1C01, 13, 20, false), (0x1601, 29, 21, false),
    (0x5601, 15, 14, true), (0x5401, 16, 14, false), (0x5101, 17, 15, false),
    (0x4801, 18, 16, false), (0x3801, 19, 17, false), (0x3401, 20, 18, false),
    (0x3001, 21, 19, false), (0x2801, 22, 19, false), (0x2401, 23, 20, false),
    (0x2201, 24, 21, false), (0x1C01, 25, 22, false), (0x1801, 26, 23, false),
    (0x1601, 27, 24, false), (0x1401, 28, 25, false), (0x1201, 29, 26, false),
    (0x1101, 30, 27, false), (0x0AC1, 31, 28, false), (0x09C1, 32, 29, false),
    (0x08A1, 33, 30, false), (0x0521, 34, 31, false), (0x0441, 35, 32, false),
    (0x02A1, 36, 33, false), (0x0221, 37, 34, false), (0x0141, 38, 35, false),
    (0x0111, 39, 36, false), (0x0085, 40, 37, false), (0x0049, 41, 38, false),
    (0x0025, 42, 39, false), (0x0015, 43, 40, false), (0x0009, 44, 41, false),
    (0x0005, 45, 42, false), (0x0001, 45, 43, false), (0x5601, 46, 46, false),
  ]
}
