import Foundation
import FoundationXML
import PDFSyntax
import PDFText
import PlacedText
import TestSupport
import Testing

/// Words with their places as hOCR and ALTO.
@Suite struct PlacedTextTests {
  private static let xmllint = Programs.find("xmllint")

  /// Both forms of some pages.
  private func written(_ pages: [PlacedPage]) -> (hocr: String, alto: String) {
    var hocr = HOCRWriter(system: "procd"), alto = ALTOWriter(system: "procd")
    var taken: (hocr: [UInt8], alto: [UInt8]) = ([], [])
    for page in pages {
      hocr.add(page)
      alto.add(page)
      taken.hocr += hocr.takeBytes()
      taken.alto += alto.takeBytes()
    }
    taken.hocr += hocr.finish()
    taken.alto += alto.finish()
    #expect(hocr.count == taken.hocr.count && alto.count == taken.alto.count)
    return (
      String(decoding: taken.hocr, as: UTF8.self), String(decoding: taken.alto, as: UTF8.self)
    )
  }

  private func page(_ words: [String], size: Double = 1000) -> PlacedPage {
    let box = TextPage.Box(x0: 10, y0: 20, x1: 90, y1: 40)
    return PlacedPage(
      number: 1, unit: .pixels, width: size, height: size, resolution: (300, 300), language: "en",
      blocks: [
        .init(
          lines: [
            .init(
              words: words.map { .init(text: $0, box: box, confidence: 87.6) }, box: box,
              baseline: ((10, 36), (90, 38)), angle: 0, size: 20)
          ], box: box)
      ])
  }

  @Test func `the words of a PDF are those of its text, in order, in both forms`() throws {
    let bytes = PDFBuilder.pages([
      PDFBuilder.lines(["Harbour & <Lights>", "second line here"]) + " "
        + "BT /F1 12 Tf 0 1 -1 0 300 300 Tm (upwards it runs) Tj ET",
      PDFBuilder.lines(["another page"]), "",
    ])
    let extractor = try TextExtractor(PDFFile(FileBytes(bytes)))
    let pages = (0..<3).compactMap { extractor.page($0) }
    let words = pages.flatMap { page in page.words.map { page.text($0) } }
    #expect(words.count == 11)
    let forms = written(pages.map { PlacedPage($0) })
    let hocr = try Markup(forms.hocr), alto = try Markup(forms.alto)
    #expect(hocr.texts(ofClass: "ocrx_word") == words)
    #expect(alto.elements("String").map { $0["CONTENT"] } == words)
    #expect(alto.elements("Page").map { $0["PHYSICAL_IMG_NR"] } == ["1", "2", "3"])
    // Points with their fractions; hOCR has whole numbers only.
    let first = try #require(alto.elements("String").first)
    #expect(first["HPOS"] == "72" && first["WC"] == nil)
    #expect(forms.hocr.contains("bbox 0 0 612 792; ppageno 2; scan_res 72 72"))
    #expect(forms.hocr.contains("; textangle 90;"))
    #expect(alto.elements("TextBlock").contains { $0["ROTATION"] == "90" })
    alto.checkALTO()
  }

  @Test func `words of recognition have their confidence and their baseline`() throws {
    let forms = written([page(["one", "two"])])
    #expect(forms.hocr.contains("bbox 10 20 90 40; baseline 0.025 -4; x_size 20\""))
    #expect(forms.hocr.contains("bbox 10 20 90 40; x_wconf 88\">two<"))
    #expect(forms.hocr.contains("lang=\"en\" xml:lang=\"en\""))
    let alto = try Markup(forms.alto)
    #expect(alto.elements("String").map { $0["WC"] } == ["0.88", "0.88"])
    #expect(alto.elements("TextLine").first?["BASELINE"] == "10,36 90,38")
    #expect(alto.elements("TextBlock").first?["LANG"] == "en")
    alto.checkALTO()
  }

  @Test func `nothing in a word is markup, and what XML has no place for is replaced`() throws {
    let hostile = [
      "<script>", "&amp;", "]]>", "\"'", "a\u{0}\u{8}\u{B}\u{1F}b", "\u{FFFE}\u{FFFF}", "e\u{301}<",
      "\u{202E}gpj", "x\ty", "--><!--", "\u{1F600}", "\u{7F}\u{85}", " CONTENT=\"x\"",
    ]
    let read = hostile.map { word in
      String(
        String.UnicodeScalarView(
          word.unicodeScalars.map {
            $0.value < 0x20 && $0 != "\t" || [0xFFFE, 0xFFFF].contains($0.value) ? "\u{FFFD}" : $0
          }))
    }
    let forms = written([page(hostile)])
    let hocr = try Markup(forms.hocr), alto = try Markup(forms.alto)
    #expect(hocr.texts(ofClass: "ocrx_word") == read)
    #expect(alto.elements("String").map { $0["CONTENT"] } == read)
    alto.checkALTO()
    for text in [forms.hocr, forms.alto] {
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && !["\n", "\t"].contains($0) })
      try expectWellFormed(text)
    }
  }

  @Test func `places that are none, and places beyond the page, stay on it`() throws {
    var odd = page(["word"], size: 50)
    for value in [Double.nan, .infinity, -.infinity, 1e300, -5] {
      odd.blocks[0].lines[0].words[0].box = TextPage.Box(x0: value, y0: -3, x1: 80, y1: value)
      odd.blocks[0].lines[0].baseline = ((value, 0), (value, value))
      odd.blocks[0].lines[0].size = value
      let forms = written([odd])
      let word = try #require(try Markup(forms.alto).elements("String").first)
      for name in ["HPOS", "VPOS", "WIDTH", "HEIGHT"] {
        #expect(word[name].flatMap { Double($0) }.map { (0...50).contains($0) } == true, "\(word)")
      }
      try expectWellFormed(forms.hocr)
    }
  }

  @Test func `a document without pages and lines without words are valid too`() throws {
    let none = written([])
    try Markup(none.alto).checkALTO()
    try expectWellFormed(none.hocr)
    let empty = written([page([])])
    let alto = try Markup(empty.alto)
    #expect(alto.elements("TextBlock").isEmpty && alto.elements("PrintSpace").count == 1)
    alto.checkALTO()
  }

  private func expectWellFormed(_ text: String) throws {
    let folder = TemporaryFolder()
    try folder.write(Data(text.utf8), to: "document.xml")
    guard let xmllint = Self.xmllint else { return }
    let checked = try Programs.run(
      xmllint, ["--noout", "--nonet", "document.xml"], in: folder.path)
    #expect(checked.status == 0, "\(checked.errors)")
  }
}

