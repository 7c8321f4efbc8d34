import Foundation
import Testing

@testable import Bytes

@Suite struct CalendarDateTests {
  @Test func `days and dates lead to each other, as Foundation has it`() {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0)!
    for days in stride(from: -100_000, through: 200_000, by: 997) {
      let date = CalendarDate(daysSince1970: days)
      let parts = calendar.dateComponents(
        [.year, .month, .day], from: Date(timeIntervalSince1970: Double(days) * 86_400))
      #expect(date == CalendarDate(parts.year ?? 0, parts.month ?? 0, parts.day ?? 0))
      #expect(date.daysSince1970 == days && date.exists)
    }
    for days in [-800_000, -719_468, 1 << 40] {
      #expect(CalendarDate(daysSince1970: days).daysSince1970 == days)
    }
  }

  @Test(arguments: [
    (1900, 2, 29), (2023, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 0, 1), (2024, 13, 1),
    (2024, 1, 0), (2024, 1, 32), (2024, .min, .max),
  ])
  func `what the calendar does not have`(year: Int, month: Int, day: Int) {
    #expect(!CalendarDate(year, month, day).exists)
  }

  @Test func `leap days, times of day and how it is written`() {
    #expect(CalendarDate(2000, 2, 29).exists && CalendarDate(2024, 2, 29).exists)
    #expect(CalendarDate(987, 6, 5).iso == "0987-06-05")
    let (date, rest) = CalendarDate.of(secondsSince1970: -1)
    #expect(date == CalendarDate(1969, 12, 31) && rest == 86_399)
    #expect(CalendarDate.of(secondsSince1970: .min).rest >= 0)
    #expect(7.padded() == "07" && 123.padded() == "123")
  }
}
