import Bytes
import PDFSyntax
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import ImageOCR

/// Stacks are split at pages with barcodes.
@Suite struct SplitTests {
  private static func page(
    _ barcode: Barcode, module: Int = 3, ink: UInt8 = 0
  ) -> DrawnPage {
    var page = DrawnPage(width: 1240, height: 900)
    barcode.draw(into: &page.grey, width: 1240, left: 200, top: 300, module: module, ink: ink)
    return page
  }

  private static func texts(on page: DrawnPage) throws -> Set<String> {
    guard
      let pixels = Pixels.grey(
        width: page.width, height: page.height, { page.grey[$0 * page.width + $1] })
    else { throw DrawnPage.NotDecoded() }
    return Set(try BarcodeReader().texts(in: pixels))
  }

  // MARK: - Barcodes

  @Test(arguments: Barcode.allCases, [0, 1, 2, 3])
  private func `barcodes are read whichever way up`(barcode: Barcode, quarters: Int) throws {
    for module in [2, 3, 4] {
      let page = Self.page(barcode, module: module, ink: 70).turned(quarters)
      #expect(try Self.texts(on: page) == [barcode.text])
    }
  }

  @Test func `text, a bar too many, and noise are no barcode`() throws {
    #expect(try Self.texts(on: .letter) == [])
    var broken = Self.page(.patchT128)
    for row in 300..<420 { for column in 290..<302 { broken.grey[row * 1240 + column] = 255 } }
    #expect(try Self.texts(on: broken) == [])
    var numbers = SeededNumbers(seed: 9)
    for (width, height) in [(1, 1), (1, 40), (2, 3), (64, 2), (301, 400)] {
      var page = DrawnPage(width: width, height: height)
      for place in page.grey.indices {
        page.grey[place] = UInt8.random(in: 0...255, using: &numbers)
      }
      // What noise says by accident is no separator.
      let separators = try Separators(pattern: Separators.usual, keepsPages: false)
      #expect(separators.separator(among: Array(try Self.texts(on: page))) == nil)
    }
  }

