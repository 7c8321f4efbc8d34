/// Makes the parts of font programs that tell what glyphs stand for; there are no outlines.
public enum FontPrograms {
  // MARK: Type 1

  /// The clear part of a Type 1 program with an encoding of its own.
  public static func type1(_ encoding: [Int: String]) -> [UInt8] {
    var text = "%!PS-AdobeFont-1.0: Any\n11 dict begin\n/FontName /Any def\n"
    text += "/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\n"
    for (code, name) in encoding.sorted(by: { $0.key < $1.key }) {
      text += "dup \(code) /\(name) put\n"
    }
    text += "readonly def\n/PaintType 0 def\ncurrentdict end\ncurrentfile eexec\n"
    return Array(text.utf8) + [0xD9, 0xD6, 0x6F, 0x63]
  }

  // MARK: CFF

  /// The encoding of a CFF font (Adobe Technical Note 5176, 12).
  public enum CompactEncoding {
    case standard, expert
    /// The codes of the glyphs from the second on.
    case codes([UInt8])
    /// Ranges of codes: the first one and how many follow it.
    case ranges([(first: UInt8, left: UInt8)])
    /// The codes of the glyphs from the second on, and further codes with the places of their names.
    case codesAndMore([UInt8], more: [(code: UInt8, name: Int)])
    /// The same for ranges.
    case rangesAndMore([(first: UInt8, left: UInt8)], more: [(code: UInt8, name: Int)])
  }

  /// A CFF program with one empty glyph for each name; `.notdef` comes before them by itself.
  public static func compact(
    _ names: [String], encoding: CompactEncoding = .standard, isCIDKeyed: Bool = false
  ) -> [UInt8] {
    var charset: [UInt8] = [0]
    for index in names.indices { charset += big16(391 + index) }
    var codes: [UInt8] = []
    switch encoding {
    case .standard, .expert: break
    case .codes(let list): codes = [0, UInt8(list.count)] + list
    case .ranges(let list):
      codes = [1, UInt8(list.count)] + list.flatMap { [$0.first, $0.left] }
    case .codesAndMore(let list, let more):
      codes = [0x80, UInt8(list.count)] + list + supplement(more)
    case .rangesAndMore(let list, let more):
      codes = [0x81, UInt8(list.count)] + list.flatMap { [$0.first, $0.left] } + supplement(more)
    }
    let glyphs = index((0...names.count).map { _ in [14] })
    let strings = index(names.map { Array($0.utf8) })
    func assembled(_ places: (charset: Int, encoding: Int, glyphs: Int)) -> ([UInt8], Int) {
      var top: [UInt8] = []
      if isCIDKeyed { top += number(391) + number(391) + number(0) + [12, 30] }
      top += number(places.charset) + [15]
      top += number(places.encoding) + [16]
      top += number(places.glyphs) + [17]
      let head = [1, 0, 4, 4] + index([Array("Any".utf8)]) + index([top]) + strings + index([])
      return (head, head.count)
    }
    let (_, end) = assembled((0, 0, 0))
    let encodingPlace: Int =
      switch encoding {
      case .standard: 0
      case .expert: 1
      default: end + charset.count
      }
    let (head, _) = assembled((end, encodingPlace, end + charset.count + codes.count))
    return head + charset + codes + glyphs
  }

  private static func supplement(_ more: [(code: UInt8, name: Int)]) -> [UInt8] {
    [UInt8(more.count)] + more.flatMap { [$0.code] + big16(391 + $0.name) }
  }

  private static func index(_ items: [[UInt8]]) -> [UInt8] {
    guard !items.isEmpty else { return [0, 0] }
    var result = big16(items.count) + [2]
    var offset = 1
    for item in items {
      result += big16(offset)
      offset += item.count
    }
    return result + big16(offset) + items.flatMap { $0 }
  }

  /// An operand that always takes five bytes.
  private static func number(_ value: Int) -> [UInt8] { [29] + big32(value) }

  // MARK: TrueType

  /// A TrueType or OpenType file of these tables, by their tags of four characters; checksums are
  /// 0.
  public static func trueType(_ tables: [String: [UInt8]], tag: [UInt8] = [0, 1, 0, 0]) -> [UInt8] {
    let sorted = tables.sorted { $0.key < $1.key }
    var head = tag + big16(sorted.count) + [0, 0, 0, 0, 0, 0]
    var body: [UInt8] = []
    let start = 12 + sorted.count * 16
    for (name, bytes) in sorted {
      head += Array(name.utf8) + [0, 0, 0, 0] + big32(start + body.count) + big32(bytes.count)
      body += bytes
    }
    return head + body
  }

