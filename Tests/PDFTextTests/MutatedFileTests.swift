import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Files of every kind with bytes changed, cut out and put in: none of them is a trap.
struct MutatedFileTests {
  enum Kind: String, CaseIterable, Sendable {
    case classicEncryption, aesEncryption, modernEncryption, objectStreams, hybrid
    case trueType, compact, type1, vertical, annotations, optional
  }

  private func seed(_ kind: Kind) throws -> [UInt8] {
    switch kind {
    case .classicEncryption: return try Fixture.bytes("encrypted/r3-no-user.pdf")
    case .aesEncryption: return try Fixture.bytes("encrypted/r4-aes.pdf")
    case .modernEncryption: return try Fixture.bytes("encrypted/r6-object-streams.pdf")
    case .objectStreams: return structured(hybrid: false)
    case .hybrid: return structured(hybrid: true)
    case .trueType:
      let maps = [
        (platform: 1, encoding: 0, bytes: FontPrograms.format0([1: 3, 2: 4])),
        (platform: 3, encoding: 1, bytes: FontPrograms.format4([0x416: 3, 0x61: 4])),
        (platform: 3, encoding: 10, bytes: FontPrograms.format12([(0x1F600, 0x1F610, 7)])),
      ]
      return font(
        FontPrograms.trueType([
          "cmap": FontPrograms.cmap(maps), "post": FontPrograms.post(["a", "b", "c", "d", "e"]),
        ]), "FontFile2")
    case .compact:
      return font(FontPrograms.compact(["A", "B"], encoding: .ranges([(1, 1)])), "FontFile3")
    case .type1: return font(FontPrograms.type1([1: "A", 2: "B"]), "FontFile")
    case .vertical:
      var page = FontPage.composite(
        encoding: "7 0 R", font: "/ToUnicode 8 0 R",
        descendant: "/Subtype/CIDFontType0/W[1[500 600]3 9 700]/DW2[880 -900]/W2[1[-500 500 880]]",
        showing: "[<0001> 200 <0002>] TJ")
      page.addStream(
        "/WMode 1 def 1 begincodespacerange <0000> <FFFF> endcodespacerange "
          + "1 begincidrange <0000> <FFFF> 0 endcidrange")
      page.addStream("1 beginbfrange <0001> <0009> [<3042> <30443046>] endbfrange")
      return page.file
    case .annotations:
      return PDFBuilder.pages(
        [PDFBuilder.lines(["page"])],
        page: "/Annots[<</Subtype/Widget/FT/Tx/V<FEFF05E90031>/Rect[72 60 172 620]/DA(/F1 8 Tf)>>"
          + "<</Subtype/FreeText/Rect[72 60 172 620]/Contents(some text to wrap)>>]/Rotate 90")
    case .optional:
      var builder = PDFBuilder()
      builder.add("<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>>>")
      builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>")
      builder.add(
        "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>"
          + "/Properties<</P<</Type/OCMD/P/AllOff/OCGs[6 0 R]>>>>/XObject<</X 7 0 R>>>>>>")
      builder.addStream(
        Array("/OC/P BDC /X Do EMC BT /F1 9 Tf 9 9 Td /S<</ActualText(a)>>BDC (b) Tj EMC".utf8))
      builder.add("<</Type/Font/Subtype/Type3/FontMatrix[1 0 0 1 0 0]/Widths[1]/FirstChar 98>>")
      builder.add("<</Type/OCG/Name(first)>>")
      builder.addStream(
        Array("/X Do BT (form) Tj".utf8), entries: "/Subtype/Form/Matrix[1 0 0 1 5 5]")
      return builder.file(root: 1)
    }
  }

  private func font(_ program: [UInt8], _ key: String) -> [UInt8] {
    var page = FontPage(
      "<</Type/Font/Subtype/TrueType/BaseFont/Any/FontDescriptor 6 0 R>>", showing: "<010203> Tj")
    page.add("<</Type/FontDescriptor/Flags 4/\(key) 7 0 R>>")
    page.addStream(program)
    return page.file
  }

  private func structured(hybrid: Bool) -> [UInt8] {
    var file = FileAssembler()
    file.object(1, FileAssembler.catalog)
    file.stream(4, FileAssembler.line("text"))
    file.object(5, FileAssembler.font)
    file.objectStream(7, [(2, FileAssembler.tree), (3, FileAssembler.leaf())])
    var entries = file.used([1, 4, 5, 7])
    entries[2] = .compressed(stream: 7, index: 0)
    entries[3] = .compressed(stream: 7, index: 1)
    let stream = file.crossReferenceStream(8, entries, trailer: "/Size 9/Root 1 0 R")
    guard hybrid else {
      file.end(stream)
      return file.bytes
    }
    for number in [0, 2, 3] { entries[number] = .free }
    file.end(file.table(entries, trailer: "/Size 9/Root 1 0 R/XRefStm \(stream)"))
    return file.bytes
  }

  private func read(_ bytes: [UInt8]) {
    var limits = WorkLimits()
    limits.operators = 20_000
    guard let file = try? PDFFile(FileBytes(bytes), passwords: ["user"]),
      let extractor = try? TextExtractor(file, limits: limits)
    else { return }
    for index in 0..<min(3, extractor.pageCount) { _ = extractor.page(index) }
  }

  @Test(arguments: Kind.allCases)
  func `changed bytes are no trap`(kind: Kind) throws {
    let seed = try seed(kind)
    read(seed)
    var numbers = SeededNumbers(seed: UInt64(kind.rawValue.utf8.count))
    for _ in 0..<100 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...8, using: &numbers) {
        let at = Int.random(in: 0..<bytes.count, using: &numbers)
        switch Int.random(in: 0..<5, using: &numbers) {
        case 0: bytes[at] = UInt8.random(in: 0...255, using: &numbers)
        case 1: bytes[at] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &numbers) ?? 0
        case 2: bytes[at] = Array("0123456789-<>[]()/".utf8).randomElement(using: &numbers) ?? 0
        case 3: bytes.remove(at: at)
        default: bytes.insert(contentsOf: Array("99999999999".utf8), at: at)
        }
      }
      read(bytes)
    }
  }
}
