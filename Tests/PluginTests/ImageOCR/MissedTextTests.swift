import ImageHeaders
import PluginKit
import Testing

@testable import ImageOCR

/// What the layout analysis passes over or reads badly, on pages of real letters.
@Suite(.enabled(if: OCRRun.isPossible)) struct MissedTextTests {
  private static let both: Bool =
    LanguageData.folder().map {
      LanguageData.isInstalled("eng", in: $0) && LanguageData.isInstalled("deu", in: $0)
    } ?? false

  private func words(
    _ lines: [String], drawing: String = "", options: JSON = ["languages": ["eng"]]
  ) throws -> [String] {
    let made = try StepBench(TypesetPage.png(lines, drawing: drawing), options: options)
    return try (made.text("text") ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// A stamp in a frame, aslant, over the ends of the lines.
  private static let stamp = """
    stamp = Image.new("RGBA", (620, 150), (0, 0, 0, 0))
    ink = ImageDraw.Draw(stamp)
    ink.rectangle((4, 4, 615, 145), outline=(200, 40, 50, 255), width=6)
    ink.text((40, 50), "PAID 27 MARCH 2024", font=font, fill=(200, 40, 50, 255))
    stamp = stamp.rotate(12, expand=True)
    page.paste(stamp, (820, 50), stamp)
    """

  @Test func `a colored stamp and the lines it lies over are read`() throws {
    let lines = [
      "The amount of your last bill was 1.289,47 and", "of which you have paid 1.140,00 in time,",
      "so that 149,47 are left, which we ask you for", "until the fifteenth of April of this year.",
    ]
    let found = try words(lines, drawing: Self.stamp)
    for word in ["amount", "1.140,00", "149,47", "fifteenth", "MARCH", "2024"] {
      #expect(found.contains(word), "\(word) of \(found)")
    }
  }

  @Test func `digits in the cells of a frame are read, in their rows`() throws {
    let rows = [
      "Pos\tDescription\tCount", "1\tRope of twelve\t2", "2\tShackle, galvanized\t7",
      "3\tPaint in white\t5",
    ]
    let frame = """
      for y in range(5): draw.line((50, 50 + 60 * y, 1200, 50 + 60 * y), fill=0, width=3)
      for x in (50, 180, 600, 1200): draw.line((x, 50, x, 290), fill=0, width=3)
      """
    let found = try words(rows, drawing: frame)
    for (digit, name) in [("7", "galvanized"), ("5", "white")] {
      let place = try #require(found.firstIndex(of: name), "\(found)")
      #expect(found.dropFirst(place + 1).first == digit, "\(found)")
    }
  }

  @Test func `an unsure column is told from lines`() {
    func line(_ width: Double, _ height: Double, _ confidence: Double) -> Bool {
      let box = PixelBox(left: 0, top: 0, right: width, bottom: height)
      return RecognizedPage.Line(
        words: [.init(text: "nm", box: box, confidence: confidence)], box: box, baseline: box.foot,
        rowHeight: 20, startsParagraph: false
      ).isUnsureColumn
    }
    #expect(line(40, 400, 50))
    #expect(!line(40, 400, 90) && !line(400, 40, 50) && !line(40, 60, 50))
  }

  @Test func `light letters in a dark bar are read`() throws {
    let bar = """
      draw.rectangle((60, 50, 1400, 112), fill=(90, 90, 90))
      draw.text((80, 60), "Quantity", font=font, fill=(255, 255, 255))
      draw.text((620, 60), "Amount", font=font, fill=(255, 255, 255))
      """
    let found = try words(
      ["", "12\tboards of oak", "40\tscrews of brass", "7\tsheets of glass"], drawing: bar)
    #expect(found.contains("Quantity") && found.contains("Amount"), "\(found)")
    #expect(found.contains("oak"))
  }

  @Test(.enabled(if: both)) func `a page in two languages is read in both`() throws {
    let found = try words(
      [
        "Die Bauern klagten über den Verlust ihrer Wiesen", "und fürchteten den Rauch der großen",
        "Lokomotiven, die täglich über die Brücke fuhren,", "während die Händler große Gewinne",
        "erhofften und für den Ausbau der Straße stimmten.",
      ] + TypesetPage.english + TypesetPage.english, options: [:])
    #expect(found.contains("über") && found.contains("fürchteten"), "\(found)")
    #expect(found.contains("whether"))
  }

  @Test func `light letters in a dark bar say nothing of the language`() throws {
    let bar = """
      draw.rectangle((60, 50, 1500, 112), fill=(0, 0, 0))
      for x, text in ((80, "Pos"), (200, "Bezeichnung"), (620, "Einzelpreis"), (1040, "Gesamtpreis")):
          draw.text((x, 60), text, font=font, fill=(255, 255, 255))
      """
    let rows = ["Schraubendreher", "Klebeband", "Abdeckfolie", "Glühlampe", "Pinselset"].map {
      "1\t\($0)\t54,38\t99,00"
    }
    let png = try TypesetPage.png([""] + rows, drawing: bar)
    guard let header = ImageHeader.read(png.span),
      let picture = FilePicture(1, of: png.span, header: header),
      let pixels = picture.pixels.grey()
    else { throw PluginFailure.damagedImage() }
    let engine = try Tesseract(languages: ["eng"])
    let page = try engine.recognize(pixels, resolution: 200)
    #expect(page.lines.contains { $0.box.bottom < 120 }, "nothing was read in the bar")
    let boxes = try #require(LanguageTrial(page, readWith: engine)).lightBoxes(in: pixels)
    #expect(boxes.count >= 4)
    #expect(boxes.allSatisfy { $0.top > 112 })
  }

  @Test func `a cell that was read badly is read again alone`() throws {
    let png = try TypesetPage.png(["Rope of twelve millimeters\t\t\t49.90"])
    let reader = try PageReader(recognizers: Recognizers(.named(["eng"])))
    guard let header = ImageHeader.read(png.span),
      let picture = FilePicture(1, of: png.span, header: header),
      let pixels = picture.pixels.grey()
    else { throw PluginFailure.damagedImage() }
    var reading = try reader.read(pixels, resolution: 200)
    let line = try #require(reading.page.lines.first)
    let place = try #require(line.words.firstIndex { $0.text == "49.90" })
    reading.page.lines[0].words[place].text = "4g"
    reading.page.lines[0].words[place].confidence = 30
    try reader.readCellsAgain(
      &reading, in: pixels, resolution: 200, with: reader.recognizers.first())
    #expect(reading.page.lines[0].words.map(\.text) == line.words.map(\.text))
    #expect(reading.page.lines[0].words[place].confidence > 75)
  }

  @Test func `boxes without area are read as nothing`() throws {
    let pixels = try DrawnPage.letter.pixels()
    let empty = PixelBox(left: 300, top: 100, right: 200, bottom: 140)
    let outside = PixelBox(left: 9_000, top: 100, right: 9_100, bottom: 140)
    let lines: [RecognizedPage.Line] = try Tesseract(languages: ["eng"]).recognize(
      lines: [empty, outside], of: pixels, resolution: 150)
    #expect(lines.allSatisfy { $0.words.isEmpty } && lines.count == 2)
  }
}

/// What needs no recognizer.
@Suite struct LooseInkTests {
  private func line(_ words: [(text: String, left: Double, right: Double)], top: Double)
    -> RecognizedPage.Line
  {
    let boxes = words.map { PixelBox(left: $0.left, top: top, right: $0.right, bottom: top + 40) }
    let box = boxes.dropFirst().reduce(boxes[0]) { $0.union($1) }
    return RecognizedPage.Line(
      words: zip(words, boxes).map { .init(text: $0.text, box: $1, confidence: 90) }, box: box,
      baseline: box.foot, rowHeight: 40, startsParagraph: false)
  }

  private func texts(_ page: RecognizedPage) -> [String] {
    page.lines.map { $0.words.map(\.text).joined(separator: " ") }
  }

  @Test func `letters in no word are counted, a frame is none`() throws {
    var page = DrawnPage.letter
    for x in 60..<1180 { for y in [60, 640] { page.grey[y * page.width + x] = 0 } }
    for y in 60..<640 { for x in [60, 1180] { page.grey[y * page.width + x] = 0 } }
    guard let ink = try page.pixels().ink() else { throw PluginFailure.damagedImage() }
    let lines = [15, 20, 19, 21].enumerated().map { index, letters in
      line([("LINE", 100, Double(100 + 36 * letters))], top: Double(100 + 120 * index))
    }
    guard let all = LooseInk(beside: lines, in: ink),
      let some = LooseInk(beside: Array(lines.prefix(3)), in: ink)
    else { throw PluginFailure.damagedImage() }
    let (none, missed) = (all.lettersInRows, some.lettersInRows)
    #expect(none == 0)
    #expect(missed > 12)
  }

  @Test func `a column takes no more ink with it than its own`() throws {
    guard let ink = try DrawnPage.letter.pixels().ink() else { throw PluginFailure.damagedImage() }
    func missed(_ column: PixelBox) -> Int {
      let line = RecognizedPage.Line(
        words: [.init(text: "nm", box: column, confidence: 40)], box: column,
        baseline: column.foot, rowHeight: 40, startsParagraph: false)
      return LooseInk(beside: [line], in: ink)?.lettersInRows ?? -1
    }
    let far = missed(PixelBox(left: 1180, top: 100, right: 1210, bottom: 700))
    let near = missed(PixelBox(left: 900, top: 100, right: 930, bottom: 700))
    #expect(near == far && far > 60)
  }

  @Test func `a figure far behind its row is put into that`() {
    func page(_ gap: Double) -> RecognizedPage {
      var page = RecognizedPage(lines: [
        line([("12.3.", 100, 200), ("Fees", 300, 400), ("22.50", 700, 800)], top: 100)
      ])
      page.add(missed: line([("S", 800 + gap, 830 + gap)], top: 100))
      return page
    }
    #expect(texts(page(300)) == ["12.3. Fees 22.50 S"])
    #expect(texts(page(600)).count == 2)
  }

  @Test func `missed letters are a doubt, and say so`() throws {
    let pixels = try DrawnPage.letter.pixels()
    var reading = PageReader.Reading(
      page: RecognizedPage(lines: [line([("A", 100, 140)], top: 100)]), quarters: 0, angle: 0,
      width: 1240, height: 900)
    reading.isEmpty = true
    #expect(PageDoubt.all(of: reading, resolution: 150, in: pixels, missed: 7) == [])
    #expect(PageDoubt.all(of: reading, resolution: 150, in: pixels, missed: 8) == [.partly])
    #expect(PageDoubt.partly.noteCode == "ocr.partly")
  }

  @Test func `columns of a table that were read one after the other become rows`() {
    let names = ["Rope", "Tar", "Oak", "Brass", "Glass"]
    func column(_ texts: [String], _ left: Double) -> [RecognizedPage.Line] {
      texts.enumerated().map {
        line([($1, left, left + 120)], top: 100 + 60 * Double($0))
      }
    }
    var page = RecognizedPage(
      lines: [line([("Stock", 100, 300)], top: 20)]
        + column(["01.03.", "02.03.", "03.03.", "04.03.", "05.03."], 100) + column(names, 400)
        + column(["1.20", "3.40", "5.60", "7.80", "9.00"], 800))
    page.joinRows()
    #expect(
      texts(page) == [
        "Stock", "01.03. Rope 1.20", "02.03. Tar 3.40", "03.03. Oak 5.60", "04.03. Brass 7.80",
        "05.03. Glass 9.00",
      ])
    // Three columns of words are those of a text or an index.
    var index = RecognizedPage(
      lines: column(names, 100) + column(names, 400) + column(names, 800))
    let before = texts(index)
    index.joinRows()
    #expect(texts(index) == before)
  }

  @Test func `letters left beside words show that these were cut`() throws {
    var page = DrawnPage(width: 1240, height: 900)
    for row in 0..<4 { page.write("O", x: 460, y: 100 + 120 * row, dot: 6) }
    guard let ink = try page.pixels().ink() else { throw PluginFailure.damagedImage() }
    let cut = (0..<4).map { line([("156,91", 500, 700)], top: Double(100 + 120 * $0)) }
    let apart = (0..<4).map { line([("156,91", 600, 700)], top: Double(100 + 120 * $0)) }
    guard let near = LooseInk(beside: cut, in: ink), let far = LooseInk(beside: apart, in: ink)
    else {
      throw PluginFailure.damagedImage()
    }
    let (isCut, isNot) = (
      RecognizedPage(lines: cut).isCutApart(near), RecognizedPage(lines: apart).isCutApart(far)
    )
    #expect(isCut && !isNot)
  }

  @Test func `paper that is even stays, other paper is made even`() throws {
    let plain = try DrawnPage.letter.pixels()
    #expect(Preprocessing.evened(plain)?.samples() == plain.samples())
    var page = DrawnPage.letter
    for y in 0..<page.height {
      for x in 0..<page.width where page.grey[y * page.width + x] > 0 {
        page.grey[y * page.width + x] = UInt8(140 + 100 * x / page.width)
      }
    }
    let shaded = try page.pixels()
    #expect(Preprocessing.evened(shaded)?.samples() != shaded.samples())
  }
}

extension DrawnPage {
  fileprivate func pixels() throws -> Pixels {
    let decoded = try decoded()
    guard let pixels = decoded.pixels.shared() else { throw PluginFailure.damagedImage() }
    return pixels
  }
}
