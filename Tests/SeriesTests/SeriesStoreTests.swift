import Foundation
import PluginKit
import Series
import SystemPackage
import TestSupport
import Testing

/// A store in a folder of its own.
private final class Shelf {
  let place = TemporaryFolder()
  let store: SeriesStore
  private var jobs = 0

  init() throws { store = try SeriesStore(path: place("lists.sqlite")) }

  static func content(_ rows: [(String, String, String)]) -> ListContent {
    var content = ListContent()
    for (number, status, date) in rows {
      content.add(number, ListEntry(status: status, date: date, dateISO: date))
    }
    return content
  }

  @discardableResult
  func record(
    _ date: String, _ rows: [(String, String, String)], job: String? = nil, partial: Bool = false,
    arrived: Int64? = nil
  ) throws -> RecordedEdition {
    jobs += 1
    let edition = Edition(
      series: "visa", job: job ?? "job\(jobs)", name: "list.pdf", date: date,
      arrived: arrived ?? Int64(jobs), isPartial: partial)
    return try store.record(edition, Self.content(rows))
  }
}

/// 2026-11-22T02:06:40Z.
let november22: Int64 = 1_795_313_200_000

private func told(_ recorded: RecordedEdition) -> [String] {
  recorded.changes.changes.map { "\($0.kind.rawValue) \($0.number)" }
}

@Suite struct SeriesStoreTests {
  private let june1 = [
    ("20000000001", "open", "2012-05-01"), ("20000000002", "open", "2012-05-02"),
    ("20000000002", "approved", "2012-05-20"),
  ]
  private let june15 = [
    ("20000000001", "refused", "2012-06-10"), ("20000000003", "open", "2012-06-11"),
  ]

