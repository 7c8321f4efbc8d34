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

  @Test func `figures below hebrew heads stay in the order of the heads`() throws {
    let text = try text {
      $0.show(reversed("סכום"), x: 400, y: 700)
      $0.show(reversed("מספר"), x: 200, y: 700)
      for (row, figures) in [["111", "333"], ["444", "666"]].enumerated() {
        $0.show(figures[0], x: 400, y: 680 - 20 * Double(row))
        $0.show(figures[1], x: 200, y: 680 - 20 * Double(row))
      }
    }
    #expect(text == "סכום מספר\n111 333\n444 666\n")
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

  /// Brackets as some producers tell them, by what they mean, and as others do, by what they look like.
  @Test(arguments: [false, true])
  func `a pair of brackets opens with what is read first`(tellsLooks: Bool) throws {
    func drawn(_ text: String) -> String {
      guard tellsLooks else { return reversed(text) }
      let mirrored: [Character: Character] = [
        "(": ")", ")": "(", "[": "]", "]": "[", "«": "»", "»": "«",
      ]
      return String(reversed(text).map { mirrored[$0] ?? $0 })
    }
    let text = try text {
      $0.show(
        words: [
          drawn("עלות"), drawn("("), "25", drawn("שקל)"), drawn("[א]"), drawn("«ציטוט»"),
        ], endingAt: 500, y: 700)
      // Nothing but what was seen before tells of the next line.
      $0.show(words: [drawn("(סעיף")], endingAt: 500, y: 688)
    }
    #expect(text == "עלות ( 25 שקל) [א] «ציטוט»\n(סעיף\n")
  }

  @Test(arguments: [false, true])
  func `latin text with a number in brackets stays in one piece`(tellsLooks: Bool) throws {
    let text = try text {
      $0.show(reversed("גרסה"), x: 480, y: 700)
      $0.show(
        tellsLooks ? "Windows 10 (64-bit)" : "Windows 10 )64-bit(", x: 380, y: 700)
      $0.show(reversed("יצאה"), x: 355, y: 700)
    }
    #expect(text == "גרסה Windows 10 (64-bit) יצאה\n")
  }

  @Test func `a comma at a number ends what is read before the latin word`() throws {
    let text = try text {
      $0.show("Tel ,5 " + reversed("רחוב"), x: 400, y: 700)
    }
    #expect(text == "רחוב 5, Tel\n")
  }

  @Test func `signs and units stay with their numbers`() throws {
    func read(_ words: String...) throws -> String {
      try text {
        $0.show(words: words, endingAt: 500, y: 700)
      }
    }
    #expect(try read(reversed("שיעור"), "12.5%", reversed("היום")) == "שיעור 12.5% היום\n")
    #expect(try read(reversed("نسبة"), "%12.5", reversed("من")) == "نسبة 12.5% من\n")
    #expect(try read(reversed("مئة"), "12.5%", reversed("من")) == "مئة 12.5% من\n")
    #expect(try read(reversed("מחיר"), "$20", reversed("בלבד")) == "מחיר $20 בלבד\n")
    #expect(try read(reversed("מחיר"), "20₪", reversed("בלבד")) == "מחיר 20₪ בלבד\n")
    // U+066B is part of the number.
    #expect(try read(reversed("قیمت"), "۱۲٫۵", reversed("درصد")) == "قیمت ۱۲٫۵ درصد\n")
  }

  @Test func `numbers of a table are read as they are drawn`() throws {
    // Programs that order them by the bidirectional algorithm draw them turned.
    for (sum, change) in [("3 001", "-1.7"), ("001 3", "1.7-")] {
      let text = try text {
        $0.show(words: [reversed("סכום"), reversed("שינוי")], endingAt: 500, y: 700)
        $0.show(sum, x: 475, y: 688)
        $0.show(change, x: 400, y: 688)
      }
      #expect(text == "סכום שינוי\n3 001 -1.7\n")
    }
  }

  // MARK: Within text from left to right

  @Test(arguments: ["123", "12.5", "50%"])
  func `a number drawn behind hebrew words is read behind them`(number: String) throws {
    // It stands on their left, as it would in the order "Hebrew: 123 …" too.
    let text = try text {
      let end = 112 + 5 * Double(number.count)
      $0.show("Hebrew: ", x: 72, y: 700)
      $0.show(" " + reversed("שלום עולם"), x: end, y: 700)
      $0.show(number, x: 112, y: 700)
      $0.show(", Arabic", x: end + 50, y: 700)
    }
    #expect(text == "Hebrew: שלום עולם \(number), Arabic\n")
  }

  @Test func `a number drawn before hebrew words is read before them`() throws {
    let text = try text {
      $0.show("Hebrew: 123 " + reversed("שלום עולם") + ", Arabic", x: 72, y: 700)
    }
    #expect(text == "Hebrew: 123 שלום עולם, Arabic\n")
  }

  @Test func `a line goes on from left to right that begins with arabic words`() throws {
    let text = try text {
      $0.show("This paragraph is set from left to right, says", x: 72, y: 700)
      $0.show(reversed("مرحبا بالعالم") + " and goes on", x: 72, y: 688)
    }
    #expect(
      text == "This paragraph is set from left to right, says\nمرحبا بالعالم and goes on\n")
  }

  @Test func `a line at the right edge below another paragraph reads from right to left`() throws {
    let text = try text {
      $0.show("This paragraph is set from left to right and goes on to here", x: 72, y: 700)
      $0.show("and ends.", x: 72, y: 688)
      $0.show("PDF " + reversed("مرحبا بالعالم"), x: 287, y: 676)
    }
    #expect(text.hasSuffix("\nand ends.\nمرحبا بالعالم PDF\n"))
  }

  @Test func `stops tell in which direction a line reads`() throws {
    func read(_ line: String) throws -> String { try text { $0.show(line, x: 72, y: 700) } }
    let arabic = "مرحبا بالعالم"
    #expect(try read(reversed(arabic) + ", Latin.") == "\(arabic), Latin.\n")
    #expect(try read("Arabic: " + reversed(arabic)) == "Arabic: \(arabic)\n")
    #expect(try read(".Latin ," + reversed(arabic)) == "\(arabic), Latin.\n")
  }

  @Test func `the layout text has words from right to left in the order of reading`() throws {
    var page = UnicodePage()
    page.show("Name: " + reversed("שלום עולם") + ", here", x: 72, y: 700)
    page.show("next", x: 300, y: 700)
    page.show("Sum", x: 72, y: 688)
    page.show("12", x: 300, y: 688)
    let extractor = try TextExtractor(PDFFile(FileBytes(page.file)))
    let layout = try #require(extractor.page(0)).layoutText()
    let rows = String(decoding: layout, as: UTF8.self).split(separator: "\n")
    #expect(rows.first?.hasPrefix("Name: שלום עולם, here  ") == true)
    #expect(rows.first?.hasSuffix("  next") == true)
  }

  @Test(arguments: [
    "Grüße · שלום · 日本", "שלום 123 עולם", "Sum: שלום 12.50 עולם, here", "Name: שלום 12 עולם, here",
    "שלום Berlin 14 עולם",
  ])
  func `a replacement text in both directions is taken as it is`(text: String) throws {
    let hex = text.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
    let page =
      "BT /F1 10 Tf 72 700 Td /Span <</ActualText <FEFF\(hex)>>> BDC (\(String(repeating: "A", count: text.count))) Tj EMC ET"
    let extractor = try TextExtractor(PDFFile(FileBytes(PDFBuilder.pages([page]))))
    #expect(extractor.page(0)?.text == text + "\n")
  }

  @Test func `a replacement text from right to left is taken as it is`() throws {
    // One glyph stands for a ligature and its mark; ActualText has them as they are read.
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 612 792]>>")
    builder.add("<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>")
    builder.addStream(
      Array(
        "BT /F1 10 Tf 72 700 Td /Span <</ActualText <FEFF0644064F0627>>> BDC (A) Tj EMC ET".utf8))
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    let extractor = try TextExtractor(PDFFile(FileBytes(builder.file(root: 1))))
    #expect(extractor.page(0)?.text == "\u{644}\u{64F}\u{627}\n")
  }
}
