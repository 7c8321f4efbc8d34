import Foundation
import PDFSyntax
import PDFText
import PluginKit
import TestSupport
import Testing

@testable import ImageOCR

/// Which pages of a PDF are read, and what becomes of text that is there.
@Suite(.serialized, .enabled(if: OCRRun.isPossible))
struct ScanModeTests {
  private static let hidden = "BT 3 Tr /F1 20 Tf 60 300 Td (earlier) Tj ET"
  private static let glyphless = "BT /F2 20 Tf 60 300 Td (earlier) Tj ET"
  private static let seen = "BT /F1 20 Tf 60 20 Td (stamped) Tj ET"

  private static let much =
    "BT /F1 9 Tf 60 20 Td (\(String(repeating: "a page with text ", count: 6))) Tj ET"

  private func page(_ text: String, before: Bool = false) -> [UInt8] {
    let scan = ScannedPage.fullPage
    return ScannedPage(
      content: before ? text + "\n" + scan : scan + "\n" + text, images: [ScannedPage.letter]
    ).file
  }

  @Test(arguments: [
    hidden, glyphless,
    "BT /F1 9 Tf 60 20 Td (\(String(repeating: "a page with text ", count: 6))) Tj ET",
  ])
  func `skip leaves a page with text as it is`(text: String) throws {
    let pdf = page(text)
    let made = try OCRRun(pdf)
    #expect(made.pdf == pdf)
    #expect(made.output.facts["pagesRecognized"] == .integer(0))
  }

  @Test(arguments: ["skip", "redo"])
  func `a scan with a line beside it is read, and the line stays`(mode: String) throws {
    let pdf = page(Self.seen)
    #expect(try TextExtractor(PDFFile(FileBytes(pdf))).pagesWithoutText() == [0])
    let words = try ScannedPage.words(OCRRun(pdf, options: ["mode": .string(mode)]).pdf)
    #expect(words.contains("LETTER") && words.count { $0 == "stamped" } == 1, "\(words)")
  }

  @Test(arguments: [hidden, glyphless, "/Fm0 Do", "3 Tr BT /F1 9 Tf 9 9 Td 3 2 (earlier) \" ET"])
  func `redo puts new text in the place of text that is not seen`(text: String) throws {
    let pdf = page(text)
    let made = try OCRRun(pdf, options: ["mode": "redo"])
    let words = try ScannedPage.words(made.pdf)
    #expect(made.pdf.starts(with: pdf))
    #expect(words.contains("LETTER"), "\(words)")
    #expect(!words.contains("earlier") && !words.contains("formlayer"))
    #expect(words.count { $0 == "LETTER" } == 1)
    #expect(made.output.facts["pdfa"] == false && made.output.facts["pdfaReason"] != nil)
    #expect(try ScannedPage.complaint(made.pdf) == nil)
    // Once more, on its own layer.
    let again = try OCRRun(made.pdf, options: ["mode": "redo"])
    #expect(try ScannedPage.words(again.pdf) == words)
  }

  @Test(arguments: [
    // White, on the white of the picture, in several ways to say so.
    "BT 1 g /F1 20 Tf 60 300 Td (earlier) Tj ET",
    "BT 1 1 1 rg /F1 20 Tf 60 300 Td (earlier) Tj ET",
    "/DeviceCMYK cs 0 0 0 0 sc BT /F1 20 Tf 60 300 Td (earlier) Tj ET",
    // A clip for nothing, and one that leaves nothing.
    "q BT 7 Tr /F1 20 Tf 60 300 Td (earlier) Tj ET Q",
    "q 0 0 0 0 re W n BT /F1 20 Tf 60 300 Td (earlier) Tj ET Q",
    "q 500 10 20 20 re W n BT /F1 20 Tf 60 300 Td (earlier) Tj ET Q",
    // Tiny, and outside the page.
    "BT /F1 0.2 Tf 60 300 Td (earlier) Tj ET", "BT /F1 20 Tf .01 0 0 .01 60 300 Tm (earlier) Tj ET",
    "BT /F1 20 Tf 60 -300 Td (earlier) Tj ET", "BT /F1 20 Tf 60 -22 Td (earlier) Tj ET",
    "q 1 0 0 1 900 0 cm BT /F1 20 Tf (earlier) Tj ET Q",
    "q 20 0 0 20 60 900 cm BT /F1 1 Tf (earlier) Tj ET Q",
  ])
  func `redo takes away text that cannot be seen`(text: String) throws {
    let made = try OCRRun(page(text), options: ["mode": "redo"])
    let words = try ScannedPage.words(made.pdf)
    #expect(words.count { $0 == "LETTER" } == 1, "\(words)")
    #expect(!made.pdf.isEmpty && !words.contains("earlier"), "\(words)")
    #expect(!OCRRun.words(made.text).contains("earlier"))
    #expect(try ScannedPage.complaint(made.pdf) == nil)
  }

