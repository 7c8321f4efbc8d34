import Bytes
import Foundation
import PDFSyntax
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import ImageHeaders
@testable import ImageOCR

/// With the real recognizer; left out where its English data is not installed.
@Suite(
  .serialized,
  .enabled(if: LanguageData.folder().map { LanguageData.isInstalled("eng", in: $0) } ?? false))
struct ConversionTests {
  private final class Host: StepHost {
    var notes: [String] = []
    func progress(_ done: Int, of total: Int, unit: String) {}
    func note(_ code: String, _ message: String, page: Int?) { notes.append(message) }
  }

  /// Runs the step on bytes and gives its output, the PDF and the text.
  private func run(_ bytes: [UInt8], options: JSON = [:]) throws -> (
    output: StepOutput, pdf: [UInt8], text: String?
  ) {
    let folder = NSTemporaryDirectory() + "procd-ocr-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder + "/out", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(bytes).write(to: URL(fileURLWithPath: folder + "/source"))
    let input = StepInput(
      path: FilePath(folder + "/source"), mime: "application/octet-stream", bytes: bytes.count)
    let output = try ImageOCRPlugin().run(
      StepRun(
        id: "1", step: "ocr.tesseract", job: "1", attempt: 1, inputs: ["source": [input]],
        sourceName: "letter.png", options: Options(checked: options), workFolder: folder),
      Host())
    let pdf = try Data(contentsOf: URL(fileURLWithPath: folder + "/out/document.pdf"))
    let text = try? String(contentsOfFile: folder + "/out/document.txt", encoding: .utf8)
    return (output, Array(pdf), text)
  }

