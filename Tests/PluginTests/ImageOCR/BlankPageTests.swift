import Foundation
import PDFSyntax
import PluginKit
import TestSupport
import Testing

@testable import ImageHeaders
@testable import ImageOCR

/// Paper with nothing on it, as scanners show it, and with as little on it as there can be.
@Suite struct EmptyPaperTests {
  /// A sheet at 150 pixels per inch, of gray paper with grain, as a scanner gives it.
  private static func paper(grain: Double = 2, seed: UInt64 = 1) -> DrawnPage {
    var page = DrawnPage(width: 1240, height: 1754)
    var numbers = SeededNumbers(seed: seed)
    for place in page.grey.indices {
      // The sum of four numbers is nearly a bell.
      let bell = (0..<4).reduce(-2.0) { sum, _ in sum + Double.random(in: 0..<1, using: &numbers) }
      page.grey[place] = UInt8(max(0, min(255, 235 + bell * grain * 1.73)))
    }
    return page
  }

  private static func isEmpty(_ page: DrawnPage) throws -> Bool {
    EmptyPaper.isEmpty(try page.decoded().pixels, resolution: 150)
  }

  @Test(arguments: [0.0, 2, 5, 9]) func `grain is nothing`(grain: Double) throws {
    #expect(try Self.isEmpty(Self.paper(grain: grain)))
  }

  @Test func `shadows, dark edges, holes and specks are nothing`() throws {
    var page = Self.paper()
    for row in 0..<page.height {
      for column in 0..<page.width {
        let place = row * page.width + column
        // Darker from the top to the bottom, much darker at the left, black at the right.
        var light = 1 - 0.2 * Double(row) / Double(page.height)
        if column < 60 { light *= 0.4 + 0.01 * Double(column) }
        if column >= page.width - 25 { light *= 0.1 }
        for middle in [657, 1097] {
          let (x, y) = (Double(column - 71), Double(row - middle))
          if x * x + y * y < 18 * 18 { light *= 0.15 }
        }
        page.grey[place] = UInt8(Double(page.grey[place]) * light)
      }
    }
    var numbers = SeededNumbers(seed: 5)
    for _ in 0..<60 {
      let (x, y) = (
        Int.random(in: 80..<1200, using: &numbers), Int.random(in: 0..<1750, using: &numbers)
      )
      for row in 0..<4 {
        for column in 0..<4 { page.grey[(y + row) * page.width + x + column] = 30 }
      }
    }
    #expect(try Self.isEmpty(page))
  }

  @Test func `what shines through from the other side is nothing`() throws {
    var page = Self.paper()
    let letter = DrawnPage.letter
    for row in 0..<letter.height {
      for column in 0..<letter.width where letter.grey[row * letter.width + column] < 128 {
        let place = (row + 200) * page.width + page.width - 1 - column
        page.grey[place] = UInt8(Double(page.grey[place]) * 0.9)
      }
    }
    #expect(try Self.isEmpty(page))
  }

  @Test func `one digit at the foot of the page is something`() throws {
    var page = Self.paper()
    // A digit one of seven points: a stem and a foot.
    for row in 0..<10 { for column in 0..<2 { page.grey[(1650 + row) * 1240 + 620 + column] = 60 } }
    #expect(try !Self.isEmpty(page))
    var close = Self.paper()
    for row in 0..<10 {
      for column in 0..<2 { close.grey[(1735 + row) * 1240 + 620 + column] = 60 }
    }
    #expect(try !Self.isEmpty(close))
  }

  @Test func `a faint line in pencil, a pale stamp and a wide gray area are something`() throws {
    var line = Self.paper()
    for column in 400..<640 {
      let row = 900 + column / 5
      for place in [row, row + 1] { line.grey[place * 1240 + column] -= 50 }
    }
    #expect(try !Self.isEmpty(line))
    var stamp = Self.paper()
    for row in 0..<200 {
      for column in 0..<200 {
        let distance = hypot(Double(row - 100), Double(column - 100))
        if (90..<94).contains(distance) { stamp.grey[(300 + row) * 1240 + 800 + column] -= 45 }
      }
    }
    #expect(try !Self.isEmpty(stamp))
    var area = Self.paper()
    for row in 400..<650 { for column in 300..<600 { area.grey[row * 1240 + column] -= 60 } }
    #expect(try !Self.isEmpty(area))
  }

  @Test func `a small word and letters cut off by the edge are something`() throws {
    var word = Self.paper()
    word.write("NOTE", x: 700, y: 1200, dot: 2)
    #expect(try !Self.isEmpty(word))
    var cut = Self.paper()
    cut.write("LETTER", x: 500, y: 1754 - 21, dot: 3)
    for row in 0..<6 {
      for column in 0..<1240 { cut.grey[row * 1240 + column] = 235 }
    }
    #expect(try !Self.isEmpty(cut))
  }

  @Test func `two dots side by side, and squares near the edge, are something`() throws {
    func mark(_ page: inout DrawnPage, x: Int, y: Int, side: Int) {
      for row in y..<(y + side) {
        for column in x..<(x + side) { page.grey[row * 1240 + column] = 40 }
      }
    }
    var dots = Self.paper()
    mark(&dots, x: 600, y: 800, side: 9)
    #expect(try Self.isEmpty(dots))
    mark(&dots, x: 615, y: 800, side: 9)
    #expect(try !Self.isEmpty(dots))
    var square = Self.paper()
    mark(&square, x: 60, y: 800, side: 38)
    #expect(try !Self.isEmpty(square))
  }

