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
      (1...12).contains(m), (1...days(of: m, in: y)).contains(d), month.count <= 2, day.count <= 2
    else { return nil }
    return written(y, m, d)
  }

  private static func days(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The day in UTC of a time in seconds since 1970.
  package static func day(of seconds: Int64) -> String {
    // Days to a date of the Gregorian calendar, counted from 1 March of year 0.
    var days = seconds / 86_400
    if seconds % 86_400 < 0 { days -= 1 }
    days += 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let inEra = days - era * 146_097
    let year = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
    let inYear = inEra - (365 * year + year / 4 - year / 100)
    let shifted = (5 * inYear + 2) / 153
    let day = inYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return written(Int(year + era * 400 + (month <= 2 ? 1 : 0)), Int(month), Int(day))
  }

  /// A time in milliseconds since 1970 as `2012-06-15T10:00:00Z`.
  package static func time(of milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000
    let inDay = ((seconds % 86_400) + 86_400) % 86_400
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(day(of: seconds))T\(two(inDay / 3600)):\(two(inDay / 60 % 60)):\(two(inDay % 60))Z"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `15 Jun 2012` for `2012-06-15`.
  package static func written(_ iso: String) -> String {
    let parts = iso.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, months.indices.contains(parts[1] - 1) else { return iso }
    return "\(parts[2]) \(months[parts[1] - 1]) \(parts[0])"
  }

  private static func written(_ year: Int, _ month: Int, _ day: Int) -> String {
    func padded(_ value: Int, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}