  @Test(arguments: [
    // White on a dark area, black, a clip through which something is seen, and with its lower ends outside.
    "0 g 40 10 300 40 re f BT 1 g /F1 20 Tf 60 20 Td (stamped) Tj ET",
    "BT /F1 20 Tf 60 20 Td (stamped) Tj ET",
    "q BT 7 Tr /F1 20 Tf 60 20 Td (stamped) Tj ET 0.4 g 0 0 500 100 re f Q",
    "BT /F1 20 Tf 60 0 Td (stamped) Tj ET",
    // Fonts whose size is less than their letters, upside down twice, and set with a state.
    "BT /F3 1 Tf .5 0 0 .5 60 20 Tm (stamped) Tj ET",
    "BT /F1 -20 Tf -1 0 0 -1 60 20 Tm (stamped) Tj ET", "BT /G1 gs 60 20 Td (stamped) Tj ET",
  ])
  func `redo keeps text that can be seen, and says so`(text: String) throws {
    let both = page("BT 1 g /F1 20 Tf 60 300 Td (earlier) Tj ET 0 g " + text)
    let made = try OCRRun(both, options: ["mode": "redo"])
    let words = try ScannedPage.words(made.pdf)
    #expect(words.contains("LETTER") && words.contains("stamped"), "\(words)")
    #expect(!words.contains("earlier"), "\(words)")
    #expect(made.notes.contains { $0.contains("stays on page 1") }, "\(made.notes)")
  }

  @Test func `redo takes away text below strips of a picture`() throws {
    let strips = (0..<4).map { "q 595.2 0 0 108 0 \(324 - 108 * $0) cm /Im\($0) Do Q" }
    let size = DrawnPage.letter
    let part = size.height / 4
    let pdf = ScannedPage(
      content: "BT /F1 20 Tf 60 300 Td (earlier) Tj ET " + strips.joined(separator: " "),
      images: (0..<4).map {
        (
          ScannedPage.grey(size.width, part),
          ScannedPage.part(x: 0, y: $0 * part, width: size.width, height: part)
        )
      }
    ).file
    let words = try ScannedPage.words(OCRRun(pdf, options: ["mode": "redo"]).pdf)
    #expect(words.contains("LETTER") && !words.contains("earlier"), "\(words)")
  }

  @Test func `redo takes text below the picture for an earlier layer`() throws {
    let made = try OCRRun(page(Self.seen, before: true), options: ["mode": "redo"])
    let words = try ScannedPage.words(made.pdf)
    #expect(words.contains("LETTER") && !words.contains("stamped"), "\(words)")
  }

  @Test func `redo keeps text that is seen and leaves pages without an earlier layer`() throws {
    let both = try OCRRun(page("q \(Self.hidden) Q " + Self.seen), options: ["mode": "redo"])
    let words = try ScannedPage.words(both.pdf)
    #expect(words.contains("LETTER") && words.contains("stamped") && !words.contains("earlier"))
    let plain = page(
      "BT /F1 9 Tf 60 20 Td (\(String(repeating: "a page with text ", count: 6))) Tj ET")
    #expect(try OCRRun(plain, options: ["mode": "redo"]).pdf == plain)
  }

  @Test func `force reads a page with text that is seen and doubles no word`() throws {
    // The word of the picture at this place is written over it once more.
    let over = "BT /F1 24 Tf 120 365 Td (LAND) Tj ET"
    let made = try OCRRun(page(over), options: ["mode": "force"])
    let words = try ScannedPage.words(made.pdf)
    #expect(words.contains("LETTER"), "\(words)")
    #expect(words.count { $0 == "LAND" } == 1, "\(words)")
    #expect(made.output.facts["pagesRecognized"] == .integer(1))
  }

  // MARK: Encrypted files

  static let methods: [[String]] = [
    ["40"], ["128", "--use-aes=n"], ["128", "--use-aes=y"], ["256"],
    ["128", "--use-aes=y", "--cleartext-metadata"],
  ]

  @Test(arguments: methods)
  func `an encrypted file gets its text under its own key`(method: [String]) throws {
    for (password, stream) in [("", "disable"), ("secret", "generate")] {
      let options =
        ["--allow-weak-crypto", "--object-streams=\(stream)", "--encrypt", password, "owner"]
        + method + ["--"]
      guard let pdf = try ScannedPage.rewritten(page(""), options) else { return }
      let made = try OCRRun(pdf, options: ["passwords": .string("wrong\n\(password)\n")])
      #expect(made.pdf.starts(with: pdf) && made.pdf.count > pdf.count)
      let words = try ScannedPage.words(made.pdf, passwords: [password])
      #expect(words.contains("LETTER"), "\(method) \(words)")
      #expect(try ScannedPage.complaint(made.pdf, password: password) == nil)
      #expect(try PDFFile(FileBytes(made.pdf), passwords: [password]).isEncrypted)
      // The same bytes each time.
      let again = try OCRRun(pdf, options: ["passwords": .string(password)])
      #expect(again.pdf == made.pdf)
    }
  }

