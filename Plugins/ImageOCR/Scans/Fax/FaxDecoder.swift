/// Decodes fax data (ITU-T T.4 and T.6; PDF 32000-1, 7.4.6), as far as it goes: Group 3 with rows of one
/// or two dimensions, Group 4, and the same inside JBIG2.
struct FaxDecoder {
  /// What the data does not say itself.
  struct Parameters {
    /// Negative for Group 4, 0 for rows of one dimension, positive where each row says what it is.
    var k = 0
    var columns = 1728
    /// Whether rows begin on whole bytes.
    var isByteAligned = false
    /// Whether ends of line are sure to stand between rows.
    var hasEndsOfLine = false
  }

  private let bytes: [UInt8]
  private let end: Int
  private let parameters: Parameters
  /// The next bit, counted from the first byte.
  private var position: Int
  /// Where the colour changes in the row before, and in this one; the first change is to black.
  private var reference: [Int] = []
  private var current: [Int] = []

  init(_ bytes: [UInt8], in range: Range<Int>, _ parameters: Parameters) {
    self.bytes = bytes
    end = min(range.upperBound, bytes.count) * 8
    position = min(range.lowerBound * 8, end)
    self.parameters = parameters
  }

  /// The offset of the first whole byte that was not read, behind the mark that ends Group 4 data.
  var positionBehindEnd: Int {
    var probe = self
    if probe.bits(24) == 0x00_1001 { probe.position += 24 }
    return (min(probe.position, end) + 7) / 8
  }

  /// What was decoded.
  struct Result {
    var bitmap: BilevelBitmap
    /// Rows that were decoded; those below are white.
    var rows: Int
    /// Whether the data was damaged or ended early.
    var isDamaged: Bool
  }

  /// Decodes a picture of so many rows.
  mutating func decode(rows: Int) -> Result {
    let columns = parameters.columns
    var bitmap = BilevelBitmap(width: columns, height: rows)
    guard columns > 0 else { return Result(bitmap: bitmap, rows: 0, isDamaged: rows > 0) }
    var isDamaged = false
    var row = 0
    reference = []
    while row < rows {
      // Without ends of line, the zeros that fill up a byte would make one with the zeros of a code.
      if parameters.isByteAligned, !parameters.hasEndsOfLine { position = (position + 7) / 8 * 8 }
      let endsOfLine = passEndsOfLine()
      // Two of them end Group 4, six Group 3; further ones are left over from damage.
      if endsOfLine >= 2 || position >= end { break }
      if parameters.isByteAligned, endsOfLine == 0 { position = (position + 7) / 8 * 8 }
      var isTwoDimensional = parameters.k < 0
      if parameters.k > 0 {
        if endsOfLine == 0 { isTwoDimensional = take(1) == 0 } else { isTwoDimensional = tag == 0 }
      }
      current.removeAll(keepingCapacity: true)
      let isSound = isTwoDimensional ? decodeTwoDimensional() : decodeOneDimensional()
      if !isSound {
        isDamaged = true
        // Group 3 goes on behind the next end of line, Group 4 cannot.
        if parameters.k < 0 || !seekEndOfLine() {
          if current.last ?? 0 > 0 {
            Self.draw(current, on: &bitmap, row: row)
            row += 1
          }
          break
        }
      }
      Self.draw(current, on: &bitmap, row: row)
      swap(&reference, &current)
      row += 1
    }
    return Result(bitmap: bitmap, rows: row, isDamaged: isDamaged || row < rows)
  }

  // MARK: Bits

  /// The next bits without taking them, zeros behind the end; at most 24.
  private func bits(_ count: Int) -> Int {
    var value = 0
    let first = position >> 3
    for index in first..<(first + 4) {
      value = value << 8 | (index < end >> 3 ? Int(bytes[index]) : 0)
    }
    return value >> (32 - (position & 7) - count) & (1 << count - 1)
  }

  private mutating func take(_ count: Int) -> Int {
    defer { position += count }
    return bits(count)
  }

  /// The bit behind the last end of line of Group 3 in two dimensions: 1 for a row of one.
  private var tag = 1