  @Test func `what is too small or too grainy to tell is no empty paper`() throws {
    #expect(try !Self.isEmpty(DrawnPage(width: 90, height: 400)))
    #expect(try !Self.isEmpty(Self.paper(grain: 60)))
  }

  /// Every picture of the corpus with text has something on it.
  @Test func `no scan of the corpus is taken for blank that is not`() throws {
    guard let folder = ProcessInfo.processInfo.environment["PROCD_CORPUS"] else { return }
    var (seen, blank): (Int, [String]) = (0, [])
    for part in ["scans", "tilted"] {
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(part)")
      for name in names.sorted() where !name.contains("bomb") {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(part)/\(name)")))
        guard let header = ImageHeader.read(bytes.span) else { continue }
        for number in 1...max(1, header.pages.count) where number <= header.pages.count {
          guard let picture = FilePicture(number, of: bytes.span, header: header),
            let grey = picture.pixels.grey()
          else { continue }
          seen += 1
          if EmptyPaper.isEmpty(grey, resolution: picture.geometry.dotsPerInch) {
            blank.append("\(name) \(number)")
          }
        }
      }
    }
    print("\(seen) pictures, blank: \(blank)")
    let allowed = blank.filter { $0.contains("blank") }
    #expect(seen > 50 && blank.count == allowed.count, "\(blank)")
  }
}

/// What becomes of blank pages.
@Suite(.serialized, .enabled(if: OCRRun.isPossible))
struct BlankPageTests {
  private func origin(_ page: DrawnPage, _ options: JSON = [:]) throws -> String? {
    try StepBench(page.portableGreyMap, options: options).page(0)?["origin"]?.stringValue
  }

  @Test func `paper with specks and a dark edge is blank, one with a stroke is not`() throws {
    var dirty = DrawnPage(width: 1240, height: 1754)
    for place in stride(from: 100_000, to: 2_000_000, by: 99_991) { dirty.grey[place] = 0 }
    for row in 0..<1754 { for column in 0..<20 { dirty.grey[row * 1240 + column] = 40 } }
    #expect(try origin(dirty) == "blank")
    var signed = dirty
    for column in 500..<640 {
      for row in 0..<5 { signed.grey[(900 + column % 7 + row) * 1240 + column] = 0 }
    }
    #expect(try origin(signed) == "ocr")
  }

  private static let blank = DrawnPage(width: 1240, height: 900)
  private static let drop: JSON = ["blankPages": "drop"]

  @Test func `blank pages of a stack are left out and named`() throws {
    let stack = ImageStack.tiff([.letter, Self.blank, .letter, Self.blank])
    let kept = try StepBench(stack)
    #expect(kept.output.facts["pages"] == 4 && kept.output.facts["pagesBlank"] == 2)
    #expect(!kept.codes.contains("ocr.blank"))
    let made = try StepBench(stack, options: Self.drop)
    #expect(made.output.facts["pages"] == 2 && made.output.facts["pagesBlank"] == 2)
    #expect(made.notes.contains("Pages 2 and 4 are blank and were left out."))
    #expect(made.codes.contains("ocr.blank"))
    let pdf = try #require(try made.files("pdf").first)
    #expect(try PageTree(PDFFile(FileBytes(pdf))).count == 2)
    #expect(try made.text("text")?.contains("\u{C}") == true)
  }

  @Test func `a file of blank pages stays whole`() throws {
    let made = try StepBench(
      ImageStack.tiff([Self.blank, Self.blank, Self.blank]), options: Self.drop)
    #expect(made.output.facts["pages"] == 3 && made.output.facts["pagesBlank"] == 3)
    #expect(made.notes == ["All pages are blank, so none of them was left out."])
    let pdf = try #require(try made.files("pdf").first)
    #expect(try PageTree(PDFFile(FileBytes(pdf))).count == 3)
    let one = try StepBench(Self.blank.portableGreyMap, options: Self.drop)
    #expect(one.page(0)?["origin"] == "blank" && one.output.facts["pages"] == 1)
    #expect(one.notes == ["The only page is blank, so it was not left out."])
  }

  /// A PDF of scans.
  private func scanned(_ pages: [DrawnPage]) throws -> [UInt8] {
    try StepBench(ImageStack.tiff(pages)).files("pdf")[0]
  }

  @Test func `so it is with scans in a PDF`() throws {
    let made = try StepBench(scanned([Self.blank, .letter, Self.blank]), options: Self.drop)
    #expect(made.output.facts["pages"] == 1 && made.output.facts["pagesBlank"] == 2)
    #expect(made.notes.contains("Pages 1 and 3 are blank and were left out."))
    let pdf = try #require(try made.files("pdf").first)
    #expect(try PageTree(PDFFile(FileBytes(pdf))).count == 1)
    let whole = try scanned([Self.blank, Self.blank])
    let same = try StepBench(whole, options: Self.drop)
    #expect(same.output.facts["pages"] == 2)
    #expect(same.notes == ["All pages are blank, so none of them was left out."])
    #expect(try same.files("pdf") == [whole])
  }

  @Test func `a blank scan that someone has made a note on stays`() throws {
    let page = ScannedPage(
      content: ScannedPage.fullPage,
      images: [
        (ScannedPage.grey(Self.blank.width, Self.blank.height), Self.blank.grey)
      ],
      page: "/Annots[<</Type/Annot/Subtype/FreeText/Rect[50 50 90 90]/Contents(Keep)>>]")
    let made = try StepBench(page.file, options: Self.drop)
    #expect(made.output.facts["pages"] == 1)
  }
}