/// The elements of a document, in order.
private final class Markup: NSObject, XMLParserDelegate {
  final class Element {
    let name: String
    let attributes: [String: String]
    var children: [Element] = []
    var text = ""
    init(_ name: String, _ attributes: [String: String]) {
      (self.name, self.attributes) = (name, attributes)
    }
    subscript(attribute: String) -> String? { attributes[attribute] }
  }

  private struct Broken: Error {}
  private var open = [Element("", [:])]
  private var all: [Element] = []

  init(_ text: String) throws {
    super.init()
    // Without the document type, whose place is on the network.
    let body = text.split(separator: "\n").filter { !$0.hasPrefix("<!DOCTYPE") }
    let parser = XMLParser(data: Data(body.joined(separator: "\n").utf8))
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? Broken() }
  }

  func elements(_ name: String) -> [Element] { all.filter { $0.name == name } }

  func texts(ofClass name: String) -> [String] {
    all.filter { $0["class"] == name }.map(\.text)
  }

  /// What the schema of ALTO 4.2 demands of the elements that are used: which stand in which, in what order and how
  /// often; which attributes they may and must have; identifiers once each.
  func checkALTO() {
    let shapes: [String: (children: String, attributes: Set<String>, needed: Set<String>)] = [
      "alto": (
        "Description Layout ", ["SCHEMAVERSION", "xsi:schemaLocation", "xmlns", "xmlns:xsi"], []
      ),
      "Description": ("MeasurementUnit (Processing )*", [], []),
      "MeasurementUnit": ("", [], []),
      "Processing": ("(processingSoftware )?", ["ID"], ["ID"]),
      "processingSoftware": ("(softwareName )?", [], []), "softwareName": ("", [], []),
      "Layout": ("(Page )+", [], []),
      "Page": (
        "(PrintSpace )?", ["ID", "PHYSICAL_IMG_NR", "WIDTH", "HEIGHT"], ["ID", "PHYSICAL_IMG_NR"]
      ),
      "PrintSpace": ("(TextBlock )*", ["HPOS", "VPOS", "WIDTH", "HEIGHT"], []),
      "TextBlock": (
        "(TextLine )+", ["ID", "HPOS", "VPOS", "WIDTH", "HEIGHT", "ROTATION", "LANG"], ["ID"]
      ),
      "TextLine": (
        "(String (SP )?)+", ["ID", "HPOS", "VPOS", "WIDTH", "HEIGHT", "BASELINE"], []
      ),
      "String": (
        "", ["ID", "HPOS", "VPOS", "WIDTH", "HEIGHT", "CONTENT", "WC"], ["CONTENT"]
      ),
      "SP": ("", ["HPOS", "VPOS", "WIDTH", "HEIGHT"], []),
    ]
    for element in all {
      guard let shape = shapes[element.name] else {
        Issue.record("\(element.name) is no element of ALTO that is used")
        continue
      }
      let children = element.children.map { "\($0.name) " }.joined()
      #expect(
        children.range(of: "^(\(shape.children))$", options: .regularExpression) != nil,
        "\(element.name): \(children)")
      let names = Set(element.attributes.keys.filter { !$0.hasPrefix("xmlns") })
      #expect(names.isSubset(of: shape.attributes), "\(element.name): \(names)")
      #expect(shape.needed.isSubset(of: names), "\(element.name): \(names)")
      for name in ["HPOS", "VPOS", "WIDTH", "HEIGHT", "ROTATION"] {
        if let value = element[name] { #expect(Double(value) != nil, "\(value)") }
      }
      if let sure = element["WC"] { #expect(Double(sure).map { (0...1).contains($0) } == true) }
    }
    let identifiers = all.compactMap { $0["ID"] }
    #expect(Set(identifiers).count == identifiers.count)
    #expect(elements("MeasurementUnit").map(\.text) == ["pixel"])
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    let element = Element(name, attributes)
    open.last?.children.append(element)
    open.append(element)
    all.append(element)
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.text += text }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) { open.removeLast() }
}
