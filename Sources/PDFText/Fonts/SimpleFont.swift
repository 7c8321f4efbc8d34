import Bytes
import PDFSyntax

/// Type 1, MMType1, TrueType and Type 3 fonts (PDF 32000-1, 9.6): one byte a code.
final class SimpleFont {
  /// In units of the font size; not a number where the standard metrics have to be asked.
  private var widths: [Double]
  private let isDingbats: Bool
  private let isType3: Bool
  /// What the font's dictionary says of its codes; an encoding is nil if it names none.
  private let stated: (encoding: Encoding?, differences: [PDFObject], fallback: Encoding)
  private let descriptor: PDFDictionary
  private let file: PDFFile
  /// The embedded program, read if the dictionary alone does not tell what a code is.
  private lazy var program = isType3 ? nil : FontProgram.of(descriptor, file: file)
  private lazy var encoding = completeEncoding()
  private let standard: StandardFonts.Family
  private let missingWidth: Double
  let scale: Double
  /// Whether codes were taken for Latin-1 because nothing but their widths tells what they are.
  private(set) var isGuessed = false
  private lazy var looksLatin = Self.fitsLatin(widths)

  init(
    _ dictionary: PDFDictionary, descriptor: PDFDictionary, symbols: SymbolSet?, file: PDFFile
  ) {
    self.descriptor = descriptor
    self.file = file
    let subtype = file.name(dictionary, "Subtype")
    isType3 = subtype == "Type3"
    let name = Self.plainName(file.name(dictionary, "BaseFont")?.text ?? "")
    let family = StandardFonts.family(name, guess: false)
    isDingbats =
      family == .zapfDingbats || name.contains("Dingbat") || symbols?.isDingbats == true

    // Encoding
    let flags = file.integer(descriptor, "Flags") ?? 0
    let isSymbolic = flags & 4 != 0 && flags & 32 == 0
    var encoding: Encoding?
    let entry = file.resolve(dictionary["Encoding"])
    var differences: [PDFObject] = []
    if let named = entry.name {
      encoding = Encoding.named(named)
    } else if let custom = entry.dictionary {
      encoding = Encoding.named(file.name(custom, "BaseEncoding"))
      let list = file.array(custom, "Differences") ?? []
      if file.spend(64 * list.count) { differences = list.map { file.resolve($0) } }
    }
    // An encoding of Latin letters means nothing in a font of symbols. Type 1 and CFF programs have names.
    if let symbols,
      encoding != nil || descriptor["FontFile"] == nil && descriptor["FontFile3"] == nil
    {
      encoding = symbols.encoding
    } else if encoding == nil {
      switch family {
      case .symbol where descriptor["FontFile"] == nil && descriptor["FontFile3"] == nil:
        encoding = .symbol
      case .zapfDingbats: encoding = .zapfDingbats
      default: break
      }
    }
    stated = (
      encoding, differences,
      symbols?.encoding
        ?? (subtype == "TrueType" && !isSymbolic ? .winAnsi : isType3 ? .empty : .standard)
    )

    // Widths
    var matrix = 0.001
    var em = 1.0
    if isType3 {
      let fontMatrix = file.numbers(dictionary, "FontMatrix") ?? []
      if fontMatrix.count >= 4 {
        let horizontal = (fontMatrix[0] * fontMatrix[0] + fontMatrix[1] * fontMatrix[1])
          .squareRoot()
        if horizontal > 0, horizontal.isFinite { matrix = horizontal }
        let vertical = (fontMatrix[2] * fontMatrix[2] + fontMatrix[3] * fontMatrix[3]).squareRoot()
        let box = file.numbers(dictionary, "FontBBox") ?? []
        if box.count >= 4, (box[3] - box[1]).magnitude > 0, vertical > 0 {
          em = (box[3] - box[1]).magnitude * vertical
        } else {
          em = 0
        }
      }
    }
    let missing = file.number(descriptor, "MissingWidth") ?? 0
    var widths = [Double](repeating: .nan, count: 256)
    var largest = 0.0
    if let list = file.array(dictionary, "Widths") {
      let first = file.integer(dictionary, "FirstChar") ?? 0
      for (index, item) in list.enumerated() {
        guard index < 256, first >= 0, first <= 255 - index else { break }
        let width = (file.resolve(item).number ?? 0) * matrix
        widths[first + index] = width.isFinite ? max(-10_000, min(10_000, width)) : 0
        largest = max(largest, widths[first + index])
      }
      for index in widths.indices where widths[index].isNaN { widths[index] = missing * matrix }
    } else if isType3 {
      for index in widths.indices { widths[index] = 0 }
    }
    self.widths = widths
    missingWidth = missing
    standard = family ?? StandardFonts.family(name, guess: true) ?? .helvetica
    if isType3 {
      // A box that says nothing, or too much, is set aside for the widest glyph.
      if em <= 0 || largest > 0 && (em > largest * 6 || em < largest / 6) { em = largest }
      scale = em > 0 && em.isFinite ? max(1e-4, min(1e4, em)) : 1
    } else {
      scale = 1
    }
  }

