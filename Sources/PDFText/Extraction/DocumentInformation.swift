public import PDFSyntax

/// What a file says about itself (PDF 32000-1, 14.3.3 and 14.9.2). Nil where it says nothing.
public struct DocumentInformation: Sendable, Equatable {
  /// What the document information dictionary says (14.3.3), as Unicode; nil where it says nothing.
  public var title: String?
  public var author: String?
  public var subject: String?
  public var keywords: String?
  /// The program that the document was written with, and the one that made the PDF.
  public var creator: String?
  public var producer: String?
  /// The natural language of the text, such as `de-CH`.
  public var language: String?

  /// Reads what a file says about itself.
  public init(_ file: PDFFile) {
    let information = file.dictionary(file.trailer, "Info") ?? PDFDictionary()
    func text(_ dictionary: PDFDictionary, _ key: PDFName) -> String? {
      guard let bytes = file.string(dictionary, key) else { return nil }
      var text = String.UnicodeScalarView()
      for scalar in TextString.scalars(Array(bytes.prefix(4096))) {
        if scalar >= 0x20, let scalar = Unicode.Scalar(scalar) { text.append(scalar) }
      }
      return text.isEmpty ? nil : String(text)
    }
    title = text(information, "Title")
    author = text(information, "Author")
    subject = text(information, "Subject")
    keywords = text(information, "Keywords")
    creator = text(information, "Creator")
    producer = text(information, "Producer")
    language = text(file.catalog, "Lang")
  }
}