  private func words(_ text: String?) -> [String] {
    (text ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
  }

  @Test func `a drawn page is read and its facts are told`() throws {
    let made = try run(DrawnPage.letter.portableGreyMap)
    let found = words(made.text)
    #expect(found.contains("LETTER") && found.contains("CHART"), "\(found)")
    #expect(made.output.facts["pages"] == .integer(1))
    #expect(made.output.facts["dpiGuessed"] == .bool(true))
    #expect(made.output.facts["pdfa"] == true && made.output.facts["pdfaReason"] == nil)
    #expect(made.output.artifacts.map(\.role) == ["pdf", "text"])
    #expect(!made.output.partial)
  }

  @Test(arguments: [1, 2, 3])
  func `a page that lies on its side or head is shown upright`(quarters: Int) throws {
    let made = try run(DrawnPage.letter.turned(quarters).portableGreyMap)
    #expect(words(made.text).contains("LETTER"))
    #expect(made.output.facts["pagesTurned"] == .integer(1))
    let page = try #require(try PageTree(PDFFile(FileBytes(made.pdf))).page(0))
    #expect(page.width > page.height)
  }

  @Test func `an empty page gives an empty text and a page`() throws {
    let made = try run(DrawnPage(width: 400, height: 300).portableGreyMap)
    #expect(words(made.text).isEmpty)
    #expect(try PageTree(PDFFile(FileBytes(made.pdf))).count == 1)
  }

  @Test func `a PDF with text on every page is its own result`() throws {
    let searchable = try run(DrawnPage.letter.portableGreyMap).pdf
    let again = try run(searchable)
    #expect(again.pdf == searchable)
    #expect(again.output.facts["pagesRecognized"] == .integer(0))
  }

  @Test func `a scanned PDF gets its text behind all of its own bytes`() throws {
    let searchable = try run(DrawnPage.letter.portableGreyMap, options: ["straighten": "none"]).pdf
    let file = try PDFFile(FileBytes(searchable))
    let page = try #require(try PageTree(file).page(0))
    let scan = try scanWithoutText(of: page, in: file)
    let made = try run(scan)
    #expect(made.pdf.starts(with: scan) && made.pdf.count > scan.count)
    #expect(words(made.text).contains("LETTER"))
    #expect(made.output.facts["pagesRecognized"] == .integer(1))
    let again = try run(made.pdf)
    #expect(again.pdf == made.pdf)
  }

  /// The same page with nothing but its image.
  private func scanWithoutText(of page: Page, in file: PDFFile) throws -> [UInt8] {
    let objects = try #require(file.dictionary(page.resources, "XObject"))
    let image = try #require(file.resolve(objects["Im0"]).stream)
    var serializer = ObjectSerializer()
    var offsets: [Int] = []
    serializer.writer.append("%PDF-1.4\n")
    func add(_ object: PDFObject) {
      offsets.append(serializer.writer.count)
      serializer.write(object, as: PDFReference(offsets.count))
    }
    let box = PDFObject.numbers(0, 0, page.width, page.height)
    add(.dictionary(["Type": .name("Catalog"), "Pages": .reference(PDFReference(2))]))
    add(
      .dictionary([
        "Type": .name("Pages"), "Kids": .array([.reference(PDFReference(3))]), "Count": 1.pdf,
      ]))
    add(
      .dictionary([
        "Type": .name("Page"), "Parent": .reference(PDFReference(2)), "MediaBox": box,
        "Contents": .reference(PDFReference(5)),
        "Resources": .dictionary([
          "XObject": .dictionary(["Im0": .reference(PDFReference(4))])
        ]),
      ]))
    add(.stream(PDFStream(image.dictionary, bytes: file.rawBytes(image))))
    let content = "q \(page.width) 0 0 \(page.height) 0 0 cm /Im0 Do Q"
    add(.stream(PDFStream(bytes: Array(content.utf8))))
    let start = serializer.writer.count
    serializer.writer.append("xref\n0 6\n0000000000 65535 f \n")
    for offset in offsets {
      serializer.writer.append(decimal: offset, width: 10)
      serializer.writer.append(" 00000 n \n")
    }
    serializer.writer.append("trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n")
    return serializer.writer.bytes
  }

  @Test func `a picture that is cut off is put in order behind the bytes of the file`() throws {
    let path = Programs.repository.appending("docs/samples/letter-photo.jpg").string
    let jpeg = Array(try #require(FileManager.default.contents(atPath: path)))
    let header = try #require(JPEGHeader.read(jpeg.span)?.header.pages.first)
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</Im0 5 0 R>>>>>>")
    builder.addStream(Array("q 595 0 0 842 0 0 cm /Im0 Do Q".utf8))
    let colours = header.components == 3 ? "DeviceRGB" : "DeviceGray"
    builder.addStream(
      Array(jpeg.prefix(jpeg.count / 2)),
      entries: "/Type/XObject/Subtype/Image/Width \(header.width)/Height \(header.height)"
        + "/BitsPerComponent 8/ColorSpace/\(colours)/Filter/DCTDecode")
    let scan = builder.file(root: 1)
    let made = try run(scan)
    #expect(made.output.partial)
    #expect(made.pdf.starts(with: scan))
    let file = try PDFFile(FileBytes(made.pdf))
    let image = try #require(file.object(5).stream)
    let decoded = file.decode(image)
    #expect(decoded.pending == nil && decoded.isComplete)
    #expect(decoded.bytes.count >= header.width * header.height)
  }

  @Test(arguments: [
    ("", "file.empty"), ("letter.png\n", "image.unknown"), ("%PDF-1.7\nnothing", "pdf.broken"),
    ("P5 30000 30000 255\n", "limit.pixels"), ("P5 300 300 255\n", "image.damaged"),
  ])
  func `what cannot be converted is refused with its reason`(text: String, code: String) {
    let failure = #expect(throws: PluginFailure.self) { try run(Array(text.utf8)) }
    #expect(failure?.class == .input)
    #expect(failure?.code == code)
  }

  @Test func `a language that is not installed is a fault of the options`() {
    for language in ["xyz", "../eng", "eng/../../eng", ""] {
      let failure = #expect(throws: PluginFailure.self) {
        try run(
          DrawnPage.letter.portableGreyMap, options: ["languages": .array([.string(language)])])
      }
      #expect(failure?.class == .options, "\(language)")
    }
  }
}

extension Int {
  fileprivate var pdf: PDFObject { .integer(self) }
}
