/// Finds the date of an edition.
package enum EditionDate {
  /// The date in a file's name, as `2012-06-15`, `20120615`, `15.06.2012` or `15-06-2012`; YYYY-MM-DD.
  package static func inName(_ name: String) -> String? {
    var runs: [Substring] = []
    var separators: [Substring] = []
    var rest = name[...]
    while let start = rest.firstIndex(where: isDigit) {
      separators.append(rest[..<start])
      let end = rest[start...].firstIndex { !isDigit($0) } ?? rest.endIndex
      runs.append(rest[start..<end])
      rest = rest[end...]
    }
    for run in runs where run.count == 8 {
      if let date = day(run.prefix(4), run.dropFirst(4).prefix(2), run.suffix(2)) { return date }
    }
    for index in runs.indices.dropLast(2) {
      let (a, b, c) = (runs[index], runs[index + 1], runs[index + 2])
      guard separators[index + 1] == separators[index + 2], separators[index + 1].count == 1 else {
        continue
      }
      if a.count == 4, let date = day(a, b, c) { return date }
      if c.count == 4, let date = day(c, b, a) { return date }
    }
    return nil
  }

  private static func isDigit(_ character: Character) -> Bool {
    ("0"..."9").contains(character)
  }

  private static func day(_ year: Substring, _ month: Substring, _ day: Substring) -> String? {
    guard let y = Int(year), let m = Int(month), let d = Int(day), (1900...2199).contains(y),
      (1...12).contains(m), (1...31).contains(d), month.count <= 2, day.count <= 2
    else { return nil }
    return written(y, m, d)
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

  private static func written(_ year: Int, _ month: Int, _ day: Int) -> String {
    func padded(_ value: Int, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}
