/// Why a file could not be read at all. Everything less is a ``Diagnostic``.
public enum PDFError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file is empty.
  case empty
  /// Neither a PDF header nor any PDF object was found.
  case notPDF
  /// The file is encrypted and opens neither with the password given nor with the empty one.
  case passwordNeeded
  /// The file is encrypted by a security handler or algorithm that is not supported.
  case unsupportedEncryption(String)
  /// No page could be found.
  case noPages

  /// One sentence without full stop, to be put after the name of the file.
  public var description: String {
    switch self {
    case .empty: "the file is empty"
    case .notPDF: "this is not a PDF file"
    case .passwordNeeded: "a password is needed to open this file"
    case .unsupportedEncryption(let what):
      "the file is encrypted in a way that is not supported (\(what)); no password helps"
    case .noPages: "no pages could be found in this file"
    }
  }
}
