import Bytes
import Foundation
import TestSupport
import Testing

@testable import Spreadsheets

/// Workbooks as other programs read them.
@Suite struct WorkbookTests {
  private static let python: String? = {
    let python = "/usr/bin/python3"
    let tried = try? Programs.run(python, ["-c", "import openpyxl"])
    return tried?.status == 0 ? python : nil
  }()

  private func workbook(
    limits: WorkbookWriter.Limits = .init(), _ fill: (WorkbookWriter) -> Void
  ) throws -> (bytes: [UInt8], excess: WorkbookWriter.Excess) {
    let writer = try #require(WorkbookWriter(limits: limits))
    var bytes: [UInt8] = []
    fill(writer)
    bytes += writer.takeBytes()
    bytes += writer.finish()
    #expect(writer.count == bytes.count)
    return (bytes, writer.excess)
  }

  /// The cells as openpyxl reads them: for each sheet its name, and for each row its cells, a kind and a text each.
  private func read(_ bytes: [UInt8]) throws -> [(name: String, rows: [[String]])] {
    let folder = TemporaryFolder()
    try folder.write(Data(bytes), to: "book.xlsx")
    let script = """
      import openpyxl, json
      book = openpyxl.load_workbook("book.xlsx")
      print(json.dumps([[sheet.title, [[c.data_type + ":" + str(c.value) for c in row]
        for row in sheet.iter_rows()]] for sheet in book]))
      """
    let python = try #require(Self.python)
    let result = try Programs.run(python, ["-c", script], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    let sheets = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[Any]]
    return (sheets ?? []).map { ($0[0] as? String ?? "", $0[1] as? [[String]] ?? []) }
  }

