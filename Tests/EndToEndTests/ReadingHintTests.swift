import Foundation
import TestSupport
import Testing

/// What `extract` and `tables` say where there is nothing to print.
@Suite struct ReadingHintTests {
  private let place = TemporaryFolder()

  private func errors(_ arguments: String...) throws -> String {
    let result = try Programs.run("procd", arguments, in: place.path)
    #expect(result.status == 0)
    return result.errors
  }

  @Test func `who gets nothing is told why, and what helps`() throws {
    try place.write(Data(PDFBuilder.pages([PDFBuilder.lines(["words"])])), to: "words.pdf")
    try place.write(Data(PDFBuilder.pages([""])), to: "blank.pdf")
    #expect(try errors("extract", "blank.pdf").contains("no text. Scans are read by procd convert"))
    #expect(try errors("extract", "--markdown", "blank.pdf").contains("no text"))
    #expect(
      try errors("tables", "blank.pdf").contains("no table was found: its pages have no text"))
    #expect(try errors("tables", "words.pdf").contains("no table was found."))
    for command in ["extract", "tables", "rows"] {
      #expect(
        try errors(command, "--pages", "2-5,9", "words.pdf").contains(
          "it has 1 page, none of them is among 2-5,9"))
    }
    #expect(try errors("extract", "words.pdf") == "")
    #expect(try errors("extract", "--pages", "1-9", "words.pdf") == "")
  }
}
