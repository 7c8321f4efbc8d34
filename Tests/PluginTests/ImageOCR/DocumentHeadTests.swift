import Dates
import PluginKit
import TableText
import Testing

@testable import ImageOCR

/// The title and the date that a first page shows.
@Suite struct DocumentHeadTests {
  /// A page of 1000 by 1400 pixels.
  private struct Page {
    var page = RecognizedPage()

    mutating func add(
      _ text: String, top: Double, height: Double = 20, confidence: Double = 93,
      startsParagraph: Bool = false, left: Double = 100
    ) {
      let start = left
      var left = start
      let words = text.split(separator: " ").map { word in
        defer { left += Double(word.count + 1) * height / 2 }
        return RecognizedPage.Word(
          text: String(word),
          box: PixelBox(
            left: left, top: top, right: left + Double(word.count) * height / 2,
            bottom: top + height), confidence: confidence)
      }
      let box = PixelBox(left: start, top: top, right: left, bottom: top + height)
      page.lines.append(
        RecognizedPage.Line(
          words: words, box: box, baseline: box.foot, rowHeight: height,
          startsParagraph: startsParagraph))
    }

    /// Lines of ordinary text below.
    mutating func addText(from top: Double = 500) {
      for row in 0..<20 {
        add("of the matter we have spoken about it is known", top: top + 30 * Double(row))
      }
    }

    func head(_ order: DateOrder = .dayMonthYear) -> DocumentHead {
      DocumentHead(of: page, height: 1400, wanted: .init(title: true, date: order))
    }
  }

  @Test func `the headline is the title, over two lines as well`() {
    var page = Page()
    page.add("ACME Ltd, 12 High Street", top: 40)
    page.add("Report on the Harvest", top: 120, height: 36)
    page.add("of the Southern Valleys", top: 170, height: 36)
    page.add("A lesser headline here", top: 300, height: 27)
    page.addText()
    #expect(page.head().title == "Report on the Harvest of the Southern Valleys")
  }

  @Test(arguments: ["Re: Your order of spring", "Betreff: Your order of spring"])
  func `a subject line comes before a headline`(line: String) {
    var page = Page()
    page.add("ACME Limited Company", top: 40, height: 50)
    page.add(line, top: 400)
    page.addText()
    #expect(page.head().title == "Your order of spring")
  }

  @Test func `what was not read surely is no title, nor are numbers and addresses`() {
    var page = Page()
    page.add("Rcport un thc Harvcst", top: 60, height: 36, confidence: 55)
    page.add("+49 30 1234567", top: 120, height: 36)
    page.add("office@example.org", top: 180, height: 36)
    page.add("12 March 2024", top: 240, height: 36)
    page.addText()
    #expect(page.head().title == nil)
  }

  @Test func `titles are short, on one line and without what does not show`() {
    var page = Page()
    page.add(
      String(repeating: "lengthy ", count: 20) + "\u{202E}end\u{7}", top: 60, height: 36)
    page.addText()
    let title = page.head().title
    #expect(title?.count ?? 0 > 80 && title?.count ?? 999 <= 100)
    #expect(title?.hasSuffix("lengthy") == true)
    var odd = Page()
    odd.add("— An \u{202E}odd\u{7} <one> & only :", top: 60, height: 36)
    odd.addText()
    #expect(odd.head().title == "An odd <one> & only")
  }

  @Test func `the date in the upper half is the one that is called so`() {
    var page = Page()
    page.add("Born 01.02.1970 in Rome", top: 40)
    page.add("Your letter of 3 March 2024", top: 80)
    page.add("Date: 04/05/2024", top: 120)
    page.add("Due 30/05/2024", top: 160)
    page.addText()
    #expect(page.head().date == "2024-05-04")
    #expect(page.head(.monthDayYear).date == "2024-04-05")
    page.page.lines.remove(at: 2)
    #expect(page.head().date == "2024-03-03")
  }

  @Test func `in a form, what stands beside a date or above it says what it is`() {
    var page = Page()
    page.add("Date of birth", top: 100)
    page.add("15.3.1992", top: 100, left: 600)
    page.add("Due", top: 140, left: 600)
    page.add("16.3.2024", top: 170, left: 600)
    page.addText()
    page.add("Date of birth 14.3.1992", top: 260)
    page.add("14.3.1992", top: 260, left: 300)
    #expect(page.head().date == nil)
    page.add("Datum", top: 230)
    page.add("17.3.2024", top: 230, left: 600)
    #expect(page.head().date == "2024-03-17")
  }

  @Test func `running heads, parts of sentences and lines of odd height are no titles`() {
    var page = Page()
    page.add("CHAPTER 16 98", top: 40, startsParagraph: true)
    page.add("wandered around the house", top: 100, startsParagraph: true)
    page.add("of which nothing is known", top: 160, startsParagraph: true)
    page.addText()
    page.page.lines[5].rowHeight = 35
    #expect(page.head().title == nil)
    page.add("The Third Chapter", top: 220, startsParagraph: true)
    page.add("of the matter", top: 260, startsParagraph: true)
    #expect(page.head().title == "The Third Chapter")
  }

  @Test func `dates below, or hardly read, are none`() {
    var page = Page()
    page.add("Date: 04/05/2024", top: 100, confidence: 40)
    page.add("Date: 04/05/2024", top: 900)
    page.addText()
    #expect(page.head().date == nil)
    #expect(
      DocumentHead(of: page.page, height: 1400, wanted: .init())
        == DocumentHead(
          of: RecognizedPage(), height: 1400, wanted: .init(title: true, date: .dayMonthYear)))
  }

  @Test(.enabled(if: OCRRun.isPossible)) func `the PDF of an image has them`() throws {
    let png = try TypesetPage.png(
      ["Subject: Repairs to the northern roof", "Date: 12 March 2024"] + TypesetPage.english)
    let made = try StepBench(png, options: ["title": "firstLines", "date": "dmy"])
    #expect(made.output.facts["title"] == "Repairs to the northern roof")
    #expect(made.output.facts["documentDate"] == "2024-03-12")
    let pdf = String(decoding: try made.files("pdf")[0], as: UTF8.self)
    #expect(pdf.contains("Repairs to the northern roof</rdf:li></rdf:Alt></dc:title>"))
    #expect(pdf.contains("<dc:date><rdf:Seq><rdf:li>2024-03-12</rdf:li></rdf:Seq></dc:date>"))
    #expect(pdf.contains("/Title (Repairs to the northern roof)"))
    let plain = try StepBench(png)
    #expect(plain.output.facts["title"] == nil && plain.output.facts["documentDate"] == nil)
  }
}