  @Test(.enabled(if: python != nil))
  func `text stays text, numbers and days are what they are`() throws {
    let made = try workbook { book in
      book.begin("Rows", head: ["number", "page", "date"], widths: [14, 6, 12])
      book.add([.text("00123456789"), .number(7), .date(CalendarDate(2012, 5, 7))])
      book.add([.text("28999999999"), .number(-1), .date(CalendarDate(1899, 1, 1))])
      book.add([.text("1e5"), .text(""), .date(CalendarDate(2012, 2, 30))])
      book.begin("Table 1")
      book.add([.text("12")])
    }
    let sheets = try read(made.bytes)
    #expect(sheets.map(\.name) == ["Rows", "Table 1"])
    #expect(
      sheets[0].rows == [
        ["s:number", "s:page", "s:date"], ["s:00123456789", "n:7", "d:2012-05-07 00:00:00"],
        ["s:28999999999", "n:-1", "s:1899-01-01"], ["s:1e5", "n:None", "s:2012-02-30"],
      ])
    #expect(sheets[1].rows == [["s:12"]])
    #expect(made.excess == .init() && made.excess.sentences.isEmpty)
  }

  @Test(.enabled(if: python != nil))
  func `no cell is a formula, and what is no text of XML is left out`() throws {
    let hostile = [
      "=1+1", "+A1", "-A1", "@SUM(1)", "\t=1", "＝1", "=cmd|' /C calc'!A0", "<b>&amp;", "]]>",
      "a\u{0}\u{1}b\u{FFFE}", "_x0041_", "_x0041_x0042_", "_X0041_", " blanks ", "a\nb", "#REF!",
      "TRUE", "\u{1F600}", "e\u{301}",
    ]
    let made = try workbook { book in
      book.begin("Rows", head: ["=1+1"])
      for text in hostile { book.add([.text(text)]) }
    }
    let folder = TemporaryFolder()
    try folder.write(Data(made.bytes), to: "book.xlsx")
    let sheet = try Programs.run(
      try #require(Self.python),
      [
        "-c",
        "import zipfile,sys; sys.stdout.buffer.write(zipfile.ZipFile('book.xlsx').read('xl/worksheets/sheet1.xml'))",
      ], in: folder.path
    ).output
    #expect(!sheet.contains("<f>") && !sheet.contains("<f "))
    #expect(!sheet.contains("<b>") && sheet.contains("_x005F_x0041_x005F_x0042_"))
    let rows = try read(made.bytes)[0].rows.map { $0[0] }
    #expect(
      rows.count == hostile.count + 1
        && rows.allSatisfy { $0.hasPrefix("s:") || $0.hasPrefix("f:") || $0.hasPrefix("e:") })
    for (row, text) in zip(rows.dropFirst(), hostile) where !text.contains("_x") {
      let clean = text.unicodeScalars.filter {
        $0.value >= 0x20 && $0.value != 0xFFFE || "\t\n".unicodeScalars.contains($0)
      }
      #expect(row.dropFirst(2) == String(String.UnicodeScalarView(clean)))
    }
  }

  @Test(.enabled(if: python != nil))
  func `what Excel cannot hold goes on in a next sheet or is told`() throws {
    var limits = WorkbookWriter.Limits()
    (limits.rows, limits.columns, limits.characters, limits.sheets) = (3, 2, 4, 3)
    let made = try workbook(limits: limits) { book in
      book.begin("Rows", head: ["a", "b", "c"])
      for number in 1...5 { book.add([.number(number), .text("12345"), .text("x"), .text("")]) }
      book.begin("Table 2")
      book.add([.text("lost")])
    }
    let sheets = try read(made.bytes)
    #expect(sheets.map(\.name) == ["Rows", "Rows (2)", "Rows (3)"])
    #expect(sheets.map { $0.rows.first?.first } == ["s:a", "s:a", "s:a"])
    #expect(sheets.flatMap { $0.rows.dropFirst().map { $0[0] } } == (1...5).map { "n:\($0)" })
    #expect(sheets[0].rows[1][1] == "s:1234")
    #expect(made.excess.cutCells == 5 && made.excess.furtherSheets == 2)
    // A head on each of three sheets, and five rows.
    #expect(made.excess.lostCells == 8 && made.excess.lostRows == 1)
    #expect(made.excess.sentences.count == 4)
  }

  @Test func `the limit of a cell counts UTF-16 and keeps characters whole`() {
    #expect(WorkbookParts.content(of: "abc\u{1F600}", limit: 4) == ("abc", true))
    #expect(WorkbookParts.content(of: "abc\u{1F600}", limit: 5) == ("abc\u{1F600}", false))
    #expect(WorkbookParts.content(of: "\u{1}\u{2}abcd", limit: 4) == ("abcd", false))
    let long = String(repeating: "x", count: 32_768)
    let limits = WorkbookWriter.Limits()
    #expect(WorkbookParts.content(of: long, limit: limits.characters).text.count == 32_767)
    #expect(limits.rows == 1_048_576 && limits.columns == 16_384)
  }

  @Test func `columns are named as Excel names them`() {
    let names = [0, 25, 26, 701, 702, 16_383].map { WorkbookParts.letters(ofColumn: $0) }
    #expect(names == ["A", "Z", "AA", "ZZ", "AAA", "XFD"])
  }

  @Test func `the same rows give the same bytes, however they are taken`() throws {
    func fill(_ book: WorkbookWriter) {
      book.begin("Rows", head: ["number"])
      for number in 0..<3000 { book.add([.text("2000000\(number)")]) }
    }
    let one = try workbook { fill($0) }.bytes
    let writer = try #require(WorkbookWriter())
    var other: [UInt8] = []
    writer.begin("Rows", head: ["number"])
    for number in 0..<3000 {
      writer.add([.text("2000000\(number)")])
      other += writer.takeBytes()
    }
    other += writer.finish()
    #expect(one == other)
  }

  @Test func `a long list leaves the memory as it is taken`() throws {
    let writer = try #require(WorkbookWriter())
    var most = 0, all = 0, numbers = SeededNumbers(seed: 7)
    writer.begin("Rows")
    for _ in 0..<60_000 {
      writer.add((0..<4).map { _ in .text(String(numbers.next(), radix: 36)) })
      let piece = writer.takeBytes()
      most = max(most, piece.count)
      all += piece.count
    }
    all += writer.finish().count
    #expect(all > 2_000_000 && most < 200_000, "\(all), at most \(most) at once")
  }

  @Test func `an archive is one that unzip finds whole`() throws {
    let folder = TemporaryFolder()
    let made = try workbook { $0.begin("Rows", head: ["a"]) }
    try folder.write(Data(made.bytes), to: "book.xlsx")
    let python = try #require(Programs.find("python3"))
    let checked = try Programs.run(python, ["-m", "zipfile", "-t", "book.xlsx"], in: folder.path)
    #expect(checked.status == 0 && checked.output.contains("Done"), "\(checked.errors)")
    // Without sheets it is no workbook.
    #expect(try workbook { _ in }.bytes.count > 1000)
  }
}
