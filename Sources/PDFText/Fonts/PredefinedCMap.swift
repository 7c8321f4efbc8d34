import Bytes
import PDFSyntax
import Synchronization

/// The predefined CMaps (PDF 32000-1, 9.7.5.2): the identity, those whose codes are Unicode, and the
/// legacy encodings of China, Japan and Korea.
struct PredefinedCMap {
  /// How codes that are Unicode values are written.
  enum UnicodeForm { case ucs2, utf16, utf32, utf8 }

  private enum Form {
    case identity
    case unicode(UnicodeForm, hasHalfWidths: Bool)
    case table(CharacterMap)
  }

  private let form: Form
  /// The map of the same name for horizontal text, where this one is for vertical text: it leads to
  /// the letters themselves rather than to forms of them.
  private let horizontal: CharacterMap?
  /// The collection that the CMap's CIDs are of, where its name tells.
  let ordering: String?

  init(name: String) {
    var horizontal: CharacterMap?
    if let table = Self.table(name) {
      form = .table(table.map)
      ordering = table.ordering
      if name.hasSuffix("V") { horizontal = Self.table(String(name.dropLast()) + "H")?.map }
    } else if let unicode = Self.unicodeForm(name) {
      form = .unicode(unicode, hasHalfWidths: name.contains("-HW-"))
      ordering = Self.unicodeOrdering(name)
    } else {
      form = .identity
      ordering = nil
    }
    self.horizontal = horizontal
  }

  private static func unicodeForm(_ name: String) -> UnicodeForm? {
    if name.contains("UCS2") { return .ucs2 }
    if name.contains("UTF16") { return .utf16 }
    if name.contains("UTF32") { return .utf32 }
    return name.contains("UTF8") ? .utf8 : nil
  }

  private static func unicodeOrdering(_ name: String) -> String? {
    if name.hasPrefix("UniGB") { return "GB1" }
    if name.hasPrefix("UniCNS") { return "CNS1" }
    if name.hasPrefix("UniJIS") { return "Japan1" }
    return name.hasPrefix("UniKS") ? "Korea1" : nil
  }

  // MARK: Codes

  /// Whether codes are Unicode values themselves.
  var isUnicode: Bool { if case .unicode = form { true } else { false } }

  /// The bytes of the code that begins at an offset, at least 1.
  func length(_ string: [UInt8], _ offset: Int) -> Int {
    switch form {
    case .identity, .unicode(.ucs2, _): return 2
    case .unicode(.utf16, _): return (0xD8...0xDB).contains(string[offset]) ? 4 : 2
    case .unicode(.utf32, _): return 4
    case .unicode(.utf8, _):
      switch string[offset] {
      case 0xC0..<0xE0: return 2
      case 0xE0..<0xF0: return 3
      case 0xF0...: return 4
      default: return 1
      }
    case .table(let map): return map.length(string, offset)
    }
  }

  /// The CID of a code, for the metrics of its glyph.
  func cid(_ code: UInt32) -> UInt32? {
    switch form {
    case .identity: return code
    case .table(let map): return map.number(code)
    case .unicode(_, let hasHalfWidths):
      let scalars = unicode(code)
      guard let ordering, scalars.count == 1, scalars[0] != 0 else { return nil }
      if hasHalfWidths, ordering == "Japan1", (0x20...0x7E).contains(scalars[0]) {
        return scalars[0] - 0x20 + 231
      }
      return CIDCollections.cid(scalars[0], ordering: ordering)
    }
  }

  /// The CID that tells the text of a code.
  func textCID(_ code: UInt32) -> UInt32? { horizontal?.number(code) ?? cid(code) }

  /// The scalars of a code that is Unicode itself; 0: none.
  func unicode(_ code: UInt32) -> [UInt32] {
    guard case .unicode(let unicode, _) = form else { return [code] }
    switch unicode {
    case .utf32: return [code]
    case .utf8:
      let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
      let used = bytes.drop { $0 == 0 }
      let text = String(decoding: used, as: UTF8.self).unicodeScalars.map(\.value)
      return text.count == 1 && text != [0xFFFD] ? text : [0]
    case .ucs2, .utf16:
      guard code > 0xFFFF else { return [code] }
      let high = code >> 16
      let low = code & 0xFFFF
      guard high >= 0xD800, high < 0xDC00, low >= 0xDC00, low < 0xE000 else { return [0] }
      return [0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)]
    }
  }

  // MARK: Tables

  private struct Table {
    var ordering: String
    var map: CharacterMap
  }

  /// The tables that were asked for, by name: reading one takes about a tenth of a millisecond per
  /// thousand ranges.
  private static let known = Mutex<[String: Table]>([:])

  private static func table(_ name: String) -> Table? {
    if let table = known.withLock({ $0[name] }) { return table }
    guard let data = PredefinedCMapData.table(name) else { return nil }
    var map = CharacterMap()
    let spaces = numbers(data.codespaces)
    for at in stride(from: 0, to: spaces.count - 2, by: 3) {
      map.addCodespace(length: Int(spaces[at]), low: spaces[at + 1], high: spaces[at + 2])
    }
    // Bases are named without a circle, by the script that writes them.
    if let base = data.base { map.bases = table(base).map { [$0.map] } ?? [] }
    let ranges = numbers(data.ranges)
    var end: UInt32 = 0
    for at in stride(from: 0, to: ranges.count - 2, by: 3) {
      let low = end &+ ranges[at]
      end = low &+ ranges[at + 1]
      map.add(low: low, high: end, value: ranges[at + 2])
    }
    map.finish()
    let table = Table(ordering: data.ordering, map: map)
    known.withLock { $0[name] = table }
    return table
  }

  /// Hexadecimal numbers that blanks and ends of lines divide.
  private static func numbers(_ text: StaticString) -> [UInt32] {
    text.withUTF8Buffer { bytes in
      var result: [UInt32] = []
      var value: UInt32?
      for index in bytes.indices {
        if let digit = unsafe CharacterClass.hexadecimal(bytes[index]) {
          value = (value ?? 0) << 4 | UInt32(digit)
        } else if let number = value {
          result.append(number)
          value = nil
        }
      }
      if let value { result.append(value) }
      return result
    }
  }
}
