import Foundation
import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Which glyphs make a word, and what becomes of glyphs that lie on each other.
struct WordTests {
  /// Shows letters each by itself, with a gap behind each in thousandths of the size, in a font
  /// whose letters are 600 thousandths wide.
  private func letters(_ text: String, gap: Int, order: [Int]? = nil, size: Int = 10) throws
    -> String
  {
    let letters = Array(text)
    var content = "BT /F2 \(size) Tf "
    for index in order ?? Array(letters.indices) where letters[index] != " " {
      let x = 72_000 + index * (600 + gap) * size
      content += "1 0 0 1 \(Double(x) / 1000) 700 Tm (\(letters[index])) Tj "
    }
    return try monospaced(content + "ET")
  }

  private func monospaced(_ content: String) throws -> String {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 612 792]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F2 5 0 R>>>>>>")
    builder.addStream(Array(content.utf8))
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>")
    return try text(builder.file(root: 1))
  }

  @Test func `letters drawn one by one make words`() throws {
    #expect(try letters("glyph by glyph", gap: 0) == "glyph by glyph\n")
  }

  @Test func `the order in which the letters of a word are drawn is no matter`() throws {
    let text = "shuffled"
    var numbers = SeededNumbers(seed: 7)
    for _ in 0..<5 {
      let order = Array(0..<text.count).shuffled(using: &numbers)
      #expect(try letters(text, gap: 0, order: order) == text + "\n")
    }
  }

  @Test(arguments: [-90, -50, -20, 20, 60])
  func `tight and loose letters stay in their word`(gap: Int) throws {
    #expect(try letters("kerning of words", gap: gap) == "kerning of words\n")
  }

  @Test(arguments: [150, 300, 500])
  func `letterspaced words stay whole`(gap: Int) throws {
    #expect(try letters("SPACED WORDS", gap: gap) == "SPACED WORDS\n")
  }

  @Test(
    arguments: [
      ([-30, 40, 20], "word"), ([60, -100, 80], "word"), ([-200, 0, 0], "w ord"),
      ([-250, -300, -500], "w o r d"), ([0, -400, 0], "wo rd"),
    ])
  func `a gap in an array is a blank from some width on`(gaps: [Int], expected: String) throws {
    let content = "BT /F1 10 Tf 72 700 Td [(w)\(gaps[0])(o)\(gaps[1])(r)\(gaps[2])(d)] TJ ET"
    #expect(try shown(content) == expected + "\n")
  }

  @Test func `blanks that fill a cell are no part of the number that is drawn over them`() throws {
    let blanks = "BT /F1 10 Tf 100 700 Td (          ) Tj ET\n"
    #expect(try shown(blanks + "BT /F1 10 Tf 108 700 Td (11.629.361) Tj ET") == "11.629.361\n")
    #expect(try shown("BT /F1 10 Tf 108 700 Td (11.629.361) Tj ET\n" + blanks) == "11.629.361\n")
    let bracket = "BT /F1 10 Tf 100 700 Td (\\() Tj 3.33 0 Td (1.922.122\\)) Tj ET\n"
    #expect(try shown(bracket + blanks) == "(1.922.122)\n")
  }

  @Test func `glyphs one over the other stay in the order of drawing`() throws {
    #expect(
      try shown("BT /F1 10 Tf 100 700 Td (a) Tj -0.5 0 Td (b) Tj 6 0 Td (c) Tj ET") == "abc\n")
    // A cell's text that runs over into the next one.
    let over =
      "BT /F1 10 Tf 100 700 Td (an address that is long) Tj ET\n"
      + "BT /F1 10 Tf 180 700 Td (next cell) Tj ET"
    #expect(try shown(over) == "an address that is long\nnext cell\n")
    // Drawn twice for a bold face, it is not.
    let twice = "BT /F1 10 Tf 100 700 Td (bold) Tj ET\nBT /F1 10 Tf 100.3 700 Td (bold) Tj ET"
    #expect(try shown(twice) == "bold\n")
  }

  @Test func `a blank that is taken back with kerning is a blank still`() throws {
    #expect(try shown("BT /F1 10 Tf 72 700 Td [(one ) 250 (two)] TJ ET") == "one two\n")
  }

  @Test func `blanks at the ends and in rows are one or none`() throws {
    #expect(try shown("BT /F1 10 Tf 72 700 Td (  one    two  ) Tj ET") == "one two\n")
    #expect(try shown("BT /F1 10 Tf 72 700 Td (   ) Tj ET") == "")
  }

  @Test func `pieces on one line are words of it, however far apart`() throws {
    let content =
      "BT /F1 10 Tf 72 700 Td (left) Tj 150 0 Td (middle) Tj 200 0 Td (right) Tj ET"
    #expect(try shown(content) == "left middle right\n")
  }

  @Test func `a change of font inside a word does not divide it`() throws {
    let content =
      "BT /F1 10 Tf 72 700 Td (W) Tj /F1 8 Tf (ORDS) Tj /F1 10 Tf ( I) Tj /F1 8 Tf (N) Tj ET"
    #expect(try shown(content) == "WORDS IN\n")
  }

  @Test func `raised and lowered letters stay in their line`() throws {
    let content =
      "BT /F1 10 Tf 72 700 Td (H) Tj /F1 6 Tf -2 Ts (2) Tj /F1 10 Tf 0 Ts (O and x) Tj "
      + "/F1 6 Tf 4 Ts (2) Tj /F1 10 Tf 0 Ts ( are) Tj ET"
    #expect(try shown(content) == "H2O and x2 are\n")
  }

  // MARK: Accents

  @Test(
    arguments: [
      ("\\264", "e", "é"), ("`", "a", "à"), ("\\250", "u", "ü"), ("\\210", "o", "ô"),
      ("\\230", "n", "ñ"), ("\\270", "c", "ç"),
    ])
  func `an accent drawn over its letter is joined with it`(
    accent: String, letter: String, expected: String
  ) throws {
    // Letter and accent are 600 wide: the accent is drawn on the letter, before it or behind it.
    let behind = "BT /F2 10 Tf 72 700 Td [(ca\(letter)) 600 (\(accent)) (x)] TJ ET"
    #expect(try monospaced(behind) == "ca\(expected)x\n")
    let before = "BT /F2 10 Tf 72 700 Td [(ca\(accent)) 600 (\(letter)x)] TJ ET"
    #expect(try monospaced(before) == "ca\(expected)x\n")
  }

  @Test func `an accent beside a letter stays what it is`() throws {
    #expect(try monospaced("BT /F2 10 Tf 72 700 Td (a\\264b) Tj ET") == "a´b\n")
  }

  // MARK: Overprinting

  @Test(arguments: [2, 3, 5])
  func `a heading drawn several times is there once`(times: Int) throws {
    var content = ""
    for time in 0..<times {
      content += "BT /F1 20 Tf \(72 + Double(time) * 0.3) 700 Td (Overprinted heading) Tj ET "
    }
    #expect(try shown(content) == "Overprinted heading\n")
  }

  @Test func `a heading drawn twice word by word is there once`() throws {
    var content = "BT /F1 20 Tf "
    for (x, word) in [(72.0, "Bold"), (130, "words")] {
      for shift in [0, 0.4] { content += "1 0 0 1 \(x + shift) 700 Tm (\(word)) Tj " }
    }
    #expect(try shown(content + "ET") == "Bold words\n")
  }

  @Test func `a shadow below and beside is no second line`() throws {
    let content =
      "BT /F1 20 Tf 73 699 Td (Shadow) Tj ET BT /F1 20 Tf 72 700 Td (Shadow) Tj ET"
    #expect(try shown(content) == "Shadow\n")
  }

  @Test func `double letters are not taken for overprinting`() throws {
    #expect(
      try shown("BT /F1 10 Tf 72 700 Td (illness bookkeeper 1100 ...) Tj ET")
        == "illness bookkeeper 1100 ...\n")
  }

  @Test func `the same word twice on a line is there twice`() throws {
    let content = "BT /F1 10 Tf 72 700 Td (that) Tj 40 0 Td (that) Tj 100 0 Td (that) Tj ET"
    #expect(try shown(content) == "that that that\n")
  }

  @Test func `a number whose thousands are kerned apart is one number`() throws {
    func number(_ gap: Int, _ text: String) throws -> String {
      let shown = text.split(separator: "|").map { "(\($0)) " }.joined(separator: "-\(gap) ")
      return try monospaced("BT /F2 10 Tf 72 700 Td [\(shown)] TJ ET")
    }
    #expect(try number(170, "12|345|678,90") == "12345678,90\n")
    // As wide as a blank, or not in threes: other numbers.
    #expect(try number(300, "12|345") == "12 345\n")
    #expect(try number(170, "12|34") == "12 34\n")
    #expect(try number(170, "1234|567") == "1234 567\n")
  }

  @Test func `words along a curve are one line`() throws {
    // Twelve degrees from letter to letter, over the top of a circle.
    let letters = Array("TIDE BOARD OF 1932")
    var content = "BT /F2 10 Tf "
    for (index, letter) in letters.enumerated() where letter != " " {
      let angle = Double(index) * -12 * .pi / 180 + 1.7
      let (x, y) = (
        300 + 29 * Foundation.cos(angle + 1.57), 500 + 29 * Foundation.sin(angle + 1.57)
      )
      let (c, s) = (Foundation.cos(angle), Foundation.sin(angle))
      content += "\(c) \(s) \(-s) \(c) \(x) \(y) Tm (\(letter)) Tj "
    }
    #expect(try monospaced(content + "ET") == "TIDE BOARD OF 1932\n")
  }
}
