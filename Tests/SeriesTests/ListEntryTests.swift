import PluginKit
import Series
import Testing

@Suite struct ListEntryTests {
  @Test(
    arguments: [
      ([("a", "2012-01-01"), ("b", "2012-02-01"), ("c", "2011-01-01")], "b"),
      ([("a", "2012-01-01"), ("b", "2012-01-01")], "b"), ([("a", nil), ("b", nil)], "b"),
      ([("a", "2012-01-01"), ("b", nil)], "a"),
    ] as [([(String, String?)], String)])
  func `the latest date holds, on a tie the later row`(
    entries: [(String, String?)], expected: String
  ) {
    let list = entries.map { ListEntry(status: $0.0, date: $0.1 ?? "", dateISO: $0.1) }
    #expect(list.current?.status == expected)
  }

  @Test func `rows are read from lines of JSON, and a line that is none is told`() throws {
    let lines = """
      {"number":"20000000001","status":"open","date":"1.5.2012","dateISO":"2012-05-01","page":1}
      {"number":"20000000001","status":"","date":"","dateISO":null,"page":2}
      """
    let content = try ListContent(jsonLines: Array(lines.utf8))
    #expect(content.numbers == ["20000000001"] && content.rowCount == 2)
    for (mark, reason) in [
      (
        #"{"code":"cell","reason":"lines may belong to a neighbour"}"#,
        "lines may belong to a neighbour"
      ),
      (#""column""#, "column"), ("true", "unknown"), ("null", nil), ("false", nil),
    ] as [(String, String?)] {
      let line = #"{"number":"20000000001","status":"","date":"","doubtful":\#(mark)}"#
      let content = try ListContent(jsonLines: Array(line.utf8))
      #expect(content.entries["20000000001"]?.first?.doubt?.reason == reason)
    }
    #expect(throws: SeriesError.self) {
      try ListContent(jsonLines: Array((lines + "\n{\"number\":3}").utf8))
    }
  }

  @Test(arguments: [
    ("list-2012-06-15.pdf", "2012-06-15"), ("20120615_visa.pdf", "2012-06-15"),
    ("Stand 15.06.2012.pdf", "2012-06-15"), ("15-6-2012.pdf", "2012-06-15"),
    ("batch 20123456789.pdf", nil), ("2012.pdf", nil), ("2012-13-01.pdf", nil),
    ("v1.2.2012-list", "2012-02-01"), ("", nil),
  ])
  func `the date in a name is found`(name: String, expected: String?) {
    #expect(EditionDate.inName(name, arrived: november22) == expected)
  }

  @Test(
    arguments: [
      // Written by somebody who puts the month first: not in the future, so not in December.
      ("status 04-12-2026.pdf", nil, "2026-04-12"), ("status 05-10-2026.pdf", nil, "2026-10-05"),
      ("status 05-10-2026.pdf", "mdy", "2026-05-10"), ("04/05/2026", "dmy", "2026-05-04"),
      ("25-10-2026.pdf", "mdy", "2026-10-25"), ("10-25-2026.pdf", nil, "2026-10-25"),
      // Tomorrow may be today elsewhere; the day after is not.
      ("2026-11-23.pdf", nil, "2026-11-23"), ("2026-11-24.pdf", nil, nil),
      ("20261124 list 2026-11-01.pdf", nil, "2026-11-01"), ("04-12-2026.pdf", "dmy", nil),
      ("31.02.2026.pdf", nil, nil), ("29.02.2024.pdf", nil, "2024-02-29"),
      ("04-12-2027-2026-11-22.pdf", nil, "2026-11-22"),
      // What was given by who fetched it stands last.
      ("lista-15-05-2026-11-22T092724.pdf", nil, "2026-11-22"),
      ("lista_v2-10-2026-11-22.pdf", nil, "2026-11-22"),
      ("x-2031-01-01-2026-11-22.pdf", nil, "2026-11-22"),
      ("list 15.06.2012.10.30.pdf", nil, "2012-06-15"),
    ] as [(String, String?, String?)])
  func `what could be two dates is the one that can be`(
    name: String, order: String?, expected: String?
  ) {
    #expect(EditionDate.inName(name, arrived: november22, order: order) == expected)
  }

