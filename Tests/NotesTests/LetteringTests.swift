import Bytes
import PDFSyntax
import PDFText
import TestSupport
import Testing

@testable import Notes

@Suite struct LetteringTests {
  private static var fonts: FontSource { FontSource() }

  private static func has(_ text: String) -> Bool {
    let fonts = fonts
    return text.unicodeScalars.allSatisfy { scalar in
      scalar.value <= 0x20 || fonts.entries.contains { fonts.has(scalar.value, $0) }
    }
  }

  private func shown(_ text: String, width: Int = 300) throws -> (TextPage, [UInt8]) {
    let json = text.replacing("\n", with: "\\n")
    let (bytes, _) = try NotesPage.write(
      #"[{"type":"FreeText","page":1,"box":[60,60,\#(60 + width),70],"contents":"\#(json)"}]"#,
      into: NotesPage.file())
    // What the appearance shows is read by the engine itself.
    let extractor = try TextExtractor(PDFFile(FileBytes(bytes)))
    return (try #require(extractor.page(0)), bytes)
  }

  @Test(
    .enabled(
      if: LetteringTests.has("שלום السلام हिन्दी Ω"),
      "SKIPPED: fonts for these scripts are missing: apt install fonts-noto-core"),
    arguments: [
      "Plain words, ﬁne", "Ελληνικά и русский", "שלום עולם", "السلام عليكم", "हिन्दी टिप्पणी",
      "abc שלום 123 def",
    ])
  func `texts of many scripts are read back as they were`(text: String) throws {
    let (page, _) = try shown(text)
    let read = page.text.unicodeScalars.filter { !$0.properties.isWhitespace }
    let wanted = text.replacing("ﬁ", with: "fi").unicodeScalars.filter {
      !$0.properties.isWhitespace
    }
    #expect(read.sorted() == wanted.sorted(), "\(page.text)")
    #expect(!page.text.contains("\u{FFFD}"))
  }

  @Test(
    .enabled(
      if: LetteringTests.has("日本語中文"),
      "SKIPPED: no font has Chinese and Japanese letters: apt install fonts-noto-cjk"))
  func `Chinese and Japanese are read back, and broken between letters`() throws {
    let text = String(repeating: "日本語の文章です。", count: 8)
    let (page, _) = try shown(text, width: 120)
    #expect(page.lines.count > 3)
    #expect(page.text.filter { !$0.isWhitespace } == text)
  }

  @Test func `lines are broken within the box, and the box grows`() throws {
    let words = String(repeating: "seven words stand in this short line ", count: 5)
    let (page, bytes) = try shown(words, width: 150)
    #expect(page.lines.count > 4)
    for line in page.lines { #expect(line.box.x0 >= 60 && line.box.x1 <= 211, "\(line.box)") }
    let box = try #require(try NotesPage.read(bytes).notes.first?.rectangle)
    #expect(box.height > 60 && box.y1 == 732)
    for line in page.lines { #expect(792 - line.box.y1 >= box.y0 - 3) }
  }

  @Test func `right-to-left lines begin at the right`() throws {
    let (page, _) = try shown("שלום (12) עולם")
    let line = try #require(page.lines.first)
    #expect(line.box.x1 > 350, "\(line.box)")
  }

  @Test func `runs are ordered by levels`() {
    #expect(TextDirection.visualOrder([0, 1, 0]) == [0, 1, 2])
    #expect(TextDirection.visualOrder([1, 2, 1]) == [2, 1, 0])
    #expect(TextDirection.visualOrder([0, 1, 2, 1, 0]) == [0, 3, 2, 1, 4])
    #expect(TextDirection.visualOrder([]) == [])
  }

  @Test func `stamps say their words`() {
    #expect(LetteredDrawing.words("NotForPublicRelease") == "NOT FOR PUBLIC RELEASE")
    #expect(LetteredDrawing.words("#Draft") == "DRAFT")
  }

  @Test(arguments: [0, 90, 180, 270])
  func `text stands upright on turned pages`(rotation: Int) throws {
    let (bytes, _) = try NotesPage.write(
      #"[{"type":"FreeText","page":1,"box":[100,200,300,230],"contents":"Upright words"}]"#,
      into: NotesPage.file(page: "/Rotate \(rotation)"))
    let page = try #require(try TextExtractor(PDFFile(FileBytes(bytes))).page(0))
    #expect(page.text == "Upright words\n")
    #expect(page.words.allSatisfy { $0.angle == 0 })
    let box = try #require(page.lines.first?.box)
    #expect(box.x0 >= 100 && box.x1 <= 300 && box.y0 >= 199 && box.y1 <= 231, "\(box)")
  }
}
