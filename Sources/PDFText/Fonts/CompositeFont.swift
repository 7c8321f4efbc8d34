import Bytes
import PDFSyntax

/// Type 0 fonts (PDF 32000-1, 9.7): codes of one to four bytes, mapped to CIDs by a CMap.
final class CompositeFont {
  let descriptor: PDFDictionary
  let isVertical: Bool
  private let encoding: CharacterMap?
  private let predefined: PredefinedCMap
  private let unicodeIsIdentity: Bool
  private let ordering: String
  private var widths: [UInt32: Float] = [:]
  private let defaultWidth: Double
  private var verticals: [UInt32: (advance: Float, x: Float)] = [:]
  /// The advance of vertical glyphs.
  private let defaultVertical: Double
  private var glyphByCID: [UInt8] = []
  private let file: PDFFile
  private lazy var program = FontProgram.of(descriptor, file: file)

  init(_ dictionary: PDFDictionary, toUnicode: CharacterMap?, file: PDFFile) {
    self.file = file
    let descendant =
      file.array(dictionary, "DescendantFonts")?.first.flatMap { file.resolve($0).dictionary }
      ?? file.dictionary(dictionary, "DescendantFonts") ?? PDFDictionary()
    descriptor = file.dictionary(descendant, "FontDescriptor") ?? PDFDictionary()
    var map: CharacterMap?
    var name = "Identity-H"
    switch file.resolve(dictionary["Encoding"]) {
    case .name(let value): name = value.text
    case .stream(let stream):
      let parsed = Self.embedded(stream, file, depth: 0)
      map = parsed
      name = parsed.base ?? ""
    default: break
    }
    encoding = map
    predefined = PredefinedCMap(name: name)
    isVertical = map?.isVertical ?? name.hasSuffix("V")
    unicodeIsIdentity = file.name(dictionary, "ToUnicode")?.text.hasPrefix("Identity") ?? false
    let system = file.dictionary(descendant, "CIDSystemInfo") ?? PDFDictionary()
    let stated = String(decoding: file.string(system, "Ordering") ?? [], as: UTF8.self)
    ordering =
      predefined.ordering ?? (CIDCollections.isKnown(stated) ? nil : Self.ordering(of: toUnicode))
      ?? stated
    let width = file.number(descendant, "DW") ?? 1000
    defaultWidth = width.magnitude < 1e5 ? width / 1000 : 1
    let vertical = file.numbers(descendant, "DW2") ?? []
    defaultVertical =
      vertical.count >= 2 && vertical[1].magnitude < 1e5 ? vertical[1] / 1000 : -1
    widths = Self.metrics(file.array(descendant, "W"), each: 1, file) { Self.width($0.first, file) }
    if isVertical {
      verticals = Self.metrics(file.array(descendant, "W2"), each: 3, file) {
        (Self.width($0.first, file), Self.width($0.dropFirst().first, file))
      }
    }
    if case .stream(let stream) = file.resolve(descendant["CIDToGIDMap"]) {
      glyphByCID = file.decode(stream, limit: 131_072).bytes
    }
  }

  func code(in string: [UInt8], at offset: Int) -> Font.Code {
    let left = string.count - offset
    let length: Int
    if let encoding, !encoding.codespaces.isEmpty {
      length = min(left, encoding.length(string, offset))
    } else {
      length = min(left, predefined.length(string, offset))
    }
    return Font.Code(value: Self.value(string, offset, length), length: length)
  }

  /// A CMap in the file, with those that it uses (9.7.5.3).
  private static func embedded(_ stream: PDFStream, _ file: PDFFile, depth: Int) -> CharacterMap {
    var map = file.derived("CMap", of: stream) {
      CharacterMapParser.parse(file.decode(stream, limit: 16 << 20).bytes.span, unicode: false)
    }
    switch file.resolve(stream.dictionary["UseCMap"]) {
    case .name(let name): map.base = name.text
    case .stream(let other) where depth < 4:
      let used = embedded(other, file, depth: depth + 1)
      map.base = used.base
      map.bases = [used]
      for space in used.codespaces {
        map.addCodespace(length: space.length, low: space.low, high: space.high)
      }
    default: break
    }
    return map
  }

