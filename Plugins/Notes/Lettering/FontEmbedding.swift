internal import Bytes
internal import PDFSyntax
internal import PDFText
internal import PDFWriter

/// Puts a font into a file: a Type 0 font whose codes are the numbers of glyphs (PDF 32000-1, 9.7), with
/// what it needs of the font program, and a table that leads back to text.
enum FontEmbedding {
  static func write(
    _ font: LetteringFont, as reference: PDFReference, to update: inout IncrementalUpdate
  ) {
    let name = "\(prefix(font))+\(font.name)"
    let program = font.subset() ?? []
    let stream: PDFStream
    if font.isCompact {
      stream = .compressed(
        ["Subtype": .name("CIDFontType0C")], bytes: CompactFontNumbers.identity(program))
    } else {
      stream = .compressed(["Length1": .integer(program.count)], bytes: program)
    }
    func units(_ share: Double) -> PDFObject { .integer(Int((share * 1000).rounded())) }
    let descriptor: PDFDictionary = [
      "Type": .name("FontDescriptor"), "FontName": .name(PDFName(name)), "Flags": .integer(4),
      "FontBBox": .array([.integer(-1000), units(font.descent), .integer(2000), units(font.ascent)]
      ),
      "ItalicAngle": .integer(0), "Ascent": units(font.ascent), "Descent": units(font.descent),
      "CapHeight": units(font.capHeight), "StemV": .integer(80),
      font.isCompact ? "FontFile3" : "FontFile2": .reference(update.add(.stream(stream))),
    ]
    var descendant: PDFDictionary = [
      "Type": .name("Font"), "Subtype": .name(font.isCompact ? "CIDFontType0" : "CIDFontType2"),
      "BaseFont": .name(PDFName(name)),
      "CIDSystemInfo": .dictionary([
        "Registry": .string(Array("Adobe".utf8)), "Ordering": .string(Array("Identity".utf8)),
        "Supplement": .integer(0),
      ]),
      "FontDescriptor": .reference(update.add(.dictionary(descriptor))),
      "DW": .integer(0), "W": widths(font),
    ]
    if !font.isCompact { descendant["CIDToGIDMap"] = .name("Identity") }
    let texts = PDFStream.compressed(bytes: characterMap(font))
    update.put(
      .dictionary([
        "Type": .name("Font"), "Subtype": .name("Type0"), "BaseFont": .name(PDFName(name)),
        "Encoding": .name("Identity-H"),
        "DescendantFonts": .array([.reference(update.add(.dictionary(descendant)))]),
        "ToUnicode": .reference(update.add(.stream(texts))),
      ]), as: reference)
  }

  /// Six letters that tell a part of a font from other parts of it (9.6.4).
  private static func prefix(_ font: LetteringFont) -> String {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for glyph in font.used.keys.sorted() { sum = (sum ^ UInt64(glyph)) &* 0x100_0000_01B3 }
    var letters = ""
    for _ in 0..<6 {
      letters.append(Character(Unicode.Scalar(UInt8(65 + sum % 26))))
      sum /= 26
    }
    return letters
  }

  private static func widths(_ font: LetteringFont) -> PDFObject {
    .array(
      font.used.keys.sorted().flatMap { glyph -> [PDFObject] in
        [.integer(Int(glyph)), .array([.real((font.advance(glyph) * 1e5).rounded() / 100)])]
      })
  }

