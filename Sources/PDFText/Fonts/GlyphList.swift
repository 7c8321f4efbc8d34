/// From glyph names to Unicode, as the Adobe Glyph List Specification has it.
enum GlyphList {
  private static let names = NameTable(text: GlyphListData.list)
  private static let mathNames = NameTable(text: MathGlyphNames.list)
  private static let presentationForms = NameTable(text: PresentationForms.list)
  private static let dingbats = NameTable(text: EncodingData.dingbats)

  /// The scalars of a glyph name, or nil where it says nothing: listed names, `uniXXXX`, `uXXXXX`,
  /// components joined by `_`, suffixes behind a full stop left out.
  static func scalars(_ name: String, dingbats usesDingbats: Bool = false) -> [UInt32]? {
    guard !name.isEmpty, name != ".notdef" else { return nil }
    // Most names that are asked for are a letter, which stands for itself.
    if !usesDingbats, name.utf8.count == 1, let letter = name.utf8.first, isLetter(letter) {
      return [UInt32(letter)]
    }
    let bytes = Array(name.utf8)
    if usesDingbats, let value = dingbats.value(of: bytes) { return hexadecimalList(value) }
    if let value = listed(bytes) { return value }
    let stem = bytes.firstIndex(of: 0x2E).map { Array(bytes[..<$0]) } ?? bytes
    guard !stem.isEmpty else { return nil }
    var result: [UInt32] = []
    for part in stem.split(separator: 0x5F) {
      guard let scalars = component(Array(part)) else { return nil }
      result += scalars
    }
    return result.isEmpty ? nil : result
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
  }

  /// The letters that a ligature, or a form of a letter, is made of; nil for other scalars.
  static func letters(of scalar: UInt32) -> [UInt32]? {
    presentationForms.value(of: Array(String(scalar, radix: 16, uppercase: true).utf8))
      .map(hexadecimalList)
  }

  private static func component(_ part: [UInt8]) -> [UInt32]? {
    if let value = listed(part) ?? mathNames.value(of: part).map(hexadecimalList) { return value }
    if part.count >= 7, part.starts(with: Array("uni".utf8)), (part.count - 3) % 4 == 0 {
      var result: [UInt32] = []
      var at = 3
      while at < part.count {
        guard let value = hexadecimal(part[at..<(at + 4)]) else { return nil }
        result.append(value)
        at += 4
      }
      return valid(result)
    }
    if part.count >= 5, part.count <= 7, part[0] == 0x75, let value = hexadecimal(part[1...]) {
      return valid([value])
    }
    return nil
  }

  /// The scalars that the list has for a name. In the place of private values: those of the pieces of brackets that
  /// Unicode has by now, and of the plain letter for small capitals, figures of other forms and the like.
  private static func listed(_ name: [UInt8]) -> [UInt32]? {
    guard let scalars = names.value(of: name).map(hexadecimalList) else { return nil }
    guard let first = scalars.first, 0xE000..<0xF900 ~= first else { return scalars }
    if let value = mathNames.value(of: name) { return hexadecimalList(value) }
    for form in ["small", "oldstyle", "superior", "inferior", "fitted", "serif", "sans"]
    where name.count > form.utf8.count && name.suffix(form.utf8.count).elementsEqual(form.utf8) {
      guard let plain = listed(Array(name.dropLast(form.utf8.count))),
        let letter = plain.first.flatMap(Unicode.Scalar.init),
        !(0xE000..<0xF900 ~= letter.value)
      else { break }
      return form == "small"
        ? letter.properties.lowercaseMapping.unicodeScalars.map(\.value) : plain
    }
    return scalars
  }

  private static func valid(_ values: [UInt32]) -> [UInt32]? {
    values.allSatisfy { Unicode.Scalar($0) != nil && $0 != 0 } ? values : nil
  }

  private static func hexadecimalList(_ text: [UInt8]) -> [UInt32] {
    text.split(separator: 0x5F).compactMap { hexadecimal($0) }
  }

  static func hexadecimal(_ digits: some Collection<UInt8>) -> UInt32? {
    guard !digits.isEmpty, digits.count <= 8 else { return nil }
    var value: UInt32 = 0
    for byte in digits {
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
      case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
      default: return nil
      }
    }
    return value
  }
}
