import Foundation
import PDFSyntax
import PDFWriter
import Testing

@Suite struct ImageDocumentTests {
  static func page(text: TextLayer = TextLayer()) -> ImagePage {
    ImagePage(
      image: PageImage(
        width: 2, height: 2, bitsPerComponent: 8, colour: .gray,
        coding: .samples, bytes: [0, 255, 255, 0]),
      width: 200, height: 100, placement: Matrix(200, 0, 0, 100, 0, 0), text: text)
  }

  static func document(_ pages: [ImagePage]) -> [UInt8] {
    var document = ImageDocument()
    var bytes: [UInt8] = []
    for page in pages {
      document.append(page)
      bytes += document.takeBytes()
    }
    document.finish(title: "Grüße & <Küsse>", producer: "test", language: "de")
    return bytes + document.takeBytes()
  }

  static let greeting = TextLayer(lines: [
    TextLayer.Line(
      words: [
        .init(text: "Grüße", start: 0, end: 50), .init(text: "an", start: 57.5, end: 70),
        .init(text: "𝄞alle", start: 80, end: 120),
      ], height: 20, placement: .translation(10, 50))
  ])

  @Test func `the same pages give the same bytes`() {
    #expect(Self.document([Self.page()]) == Self.document([Self.page()]))
  }

  @Test func `taking the bytes in pieces changes nothing`() {
    var whole = ImageDocument()
    whole.append(Self.page(text: Self.greeting))
    whole.append(Self.page())
    whole.finish(title: "Grüße & <Küsse>", producer: "test", language: "de")
    #expect(
      whole.takeBytes() == Self.document([Self.page(text: Self.greeting), Self.page()]))
  }

  @Test func `qpdf finds no fault`() throws {
    let bytes = Self.document([Self.page(text: Self.greeting), Self.page()])
    try withFile(bytes) { path in
      guard let check = output(of: "qpdf", ["--check", path]) else { return }
      #expect(check.status == 0, "\(check.text)")
    }
  }

  @Test func `words come back with exactly their boxes`() throws {
    try withFile(Self.document([Self.page(text: Self.greeting)])) { path in
      guard let found = output(of: "pdftotext", ["-bbox", path, "-"]) else { return }
      let boxes = found.text.split(separator: "\n").filter { $0.contains("<word") }
        .map { line in line.split(separator: "\"").compactMap { Double($0) } }
      #expect(boxes.count == 3)
      let wanted: [[Double]] = [[10, 60], [67.5, 80], [90, 130]]
      for (box, edges) in zip(boxes, wanted) {
        #expect(abs(box[0] - edges[0]) < 0.01 && abs(box[2] - edges[1]) < 0.01)
        #expect(abs(box[3] - box[1] - 20) < 0.01)
      }
      #expect(found.text.contains(">Grüße<") && found.text.contains(">𝄞alle<"))
    }
  }

  @Test func `the document opens in the own engine and claims its archive format`() throws {
    let file = try PDFFile(FileBytes(Self.document([Self.page(), Self.page()])))
    #expect(try PageTree(file).count == 2)
    #expect(!file.wasRebuilt)
    let metadata = try #require(file.resolve(file.catalog["Metadata"]).stream)
    let text = String(decoding: file.decode(metadata).bytes, as: UTF8.self)
    #expect(text.contains("<pdfaid:part>2</pdfaid:part>"))
    #expect(text.contains("Grüße &amp; &lt;Küsse&gt;"))
  }

  @Test func `files that it carries are found, and make it PDF/A-3`() throws {
    var document = ImageDocument()
    document.append(Self.page(text: Self.greeting))
    let rows = Array("a,b\r\n1,2\r\n".utf8)
    document.finish(
      producer: "test",
      files: [
        EmbeddedFile(name: "z.csv", mime: "text/csv", about: "Rows", bytes: rows),
        EmbeddedFile(
          name: "ä (1).txt", mime: "text/plain", about: "Grüße",
          bytes: [UInt8](repeating: 65, count: 999)),
      ])
    let bytes = document.takeBytes()
    let file = try PDFFile(FileBytes(bytes))
    let metadata = try #require(file.resolve(file.catalog["Metadata"]).stream)
    #expect(
      String(decoding: file.decode(metadata).bytes, as: UTF8.self)
        .contains("<pdfaid:part>3</pdfaid:part>"))
    let associated = try #require(file.resolve(file.catalog["AF"]).array)
    #expect(associated.count == 2)
    for reference in associated {
      let specification = try #require(file.resolve(reference).dictionary)
      #expect(specification["AFRelationship"] == .name("Data"))
      #expect(specification["F"] != nil && specification["UF"] == specification["F"])
      let contents = try #require(file.resolve(specification["EF"]).dictionary)
      let stream = try #require(file.resolve(contents["F"]).stream)
      #expect([.name("text/csv"), .name("text/plain")].contains(stream.dictionary["Subtype"]))
    }
    try withFile(bytes) { path in
      if let check = output(of: "qpdf", ["--check", path]) {
        #expect(check.status == 0, "\(check.text)")
      }
      if let listed = output(of: "pdfdetach", ["-list", path]) {
        #expect(listed.text.contains("2 embedded files") && listed.text.contains("ä (1).txt"))
      }
      if let shown = output(of: "qpdf", ["--show-attachment=z.csv", path]) {
        #expect(shown.text == "a,b\r\n1,2\r\n")
      }
    }
  }

  @Test func `colours that need a press make no archive claim`() {
    var document = ImageDocument()
    document.append(
      ImagePage(
        image: PageImage(
          width: 1, height: 1, bitsPerComponent: 8, colour: .cmyk, coding: .samples,
          bytes: [0, 0, 0, 0]),
        width: 10, height: 10, placement: .scale(10, 10)))
    #expect(document.finish(producer: "test") == .cmyk)
  }
}

