internal import Bytes

/// Finds the date of an edition.
package enum EditionDate {
  /// How a date of digits that ends with its year is meant.
  package enum Order: String, Sendable { case dmy, mdy, ymd }

  /// The date of a list.
  ///
  /// - Parameters:
  ///   - modified: when its file was last changed, seconds since 1970.
  ///   - arrived: milliseconds since 1970.
  /// - Returns: YYYY-MM-DD: what the name says, or else the day of the last change, which is not after the
  ///   day of arrival.
  package static func of(
    _ name: String, modified: Int64, arrived: Int64, order: Order? = nil
  ) -> String {
    inName(name, arrived: arrived, order: order)
      ?? min(day(of: modified), day(of: arrived / 1000))
  }

  /// The date in a file's name, as `2012-06-15`, `20120615`, `15.06.2012` or `06-15-2012`; YYYY-MM-DD.
  ///
  /// No list is dated after the day on which it came, so what would be is no date, with a day to spare
  /// for time zones. What could be two dates still is the one of the order, or begins with the day.
  ///
  /// - Parameter arrived: milliseconds since 1970.
  package static func inName(_ name: String, arrived: Int64, order: Order? = nil) -> String? {
    let latest = day(of: arrived / 1000 + 86_400)
    var runs: [Substring] = []
    var separators: [Substring] = []
    var rest = name[...]
    while let start = rest.firstIndex(where: isDigit) {
      separators.append(rest[..<start])
      let end = rest[start...].firstIndex { !isDigit($0) } ?? rest.endIndex
      runs.append(rest[start..<end])
      rest = rest[end...]
    }
    func isJoined(_ index: Int) -> Bool {
      index + 2 < runs.count && separators[index + 1] == separators[index + 2]
        && separators[index + 1].count == 1
    }
    // With the year first there is no other meaning. The last one counts: where procd itself has given
    // the name a date, it stands at the end.
    for (index, run) in runs.enumerated().reversed() {
      // In 15.06.2012.10.30 the year ends a date.
      if index >= 2, isJoined(index - 2), separators[index] != "-" { continue }
      let written =
        run.count == 8
        ? day(run.prefix(4), run.dropFirst(4).prefix(2), run.suffix(2))
        : run.count == 4 && isJoined(index)
          ? day(run, runs[index + 1], runs[index + 2]) : nil
      if let written, written <= latest { return written }
    }
    for index in runs.indices where isJoined(index) {
      let date = readings(runs[index], runs[index + 1], runs[index + 2], order)
        .first { $0 <= latest }
      if let date { return date }
    }
    return nil
  }

  /// What three groups of digits can mean, the likelier first.
  private static func readings(
    _ a: Substring, _ b: Substring, _ c: Substring, _ order: Order?
  ) -> [String] {
    if a.count == 4 { return [day(a, b, c)].compactMap(\.self) }
    guard c.count == 4 else { return [] }
    let dayFirst = day(c, b, a), monthFirst = day(c, a, b)
    switch order {
    case .mdy: return [monthFirst ?? dayFirst].compactMap(\.self)
    case .dmy: return [dayFirst ?? monthFirst].compactMap(\.self)
    case .ymd, nil: return [dayFirst, monthFirst].compactMap(\.self)
    }
  }

  private static func isDigit(_ character: Character) -> Bool {
    ("0"..."9").contains(character)
  }

  private static func day(_ year: Substring, _ month: Substring, _ day: Substring) -> String? {
    guard let y = Int(year), let m = Int(month), let d = Int(day), (1900...2199).contains(y),
      month.count <= 2, day.count <= 2
    else { return nil }
    let date = CalendarDate(y, m, d)
    return date.exists ? date.iso : nil
  }

  /// The day in UTC of a time in seconds since 1970.
  package static func day(of seconds: Int64) -> String {
    CalendarDate.of(secondsSince1970: Int(seconds)).date.iso
  }

  /// A time in milliseconds since 1970 as `2012-06-15T10:00:00Z`.
  package static func time(of milliseconds: Int64) -> String {
    let (date, rest) = CalendarDate.of(secondsSince1970: Int(milliseconds / 1000))
    let clock = [rest / 3600, rest / 60 % 60, rest % 60].map { $0.padded() }
    return "\(date.iso)T\(clock.joined(separator: ":"))Z"
  }

  /// `15 Jun 2012` for `2012-06-15`.
  package static func written(_ iso: String) -> String {
    guard let date = CalendarDate(iso: iso) else { return iso }
    return "\(date.day) \(date.monthName) \(date.year)"
  }
}
