internal import PDFWriter

/// The adaptive binary arithmetic decoder of JBIG2 (ITU-T T.88, annex E). Past the end of its data
/// it goes on with ones, as the standard has it.
struct ArithmeticDecoder {
  /// Adaptive states, one for each context: the index into the table, and the likelier symbol.
  struct Contexts {
    fileprivate var states: [UInt8]

    init(count: Int) { states = [UInt8](repeating: 0, count: count) }
  }

  private let rows = ArithmeticStates.table
  private let data: [UInt8]
  private var position: Int
  private let end: Int
  private var code: UInt32 = 0
  private var interval: UInt32 = 0x8000
  private var count = 0

  init(_ data: [UInt8], in range: Range<Int>) {
    self.data = data
    position = range.lowerBound
    end = range.upperBound
    code = UInt32(byte(at: position)) << 16
    readByte()
    code <<= 7
    count -= 7
  }

  /// Whether the decoder has read past the end by more than its look-ahead.
  var isExhausted: Bool { position > end + 16 }

  /// Whether the decoder stopped far before the end of its data or read on far behind it: the data was altered or cut
  /// off, and what was decoded since then is not what was coded. An encoder ends with two bytes or three (E.2.9).
  var isAstray: Bool { isExhausted || position + 16 < end }

  private func byte(at place: Int) -> UInt8 {
    place < end && place < data.count ? data[place] : 0xFF
  }

  private mutating func readByte() {
    let next = byte(at: position + 1)
    if byte(at: position) == 0xFF {
      if next > 0x8F {
        code &+= 0xFF00
        count = 8
        // Count on after the end so that endless reading is noticed.
        if position >= end { position += 1 }
      } else {
        position += 1
        code &+= UInt32(next) << 9
        count = 7
      }
    } else {
      position += 1
      code &+= UInt32(next) << 8
      count = 8
    }
  }

  /// Decodes one bit in a context.
  mutating func bit(_ contexts: inout Contexts, _ index: Int) -> Int {
    let state = contexts.states[index]
    let row = rows[Int(state >> 1)]
    var likelier = Int(state & 1)
    let size = UInt32(row.size)
    interval -= size
    let result: Int
    var next = row.nextLikely
    if code >> 16 < size {
      let swaps = interval < size
      result = swaps ? likelier : 1 - likelier
      if !swaps {
        next = row.nextUnlikely
        if row.flips { likelier = 1 - likelier }
      }
      interval = size
    } else {
      code -= size << 16
      guard interval & 0x8000 == 0 else { return likelier }
      let swaps = interval < size
      result = swaps ? 1 - likelier : likelier
      if swaps {
        next = row.nextUnlikely
        if row.flips { likelier = 1 - likelier }
      }
    }
    contexts.states[index] = next << 1 | UInt8(likelier)
    repeat {
      if count == 0 { readByte() }
      interval <<= 1
      code <<= 1
      count -= 1
    } while interval & 0x8000 == 0
    return result
  }

  /// Decodes an integer (annex A.2); nil is the out-of-band value. `contexts` has 512 states.
  mutating func integer(_ contexts: inout Contexts) -> Int? {
    var previous = 1
    func widened(_ bit: Int) -> Int {
      let shifted = previous << 1 | bit
      return previous < 256 ? shifted : shifted & 511 | 256
    }
    let sign = bit(&contexts, previous)
    previous = widened(sign)
    var ranges = Self.ranges[...]
    var chosen = ranges.removeFirst()
    while let following = ranges.popFirst() {
      let more = bit(&contexts, previous)
      previous = widened(more)
      if more == 0 { break }
      chosen = following
    }
    var value = 0
    for _ in 0..<chosen.bits {
      let digit = bit(&contexts, previous)
      previous = widened(digit)
      value = value << 1 | digit
    }
    value += chosen.offset
    if sign == 0 { return value }
    return value == 0 ? nil : -value
  }

  /// Decodes a symbol number of a fixed length (annex A.3).
  mutating func symbol(_ contexts: inout Contexts, bits: Int) -> Int {
    var previous = 1
    for _ in 0..<bits { previous = previous << 1 | bit(&contexts, previous) }
    return previous - (1 << bits)
  }

  private static let ranges: [(bits: Int, offset: Int)] = [
    (2, 0), (4, 4), (6, 20), (8, 84), (12, 340), (32, 4436),
  ]
}
