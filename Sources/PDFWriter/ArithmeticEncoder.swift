/// The adaptive binary arithmetic encoder of JBIG2 (ITU-T T.88, annex E).
struct ArithmeticEncoder {
  private var code: UInt32 = 0
  private var interval: UInt32 = 0x8000
  private var count = 12
  /// The last byte may still be changed by a carry. The first is none and is dropped in the end.
  private var output: [UInt8] = [0]
  /// For each context the row of the table and the likelier symbol in the lowest bit.
  private var states: [UInt8]
  private let rows = ArithmeticStates.table

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
}