  @Test func `a library that is not there is named with its cure`() {
    let failure = #expect(throws: PluginFailure.self) {
      try BarcodeReader(library: "libnowhere.so.0")
    }
    #expect(failure?.code == "pages.library" && failure?.class == .options)
    #expect(failure?.hint == "on Debian: apt install libzbar0")
  }

  // MARK: - Separators

  @Test func `the whole text of a barcode must match, in capital or small letters`() throws {
    let usual = try Separators(pattern: Separators.usual, keepsPages: false)
    for text in ["PATCHT", "patch-t", "Procd-Split", "SEPARATOR"] {
      #expect(usual.separator(among: ["4006381333931", text]) == text)
    }
    #expect(usual.separator(among: ["https://example.org/separator", "PATCHT2", ""]) == nil)
    let own = try Separators(pattern: #"asn\d+"#, keepsPages: false)
    #expect(own.separator(among: ["ASN00012"]) == "ASN00012")
    let failure = #expect(throws: PluginFailure.self) {
      try Separators(pattern: "(", keepsPages: false)
    }
    #expect(failure?.code == "option.pattern")
  }

  @Test func `pages belong to the separator before them`() throws {
    typealias Document = Separators.Document
    let pages = [nil, "A", "B", nil, nil, "C"]
    let dropping = try Separators(pattern: ".", keepsPages: false)
    #expect(
      dropping.documents(pages) == [Document(pages: [0]), Document(pages: [3, 4], barcode: "B")])
    let keeping = try Separators(pattern: ".", keepsPages: true)
    #expect(
      keeping.documents(pages) == [
        Document(pages: [0]), Document(pages: [1], barcode: "A"),
        Document(pages: [2, 3, 4], barcode: "B"), Document(pages: [5], barcode: "C"),
      ])
    #expect(dropping.documents(["A", "B"]) == [] && dropping.documents([]) == [])
  }

  // MARK: - Stacks

  private func split(_ pages: [DrawnPage], _ options: JSON = [:]) throws -> StepBench {
    try StepBench(ImageStack.tiff(pages), step: "pages.split", options: options)
  }

  private func counts(_ bench: StepBench) throws -> [Int] {
    try bench.files("pdf").map { try PageTree(PDFFile(FileBytes($0))).count }
  }

  private func code(_ body: () throws -> StepBench) -> String? {
    do { _ = try body() } catch { return (error as? PluginFailure)?.code }
    return nil
  }

  @Test func `a TIFF becomes a PDF for each document`() throws {
    let made = try split([
      Self.page(.patchT39), .letter, .letter, Self.page(.patchT128), Self.page(.splitQR), .letter,
      Self.page(.number12),
    ])
    #expect(try counts(made) == [2, 2])
    // Sheets that part any documents say nothing of one.
    #expect(made.output.artifacts.map(\.label) == [nil, nil])
    #expect(made.output.facts["documents"] == 2 && made.output.facts["separators"] == 3)
    #expect(made.output.facts["pages"] == 4)
    #expect(made.output.facts["barcodes"] == ["PATCH-T", "procd-split"])
  }

  @Test func `pages that begin a document stay in it if they are to be kept`() throws {
    let made = try split(
      [.letter, Self.page(.number12), .letter, Self.page(.number13), .letter, .letter],
      ["pattern": #"ASN\d+"#, "keep": true])
    #expect(try counts(made) == [1, 2, 3])
    #expect(made.output.artifacts.map(\.label) == [nil, "ASN00012", "ASN00013"])
  }

  @Test func `a stack without separators stays one document, one of separators is refused`() throws
  {
    let letters = try split([.letter, Self.page(.ean13)])
    #expect(try counts(letters) == [2] && letters.notes.isEmpty)
    #expect(code { try split([Self.page(.patchT39), Self.page(.splitQR)]) } == "pages.separators")
    #expect(code { try StepBench([], step: "pages.split") } == "file.empty")
    #expect(code { try StepBench([1, 2, 3], step: "pages.split") } == "image.unknown")
  }

  @Test func `pictures of a PDF are the same in its parts, byte for byte`() throws {
    func pictures(_ bytes: [UInt8]) throws -> [[UInt8]] {
      let file = try PDFFile(FileBytes(bytes))
      let pages = try PageTree(file)
      return try (0..<pages.count).map { index in
        let page = try #require(pages.page(index))
        let images = try #require(file.dictionary(page.resources, "XObject"))
        let image = try #require(images["Im0"].map { file.resolve($0) }?.stream)
        return file.rawBytes(image)
      }
    }
    let stack = Barcode.stack([nil, .separator39, nil, nil])
    let made = try StepBench(stack, step: "pages.split")
    #expect(try counts(made) == [1, 2])
    let before = try pictures(stack)
    let after = try made.files("pdf").flatMap(pictures)
    #expect(after == [before[0], before[2], before[3]])
  }

  @Test(.enabled(if: OCRRun.isPossible)) func `a stack that was read stays searchable`() throws {
    let read = try StepBench(ImageStack.tiff([.letter, Self.page(.patchT128), .letter]))
    let made = try StepBench(try read.files("pdf")[0], step: "pages.split")
    let files = try made.files("pdf")
    #expect(files.count == 2)
    for file in files { #expect(try ScannedPage.words(file).contains("LETTER")) }
  }

  @Test func `a step that reads one file refuses several`() {
    let input = StepInput(path: "/nowhere", mime: "application/pdf", bytes: 1)
    let run = StepRun(
      id: "1", step: "ocr.tesseract", job: "1", attempt: 1, inputs: ["source": [input, input]],
      sourceName: "a.pdf", options: Options(checked: [:]), workFolder: "")
    let failure = #expect(throws: PluginFailure.self) { try run.source() }
    #expect(failure?.code == "step.inputs")
  }
}
