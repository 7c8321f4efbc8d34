import PDFSyntax
import PDFText
import TestSupport
import Testing

/// The text of one page of a file, from 0.
func text(_ bytes: [UInt8], page: Int = 0, password: String? = nil) throws -> String {
  let extractor = try TextExtractor(
    PDFFile(FileBytes(bytes), passwords: [password].compactMap(\.self)))
  return try #require(extractor.page(page)).text
}

/// The text that a content stream shows; `F1` is Helvetica in WinAnsi.
func shown(_ content: String, page: String = "") throws -> String {
  try text(PDFBuilder.pages([content], page: page))
}
