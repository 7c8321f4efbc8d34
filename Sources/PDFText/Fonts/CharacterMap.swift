/// A CMap (PDF 32000-1, 9.7.5 and 9.10.3): how strings are cut into codes, and what codes map to,
/// CIDs or Unicode.
struct CharacterMap {
  struct Codespace {
    var length: Int
    var low: UInt32
    var high: UInt32

    /// Whether each byte of the code is in the range of that byte.
    func contains(_ code: UInt32) -> Bool {
      for shift in stride(from: 0, to: UInt32(length * 8), by: 8) {
        let byte = code >> shift & 255
        if byte < low >> shift & 255 || byte > high >> shift & 255 { return false }
      }
      return true
    }
  }

  struct Range {
    var low: UInt32
    var high: UInt32
    /// What `low` maps to, its last scalar counted up for each code behind; for several scalars an index into
    /// `strings` with the top bit set.
    var value: UInt32
  }

  private(set) var codespaces: [Codespace] = []
  private var ranges: [Range] = []
  private var strings: [[UInt32]] = []
  private var isSorted = true
  var isVertical = false
  /// The name of another CMap to start from.
  var base: String?
  /// The CMaps that have what this one does not, read already.
  var bases: [CharacterMap] = []
  static let severalScalars: UInt32 = 1 << 31

  var isEmpty: Bool { ranges.isEmpty }
  var count: Int { ranges.count }

  /// Whether a code maps to more than any ligature has: the text of several glyphs.
  var hasRuns: Bool { strings.contains { $0.count > 4 } }

  /// How many ranges have a code that maps to a scalar.
  func count(of scalar: UInt32) -> Int {
    ranges.count { $0.value <= scalar && scalar - $0.value <= $0.high - $0.low }
  }

  mutating func addCodespace(length: Int, low: UInt32, high: UInt32) {
    // Each code of a string is held against them; real CMaps have ten at most.
    guard (1...4).contains(length), codespaces.count < 100 else { return }
    codespaces.append(Codespace(length: length, low: low, high: high))
  }

  mutating func add(low: UInt32, high: UInt32, value: UInt32) {
    guard low <= high else { return }
    if let last = ranges.last, last.high >= low { isSorted = false }
    ranges.append(Range(low: low, high: high, value: value & ~Self.severalScalars))
  }

  mutating func add(code: UInt32, scalars: [UInt32]) {
    add(low: code, high: code, scalars: scalars)
  }

  /// A text for a range of codes is kept once, however long both are.
  mutating func add(low: UInt32, high: UInt32, scalars: [UInt32]) {
    guard scalars.count != 1 else { return add(low: low, high: high, value: scalars[0]) }
    guard low <= high else { return }
    if let last = ranges.last, last.high >= low { isSorted = false }
    strings.append(scalars)
    ranges.append(
      Range(low: low, high: high, value: UInt32(strings.count - 1) | Self.severalScalars))
  }

  /// To be called when all has been added: puts the ranges in order. Of ranges that begin with the
  /// same code the later counts.
  mutating func finish() {
    guard !isSorted else { return }
    let order = ranges.indices.sorted {
      (ranges[$0].low, $0) < (ranges[$1].low, $1)
    }
    ranges = order.map { ranges[$0] }
    isSorted = true
  }

  private func range(_ code: UInt32) -> Range? {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].low <= code { low = middle + 1 } else { high = middle }
    }
    // Ranges may overlap where files are odd: look a few back.
    var place = low - 1
    while place >= 0, place >= low - 4 {
      if ranges[place].high >= code { return ranges[place] }
      place -= 1
    }
    return nil
  }

  /// The bytes of the code that begins at an offset of a string, at least 1. What no codespace range
  /// has is as long as the first range that has its first byte (9.7.6.3).
  func length(_ string: [UInt8], _ offset: Int) -> Int {
    var value: UInt32 = 0
    for length in 1...min(4, string.count - offset) {
      value = value << 8 | UInt32(string[offset + length - 1])
      for space in codespaces where space.length == length && space.contains(value) {
        return length
      }
    }
    let first = UInt32(string[offset])
    var shortest: Int?
    for space in codespaces {
      let shift = UInt32(space.length - 1) * 8
      if first >= space.low >> shift, first <= space.high >> shift { return space.length }
      shortest = min(shortest ?? 4, space.length)
    }
    return shortest ?? 1
  }

  /// The number a code maps to, for CIDs.
  func number(_ code: UInt32) -> UInt32? {
    guard let range = range(code), range.value & Self.severalScalars == 0 else {
      for base in bases {
        if let number = base.number(code) { return number }
      }
      return nil
    }
    return range.value &+ (code - range.low)
  }

  /// The scalars a code maps to; empty where it maps to nothing on purpose.
  func scalars(_ code: UInt32) -> [UInt32]? {
    guard let range = range(code) else { return nil }
    if range.value & Self.severalScalars != 0 {
      var scalars = strings[Int(range.value & ~Self.severalScalars)]
      if let last = scalars.indices.last { scalars[last] &+= code - range.low }
      return scalars
    }
    return [range.value &+ (code - range.low)]
  }
}
