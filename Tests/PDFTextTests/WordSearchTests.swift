import PDFSyntax
import PDFText
import TestSupport
import Testing

/// The worked example of the library's documentation.
@Suite struct WordSearchTests {
  @Test func `the example of the documentation is compiled here`() throws {
    #expect(
      try WorkedExample.isShown(
        "Tests/PDFTextTests/WordSearch.swift", on: "Sources/PDFText/PDFEngine.docc/PDFEngine.md"))
  }

  @Test func `it finds a word on its pages`() throws {
    let bytes = PDFBuilder.pages([
      PDFBuilder.lines(["one two"]), PDFBuilder.lines(["three"]), PDFBuilder.lines(["two", "two"]),
    ])
    let search = try WordSearch("two", in: FileBytes(bytes))
    #expect(search.places.map(\.page) == [1, 3, 3])
    // 12 points high from 720 on, of 792.
    #expect(search.places.allSatisfy { $0.box.x0 >= 72 && (55...95).contains($0.box.y0) })
    #expect(search.oddities.isEmpty && !search.isPartial)
    #expect(throws: PDFError.notPDF) { try WordSearch("two", in: FileBytes([0x20])) }
  }
}