@Suite struct IncrementalUpdateTests {
  static func update(_ original: [UInt8]) throws -> [UInt8] {
    let file = try PDFFile(FileBytes(original))
    let page = try #require(try PageTree(file).page(0))
    let reference = try #require(page.reference)
    var update = IncrementalUpdate(
      of: .init(
        length: original.count, endsWithNewline: original.last == 0x0A,
        crossReferenceOffset: try #require(file.startOfCrossReference),
        hasCrossReferenceStream: false, trailer: file.trailer,
        highestNumber: file.largestObjectNumber))
    var dictionary = page.dictionary
    dictionary["Rotate"] = .integer(90)
    update.put(.dictionary(dictionary), as: reference)
    update.add(.string(Array("new".utf8)))
    return update.finish()
  }

  @Test func `an update keeps every byte and is read on top`() throws {
    let original = ImageDocumentTests.document([ImageDocumentTests.page()])
    let bytes = original + (try Self.update(original))
    let file = try PDFFile(FileBytes(bytes))
    #expect(!file.wasRebuilt)
    #expect(try PageTree(file).page(0)?.rotation == 90)
    try withFile(bytes) { path in
      guard let check = output(of: "qpdf", ["--check", path]) else { return }
      #expect(check.status == 0, "\(check.text)")
    }
  }

  @Test func `a second update builds on the first`() throws {
    var bytes = ImageDocumentTests.document([ImageDocumentTests.page()])
    bytes += try Self.update(bytes)
    bytes += try Self.update(bytes)
    #expect(try PageTree(PDFFile(FileBytes(bytes))).count == 1)
  }

  @Test func `a file with broken cross-references is written anew`() throws {
    let original = ImageDocumentTests.document([ImageDocumentTests.page()])
    let broken = try PDFFile(FileBytes(Array(original.dropLast(60))))
    #expect(broken.wasRebuilt)
    var update = IncrementalUpdate(
      rewriting: broken.trailer, highestNumber: broken.largestObjectNumber)
    update.copy(try #require(broken.trailer["Root"]), from: broken)
    let file = try PDFFile(FileBytes(update.finish()))
    #expect(!file.wasRebuilt)
    #expect(try PageTree(file).count == 1)
  }
}