  /// A `cmap` table with subtables for platforms and encodings.
  public static func cmap(
    _ subtables: [(platform: Int, encoding: Int, bytes: [UInt8])]
  ) -> [UInt8] {
    var head = big16(0) + big16(subtables.count)
    var body: [UInt8] = []
    for subtable in subtables {
      head += big16(subtable.platform) + big16(subtable.encoding)
      head += big32(4 + subtables.count * 8 + body.count)
      body += subtable.bytes
    }
    return head + body
  }

  /// Codes below 256 and glyphs below 256.
  public static func format0(_ glyphs: [Int: Int]) -> [UInt8] {
    big16(0) + big16(262) + big16(0) + (0..<256).map { UInt8(glyphs[$0] ?? 0) }
  }

  /// One segment for each code. Those of `byOffset` are found through the array of glyphs.
  public static func format4(_ glyphs: [Int: Int], byOffset: Bool = false) -> [UInt8] {
    let codes = glyphs.keys.sorted()
    let count = codes.count + 1
    var ends: [UInt8] = []
    var starts: [UInt8] = []
    var deltas: [UInt8] = []
    var offsets: [UInt8] = []
    var array: [UInt8] = []
    for code in codes {
      let glyph = glyphs[code] ?? 0
      ends += big16(code)
      starts += big16(code)
      deltas += big16(byOffset ? 0 : (glyph - code) & 0xFFFF)
      offsets += big16(byOffset ? count * 2 : 0)
      array += big16(glyph)
    }
    ends += big16(0xFFFF)
    starts += big16(0xFFFF)
    deltas += big16(1)
    offsets += big16(0)
    if !byOffset { array = [] }
    let body = ends + big16(0) + starts + deltas + offsets + array
    return big16(4) + big16(14 + body.count) + big16(0) + big16(count * 2) + big16(0) + big16(0)
      + big16(0) + body
  }

  /// Glyphs of codes that follow one another.
  public static func format6(first: Int, _ glyphs: [Int]) -> [UInt8] {
    big16(6) + big16(10 + glyphs.count * 2) + big16(0) + big16(first) + big16(glyphs.count)
      + glyphs.flatMap { big16($0) }
  }

  /// Groups of codes whose glyphs follow one another.
  public static func format12(_ groups: [(first: Int, last: Int, glyph: Int)]) -> [UInt8] {
    let body = groups.flatMap { big32($0.first) + big32($0.last) + big32($0.glyph) }
    let head = big16(12) + big16(0) + big32(16 + body.count) + big32(0)
    return head + big32(groups.count) + body
  }

  /// A `post` table of format 2 with a name of its own for each glyph.
  public static func post(_ names: [String]) -> [UInt8] {
    let head = big32(0x0002_0000) + [UInt8](repeating: 0, count: 28) + big16(names.count)
    let glyphs = names.indices.flatMap { big16(258 + $0) }
    let texts = names.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    return head + glyphs + texts
  }

  /// A `GSUB` table with one ligature; by an extension if it is to be found that way.
  public static func ligature(_ glyph: Int, of parts: [Int], byExtension: Bool = false) -> [UInt8] {
    let ligature =
      big16(glyph) + big16(parts.count) + parts.dropFirst().flatMap { big16($0) }
    let set = big16(1) + big16(4) + ligature
    let coverage = big16(1) + big16(1) + big16(parts[0])
    let subtable = big16(1) + big16(8 + set.count) + big16(1) + big16(8) + set + coverage
    return substitutions(4, subtable, byExtension: byExtension)
  }

  /// A `GSUB` table that puts glyphs in the place of others: `glyph` and those behind it, so many numbers farther.
  public static func forms(of glyphs: ClosedRange<Int>, farther distance: Int) -> [UInt8] {
    let coverage =
      big16(2) + big16(1) + big16(glyphs.lowerBound) + big16(glyphs.upperBound) + big16(0)
    return substitutions(1, big16(1) + big16(6) + big16(distance) + coverage, byExtension: false)
  }

  private static func substitutions(
    _ kind: Int, _ subtable: [UInt8], byExtension: Bool
  ) -> [UInt8] {
    let body = byExtension ? big16(1) + big16(kind) + big32(8) + subtable : subtable
    let lookup = big16(byExtension ? 7 : kind) + big16(0) + big16(1) + big16(8) + body
    return big16(1) + big16(0) + big16(0) + big16(0) + big16(10) + big16(1) + big16(4) + lookup
  }

  private static func big16(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  private static func big32(_ value: Int) -> [UInt8] { big16(value >> 16) + big16(value) }
}
