import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Whatever the bytes, reading ends, and ends without a trap.
struct TotalityTests {
  private static let seeds: [[UInt8]] = {
    let plain = PDFBuilder.pages([
      PDFBuilder.lines(["one two", "three"]),
      "q 1 0 0 1 5 5 cm BT /F1 9 Tf [(a) -300 (b)] TJ ET Q BI /W 1 /H 1 ID x EI /Span<</A[1]>>BDC EMC",
    ])
    var builder = PDFBuilder()
    let catalog = builder.add("<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[7 0 R]>>>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 200]/Rotate 90>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents[4 0 R 4 0 R]/Annots[7 0 R]"
        + "/Resources<</Font<</F1 5 0 R>>>>>>")
    builder.addStream(Array("BT /F1 9 Tf 20 20 Td <0001000200410042> Tj ET".utf8))
    builder.add(
      "<</Type/Font/Subtype/Type0/Encoding/Identity-H/ToUnicode 6 0 R/DescendantFonts"
        + "[<</Subtype/CIDFontType2/DW 500/W[1[400 300]5 9 700]/CIDSystemInfo<</Ordering(Japan1)>>>>]>>"
    )
    builder.addStream(Array("1 beginbfrange <0001> <0041> <0061> endbfrange".utf8))
    builder.add("<</Subtype/Widget/FT/Tx/V(value)/Rect[10 10 100 30]/DA(/F1 8 Tf)>>")
    return [plain, builder.file(root: catalog)]
  }()

  private func read(_ bytes: [UInt8]) {
    var limits = WorkLimits()
    limits.operators = 20_000
    guard let file = try? PDFFile(FileBytes(bytes)),
      let extractor = try? TextExtractor(file, limits: limits)
    else { return }
    for index in 0..<min(4, extractor.pageCount) {
      _ = extractor.page(index)
      _ = extractor.images(index)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8])
  func `changed bytes are no trap`(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<400 {
      var bytes = Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &numbers)]
      for _ in 0..<Int.random(in: 1...12, using: &numbers) {
        let at = Int.random(in: 0..<bytes.count, using: &numbers)
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &numbers)
        case 1: bytes[at] = Array("0123456789-<>[]()/".utf8).randomElement(using: &numbers) ?? 0
        case 2: bytes.remove(at: at)
        default: bytes.insert(contentsOf: Array("99999999999".utf8), at: at)
        }
      }
      read(bytes)
    }
  }

  @Test func `cut files are no trap`() {
    for seed in Self.seeds {
      for length in stride(from: 0, to: seed.count, by: 3) { read(Array(seed[..<length])) }
    }
  }
}
