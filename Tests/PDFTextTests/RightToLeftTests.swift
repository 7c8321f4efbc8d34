import PDFSyntax
import PDFText
import TestSupport
import Testing

/// Right-to-left text is drawn as it is seen and must come out as it is read. The visual strings are
/// what the Unicode bidirectional algorithm gives for the logical ones.
struct RightToLeftTests {
  private func text(_ draw: (inout UnicodePage) -> Void) throws -> String {
    var page = UnicodePage()
    draw(&page)
    let extractor = try TextExtractor(PDFFile(FileBytes(page.file)))
    return try #require(extractor.page(0)).text
  }

  private func reversed(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.reversed()))
  }

  @Test func `hebrew words come in logical order with numbers as they are`() throws {
    let text = try text {
      $0.show(words: [reversed("שנת"), "1887", reversed("טובה")], endingAt: 500, y: 700)
    }
    #expect(text == "שנת 1887 טובה\n")
  }

  @Test func `a hyphen joins numbers in hebrew`() throws {
    let text = try text {
      $0.show(words: [reversed("מיום"), "14-06-2012", reversed("היה")], endingAt: 500, y: 700)
    }
    #expect(text == "מיום 14-06-2012 היה\n")
  }

  @Test func `a hyphen separates numbers behind arabic letters`() throws {
    // UAX 9: the numbers become Arabic ones (W2), which a hyphen does not join (W4).
    let text = try text {
      $0.show(words: [reversed("وثيقة"), "2012-06-14", reversed("بعد")], endingAt: 500, y: 700)
    }
    #expect(text == "وثيقة 14-06-2012 بعد\n")
  }

  @Test func `a line that has no letters goes on as the one before`() throws {
    let hebrew = try text {
      $0.show(words: [reversed("מיום"), reversed("זה")], endingAt: 500, y: 700)
      $0.show(".14-06-2012", x: 445, y: 688)
    }
    #expect(hebrew == "מיום זה\n14-06-2012.\n")
    let arabic = try text {
      $0.show(words: [reversed("وثيقة"), reversed("بعد")], endingAt: 500, y: 700)
      $0.show(".2012-06-14", x: 445, y: 688)
    }
    #expect(arabic == "وثيقة بعد\n14-06-2012.\n")
    let latin = try text {
      $0.show("on the", x: 72, y: 700)
      $0.show("14-06-2012.", x: 72, y: 688)
    }
    #expect(latin == "on the\n14-06-2012.\n")
  }

  @Test func `numbers drawn in pieces from right to left stay whole`() throws {
    let text = try text {
      $0.show(reversed("وثيقة"), x: 470, y: 700)
      $0.show("14", x: 455, y: 700)
      $0.show("-", x: 450, y: 700)
      $0.show("06", x: 440, y: 700)
      $0.show(reversed("بعد"), x: 420, y: 700)
    }
    #expect(text == "وثيقة 14-06 بعد\n")
  }

  @Test func `a blank that was taken back at the end of a line divides no word`() throws {
    // The last letter of the line stands where the blank behind it was drawn.
    let text = try text {
      $0.show(" ", x: 440.0001, y: 700)
      $0.show(reversed("جدول"), x: 440, y: 700)
      $0.show(" " + reversed("القرية"), x: 460, y: 700)
    }
    #expect(text == "القرية جدول\n")
  }

  @Test func `letterspaced words with numbers stay whole`() throws {
    let text = try text {
      $0.show(reversed("מסקנות"), x: 300, y: 700, size: 20, spacing: 4)
      $0.show("1954", x: 240, y: 700, size: 20, spacing: 4)
    }
    #expect(text == "מסקנות 1954\n")
  }
}
