import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// How the characters of a content stream become operators, names and strings.
struct LexicalContentTests {
  private func shows(_ body: String) throws -> String {
    try shown("BT /F1 10 Tf 72 700 Td \(body) ET")
  }

  @Test func `names with escapes are the same names`() throws {
    #expect(try shown("BT /#461 10 Tf 72 700 Td <80> Tj ET") == "€\n")
  }

  @Test func `comments reach to the end of their line, and not into strings`() throws {
    #expect(try shows("% (no) Tj ET\n(a%b) Tj % again\r( c) Tj") == "a%b c\n")
  }

  @Test(arguments: ["\r", "\n", "\r\n", "\t", "\u{0C}", "\u{0}", " \r \n "])
  func `any white space separates`(space: String) throws {
    let content = ["BT", "/F1", "10", "Tf", "72", "700", "Td", "(text)", "Tj", "ET"]
    #expect(try shown(content.joined(separator: space)) == "text\n")
  }

  @Test func `operators need no space beside delimiters`() throws {
    #expect(try shown("BT/F1 10 Tf 72 700Td(a)Tj[(b)-500(c)]TJ<64>Tj ET") == "ab cd\n")
  }

  @Test(
    arguments: [
      ("(a\\(b\\)c)", "a(b)c"), ("(a(b)c)", "a(b)c"), ("(\\101\\60\\1012)", "A0A2"),
      ("(a\\\nb)", "ab"), ("(a\\\r\nb)", "ab"), ("(a\\qb)", "aqb"), ("(a\\\\b)", "a\\b"),
      ("<61 62\n63>", "abc"), ("<6162637>", "abcp"), ("<61zz62>", "ab"), ("(\\4013)", "\u{FFFD}3"),
    ])
  func `strings are read as written`(string: String, expected: String) throws {
    let text = try shows("\(string) Tj")
    // 401 in octal is more than a byte: its overflow, code 1, has no glyph.
    #expect(text == expected + "\n")
  }

  @Test(arguments: ["\\t", "\\n", "\\r", "\t", "\r\n"])
  func `tabs and ends of lines in strings are blanks`(control: String) throws {
    #expect(try shows("(one\(control)two) Tj") == "one two\n")
  }

  @Test func `operators that nobody knows are passed over, with their operands`() throws {
    #expect(try shows("1 2 /N (no) frob BX (no) zap EX (yes) Tj") == "yes\n")
    #expect(try shows("true false null [(no)] <</A(no)>> DP (yes) Tj") == "yes\n")
  }

  @Test func `binary bytes between operators are passed over`() throws {
    #expect(try shows("\u{1}\u{2}\u{7F} (yes) Tj )]>} (too) Tj") == "yestoo\n")
  }
}