  /// Passes over ends of line with the zeros before them, and answers how many they were.
  private mutating func passEndsOfLine() -> Int {
    var count = 0
    while position < end, bits(11) == 0 {
      let before = position
      // Whole bytes of zeros fill up rows; their number is not limited.
      while position < end, bits(8) == 0 { position += 8 }
      while position < end, bits(1) == 0 { position += 1 }
      guard position < end, position - before >= 11 else { break }
      position += 1
      if parameters.k > 0 { tag = take(1) }
      count += 1
    }
    return count
  }

  /// Moves to the next end of line, without passing it; false where there is none.
  private mutating func seekEndOfLine() -> Bool {
    while position < end {
      if bits(12) == 1 { return true }
      position += 1
    }
    return false
  }

  // MARK: Rows

  private mutating func decodeOneDimensional() -> Bool {
    var at = 0
    var isBlack = false
    while at < parameters.columns {
      guard let length = run(isBlack) else {
        finish(at)
        return false
      }
      at += length
      change(at)
      isBlack.toggle()
    }
    return at == parameters.columns
  }

  private mutating func decodeTwoDimensional() -> Bool {
    let columns = parameters.columns
    var at = -1
    var isBlack = false
    // The changes of the row above are passed over in step with this one.
    var place = 0
    while at < columns {
      // b1: the first change above to the right of `at` to the other colour.
      while place > 0, reference[place - 1] > at { place -= 1 }
      while place < reference.count, reference[place] <= at || (place & 1 == 1) != isBlack {
        place += 1
      }
      let first = place < reference.count ? reference[place] : columns
      let second = place + 1 < reference.count ? reference[place + 1] : columns
      switch mode() {
      case .pass: at = second
      case .horizontal:
        guard let one = run(isBlack), let two = run(!isBlack) else {
          finish(max(0, at))
          return false
        }
        let start = max(0, at)
        change(start + one)
        change(start + one + two)
        at = start + one + two
      case .vertical(let offset):
        let place = first + offset
        guard place >= max(0, at), place <= columns else {
          finish(max(0, at))
          return false
        }
        change(place)
        at = place
        isBlack.toggle()
      case .none:
        finish(max(0, at))
        return false
      }
      if position > end + 64 {
        finish(max(0, at))
        return false
      }
    }
    return true
  }

  /// Notes that the colour changes at a place; two changes at one place are none.
  private mutating func change(_ at: Int) {
    let at = min(at, parameters.columns)
    if current.last == at {
      current.removeLast()
    } else {
      current.append(at)
    }
  }

  /// Ends a damaged row: the rest of it is white.
  private mutating func finish(_ at: Int) {
    if current.count & 1 == 1 { change(at) }
  }

  private enum Mode {
    case pass, horizontal, none
    case vertical(Int)
  }

  private mutating func mode() -> Mode {
    let next = bits(7)
    if next & 0x40 != 0 {
      position += 1
      return .vertical(0)
    }
    switch next >> 4 {
    case 3:
      position += 3
      return .vertical(1)
    case 2:
      position += 3
      return .vertical(-1)
    case 1:
      position += 3
      return .horizontal
    default: break
    }
    if next >> 3 == 1 {
      position += 4
      return .pass
    }
    switch next {
    case 6, 7:
      position += 6
      return .vertical(2)
    case 4, 5:
      position += 6
      return .vertical(-2)
    case 3:
      position += 7
      return .vertical(3)
    case 2:
      position += 7
      return .vertical(-3)
    default: return .none
    }
  }

  /// The length of a run in pixels, or nil where no code of one comes next.
  private mutating func run(_ isBlack: Bool) -> Int? {
    var length = 0
    while length <= parameters.columns + 2560 {
      let entry = isBlack ? FaxRuns.black[bits(13)] : FaxRuns.white[bits(13)]
      guard entry.length > 0, position < end else { return nil }
      position += Int(entry.length)
      length += Int(entry.run)
      if entry.run < 64 { return length }
    }
    return nil
  }

  /// Draws the black runs of a row.
  private static func draw(_ changes: [Int], on bitmap: inout BilevelBitmap, row: Int) {
    let start = row * bitmap.width
    var index = 0
    while index < changes.count {
      let from = changes[index]
      let to = index + 1 < changes.count ? changes[index + 1] : bitmap.width
      if from < to { for x in from..<to { bitmap.pixels[start + x] = 1 } }
      index += 2
    }
  }
}
