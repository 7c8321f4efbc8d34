import Foundation
import PDFSyntax
import TestSupport

@testable import ImageOCR

/// A page as a picture in grey: as composed here, or as another program shows it.
struct RenderedPage {
  var width: Int
  var height: Int
  var grey: [UInt8]
  var isDamaged = false

  /// The first page composed of its images; nil where none could be decoded.
  static func composed(_ pdf: [UInt8], passwords: [String] = []) throws -> RenderedPage? {
    let file = try PDFFile(FileBytes(pdf), passwords: passwords)
    guard let page = try PageTree(file).page(0) else { return nil }
    let limits = OCRLimits()
    let composer = PageComposer(
      file: file, decoder: ScanDecoder(file: file, limits: limits), limits: limits)
    guard let made = try composer.compose(PageContent(of: page, in: file), of: page) else {
      return nil
    }
    return RenderedPage(
      width: made.pixels.width, height: made.pixels.height, grey: made.pixels.lightness(),
      isDamaged: made.isDamaged)
  }

  /// The first page as poppler shows it at a size in pixels, not turned; nil where poppler is not
  /// installed.
  static func shown(_ pdf: [UInt8], width: Int, height: Int) throws -> RenderedPage? {
    let program = "/usr/bin/pdftoppm"
    guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
    let path = NSTemporaryDirectory() + "procd-page-" + UUID().uuidString
    try Data(pdf).write(to: URL(fileURLWithPath: path + ".pdf"))
    defer {
      try? FileManager.default.removeItem(atPath: path + ".pdf")
      try? FileManager.default.removeItem(atPath: path + ".pgm")
    }
    _ = try Programs.run(
      program,
      [
        "-gray", "-singlefile", "-cropbox", "-f", "1", "-l", "1", "-scale-to-x", "\(width)",
        "-scale-to-y", "\(height)", path + ".pdf", path,
      ])
    guard let data = FileManager.default.contents(atPath: path + ".pgm") else { return nil }
    return portableGreyMap(Array(data))
  }

  /// Reads a PGM file of 8 bits.
  static func portableGreyMap(_ bytes: [UInt8]) -> RenderedPage? {
    var numbers: [Int] = []
    var at = 2
    while numbers.count < 3, at < bytes.count {
      var value = 0
      var digits = 0
      while at < bytes.count, (0x30...0x39).contains(bytes[at]) {
        value = value * 10 + Int(bytes[at] - 0x30)
        digits += 1
        at += 1
      }
      if digits > 0 { numbers.append(value) }
      at += 1
    }
    guard numbers.count == 3, bytes.count - at >= numbers[0] * numbers[1] else { return nil }
    return RenderedPage(
      width: numbers[0], height: numbers[1],
      grey: Array(bytes[at...].prefix(numbers[0] * numbers[1])))
  }

  /// The mean difference of the pixels, 0 to 255; nil where the sizes differ.
  func difference(from other: RenderedPage) -> Double? {
    guard width == other.width, height == other.height else { return nil }
    var sum = 0
    for (one, two) in zip(grey, other.grey) { sum += abs(Int(one) - Int(two)) }
    return Double(sum) / Double(max(1, grey.count))
  }
}
