import Foundation
import FoundationXML
import PDFSyntax
import PluginKit
import TestSupport
import Testing

@testable import ImageOCR

@Suite(
  .serialized,
  .enabled(if: LanguageData.folder().map { LanguageData.isInstalled("eng", in: $0) } ?? false))
struct PageOutputTests {
  @Test func `words stand in their boxes on the page with their confidence`() throws {
    let made = try StepBench(
      TypesetPage.png(["Invoice & <Total>", "second line"]), options: ["words": true])
    let text = try #require(try made.text("words"))
    let page = try JSONReader.read(text.split(separator: "\n").first.map(String.init) ?? "").value
    #expect(page["page"] == 1)
    // 1600 pixels of 200 to the inch.
    #expect(page["width"] == 576)
    let lines = (page["blocks"]?.arrayValue ?? []).flatMap { $0["lines"]?.arrayValue ?? [] }
    let words = lines.flatMap { $0["words"]?.arrayValue ?? [] }
    let invoice = try #require(words.first)
    #expect(invoice["text"] == "Invoice")
    #expect((invoice["confidence"]?.doubleValue ?? 0) > 60)
    let box = (invoice["box"]?.arrayValue ?? []).compactMap(\.doubleValue)
    // It was drawn from (80, 60) in letters of 36 pixels.
    #expect((28...31).contains(box[0]) && (21...28).contains(box[1]), "\(box)")
    #expect((30...37).contains(box[3]) && box[2] < 90, "\(box)")
    #expect(lines.count == 2)
  }

  @Test func `hOCR has the boxes of the picture that was given and is well-formed`() throws {
    let made = try StepBench(
      TypesetPage.png(["Invoice & <Total>", "second line"]), options: ["hocr": true])
    let text = try #require(try made.text("hocr"))
    #expect(text.contains("bbox 0 0 1600 240; ppageno 0; scan_res 200 200"))
    #expect(text.contains("&amp;"))
    #expect(!text.contains("<Total>"))
    let parser = XMLWords(text)
    #expect(parser.isWellFormed)
    #expect(parser.words.first?.text == "Invoice")
    let box = parser.words.first?.box ?? []
    #expect(box.count == 4 && (78...85).contains(box[0]) && (58...75).contains(box[1]), "\(box)")
  }

  @Test func `a page on its side keeps its boxes on the picture in hOCR`() throws {
    let drawn = DrawnPage.letter.turned(1)
    let made = try StepBench(drawn.portableGreyMap, options: ["hocr": true, "words": true])
    let text = try #require(try made.text("hocr"))
    #expect(text.contains("bbox 0 0 \(drawn.width) \(drawn.height)"))
    #expect(text.contains("textangle 270"))
    for word in XMLWords(text).words where word.text.count > 3 {
      #expect(word.box[3] - word.box[1] > word.box[2] - word.box[0], "\(word)")
    }
  }

  @Test func `ALTO has the same words as the text, and hOCR the same places`() throws {
    let made = try StepBench(
      TypesetPage.png(["Invoice & <Total>", "second line"]), options: ["hocr": true, "alto": true])
    let text = try #require(try made.text("text"))
    let alto = XMLWords(try #require(try made.text("alto")))
    #expect(alto.isWellFormed)
    #expect(alto.words.map(\.text) == text.split { $0.isWhitespace }.map(String.init))
    let hocr = XMLWords(try #require(try made.text("hocr")))
    #expect(alto.words.map(\.text) == hocr.words.map(\.text))
    #expect(alto.words.map(\.box) == hocr.words.map(\.box))
  }

  @Test func `the PDF carries what is to be attached`() throws {
    let made = try StepBench(
      TypesetPage.png(["Invoice"]), options: ["attach": ["alto", "text"]])
    #expect(made.output.facts["pdfa"] == true)
    let file = try PDFFile(FileBytes(Array(try #require(made.folder.read("out/document.pdf")))))
    let specifications = (file.resolve(file.catalog["AF"]).array ?? []).compactMap {
      file.resolve($0).dictionary
    }
    try #require(specifications.count == 2)
    let contents = try #require(file.resolve(specifications[0]["EF"]).dictionary)
    let stream = try #require(file.resolve(contents["F"]).stream)
    let carried = String(decoding: file.decode(stream).bytes, as: UTF8.self)
    #expect(try carried == made.text("alto"))
    #expect(XMLWords(carried).words.map(\.text) == ["Invoice"])
  }

  @Test func `what was not asked for is not given`() throws {
    let made = try StepBench(TypesetPage.png(["Invoice"]))
    #expect(made.output.artifacts.map(\.role) == ["pdf", "text"])
  }
}

/// The words of a file of hOCR or ALTO.
private final class XMLWords: NSObject, XMLParserDelegate {
  private(set) var words: [(text: String, box: [Int])] = []
  private(set) var isWellFormed = false
  private var open: (text: String, box: [Int])?

  init(_ text: String) {
    super.init()
    // Without the document type, whose place is on the network.
    let body = text.split(separator: "\n").filter { !$0.hasPrefix("<!DOCTYPE") }
    let parser = XMLParser(data: Data(body.joined(separator: "\n").utf8))
    parser.delegate = self
    isWellFormed = parser.parse()
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    if element == "String" {
      let sides = ["HPOS", "VPOS", "WIDTH", "HEIGHT"].compactMap {
        attributes[$0].flatMap { Int($0) }
      }
      guard sides.count == 4 else { return }
      words.append(
        (
          attributes["CONTENT"] ?? "",
          [sides[0], sides[1], sides[0] + sides[2], sides[1] + sides[3]]
        ))
    }
    guard attributes["class"] == "ocrx_word" else { return }
    let numbers = (attributes["title"] ?? "").dropFirst("bbox ".count).prefix { $0 != ";" }
    open = ("", numbers.split(separator: " ").compactMap { Int($0) })
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { open?.text += text }

  func parser(
    _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    if element == "span", let word = open {
      words.append(word)
      open = nil
    }
  }
}
