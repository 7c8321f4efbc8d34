internal import Bytes
internal import PDFSyntax
internal import PDFText
internal import PluginKit
internal import SystemPackage

/// Opens what is to be read, by its content.
enum DocumentOpening {
  /// - Parameter isMarkdown: whether a text is marked up so.
  static func open(
    _ bytes: FileBytes, passwords: [String] = [], mostPages: Int, isMarkdown: Bool
  ) throws(PluginFailure) -> any ReadableDocument {
    guard bytes.count > 0 else {
      throw PluginFailure(.input, "file.empty", "the file is empty", hint: "send it again")
    }
    let document: any ReadableDocument
    // A PDF may have up to 1 KiB of something else before its header (PDF 32000-1, Annex H).
    if bytes.span.first(of: "%PDF-", in: 0..<1032) != nil {
      document = try PDFDocument(bytes, passwords: passwords, mostPages: mostPages)
    } else {
      document = try TextDocument(bytes, isMarkdown: isMarkdown)
    }
    guard document.letters > 0 else {
      throw PluginFailure(
        .input, "speech.empty", "there is no text in this file that could be read aloud",
        hint: "if its pages are pictures, recognise their text first (ocr.tesseract)")
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
