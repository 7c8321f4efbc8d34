import Foundation
import PDFSyntax
import PDFText
import TestSupport

@testable import ImageOCR

/// A PDF of one page with images, built by hand.
struct ScannedPage {
  /// The content of the page; `/Im0`, `/Im1`, ... are its images, `/F1` is Helvetica, `/G1` sets that to 20 points,
  /// `/F3` draws boxes of 30 units for letters.
  var content: String
  /// Entries and data of the images.
  var images: [(entries: String, data: [UInt8])]
  /// Further entries of the page, of the catalog, and whole objects from number 10.
  var page = ""
  var catalog = ""
  var objects: [String] = []
  /// The page's box: 595 by 432 points at 150 pixels per inch for the drawn letter.
  var box = "0 0 595.2 432"

  var file: [UInt8] {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R\(catalog)>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
    let first = 10 + objects.count
    let names = images.indices.map { "/Im\($0) \(first + $0) 0 R" }.joined()
    builder.add(
      "<</Type/Page/Parent 2 0 R/MediaBox[\(box)]/Contents 4 0 R\(page)"
        + "/Resources<</XObject<<\(names)/Fm0 7 0 R>>/ExtGState<</G1<</Font[5 0 R 20]>>>>"
        + "/Font<</F1 5 0 R/F2 6 0 R/F3 8 0 R>>>>>>")
    builder.addStream(Array(content.utf8))
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/GlyphLessFont/Encoding/WinAnsiEncoding>>")
    builder.addStream(
      Array("BT 3 Tr /F1 20 Tf 60 300 Td (formlayer) Tj ET".utf8),
      entries: "/Type/XObject/Subtype/Form/BBox[0 0 600 500]/Resources<</Font<</F1 5 0 R>>>>")
    let glyphs = "stamped".map { "/\($0) 9 0 R" }.joined()
    builder.add(
      "<</Type/Font/Subtype/Type3/FontMatrix[1 0 0 1 0 0]/FontBBox[0 0 0 0]/FirstChar 97/LastChar 116"
        + "/Widths[\(String(repeating: "36 ", count: 20))]/CharProcs<<\(glyphs)>>"
        + "/Encoding<</Differences[97/a 100/d/e 109/m 112/p 115/s/t]>>>>")
    builder.addStream(Array("36 0 0 0 30 30 d1 0 0 30 30 re f".utf8))
    for object in objects { builder.add(object) }
    for image in images {
      builder.addStream(image.data, entries: "/Type/XObject/Subtype/Image" + image.entries)
    }
    return builder.file(root: 1)
  }

  /// The entries of an image of one byte a pixel.
  static func grey(_ width: Int, _ height: Int) -> String {
    "/Width \(width)/Height \(height)/BitsPerComponent 8/ColorSpace/DeviceGray"
  }

  static let letter = (
    entries: grey(DrawnPage.letter.width, DrawnPage.letter.height), data: DrawnPage.letter.grey
  )
  static let fullPage = "q 595.2 0 0 432 0 0 cm /Im0 Do Q"

  /// Part of the drawn letter.
  static func part(x: Int, y: Int, width: Int, height: Int) -> [UInt8] {
    (y..<(y + height)).flatMap { row in
      DrawnPage.letter.grey[(row * DrawnPage.letter.width + x)...].prefix(width)
    }
  }

  /// The page's words as they can be read back.
  static func words(_ pdf: [UInt8], passwords: [String] = []) throws -> [String] {
    let extractor = try TextExtractor(PDFFile(FileBytes(pdf), passwords: passwords))
    return OCRRun.words(extractor.page(0)?.text)
  }

  /// What qpdf says of a file: nil where it is in order or where qpdf is not installed.
  static func complaint(_ pdf: [UInt8], password: String = "") throws -> String? {
    let program = "/usr/bin/qpdf"
    guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
    let path = NSTemporaryDirectory() + "procd-check-" + UUID().uuidString + ".pdf"
    try Data(pdf).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let result = try Programs.run(program, ["--check", "--password=\(password)", path])
    return result.status == 0 ? nil : result.output + result.errors
  }

  /// A file as qpdf writes it with some options; nil where qpdf is not installed.
  static func rewritten(_ pdf: [UInt8], _ options: [String]) throws -> [UInt8]? {
    let program = "/usr/bin/qpdf"
    guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
    let path = NSTemporaryDirectory() + "procd-qpdf-" + UUID().uuidString
    try Data(pdf).write(to: URL(fileURLWithPath: path))
    defer {
      try? FileManager.default.removeItem(atPath: path)
      try? FileManager.default.removeItem(atPath: path + ".out")
    }
    _ = try Programs.run(program, options + [path, path + ".out"])
    return FileManager.default.contents(atPath: path + ".out").map(Array.init)
  }
}