  /// The collection of a ToUnicode map that says no more than `/Adobe-Japan1-UCS2 usecmap`.
  private static func ordering(of toUnicode: CharacterMap?) -> String? {
    guard let parts = toUnicode?.base?.split(separator: "-"), parts.count == 3,
      parts[0] == "Adobe", parts[2] == "UCS2"
    else { return nil }
    return String(parts[1])
  }

  private static func value(_ string: [UInt8], _ offset: Int, _ length: Int) -> UInt32 {
    var value: UInt32 = 0
    for index in 0..<length { value = value << 8 | UInt32(string[offset + index]) }
    return value
  }

  private func cid(_ code: UInt32) -> UInt32? {
    if let encoding, let number = encoding.number(code) { return number }
    return predefined.cid(code)
  }

  /// Some hundred of the widths that the file gives.
  var statedWidths: [Double] { widths.values.prefix(200).map(Double.init) }

  func advance(_ code: UInt32) -> Double {
    let cid = cid(code)
    if isVertical {
      if let cid, let own = verticals[cid] { return Double(own.advance) }
      return defaultVertical
    }
    guard let cid, let width = widths[cid] else { return defaultWidth }
    return Double(width)
  }

  /// How far the middle of a glyph lies to the right of the line of vertical text (9.7.4.3), in units
  /// of the font size: 0 where the file gives no position of its own.
  func verticalOffset(_ code: UInt32) -> Double {
    guard let cid = cid(code), let own = verticals[cid] else { return 0 }
    return (widths[cid].map(Double.init) ?? defaultWidth) / 2 - Double(own.x)
  }

  /// The glyph of a code in the embedded program.
  func glyph(_ code: UInt32) -> UInt32? {
    guard let cid = cid(code) else { return nil }
    let at = Int(cid) * 2
    guard at + 1 < glyphByCID.count else { return cid }
    return UInt32(glyphByCID[at]) << 8 | UInt32(glyphByCID[at + 1])
  }

  /// The text of a code by the font itself, without its ToUnicode map. Empty: the glyph has none; 0: nobody knows.
  func scalars(_ code: UInt32) -> [UInt32] {
    if unicodeIsIdentity || predefined.isUnicode { return predefined.unicode(code) }
    guard let cid = encoding?.number(code) ?? predefined.textCID(code) else { return [0] }
    if let scalars = CIDCollections.unicode(cid, ordering: ordering) { return scalars }
    let glyph = glyph(code) ?? cid
    return program?.scalars(ofGlyph: glyph) ?? program?.symbolByGlyph[glyph].map { [$0] } ?? [0]
  }

  /// The text of a glyph of the embedded program.
  func scalars(ofGlyph glyph: UInt32) -> [UInt32]? { program?.scalars(ofGlyph: glyph) }

  private static let mostWidths = 70_000

  /// The metrics of CIDs, written as `c [m1 m2 ...]` and `first last m` (9.7.4.3).
  ///
  /// - Parameter each: how many numbers a CID has.
  private static func metrics<Metrics>(
    _ list: [PDFObject]?, each: Int, _ file: PDFFile, _ made: (ArraySlice<PDFObject>) -> Metrics
  ) -> [UInt32: Metrics] {
    var result: [UInt32: Metrics] = [:]
    guard let list, file.spend(64 * list.count) else { return result }
    var at = 0
    var work = 0
    while at + 1 < list.count, result.count < mostWidths, work < 1 << 20 {
      let first = file.resolve(list[at]).integer ?? 0
      let second = file.resolve(list[at + 1])
      if let own = second.array {
        for index in 0..<min(own.count / each, mostWidths) where (0..<1 << 24).contains(first) {
          result[UInt32(first + index)] = made(own[(index * each)..<(index * each + each)])
        }
        work += own.count
        at += 2
      } else {
        guard at + 1 + each < list.count else { break }
        let last = min(second.integer ?? -1, 65_535)
        if first >= 0, first <= last {
          let own = made(list[(at + 2)..<(at + 2 + each)])
          for cid in first...last { result[UInt32(cid)] = own }
          work += last - first
        }
        at += 2 + each
      }
    }
    return result
  }

  private static func width(_ value: PDFObject?, _ file: PDFFile) -> Float {
    guard let value = file.resolve(value).number, value.magnitude < 1e6 else { return 0 }
    return Float(value / 1000)
  }
}