  @Test func `an encrypted file with broken cross-references keeps its key`() throws {
    guard
      let pdf = try ScannedPage.rewritten(
        page(""), ["--object-streams=disable", "--encrypt", "", "owner", "256", "--"])
    else { return }
    let text = String(decoding: pdf, as: Unicode.ASCII.self)
    let end = try #require(text.range(of: "startxref", options: .backwards))
    let broken =
      Array(pdf[..<text.unicodeScalars.distance(from: text.startIndex, to: end.lowerBound)])
      + Array("startxref\n17\n%%EOF\n".utf8)
    let made = try OCRRun(broken)
    #expect(try ScannedPage.words(made.pdf).contains("LETTER"))
    #expect(try ScannedPage.complaint(made.pdf) == nil)
  }

  @Test func `a locked file is refused`() throws {
    guard
      let pdf = try ScannedPage.rewritten(page(""), ["--encrypt", "secret", "owner", "256", "--"])
    else { return }
    let failure = #expect(throws: PluginFailure.self) {
      try OCRRun(pdf, options: ["passwords": "wrong"])
    }
    #expect(failure?.code == "pdf.password" && failure?.class == .input)
  }

  // MARK: Signed files

  @Test(arguments: [
    ("/AcroForm<</Fields[10 0 R]/SigFlags 3>>", "<</FT/Sig/T(sign)/V 11 0 R>>"),
    ("/AcroForm<</Fields[10 0 R]>>", "<</T(group)/FT/Sig/Kids[<</V 11 0 R>>]>>"),
    ("/Perms<</DocMDP 11 0 R>>", "null"),
  ])
  func `a signed file stays as it is and its text lies beside it`(
    catalog: String, field: String
  ) throws {
    let signature = "<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents<00>>>"
    let pdf = ScannedPage(
      content: ScannedPage.fullPage, images: [ScannedPage.letter], catalog: catalog,
      objects: [field, signature]
    ).file
    let made = try OCRRun(pdf)
    #expect(made.pdf == pdf)
    #expect(OCRRun.words(made.text).contains("LETTER"))
    #expect(made.beside == made.text)
    #expect(made.output.facts["signed"] == .bool(true))
    #expect(made.notes.contains { $0.contains("signed") })
  }

  @Test func `an empty field for a signature is no signature`() throws {
    let pdf = ScannedPage(
      content: ScannedPage.fullPage, images: [ScannedPage.letter],
      catalog: "/AcroForm<</Fields[10 0 R]>>", objects: ["<</FT/Sig/T(sign)>>"]
    ).file
    let made = try OCRRun(pdf)
    #expect(made.pdf.count > pdf.count && made.beside == nil)
  }

  // MARK: What else is in a file

  @Test func `links, fields, bookmarks, labels and attachments stay`() throws {
    let pdf = ScannedPage(
      content: "Q Q \(ScannedPage.fullPage) q q", images: [ScannedPage.letter],
      page: "/Annots[10 0 R 11 0 R]",
      catalog: "/AcroForm<</Fields[11 0 R]>>/Outlines 12 0 R/PageLabels<</Nums[0<</S/r>>]>>"
        + "/Names<</EmbeddedFiles<</Names[(a.txt) 14 0 R]>>>>",
      objects: [
        "<</Type/Annot/Subtype/Link/Rect[1 2 3 4]/A<</S/URI/URI(https://example.org/)>>>>",
        "<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(value)/Rect[5 6 50 20]/P 3 0 R>>",
        "<</Type/Outlines/First 13 0 R/Last 13 0 R/Count 1>>",
        "<</Title(Chapter)/Parent 12 0 R/Dest[3 0 R/Fit]>>",
        "<</Type/Filespec/F(a.txt)/EF<</F 15 0 R>>>>", "<</Length 0>>\nstream\n\nendstream",
      ]
    ).file
    let made = try OCRRun(pdf)
    #expect(made.pdf.starts(with: pdf) && made.pdf.count > pdf.count)
    #expect(try ScannedPage.complaint(made.pdf) == nil)
    let before = try PDFFile(FileBytes(pdf))
    let after = try PDFFile(FileBytes(made.pdf))
    #expect(after.catalog == before.catalog)
    for number in 10...15 { #expect(after.object(number) == before.object(number)) }
    let page = try #require(try PageTree(after).page(0))
    #expect(after.array(page.dictionary, "Annots")?.count == 2)
  }
}