  /// A font's name without its subset prefix.
  static func plainName(_ name: String) -> String {
    let bytes = Array(name.utf8)
    guard bytes.count > 7, bytes[6] == 0x2B else { return name }
    return String(decoding: bytes[7...], as: UTF8.self)
  }

  func width(_ code: UInt32) -> Double {
    let code = Int(code & 255)
    if !widths[code].isNaN { return widths[code] }
    let width = encoding.names[code].flatMap { StandardFonts.width($0, in: standard) }
    let missing = missingWidth > 0 ? missingWidth : standard == .courier ? 600 : 500
    widths[code] = (width ?? missing) / 1000
    return widths[code]
  }

  /// Whether letters are as wide, one against the other, as those of Helvetica or Times at the same codes. Codes that a
  /// producer gave out as it went have widths that fit nothing.
  private static func fitsLatin(_ widths: [Double]) -> Bool {
    let codes = (Array(0x41...0x5A) + Array(0x61...0x7A)).filter { widths[$0] > 0 }
    guard codes.count >= 8 else { return false }
    return [StandardFonts.Family.helvetica, .timesRoman].contains { family in
      let pairs = codes.compactMap { code -> (Double, Double)? in
        Encoding.winAnsi.names[code].flatMap { StandardFonts.width($0, in: family) }
          .map { (widths[code], $0) }
      }
      let count = Double(pairs.count)
      let (meanX, meanY) = (
        pairs.reduce(0) { $0 + $1.0 } / count, pairs.reduce(0) { $0 + $1.1 } / count
      )
      var (xy, xx, yy) = (0.0, 0.0, 0.0)
      for (x, y) in pairs {
        xy += (x - meanX) * (y - meanY)
        xx += (x - meanX) * (x - meanX)
        yy += (y - meanY) * (y - meanY)
      }
      return xx > 0 && yy > 0 && xy > 0.85 * (xx * yy).squareRoot()
    }
  }

  private func completeEncoding() -> Encoding {
    var result = stated.encoding ?? program?.encoding ?? stated.fallback
    result.apply(stated.differences)
    if isType3 { result.readBitmapNames() }
    return result
  }

  /// The glyph of a code in the embedded program.
  func glyph(_ code: UInt32) -> UInt32? { program?.glyphByCode[code & 255] }

  /// The text of a glyph of the embedded program.
  func scalars(ofGlyph glyph: UInt32) -> [UInt32]? { program?.scalars(ofGlyph: glyph) }

  /// The text of a code by the font itself, without its ToUnicode map. Empty: the glyph has none; 0: nobody knows.
  func scalars(_ code: UInt32) -> [UInt32] {
    let name = encoding.names[Int(code & 255)]
    // Some fonts have no glyph for a blank, only its width.
    if code == 0x20, name == nil || name == ".notdef" && width(code) > 0 { return [0x20] }
    guard let name else {
      if let text = program?.text(ofCode: code) { return text }
      if isType3 || stated.encoding == nil && program != nil {
        guard looksLatin, code >= 0x20, let latin = Encoding.winAnsi.names[Int(code & 255)] else {
          return [0]
        }
        isGuessed = true
        return GlyphList.scalars(latin) ?? [0]
      }
      // Tabs and ends of lines inside strings have no glyph; producers mean the gap.
      if [0x09, 0x0A, 0x0D].contains(code) { return [0x20] }
      // Producers count on Latin 1 where the standard encoding has nothing.
      if code >= 0x20, let latin = Encoding.winAnsi.names[Int(code & 255)] {
        return GlyphList.scalars(latin) ?? [0]
      }
      return [0]
    }
    if let scalars = GlyphList.scalars(name, dingbats: isDingbats) { return scalars }
    if let text = program?.text(ofCode: code, named: name) { return text }
    if isType3, code >= 0x20, code < 0x7F { return [code] }
    return [0]
  }
}
