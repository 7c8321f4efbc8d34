import Dates
import Testing

@testable import TableText

/// What the dates of a column tell of one another.
struct DateColumnTests {
  private func meanings(_ dates: [String], _ declared: DateOrder? = nil) -> [String?] {
    var column = DateColumn(declared)
    for date in dates { column.add(date) }
    return dates.map { column.iso($0, column.order) }
  }

  @Test func `the column decides what one date leaves open`() {
    #expect(meanings(["05/07/2012", "05/31/2012"]) == ["2012-05-07", "2012-05-31"])
    #expect(meanings(["05/07/2012", "31/05/2012"]) == ["2012-07-05", "2012-05-31"])
    // Nothing decides; what is the same either way is clear.
    #expect(meanings(["05/07/2012", "06/06/2012"]) == [nil, "2012-06-06"])
    #expect(meanings(["05/07/2012"], .monthDayYear) == ["2012-05-07"])
    #expect(meanings(["05.07.2012"]) == ["2012-07-05"])
    // Both orders are in the column: neither is believed.
    #expect(meanings(["05/07/2012", "31/05/2012", "05/31/2012"])[0] == nil)
    #expect(meanings(["12-05-31", "12-06-01"]) == [nil, nil])
    #expect(meanings(["12-05-31", "12-06-01"], .yearMonthDay) == ["2012-05-31", "2012-06-01"])
    #expect(meanings(["99-05-31", "98-06-01"]) == ["1999-05-31", "1998-06-01"])
  }
}
