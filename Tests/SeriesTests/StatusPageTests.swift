import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import Series

/// The page of a list: what is lit, what stands first, and that no text breaks it.
@Suite struct StatusPageTests {
  private let place = TemporaryFolder()
  private let day: Int64 = 86_400_000

  /// Lists of the days of June 2012, each with the rows that stand in it: number, status, date.
  private func store(_ lists: [(day: Int, rows: [(String, String, String)])]) throws -> SeriesStore
  {
    let store = try SeriesStore(path: place("lists.sqlite"))
    for list in lists {
      var content = ListContent()
      for (number, status, date) in list.rows {
        content.add(number, ListEntry(status: status, date: date))
      }
      let edition = Edition(
        series: "visa", job: "job\(list.day)", name: "list.pdf", date: "2012-06-\(list.day.padded)",
        arrived: Int64(list.day) * day, isPartial: false)
      _ = try store.record(edition, content)
    }
    return store
  }

  private func page(_ store: SeriesStore, now: Int) throws -> String {
    String(
      decoding: try StatusPage(series: "visa", reader: store.reader, now: Int64(now) * day).html,
      as: UTF8.self)
  }

  /// The cards in their order: what each is called, and its state.
  private func cards(_ page: String) -> [String] {
    page.components(separatedBy: "<article").dropFirst().map { card in
      func between(_ start: String, _ end: String) -> String {
        card.components(separatedBy: start).dropFirst().first?.components(separatedBy: end).first
          ?? ""
      }
      let state = between("<span class=\"state", "</span>").components(separatedBy: ">").last ?? ""
      return "\(between("<h3 dir=\"auto\">", "</h3>")): \(state)"
    }
  }

  @Test func `what needs a look stands first, by color and word`() throws {
    let rest = [("20000000009", "open", "1.5.2012")]
    let store = try store([
      (
        1,
        rest + [
          ("20000000001", "open", "1.5.2012"), ("20000000002", "open", "2.5.2012"),
          ("20000000003", "open", "3.5.2012"),
        ]
      ),
      (
        15,
        rest + [
          ("20000000001", "open", "1.5.2012"), ("20000000002", "approved", "14.6.2012"),
          ("20000000004", "open", "14.6.2012"),
        ]
      ),
    ])
    for (number, label) in [
      ("20000000001", "Same"), ("20000000002", "Moved"), ("20000000003", "Lost"),
      ("20000000004", "Fresh"), ("20000000090", "Typed"), ("21234567890", "Nowhere"),
    ] {
      try store.follow(FollowedNumber(number: number, label: label, since: 1))
    }
    let page = try page(store, now: 16)
    #expect(
      cards(page) == [
        "Lost: Gone", "Moved: Changed", "Fresh: New in the list", "Typed: Mistyped?",
        "Same: In the list", "Nowhere: Not in the list",
      ])
    #expect(page.contains("<article class=\"card lit bad\">"))
    #expect(page.contains("Look here <span class=\"soft count\">4<"))
    #expect(page.contains("Before: <bdi>open</bdi>") && page.contains("No longer in the list"))
    #expect(page.contains("<span class=\"mono\">20000000009</span> is: digits swapped?"))
    // The line of time of what changed, and of what went.
    #expect(page.contains("aria-label=\"open from 1 Jun 2012, approved from 15 Jun 2012\""))
    #expect(page.contains("aria-label=\"open from 1 Jun 2012, not in the list from 15 Jun 2012"))
  }

  @Test func `a change is lit for a week, and until the next list comes`() throws {
    let before = [("20000000001", "open", ""), ("20000000002", "open", "")]
    let after = [("20000000001", "approved", ""), ("20000000002", "open", "")]
    let again = after + [("20000000003", "open", "")]
    let store = try store([(1, before), (2, after), (9, again)])
    try store.follow(FollowedNumber(number: "20000000001", label: nil, since: 1))
    #expect(cards(try page(store, now: 9)) == ["20000000001: Changed"])
    let later = try page(store, now: 10)
    #expect(cards(later) == ["20000000001: In the list"])
    #expect(later.contains("Nothing needs a look"))
    // Of a list that nobody renewed, too.
    let alone = TemporaryFolder()
    let long = try SeriesStore(path: alone("lists.sqlite"))
    for (number, status) in [(1, "open"), (2, "approved")] {
      var content = ListContent()
      content.add("20000000001", ListEntry(status: status, date: ""))
      _ = try long.record(
        Edition(
          series: "visa", job: "job\(number)", name: "list.pdf", date: "2012-06-0\(number)",
          arrived: Int64(number) * day, isPartial: false), content)
    }
    try long.follow(FollowedNumber(number: "20000000001", label: nil, since: 1))
    #expect(cards(try page(long, now: 30)) == ["20000000001: Changed"])
  }

  @Test func `a number that comes back says so`() throws {
    let others = [("20000000009", "open", "")], own = [("20000000001", "sent", "")]
    let store = try store([(1, others + own), (2, others), (3, others + own)])
    try store.follow(FollowedNumber(number: "20000000001", label: nil, since: 1))
    #expect(cards(try page(store, now: 3)) == ["20000000001: Back in the list"])
  }

  @Test func `in the first list nothing is new`() throws {
    let store = try store([(1, [("20000000001", "open", "")])])
    try store.follow(FollowedNumber(number: "20000000001", label: nil, since: 1))
    let page = try page(store, now: 1)
    #expect(cards(page) == ["20000000001: In the list"])
    #expect(!page.contains("<div class=\"bar\"") && !page.contains("<details>"))
  }

  @Test func `no text becomes markup, and dates stay on one line`() throws {
    let evil = "</h3><script>alert(1)</script>\" onload=\"x"
    let store = try store([
      (1, [("20000000001", evil, evil)]), (2, [("20000000001", "now \(evil)", evil)]),
    ])
    try store.follow(FollowedNumber(number: "20000000001", label: evil, since: 1))
    let page = try page(store, now: 2)
    #expect(!page.contains("<script>alert") && !page.contains("\" onload"))
    #expect(page.components(separatedBy: "</script>").count == 2)
    #expect(page.contains("<time class=\"date\" dir=\"auto\">&lt;/h3&gt;"))
    #expect(page.contains("white-space: nowrap") && !page.contains("http://"))
    #expect(page.contains("id=\"fresh\" data-checked=\"\(2 * day)\""))
  }

  @Test func `a line of time tells breaks, and ends at the newest list`() throws {
    let others = [("20000000009", "open", "")]
    let store = try store([
      (1, others + [("20000000001", "sent", "")]), (4, others + [("20000000001", "sent", "")]),
      (6, others), (8, others + [("20000000001", "sent", "")]),
      (10, others + [("20000000001", "open", "")]), (12, others),
    ])
    let story = try store.reader.story(of: "20000000001", in: "visa")
    let newest = try #require(try store.reader.newest(of: "visa"))
    let timeline = StatusTimeline(
      story, editions: try store.reader.editions(of: "visa"), newest: newest)
    let begin = try #require(timeline.spans.first).first
    #expect(
      timeline.spans.map { "\($0.entry?.status ?? "-") \($0.first - begin)-\($0.end - begin)" }
        == ["sent 0-5", "- 5-7", "sent 7-9", "open 9-11", "- 11-11"])
    #expect(timeline.isWorthShowing && timeline.hasBreak)
    #expect(timeline.shades == [0, nil, 0, 1, nil])
  }
}

extension Int {
  fileprivate var padded: String { self < 10 ? "0\(self)" : "\(self)" }
}
