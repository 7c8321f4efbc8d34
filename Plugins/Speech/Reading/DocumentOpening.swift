internal import Bytes
internal import PDFSyntax
internal import PDFText
internal import PluginKit
internal import SystemPackage

/// Opens what is to be read, by its content.
enum DocumentOpening {
  /// What can be done where there is no text.
  static let recognizing =
    "procd convert IN OUT.pdf makes a PDF with text of pictures and scans; in a rule, ocr.tesseract does"

  /// - Parameters:
  ///   - isMarkdown: whether a text is marked up so.
  ///   - textMissing: told of a picture, and of pages that have no text.
  static func open(
    _ bytes: FileBytes, passwords: [String] = [], mostPages: Int, isMarkdown: Bool,
    textMissing: (String) -> Void = { _ in }
  ) throws(PluginFailure) -> any ReadableDocument {
    guard bytes.count > 0 else {
      throw PluginFailure(.input, "file.empty", "the file is empty", hint: "send it again")
    }
    let document: any ReadableDocument
    // A PDF may have up to 1 KiB of something else before its header (PDF 32000-1, Annex H).
    if bytes.span.first(of: "%PDF-", in: 0..<1032) != nil {
      let pdf = try PDFDocument(bytes, passwords: passwords, mostPages: mostPages)
      switch pdf.pagesWithoutText {
      case 0: break
      case 1: textMissing("1 page has no text")
      case let count: textMissing("\(count) pages have no text")
      }
      document = pdf
    } else {
      // Zeros stand in no text but UTF-16, which begins with its mark.
      let head = bytes.span.array(0..<min(bytes.count, 1 << 16))
      guard
        head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) || !head.contains(0)
      else {
        textMissing("this is no text")
        throw PluginFailure(
          .input, "speech.empty", "this file is neither a text nor a PDF", hint: recognizing)
      }
      document = try TextDocument(bytes, isMarkdown: isMarkdown)
    }
    guard document.letters > 0 else {
      throw PluginFailure(
        .input, "speech.empty", "there is no text in this file that could be read aloud",
        hint: document is PDFDocument ? recognizing : "it has no letters: look whether it is whole")
    }
    guard document.letters <= SpeechLimits.letters else {
      throw PluginFailure(
        .input, "speech.long",
        "the document has \(document.letters) letters, \(SpeechLimits.letters) are read at most,"
          + " which takes a day to hear", hint: "divide it into parts")
    }
    return document
  }
}
