public import PDFSyntax

/// What a file says about itself (PDF 32000-1, 14.3.3 and 14.9.2). Nil where it says nothing.
public struct DocumentInformation: Sendable, Equatable {
  /// Its title. This and what follows, down to ``producer``, is from the information dictionary, as
  /// Unicode without control characters; at most 4096 bytes of each are read.
  public var title: String?
  /// Who wrote the document.
  public var author: String?
  /// What the document is about.
  public var subject: String?
  /// Words to find the document by, in one text as the file has them.
  public var keywords: String?
  /// The program that the document was written with, before it became a PDF.
  public var creator: String?
  /// The program that made the PDF.
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
