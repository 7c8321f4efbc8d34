internal import Bytes
internal import Dates

/// Times as people read them, in the zone of the process.
struct ClockText {
  let zone: LocalZone

  /// `20:15`
  func clock(_ time: Int64) -> String {
    let seconds = Int(zone.clock(at: time) % 86_400)
    return "\((seconds / 3600).padded()):\((seconds / 60 % 60).padded())"
  }

  /// `Mon 2026-01-05`
  func day(_ time: Int64) -> String {
    let days = Int(zone.clock(at: time) / 86_400)
    return "\(Self.weekdays[(days + 4) % 7]) \(CalendarDate(daysSince1970: days).iso)"
  }

  /// `2026-01-05T20:15:00+01:00`, for programs.
  func complete(_ time: Int64) -> String {
    let offset = zone.offset(at: time), clock = Int(time + offset)
    let date = CalendarDate(daysSince1970: clock / 86_400).iso
    let hours = (clock % 86_400 / 3600).padded(), minutes = (clock / 60 % 60).padded()
    let ahead = abs(Int(offset))
    let sign = offset < 0 ? "-" : "+"
    return "\(date)T\(hours):\(minutes):\((clock % 60).padded())"
      + "\(sign)\((ahead / 3600).padded()):\((ahead / 60 % 60).padded())"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
}

/// Reads days and times as people type them.
struct TimeWords {
  var zone: LocalZone
  var now: Int64
  /// Seconds after midnight at which a day of the guide begins.
  var dayStarts: Int64

  /// `HH:MM`; nil for anything else.
  static func secondsOfDay(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let hours = Int64(parts[0]), let minutes = Int64(parts[1]), hours < 24, minutes < 60
    else { return nil }
    return hours * 3600 + minutes * 60
  }

  /// The day that a word names: `today`, `tomorrow`, `yesterday`, a weekday to come, `+2`, `2026-01-05`.
  func day(_ word: String) -> CalendarDate? {
    let today = Int(zone.clock(at: now) - dayStarts) / 86_400
    let word = word.lowercased()
    switch word {
    case "today": return CalendarDate(daysSince1970: today)
    case "tomorrow": return CalendarDate(daysSince1970: today + 1)
    case "yesterday": return CalendarDate(daysSince1970: today - 1)
    default: break
    }
    let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    if word.count >= 3, let wanted = names.firstIndex(where: { word.hasPrefix($0) }),
      ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"][wanted]
        .hasPrefix(word)
    {
      return CalendarDate(daysSince1970: today + (wanted - (today + 4) % 7 + 7) % 7)
    }
    if word.hasPrefix("+") || word.hasPrefix("-"), let days = Int(word), abs(days) < 1000 {
      return CalendarDate(daysSince1970: today + days)
    }
    return CalendarDate(word)
  }

  /// When a day of the guide begins and ends, 23 or 25 hours apart where clocks change.
  mutating func span(of day: CalendarDate) -> Range<Int64> {
    let midnight = Int64(day.daysSince1970) * 86_400
    return zone.time(
      ofClock: midnight + dayStarts)..<zone.time(ofClock: midnight + 86_400 + dayStarts)
  }

  /// When the programmes of an evening begin.
  private static let evening = "20:15"

  /// A time: `now`, `tonight` (20:15), `20:15` (of today), a day (its beginning), `2026-01-05T20:15`.
  mutating func time(_ word: String) -> Int64? {
    if word == "now" { return now }
    if let seconds = Self.secondsOfDay(word == "tonight" ? Self.evening : word) {
      let today = Int64(zone.clock(at: now) - dayStarts) / 86_400
      // What is before the beginning of the day is of the night behind it.
      let day = today + (seconds < dayStarts ? 1 : 0)
      return zone.time(ofClock: day * 86_400 + seconds)
    }
    if let day = day(word) { return span(of: day).lowerBound }
    let parts = word.split(whereSeparator: { $0 == "T" || $0 == " " })
    guard parts.count == 2, let date = CalendarDate(String(parts[0])),
      let seconds = Self.secondsOfDay(String(parts[1]))
    else { return nil }
    return zone.time(ofClock: Int64(date.daysSince1970) * 86_400 + seconds)
  }
}
