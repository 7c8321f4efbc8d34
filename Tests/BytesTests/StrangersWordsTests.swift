import Bytes
import Testing

/// What strangers say, in CSV and in Markdown.
@Suite struct StrangersWordsTests {
  private func row(_ cells: String..., form: CSVForm) -> String {
    var output = ByteWriter()
    output.append(csvRow: cells, form)
    return String(decoding: output.bytes, as: UTF8.self)
  }

  private func markdown(
    _ text: String, beginsBlock: Bool = false, inTable: Bool = false, goesOn: Bool = false
  ) -> String {
    var output = ByteWriter()
    output.append(
      markdown: Array(text.utf8)[...], beginsBlock: beginsBlock, inTable: inTable, goesOn: goesOn)
    return String(decoding: output.bytes, as: UTF8.self)
  }

  @Test(arguments: [
    "=1+1", "=cmd|' /C calc'!A0", "+SUM(A1)", "-HYPERLINK(\"x\")", "@SUM(1)", " =1+1", "\t=1",
    "\r@x", "＝1+1", "＋A1", "-1+cmd|' /C calc'!A0", "+1a", "=", "－A", "=\u{301}1",
  ])
  func `a cell that a spreadsheet would run is text`(cell: String) {
    for form in [.excel, CSVForm(excel: false, noFormulas: true)] {
      #expect(row(cell, form: form).hasPrefix("\"'"), "\(row(cell, form: form))")
    }
    #expect(!row(cell, form: .standard).contains("'=") || cell.contains("'"))
  }

  @Test(arguments: [
    "-1.5", "+49 30 123-456", "-", "−5", "- 12,00", "-12 %", "(-3)", "a=b", "12-3", "x@y.z", "",
    "2012-06-01",
  ])
  func `numbers, dates and words stay as they are`(cell: String) {
    for form in [.excel, CSVForm(excel: false, noFormulas: true)] {
      #expect(!row(cell, form: form).contains("'"), "\(row(cell, form: form))")
    }
  }

  @Test func `quotes are counted by bytes, and other separators make no cells`() {
    #expect(row("a\"\u{301},b", form: .standard) == "\"a\"\"\u{301},b\"\r\n")
    #expect(row("\"\u{301}\r\n=x", "c", form: .standard) == "\"\"\"\u{301}  =x\",c\r\n")
    #expect(row("a;=1", form: CSVForm(excel: false, noFormulas: true)) == "\"a;=1\"\r\n")
    #expect(row("a,=1", form: .excel) == "\"a,=1\"\r\n")
    #expect(row("a;b", form: .standard) == "a;b\r\n")
  }

  @Test(arguments: [
    ("[x](javascript:alert(1))", "[x\\](javascript:alert(1))"),
    ("![x](http://a.b/c.png)", "![x\\](http://a.b/c.png)"), ("[a][b]", "[a\\][b]"),
    ("[b]: http://a.b", "[b\\]: http://a.b"), ("<img src=x>", "\\<img src=x>"),
    ("<\u{301}b>", "\\<\u{301}b>"), ("&lt;b&gt;", "\\&lt;b\\&gt;"), ("&#60;", "\\&#60;"),
    ("AT&T; R&D", "AT\\&T; R&D"), ("a & b", "a & b"), ("[1]", "[1]"), ("`x`", "\\`x\\`"),
    ("a\nb\rc", "a b c"), ("*_\\", "\\*\\_\\\\"),
  ])
  func `words stay words in Markdown`(text: String, written: String) {
    #expect(markdown(text) == written)
  }

  @Test func `what begins a block begins none of another kind`() {
    for mark in ["# x", "> x", "- x", "+ x", "~~~", "#"] {
      #expect(markdown(mark, beginsBlock: true) == "\\" + mark)
      #expect(markdown(mark) == mark)
    }
    #expect(markdown("a|b", inTable: true) == "a\\|b")
    #expect(markdown("(javascript:x)", goesOn: true) == "\\(javascript:x)")
  }
}
