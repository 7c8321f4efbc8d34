import PDFSyntax

/// What the pages of one file share: fonts, forms, which optional content is off.
final class DocumentCache {
  let file: PDFFile
  let optionalContent: OptionalContent
  /// Whether ligatures and forms of letters stay as the fonts have them.
  var keepsLigatures = false
  private var fonts: [Int: Font] = [:]
  /// Whether the codes of some font were taken for Latin-1.
  var guessedLetters: Bool { fonts.values.contains(where: \.isGuessed) }
  private var forms: [Int: [UInt8]] = [:]
  private var formBytes = 0
  private(set) lazy var fallbackFont = Font(
    ["Type": .name("Font"), "Subtype": .name("Type1"), "BaseFont": .name("Helvetica")],
    file: file)

  /// What all pages together may still cost, see `WorkLimits`.
  private(set) var operatorsLeft: Int
  private(set) var bytesLeft: Int

  private static let mostFonts = 256
  private static let mostFormBytes = 8 << 20

  init(_ file: PDFFile, _ limits: WorkLimits = WorkLimits()) {
    self.file = file
    optionalContent = OptionalContent(file)
    operatorsLeft = limits.operatorsOfDocument
    let (forSize, overflow) = file.bytes.count.multipliedReportingOverflow(by: 64)
    let (bytes, tooMany) = limits.contentBytesOfDocument.addingReportingOverflow(forSize)
    bytesLeft = overflow || tooMany ? .max : bytes
  }

  /// Notes what a page has cost.
  func spend(operators: Int, bytes: Int) {
    operatorsLeft -= min(operatorsLeft, operators)
    bytesLeft -= min(bytesLeft, bytes)
  }

  func font(_ object: PDFObject) -> Font? {
    if let number = object.reference?.number, let known = fonts[number] { return known }
    guard let dictionary = file.resolve(object).dictionary else { return nil }
    let font = Font(dictionary, file: file, keepsLigatures: keepsLigatures)
    if let number = object.reference?.number {
      if fonts.count >= Self.mostFonts { fonts.removeAll() }
      fonts[number] = font
    }
    return font
  }

  /// The decoded content of a form; small ones are kept.
  func content(of form: PDFStream, limit: Int) -> [UInt8] {
    if let number = form.reference?.number, let known = forms[number] { return known }
    let decoded = file.decode(form, limit: limit)
    if let filter = decoded.pending {
      file.diagnostics.add(
        .lost, "a form is encoded by \(filter.display.prefix(64)), which gives no text",
        object: form.reference)
      return []
    }
    if !decoded.isComplete {
      file.diagnostics.add(
        .lost, decoded.bytes.count < limit ? "a form is damaged" : "a form is too large",
        object: form.reference)
    }
    if let number = form.reference?.number, decoded.bytes.count < 1 << 18 {
      if formBytes > Self.mostFormBytes {
        forms.removeAll()
        formBytes = 0
      }
      forms[number] = decoded.bytes
      formBytes += decoded.bytes.count
    }
    return decoded.bytes
  }
}
