import Bytes
import ImageHeaders
import PDFSyntax
import PDFText
import PluginKit
import TableText
import Testing

@testable import ImageOCR

/// Forms with a box for each letter, and pictures that are not one sheet in a resolution that the recognizer knows.
@Suite(.enabled(if: OCRRun.isPossible)) struct FormAndSheetTests {
  /// Fields with a box for each letter at 100 pixels from the left, the first at `top`.
  private static func comb(_ fields: [String], top: Int, apart: Int = 0) -> String {
    """
    wide, high = 54, 66
    for row, text in enumerate(\(fields)):
        for place in range(14):
            x, y = 100 + place * (wide + \(apart)), \(top) + 140 * row
            draw.rectangle((x, y, x + wide, y + high), outline=(90, 90, 90), width=3)
            if place < len(text):
                draw.text((x + wide / 2, y + high / 2), text[place], font=font, fill=(10, 10, 60), anchor="mm")
    """
  }

  private func read(_ png: [UInt8]) throws -> (text: String, made: StepBench) {
    let made = try StepBench(png, options: ["languages": ["eng"]])
    return (try made.text("text") ?? "", made)
  }

  @Test(arguments: [0, 16]) func `a field with a box for each letter is read as words`(apart: Int)
    throws
  {
    let lines = ["Name", "", "Born on", "", "", "Amount", "", "", "", "", ""]
    let png = try TypesetPage.png(
      lines, drawing: Self.comb(["HARGREAVES", "07081979", "ANN MARY"], top: 110, apart: apart))
    let (text, made) = try read(png)
    for word in ["HARGREAVES", "07081979", "ANN MARY"] {
      #expect(text.contains(word), "\(text)")
    }
    #expect(!made.codes.contains("ocr.partly"), "\(made.codes)")
  }

  @Test func `what cannot be read in such boxes is told`() throws {
    let strokes = """
      for row in range(3):
          for place in range(12):
              x, y = 100 + 54 * place, 110 + 140 * row
              draw.rectangle((x, y, x + 54, y + 66), outline=(90, 90, 90), width=3)
              draw.arc((x + 14, y + 16, x + 40, y + 50), 200 + 20 * place, 470 + 20 * row, fill=0, width=5)
              draw.line((x + 16, y + 20 + place, x + 36, y + 46 - row), fill=0, width=5)
      """
    let lines = ["Name of the member"] + [String](repeating: "", count: 7) + TypesetPage.english
    let (text, made) = try read(TypesetPage.png(lines, drawing: strokes))
    #expect(made.codes == ["ocr.partly"])
    #expect(text.hasPrefix("Name of the member") && text.contains("committee"), "\(text)")
  }

  @Test func `cells of a table are no boxes for letters, nor are empty ones`() throws {
    func fields(_ drawing: String) throws -> [Int] {
      let png = try TypesetPage.png(["", "", "", "", "", ""], drawing: drawing)
      guard let header = ImageHeader.read(png.span),
        let picture = FilePicture(1, of: png.span, header: header),
        let half = picture.pixels.grey()?.ink()?.halvedInk()
      else { throw PluginFailure.damagedImage() }
      return CombField.find(in: half, resolution: 200).map(\.letterCount)
    }
    let rows = """
      for row in range(4):
          for place in range(8):
              x, y = 100 + 60 * place, 60 + 66 * row
              draw.rectangle((x, y, x + 60, y + 66), outline=(90, 90, 90), width=3)
              draw.text((x + 30, y + 33), str(1 + row + place), font=font, fill=0, anchor="mm")
      """
    let twoDigits = """
      for place in range(8):
          x = 100 + 70 * place
          draw.rectangle((x, 60, x + 70, 126), outline=(90, 90, 90), width=3)
          draw.text((x + 35, 93), str(17 + place), font=font, fill=0, anchor="mm")
      """
    #expect(try fields(Self.comb(["HARGREAVES"], top: 110)) == [10])
    #expect(try fields(Self.comb([""], top: 110)) == [])
    #expect(try fields(rows) == [])
    #expect(try fields(twoDigits) == [])
  }

  @Test func `a sheet that lies upside down beside another is read, and can be found in the PDF`()
    throws
  {
    let second = """
      other = Image.new("RGB", (1600, 60 * 12), "white")
      pen = ImageDraw.Draw(other)
      for number, line in enumerate(\(TypesetPage.english + ["Yours sincerely, Winifred Hargreaves"])):
          pen.text((80, 120 + 60 * number), line, font=font, fill=(0, 0, 0))
      page.paste(other.rotate(180), (0, 60 * 12))
      """
    let lines = TypesetPage.english + TypesetPage.english + [String](repeating: "", count: 16)
    let (text, made) = try read(TypesetPage.png(lines, drawing: second))
    for word in ["Winifred", "Hargreaves", "sincerely,"] { #expect(text.contains(word), "\(text)") }
    #expect(text.split(separator: "committee").count == 4, "\(text)")
    #expect(made.codes.isEmpty)
    // As a reader of PDFs has it: words in their order, letters too.
    let found = try ScannedPage.words(#require(made.files("pdf").first)).joined(separator: " ")
    #expect(found.contains("Yours sincerely, Winifred Hargreaves"), "\(found)")
  }

  @Test
  func `a picture of 600 dots per inch is read in half the size, its words stand where they are`()
    throws
  {
    let twice = """
      page = page.resize((3 * page.width, 3 * page.height), Image.BICUBIC).convert("1")
      save = page.save
      page.save = lambda path, dpi: save(path, dpi=(600, 600))
      """
    func words(_ drawing: String, scale: Double) throws -> [(String, PixelBox)] {
      let png = try TypesetPage.png(TypesetPage.english, drawing: drawing)
      guard let header = ImageHeader.read(png.span),
        let picture = FilePicture(1, of: png.span, header: header),
        let pixels = picture.pixels.grey()
      else { throw PluginFailure.damagedImage() }
      let reading = try PageReader(recognizers: Recognizers(.named(["eng"]))).read(
        pixels, resolution: scale * 200)
      #expect(reading.width == pixels.width + 2 * reading.margin.x)
      return reading.page.lines.flatMap(\.words).map { ($0.text, $0.box) }
    }
    let plain = try words("", scale: 1), fine = try words(twice, scale: 3)
    #expect(plain.map(\.0) == fine.map(\.0))
    for (one, other) in zip(plain, fine) {
      #expect((3 * one.1.left - other.1.left).magnitude < 12, "\(one.0)")
      #expect((3 * one.1.bottom - other.1.bottom).magnitude < 12, "\(one.0)")
    }
  }

  @Test(arguments: [0, 2.0])
  func `the lines of a table lie below the picture, where readers of tables find them`(
    tilt: Double
  ) throws {
    let frame = """
      for y in (50, 112, 232, 292): draw.line((50, y, 1100, y), fill=0, width=3)
      for x in (50, 180, 600, 1100): draw.line((x, 50, x, 292), fill=0, width=3)
      page = page.rotate(\(tilt), Image.BICUBIC, expand=True, fillcolor="white")
      """
    let lines =
      [
        "Pos\tArticle\tAmount", "1\tRope of twelve\t22.50", "\tmillimeters, white",
        "2\tPaint, red\t107.10",
        "", "",
      ] + TypesetPage.english
    let (_, made) = try read(TypesetPage.png(lines, drawing: frame))
    let extractor = try TextExtractor(PDFFile(FileBytes(#require(made.files("pdf").first))))
    var tables: [TextTable] = []
    _ = TableList.read(extractor, TableOptions()) { found, _ in tables += found }
    let table = try #require(tables.first)
    #expect(table.isRuled)
    #expect(
      ([table.names] + table.rows.map(\.cells)) == [
        ["Pos", "Article", "Amount"], ["1", "Rope of twelve millimeters, white", "22.50"],
        ["2", "Paint, red", "107.10"],
      ])
  }

  @Test(arguments: ["", "/SMask 99 0 R"])
  func `below the picture of a scan in a PDF they lie where it hides them`(
    mask: String
  ) throws {
    let frame = """
      for y in (50, 112, 172): draw.line((50, y, 1100, y), fill=0, width=3)
      for x in (50, 180, 600, 1100): draw.line((x, 50, x, 172), fill=0, width=3)
      """
    let png = try TypesetPage.png(
      ["Pos\tArticle\tAmount", "1\tRope, red\t22.50"] + TypesetPage.english, drawing: frame)
    guard let header = ImageHeader.read(png.span),
      let picture = FilePicture(1, of: png.span, header: header),
      let grey = picture.pixels.grey8()
    else { throw PluginFailure.damagedImage() }
    let scan = ScannedPage(
      content: ScannedPage.fullPage,
      images: [(ScannedPage.grey(grey.width, grey.height) + mask, grey.samples())])
    let made = try StepBench(scan.file, options: ["languages": ["eng"]])
    let extractor = try TextExtractor(PDFFile(FileBytes(#require(made.files("pdf").first))))
    extractor.notesRules = true
    let rules = try #require(extractor.page(0)).rules
    #expect(mask.isEmpty ? rules.count == 7 : rules.isEmpty, "\(rules.count)")
  }

  @Test func `letters and single lines are no tables`() throws {
    let underlined = "draw.line((80, 110, 700, 110), fill=0, width=3)"
    for drawing in ["", underlined] {
      let png = try TypesetPage.png(TypesetPage.english, drawing: drawing)
      guard let header = ImageHeader.read(png.span),
        let picture = FilePicture(1, of: png.span, header: header),
        let half = picture.pixels.grey()?.ink()?.halvedInk()
      else { throw PluginFailure.damagedImage() }
      #expect(DrawnRules.find(in: half, resolution: 200) == [])
    }
  }
}