  @Test(
    arguments: [
      ("status 14.7.24.pdf", nil, "2024-07-14"), ("status_14_7_24.pdf", nil, "2024-07-14"),
      ("July 15 2024.pdf", nil, "2024-07-15"), ("15 juillet 2024.pdf", nil, "2024-07-15"),
      ("Stand_15-Jul-2024.pdf", nil, "2024-07-15"), ("15July2024 v2.pdf", nil, "2024-07-15"),
      ("lista 15 de julio de 2024.pdf", nil, "2024-07-15"), ("15. Juli 24.pdf", nil, "2024-07-15"),
      ("Jul-15th-2024.pdf", nil, "2024-07-15"), ("2024-Jul-15.pdf", nil, "2024-07-15"),
      ("15 июля 2024.pdf", nil, "2024-07-15"), ("list 3 July 15 2024.pdf", nil, "2024-07-15"),
      ("list-2024-07-14 of 15 July 2024.pdf", nil, "2024-07-14"),
      // Where the year stands in two digits, the nearer year is meant, or what the rule says.
      ("24-07-15.pdf", nil, "2024-07-15"), ("24-07-15.pdf", "dmy", "2015-07-24"),
      ("05-06-24.pdf", "mdy", "2024-05-06"), ("05-06-24.pdf", nil, "2024-06-05"),
      ("10.30.24.pdf", nil, "2024-10-30"), ("31.12.99.pdf", nil, "1999-12-31"),
      // Versions, parts of more numbers, and words that only begin like a month.
      ("list v1.2.15.pdf", nil, nil), ("list 1.2.15.4.pdf", nil, nil), ("4 3 15.pdf", nil, nil),
      ("Decisions 5 2024.pdf", nil, nil), ("12 Decisions 2024.pdf", nil, nil),
      ("Data set 5 2024.pdf", nil, nil), ("May 2024 12.pdf", nil, nil), ("July 2024.pdf", nil, nil),
      ("31 June 2024.pdf", nil, nil), ("15 July 2027.pdf", nil, nil),
    ] as [(String, String?, String?)])
  func `what is a date in a list is one in a name`(
    name: String, order: String?, expected: String?
  ) {
    #expect(EditionDate.inName(name, arrived: november22, order: order) == expected)
  }

  @Test func `a list is not dated after the day on which it came`() {
    let day: Int64 = 86_400
    #expect(
      EditionDate.of("list.pdf", modified: november22 / 1000 - 3 * day, arrived: november22)
        == ("2026-11-19", false))
    #expect(
      EditionDate.of("list.pdf", modified: november22 / 1000 + 9 * day, arrived: november22)
        == ("2026-11-22", false))
    #expect(EditionDate.time(of: november22) == "2026-11-22T02:06:40Z")
  }

  @Test(
    arguments: [
      (0, "1970-01-01"), (951_782_400, "2000-02-29"), (1_339_761_600, "2012-06-15"),
      (-1, "1969-12-31"), (4_107_542_399, "2100-02-28"), (4_107_542_400, "2100-03-01"),
    ] as [(Int64, String)])
  func `the day of a time is that of the calendar`(seconds: Int64, expected: String) {
    #expect(EditionDate.day(of: seconds) == expected)
  }

  @Test func `gaining a row is told from changing one`() {
    func change(_ before: [String], _ after: [String]) -> Bool {
      func entries(_ texts: [String]) -> [ListEntry] {
        texts.map { ListEntry(status: $0, date: "") }
      }
      return ListChanges.Change(
        kind: .changed, number: "1", before: entries(before), after: entries(after)
      ).gainsRows
    }
    #expect(change(["a"], ["a", "b"]) && change(["a"], ["b", "a"]))
    #expect(!change(["a"], ["b"]) && !change(["a"], ["b", "c"]) && !change(["a", "b"], ["a"]))
  }

  @Test func `changes are written as JSON and CSV`() throws {
    let change = ListChanges.Change(
      kind: .changed, number: "20000000001", before: [ListEntry(status: "open", date: "1.5.")],
      after: [
        ListEntry(
          status: "sent, \"at last\"", date: "2.6.",
          doubt: ListEntry.Doubt(code: "cell", reason: "unclear"))
      ])
    let recorded = RecordedEdition(
      edition: Edition(
        series: "visa", job: "j", name: "l.pdf", date: "2012-06-15", arrived: 1, isPartial: false),
      standing: .newest, comparedWith: "2012-06-01", changes: ListChanges(changes: [change]))
    #expect(
      String(decoding: recorded.csv, as: UTF8.self).split(separator: "\r\n").last
        == "changed,20000000001,open,1.5.,\"sent, \"\"at last\"\"\",2.6.,unclear")
    #expect(recorded.json["counts"]?["changed"] == 1)
    #expect(recorded.json["changed"]?.arrayValue?.first?["kind"] == nil)
  }
}
