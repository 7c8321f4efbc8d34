internal import Bytes
internal import PDFSyntax
internal import SystemPackage

extension MappedFile {
  /// Maps a file that the host named.
  static func mapped(_ path: FilePath) throws(OCRFailure) -> MappedFile {
    do { return try MappedFile(path: path) } catch {
      throw OCRFailure(.internal, "file.read", "The file cannot be read: \(error).")
    }
  }
}

extension FileBytes {
  /// Whether the header of a PDF stands where readers look for it.
  var isPDF: Bool {
    let bytes = self
    return bytes.span.first(of: "%PDF-", in: 0..<1024) != nil
  }
}

extension OCRFailure {
  /// Why a PDF cannot be read, for people.
  init(_ error: PDFError) {
    switch error {
    case .passwordNeeded:
      self.init(
        .input, "pdf.password", "A password is needed to open this file.",
        hint: "Put the password into a file that the step's option \"passwords\" names, or remove "
          + "it, for example with qpdf --decrypt, and hand the file in again.")
    case .unsupportedEncryption:
      self.init(.input, "pdf.encryption", "The file is encrypted in an unsupported way.")
    case .empty, .notPDF: self.init(.input, "pdf.unknown", "This is not a PDF file.")
    case .noPages: self.init(.input, "pdf.pages", "No pages could be found in this file.")
    }
  }
}
