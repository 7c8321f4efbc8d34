/// A day of the Gregorian calendar, which is counted back beyond its beginning (ISO 8601).
///
/// It knows the calendar alone. How a date is written, and which years are likely, is for whoever reads it.
public struct CalendarDate: Sendable, Hashable {
  /// 0 is the year before 1, -1 the one before that.
  public var year: Int
  /// From 1.
  public var month: Int
  /// From 1.
  public var day: Int

  /// Any three numbers; ``exists`` tells whether they are a day.
  public init(_ year: Int, _ month: Int, _ day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Reads what ``iso`` writes, of a day that exists; nil for anything else.
  public init?(iso text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
      parts.joined().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year, month, day)
    guard exists else { return nil }
  }

  /// Years of 400 repeat; counted from March, the day that leap years add is the last.
  private static let daysOfEra = 146_097
  /// From 0000-03-01 to 1970-01-01.
  private static let daysBefore1970 = 719_468

  /// - Parameter days: from 1970-01-01, which is 0; no more than 10^15 before it or after.
  public init(daysSince1970 days: Int) {
    let shifted = days + Self.daysBefore1970
    let era = (shifted >= 0 ? shifted : shifted - (Self.daysOfEra - 1)) / Self.daysOfEra
    let dayOfEra = shifted - era * Self.daysOfEra
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The day in UTC of a time in seconds since 1970, and how many seconds of it have passed.
  public static func of(secondsSince1970 seconds: Int) -> (date: CalendarDate, rest: Int) {
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    return rest < 0
      ? (CalendarDate(daysSince1970: days - 1), rest + 86_400)
      : (CalendarDate(daysSince1970: days), rest)
  }

  /// A time as mail and feeds have it: `Mon, 05 Jan 2026 12:00:00 +0000` (RFC 5322, 3.3).
  public static func inMail(secondsSince1970 seconds: Int) -> String {
    let (date, rest) = of(secondsSince1970: seconds)
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let weekday = weekdays[((date.daysSince1970 % 7) + 7) % 7]
    let clock = [rest / 3600, rest / 60 % 60, rest % 60].map { $0.padded() }
    return "\(weekday), \(date.day.padded()) \(date.monthName) \(date.year.padded(to: 4))"
      + " \(clock.joined(separator: ":")) +0000"
  }

  /// The month in three letters of English; empty where there is none of its number.
  public var monthName: String {
    let names = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return names.indices.contains(month - 1) ? names[month - 1] : ""
  }

  /// Counted from 1970-01-01. A day behind the end of its month is one of the next.
  public var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * Self.daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
      - Self.daysBefore1970
  }

  /// Whether the calendar has this day.
  public var exists: Bool {
    let days =
      switch month {
      case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
      case 4, 6, 9, 11: 30
      case 1...12: 31
      default: 0
      }
    return day >= 1 && day <= days
  }

  /// `2026-01-05` (ISO 8601).
  public var iso: String { "\(year.padded(to: 4))-\(month.padded())-\(day.padded())" }
}

extension Int {
  /// The digits of a number that is not negative, with zeros before them, as dates and times have it.
  public func padded(to width: Int = 2) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}