  @Test func `the first edition has no changes, the next is compared with it`() throws {
    let shelf = try Shelf()
    let first = try shelf.record("2012-06-01", june1)
    #expect(first.standing == .first && first.changes.changes.isEmpty)
    #expect(first.edition.numbers == 2 && first.edition.rows == 3)
    let second = try shelf.record("2012-06-15", june15)
    #expect(second.standing == .newest && second.comparedWith == "2012-06-01")
    #expect(
      told(second) == ["changed 20000000001", "removed 20000000002", "added 20000000003"])
  }

  @Test func `the same job recorded again gives the same answer and keeps one edition`() throws {
    let shelf = try Shelf()
    try shelf.record("2012-06-01", june1)
    let once = try shelf.record("2012-06-15", june15, job: "again")
    let twice = try shelf.record("2012-06-15", june15, job: "again")
    #expect(once == twice)
    #expect(try shelf.store.reader.editions(of: "visa").count == 2)
  }

  @Test func `the same rows once more change nothing and are confirmed`() throws {
    let shelf = try Shelf()
    try shelf.record("2012-06-01", june1)
    let again = try shelf.record("2012-06-15", june1, arrived: 99)
    #expect(again.standing == .known && again.changes.changes.isEmpty)
    let editions = try shelf.store.reader.editions(of: "visa")
    #expect(editions.count == 1 && editions[0].confirmed == 99)
  }

  @Test func `an older edition that comes late is put in its place`() throws {
    let shelf = try Shelf()
    try shelf.record("2012-06-01", june1)
    try shelf.record("2012-06-15", june15)
    try shelf.store.follow(FollowedNumber(number: "20000000009", label: nil, since: 0))
    let late = try shelf.record("2012-06-08", june1 + [("20000000009", "open", "2012-06-07")])
    #expect(late.standing == .late && late.comparedWith == "2012-06-01")
    #expect(told(late) == ["added 20000000009"])
    // What was once, and is past, is no news.
    #expect(try shelf.store.reader.news(of: late.edition.job).isEmpty)
    #expect(
      try shelf.store.reader.editions(of: "visa").map(\.date)
        == ["2012-06-15", "2012-06-08", "2012-06-01"])
    let next = try shelf.record("2012-06-20", june15 + [("20000000004", "open", "2012-06-19")])
    #expect(told(next) == ["added 20000000004"] && next.comparedWith == "2012-06-15")
  }

  @Test func `a partial edition removes nothing, and what it told is not told again`() throws {
    let shelf = try Shelf()
    try shelf.record("2012-06-01", june1)
    let partial = try shelf.record("2012-06-10", [june15[0]], partial: true)
    #expect(told(partial) == ["changed 20000000001"])
    let whole = try shelf.record("2012-06-15", june15)
    #expect(told(whole) == ["removed 20000000002", "added 20000000003"])
    #expect(whole.comparedWith == "2012-06-01")
    #expect(try shelf.store.reader.newest(of: "visa")?.date == "2012-06-15")
  }

  private func row(_ status: String, _ date: String, _ iso: String? = nil, doubt: String? = nil)
    -> ListEntry
  {
    ListEntry(
      status: status, date: date, dateISO: iso,
      doubt: doubt.map { ListEntry.Doubt(code: "cell", reason: $0) })
  }

  private func record(
    _ shelf: Shelf, _ date: String, _ rows: [(String, ListEntry)], partial: Bool = false
  ) throws -> RecordedEdition {
    var content = ListContent()
    for (number, entry) in rows { content.add(number, entry) }
    return try shelf.store.record(
      Edition(
        series: "visa", job: "job \(date)", name: "list.pdf", date: date, arrived: 1,
        isPartial: partial), content)
  }

  @Test func `in a damaged list what was not read for sure is no change, nor is what is missing`()
    throws
  {
    let shelf = try Shelf()
    let open = row("open", "1.5.", "2012-05-01"), sent = row("sent", "9.6.", "2012-06-09")
    for number in ["20000000001", "20000000002", "20000000003", "20000000004"] {
      try shelf.store.follow(FollowedNumber(number: number, label: nil, since: 0))
    }
    let all = [
      ("20000000001", open), ("20000000002", open), ("20000000002", sent), ("20000000003", open),
    ]
    _ = try record(shelf, "2012-06-01", all)
    let torn = row("", "", doubt: "torn")
    let partial = try record(
      shelf, "2012-06-02",
      [
        ("20000000001", torn), ("20000000002", open), ("20000000003", sent),
        ("20000000003", torn), ("20000000004", torn),
      ], partial: true)
    #expect(told(partial) == ["changed 20000000003"])
    #expect(partial.changes.changes.first?.after == [sent])
    #expect(try shelf.store.reader.news(of: partial.edition.job).map(\.number) == ["20000000003"])
    // Neither is it one that the next edition takes back.
    let whole = try record(
      shelf, "2012-06-03", all.dropLast() + [("20000000003", sent), ("20000000004", open)])
    #expect(told(whole) == ["added 20000000004"])
    #expect(whole.comparedWith == "2012-06-01" && whole.partials == ["2012-06-02"])
    #expect(whole.json["partialSince"]?.arrayValue == ["2012-06-02"])
    #expect(try record(shelf, "2012-06-03", []) == whole)
  }

  @Test func `what the very first list told is not told again because it was damaged`() throws {
    let shelf = try Shelf()
    for number in ["20000000001", "20000000002"] {
      try shelf.store.follow(FollowedNumber(number: number, label: nil, since: 0))
    }
    let first = try shelf.record("2012-06-01", [june1[0]], partial: true)
    #expect(try shelf.store.reader.news(of: first.edition.job).map(\.number) == ["20000000001"])
    let whole = try shelf.record("2012-06-02", june1)
    #expect(try shelf.store.reader.news(of: whole.edition.job).map(\.number) == ["20000000002"])
    #expect(whole.standing == .first && whole.changes.changes.isEmpty)
  }

  @Test func `in a whole list a doubtful row that differs counts, and is told as doubtful`() throws
  {
    let shelf = try Shelf()
    try shelf.store.follow(FollowedNumber(number: "20000000001", label: "Ada", since: 0))
    _ = try record(shelf, "2012-06-01", [("20000000001", row("open", "1.5."))])
    let doubtful = row("sent", "9.6.", doubt: "lines may belong to a neighbour")
    let second = try record(shelf, "2012-06-02", [("20000000001", doubtful)])
    #expect(told(second) == ["changed 20000000001"])
    let news = try #require(try shelf.store.reader.news(of: second.edition.job).first)
    let mark = "(doubtful: lines may belong to a neighbour)"
    #expect(news.subject.hasSuffix("sent, 9.6. \(mark)") && news.text.contains(mark))
    #expect(news.json["after"]?.arrayValue?.first?["doubtful"]?["code"] == "cell")
    let story = try shelf.store.reader.story(of: "20000000001", in: "visa")
    #expect(story.map { $0.entries.map(\.doubt?.code) } == [["cell"], [nil]])
    let answer = try #require(
      try LookupAnswer("20000000001", in: "visa", shelf.store.reader))
    #expect(answer.lines(withHistory: true, now: 1).contains("  sent, 9.6. \(mark)"))
    #expect(answer.json["current"]?["doubtful"]?["reason"] == "lines may belong to a neighbour")
    let page = String(
      decoding: try StatusPage(series: "visa", reader: shelf.store.reader, now: 1).html,
      as: UTF8.self)
    #expect(page.contains("sent<span class=\"doubt\"> \(mark)</span>"))
    // The mark alone is no change.
    let third = try record(shelf, "2012-06-03", [("20000000001", row("sent", "9.6."))])
    #expect(third.standing == .known)
  }

  @Test func `the same said otherwise is no change`() throws {
    let shelf = try Shelf()
    let number = "20000000001"
    _ = try record(
      shelf, "2012-06-01", [(number, row("Under  review", "27.03.2012", "2012-03-27"))])
    let again = [(number, row("UNDER REVIEW", "27 Mar 2012", "2012-03-27"))]
    #expect(try record(shelf, "2012-06-02", again).standing == .known)
    let twice = try record(
      shelf, "2012-06-03", again + again + [("20000000002", row("open", ""))])
    #expect(told(twice) == ["added 20000000002"] && twice.edition.rows == 2)
    let other = try record(
      shelf, "2012-06-04",
      [(number, row("Under review", "27 Apr 2012")), ("20000000002", row("open", ""))])
    #expect(told(other) == ["changed \(number)"])
  }

  @Test func `numbers with very many rows are compared all the same`() throws {
    var content = ListContent()
    for index in 0..<60_000 {
      content.add("20000000001", ListEntry(status: "row \(index % 50_000)", date: ""))
    }
    #expect(content.rowCount == 50_000)
    let changes = ListChanges(from: content.entries, to: content.entries, isWhole: false)
    #expect(changes.changes.isEmpty)
  }

  @Test func `an edition that is known says how many numbers it has`() throws {
    let shelf = try Shelf()
    try shelf.record("2012-06-01", june1)
    let known = try shelf.record("2012-06-15", june1)
    #expect(known.standing == .known)
    #expect(known.json["edition"]?["numbers"] == 2 && known.json["edition"]?["rows"] == 3)
  }

  @Test func `that a damaged list came is told`() throws {
    let shelf = try Shelf()
    try shelf.record("2012-06-01", june1)
    try shelf.record("2012-06-10", [june15[0]], partial: true)
    let reader = shelf.store.reader
    let found = try #require(try LookupAnswer("20000000001", in: "visa", reader))
    #expect(found.entries.current?.status == "open" && found.since?.date == "2012-06-01")
    #expect(
      found.lines(withHistory: false, now: 1).last
        == "  Only part of the list of 10 Jun 2012 could be read: there it is refused, 2012-06-10")
    #expect(found.json["partialSince"]?.arrayValue?.first?["date"] == "2012-06-10")
    let other = try #require(try LookupAnswer("20000000002", in: "visa", reader))
    #expect(
      other.lines(withHistory: false, now: 1).last?.hasSuffix("the number was not found") == true)
    let page = String(
      decoding: try StatusPage(series: "visa", reader: reader, now: 1).html, as: UTF8.self)
    #expect(page.contains("Only part of the list of 10 Jun 2012 could be read"))
    let alone = LookupAnswer(
      "20000000009", in: Shelf.content(june1),
      of: Edition(
        series: "half.pdf", job: "file", name: "half.pdf", date: "2012-06-01", arrived: 1,
        isPartial: true, numbers: 2, rows: 3))
    let lines = alone.lines(withHistory: false, now: 1)
    #expect(lines.first?.contains("is not in what could be read of the list") == true)
    #expect(!lines.joined().contains("checked") && alone.json["list"]?["partial"] == true)
  }

  @Test func `editions of one day are told apart`() throws {
    let shelf = try Shelf()
    try shelf.record("2012-06-01", [("20000000001", "open", "2012-05-01")])
    try shelf.record("2012-06-01", [("20000000001", "sent", "2012-05-30")])
    try shelf.record("2012-06-02", [("20000000001", "sent", "2012-05-30")] + june15)
    let answer = try #require(try LookupAnswer("20000000001", in: "visa", shelf.store.reader))
    let lines = answer.lines(withHistory: true, now: 1)
    #expect(
      lines.contains(
        "  before: sent, 2012-05-30, last in the list of 1 Jun 2012 (no. 2 of that day)"))
    #expect(lines.contains("    2012-06-01  open, 2012-05-01"))
    #expect(lines.contains { $0.hasPrefix("    2012-06-01 (2) ") }, "\(lines)")
  }

  @Test func `how a status is set is no news`() throws {
    let shelf = try Shelf()
    try shelf.record("2012-06-01", [("20000000001", "justi\u{FB01}catif en-tro", "2012-05-01")])
    let again = try shelf.record(
      "2012-06-15", [("20000000001", "justificatif entro", "2012-05-01")])
    #expect(again.standing == .known)
    // But marks in a date part its numbers.
    #expect(
      !ListEntry(status: "a", date: "1-12").says(ListEntry(status: "a", date: "11-2")))
  }

  @Test func `capital letters are found`() throws {
    let shelf = try Shelf()
    let recorded = try shelf.record("2012-06-01", [("A-123400", "open", "2012-05-01")])
    let similar = try shelf.store.reader.similar(to: "a-123400", in: recorded.edition)
    #expect(similar.map(\.number) == ["A-123400"] && similar.first?.slip == .letters)
  }

  @Test func `a partial edition is not what the list is asked for`() throws {
    let shelf = try Shelf()
    try shelf.record("2012-06-01", june1)
    try shelf.record("2012-06-10", [june15[0]], partial: true)
    #expect(try shelf.store.reader.newest(of: "visa")?.date == "2012-06-01")
  }

  @Test func `news tells what happened to followed numbers only`() throws {
    let shelf = try Shelf()
    for (number, label) in [
      ("20000000001", "Ada"), ("20000000002", nil), ("20000000003", nil), ("20000000005", nil),
    ] {
      try shelf.store.follow(FollowedNumber(number: number, label: label, since: 0))
    }
    let first = try shelf.record("2012-06-01", june1)
    #expect(try shelf.store.reader.news(of: first.edition.job).map(\.kind) == [.appears, .appears])
    let second = try shelf.record("2012-06-15", june15)
    let news = try shelf.store.reader.news(of: second.edition.job)
    #expect(news.map(\.kind) == [.changes, .gone, .appears])
    #expect(
      news[0].subject == "Ada (20000000001) has changed in the list visa: refused, 2012-06-10")
    let third = try shelf.record(
      "2012-06-20", june15 + [("20000000001", "sent", "2012-06-18")])
    #expect(try shelf.store.reader.news(of: third.edition.job).map(\.kind) == [.gainsRow])
    #expect(try shelf.store.reader.news(ofNumber: "20000000001", limit: 9).count == 3)
    #expect(try shelf.store.unfollow("20000000001"))
    #expect(try !shelf.store.unfollow("20000000001"))
    #expect(try shelf.store.reader.followed().count == 3)
  }

  @Test func `a history tells breaks, and what holds counts from the last one`() throws {
    let shelf = try Shelf()
    let number = "20000000001"
    let others = [("20000000002", "open", "2012-05-01")]
    for (day, status) in ["sent", "opened", "sent", nil, "sent"].enumerated() {
      try shelf.record(
        "2012-06-0\(day + 1)", others + (status.map { [(number, $0, "2012-05-09")] } ?? []))
    }
    let answer = try #require(try LookupAnswer(number, in: "visa", shelf.store.reader))
    #expect(answer.since?.date == "2012-06-05")
    #expect(
      answer.story.history.map { "\($0.entry.status) \($0.first) \($0.last)" } == [
        "sent 2012-06-05 2012-06-05", "sent 2012-06-03 2012-06-03",
        "opened 2012-06-02 2012-06-02", "sent 2012-06-01 2012-06-01",
      ])
    let page = String(
      decoding: try StatusPage(series: "visa", reader: shelf.store.reader, now: 1).html,
      as: UTF8.self)
    #expect(!page.contains("No longer"))
    // A damaged list without the row is no break.
    try shelf.record("2012-06-06", [], partial: true)
    try shelf.record("2012-06-07", others + [(number, "sent", "2012-05-09")])
    let later = try #require(try LookupAnswer(number, in: "visa", shelf.store.reader))
    #expect(later.since?.date == "2012-06-05")
    #expect(later.story.history.first?.first == "2012-06-05")
  }

  @Test func `the story of a number has its rows in every edition`() throws {
    let shelf = try Shelf()
    try shelf.record("2012-06-01", june1)
    try shelf.record("2012-06-15", june15)
    let story = try shelf.store.reader.story(of: "20000000002", in: "visa")
    #expect(story.map(\.edition.date) == ["2012-06-01"])
    #expect(story[0].entries.map(\.status) == ["open", "approved"])
    #expect(story[0].entries.current?.status == "approved")
    let other = try shelf.store.reader.story(of: "20000000001", in: "visa")
    #expect(other.map(\.edition.date) == ["2012-06-15", "2012-06-01"])
  }

  @Test func `a slip of the hand is found`() throws {
    let shelf = try Shelf()
    let recorded = try shelf.record("2012-06-01", [("20123456798", "open", "2012-05-01")])
    let swapped = try shelf.store.reader.similar(to: "20123456789", in: recorded.edition)
    #expect(swapped.map(\.number) == ["20123456798"] && swapped.first?.slip == .swapped)
    let wrong = try shelf.store.reader.similar(to: "20123456799", in: recorded.edition)
    #expect(wrong.map(\.number) == ["20123456798"] && wrong.first?.slip == .wrong)
    #expect(try shelf.store.reader.similar(to: "28888888888", in: recorded.edition).isEmpty)
  }

  @Test func `an older store is read and written on`() throws {
    let shelf = try Shelf()
    try shelf.record("2012-06-01", june1)
    // As the first version made it.
    let older = """
      import sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      for column in "entry DROP COLUMN doubt", "entry DROP COLUMN doubtCode", "answer DROP COLUMN partials":
          store.execute("ALTER TABLE " + column)
      store.execute("DELETE FROM grdb_migrations WHERE identifier = '2 doubts'")
      store.commit()
      """
    let path = TemporaryFolder()
    for name in shelf.place.files() where !name.hasSuffix("-shm") {
      try path.write(try #require(shelf.place.read(name)), to: name)
    }
    let made = try Programs.run(
      try #require(Programs.find("python3")), ["-c", older, path("lists.sqlite").string],
      in: path.path)
    try #require(made.status == 0, "\(made.errors)")
    let reader = try #require(try SeriesStore.reading(path: path("lists.sqlite")))
    let story = try reader.story(of: "20000000002", in: "visa")
    #expect(story.first?.entries.map(\.status) == ["open", "approved"])
    let store = try SeriesStore(path: path("lists.sqlite"))
    let next = try store.record(
      Edition(
        series: "visa", job: "next", name: "list.pdf", date: "2012-06-02", arrived: 2,
        isPartial: false), Shelf.content(june15))
    #expect(next.comparedWith == "2012-06-01")
  }

  @Test func `a store that another process wrote is read`() throws {
    let shelf = try Shelf()
    try shelf.record("2012-06-01", june1)
    let reader = try #require(try SeriesStore.reading(path: shelf.place("lists.sqlite")))
    #expect(try reader.series() == ["visa"])
    #expect(try SeriesStore.reading(path: shelf.place("none.sqlite")) == nil)
  }
}