  /// The ToUnicode CMap (9.10.3).
  private static func characterMap(_ font: LetteringFont) -> [UInt8] {
    var map = ByteWriter()
    map.append("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n")
    map.append("/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n")
    map.append("/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n")
    map.append("1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n")
    let entries = font.used.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
    for start in stride(from: 0, to: entries.count, by: 100) {
      let part = entries[start..<min(start + 100, entries.count)]
      map.append("\(part.count) beginbfchar\n")
      for (glyph, text) in part {
        map.append("<")
        map.append(hexadecimal: [UInt8(glyph >> 8 & 0xFF), UInt8(glyph & 0xFF)])
        map.append("> <")
        for unit in text.utf16 { map.append(hexadecimal: [UInt8(unit >> 8), UInt8(unit & 0xFF)]) }
        map.append(">\n")
      }
      map.append("endbfchar\n")
    }
    map.append("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
    return map.bytes
  }
}

/// Makes the identifiers of a CID-keyed font's glyphs (Adobe Technical Note 5176) the same as their
/// numbers, which are what texts here are written with.
enum CompactFontNumbers {
  static func identity(_ font: [UInt8]) -> [UInt8] {
    guard font.count > 4, let names = index(font, Int(font[2])),
      let tops = index(font, names.end), let top = tops.items.first
    else { return font }
    var operandStart = top.lowerBound, position = top.lowerBound
    var charsetOperand: Range<Int>?
    var charStrings: Int?
    var isNumbered = false
    while position < top.upperBound {
      let byte = font[position]
      switch byte {
      case 0...21:
        var length = 1
        if byte == 12 {
          length = 2
          if position + 1 < top.upperBound, font[position + 1] == 30 { isNumbered = true }
        } else if byte == 15 {
          charsetOperand = operandStart..<position
        } else if byte == 17 {
          charStrings = integer(font, operandStart..<position)
        }
        position += length
        operandStart = position
      case 28: position += 3
      case 29: position += 5
      case 30:
        position += 1
        while position < top.upperBound, font[position] & 0x0F != 0x0F, font[position] >> 4 != 0x0F
        {
          position += 1
        }
        position += 1
      case 247...254: position += 2
      default: position += 1
      }
    }
    // A font that is not CID-keyed has no identifiers: viewers take numbers.
    guard isNumbered, let operand = charsetOperand, operand.count == 5,
      font[operand.lowerBound] == 29,
      let charStrings, let glyphs = index(font, charStrings)
    else { return font }
    var result = font
    let place = UInt32(truncatingIfNeeded: font.count)
    for shift in 0..<4 {
      result[operand.lowerBound + 1 + shift] = UInt8(place >> (24 - 8 * UInt32(shift)) & 0xFF)
    }
    // Format 2: all glyphs but the first in one run that begins with 1.
    let rest = max(0, glyphs.items.count - 2)
    result += [2, 0, 1, UInt8(rest >> 8 & 0xFF), UInt8(rest & 0xFF)]
    return result
  }

  private static func integer(_ bytes: [UInt8], _ operand: Range<Int>) -> Int? {
    guard let first = operand.first, operand.upperBound <= bytes.count else { return nil }
    switch (bytes[first], operand.count) {
    case (29, 5): return bytes[(first + 1)..<(first + 5)].reduce(0) { $0 << 8 | Int($1) }
    case (28, 3): return Int(bytes[first + 1]) << 8 | Int(bytes[first + 2])
    case (let byte, 1): return Int(byte) - 139
    case (let byte, 2): return (Int(byte) - 247) * 256 + Int(bytes[first + 1]) + 108
    default: return nil
    }
  }

  /// The items of an INDEX structure and where it ends.
  private static func index(_ bytes: [UInt8], _ start: Int) -> (items: [Range<Int>], end: Int)? {
    guard start >= 0, start + 2 <= bytes.count else { return nil }
    let count = Int(bytes[start]) << 8 | Int(bytes[start + 1])
    if count == 0 { return ([], start + 2) }
    guard start + 3 <= bytes.count else { return nil }
    let size = Int(bytes[start + 2]), offsets = start + 3
    let data = offsets + (count + 1) * size - 1
    guard (1...4).contains(size), data + 1 <= bytes.count else { return nil }
    func offset(_ item: Int) -> Int {
      let place = offsets + item * size
      return bytes[place..<(place + size)].reduce(0) { $0 << 8 | Int($1) }
    }
    var items: [Range<Int>] = []
    var last = data + offset(0)
    for item in 1...count {
      let next = data + offset(item)
      guard next >= last, next <= bytes.count else { return nil }
      items.append(last..<next)
      last = next
    }
    return (items, last)
  }
}
