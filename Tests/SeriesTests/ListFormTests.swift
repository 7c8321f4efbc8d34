import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import Series

/// Lists that are not made as the one before are held back.
@Suite struct ListFormTests {
  private typealias Rows = [(String, ListEntry)]

  private func rows(
    _ count: Int = 20, from first: Int = 0, _ change: (Int, inout ListEntry) -> Void = { _, _ in }
  )
    -> Rows
  {
    (first..<first + count).map { index in
      let day = "2012-05-\(10 + index % 20)"
      var entry = ListEntry(status: "under review", date: day, dateISO: day)
      change(index, &entry)
      return ("2000000\(1000 + index)", entry)
    }
  }

  private func reason(_ lists: [Rows], _ check: ListForm.Check = .all) throws -> String? {
    let place = TemporaryFolder()
    let store = try SeriesStore(path: place("lists.sqlite"))
    for (index, list) in lists.enumerated() {
      var content = ListContent()
      for (number, entry) in list { content.add(number, entry) }
      let edition = Edition(
        series: "visa", job: "job\(index)", name: "list.pdf", date: "2012-06-\(10 + index)",
        arrived: Int64(index), isPartial: false)
      let isLast = index == lists.count - 1
      do { _ = try store.record(edition, content, isLast ? check : .none) } catch .form(let reason)
      {
        // Nothing of it is kept.
        #expect(try store.reader.editions(of: "visa").count == index)
        return reason
      }
    }
    return nil
  }

  private func doubt(_ entry: inout ListEntry) {
    entry.doubt = ListEntry.Doubt(code: "cell", reason: "unclear")
  }

  @Test func `a list that grows, shrinks and changes its rows is the same list`() throws {
    #expect(try reason([rows(), rows(40)]) == nil)
    #expect(try reason([rows(40), rows(12)]) == nil)
    #expect(
      try reason([rows(), rows(20, from: 15) { _, entry in entry.status = "approved" }]) == nil)
    let half = rows { index, entry in if index % 2 == 0 { doubt(&entry) } }
    #expect(try reason([rows(), half]) == nil)
  }

  @Test func `a list that lost its dates is held back, with the lines that differ`() throws {
    let reason = try #require(
      try reason([
        rows(),
        rows { index, entry in
          if index > 3 { (entry.date, entry.dateISO) = ("", nil) }
        },
      ]))
    #expect(
      reason == """
        the list has changed its form: 16 of its 20 rows have no date, of the list of 10 Jun 2012 0 of 20; \
        20000001004 was “under review, 2012-05-14” and is “under review”; \
        20000001005 was “under review, 2012-05-15” and is “under review”; \
        20000001006 was “under review, 2012-05-16” and is “under review”
        """)
  }

  @Test func `a list that lost its statuses is held back`() throws {
    let reason = try reason([rows(), rows { _, entry in entry.status = "" }])
    #expect(reason?.contains("20 of its 20 rows have no status") == true)
  }

  @Test func `a list of other numbers is held back, unless the list is always so`() throws {
    let other = try reason([rows(), rows(20, from: 19)])
    #expect(
      other?.contains("1 of its 20 numbers are in the list of 10 Jun 2012, which has 20") == true)
    #expect(
      other?.contains("20000001020 was not in it and is “under review, 2012-05-10”") == true)
    #expect(try reason([rows(), rows(20, from: 20), rows(20, from: 40)]) == nil)
    #expect(try reason([rows(9), rows(9, from: 20)]) == nil)
  }

  @Test func `a list that is mostly doubtful is held back, unless the rule allows that`() throws {
    let doubtful = rows { _, entry in
      doubt(&entry)
      entry.status = "review"
    }
    #expect(try reason([doubtful]) == "20 of its 20 rows are doubtful")
    #expect(try reason([rows(), doubtful])?.contains("are doubtful, of the list of") == true)
    #expect(try reason([doubtful], .withoutDoubt) == nil)
    #expect(try reason([rows(), doubtful], .none) == nil)
    // It is read as well as it can be.
    #expect(try reason([doubtful, doubtful + rows(1, from: 30)]) == nil)
  }
}
