internal import Bytes
internal import Dates

/// Finds the date of an edition.
package enum EditionDate {
  /// The date of a list.
  ///
  /// - Parameters:
  ///   - modified: when its file was last changed, seconds since 1970.
  ///   - arrived: milliseconds since 1970.
  ///   - order: how dates of digits are meant: `dmy`, `mdy` or `ymd`.
  /// - Returns: YYYY-MM-DD: what the name says, or else the day of the last change, which is not after the
  ///   day of arrival.
  package static func of(
    _ name: String, modified: Int64, arrived: Int64, order: String? = nil
  ) -> (date: String, isInName: Bool) {
    let written = inName(name, arrived: arrived, order: order)
    return (written ?? min(day(of: modified), day(of: arrived / 1000)), written != nil)
  }

  /// The date in a file's name, as `2012-06-15`, `20120615`, `15.06.2012`, `15 June 2012`, `Jun-15-2012` or `15.6.12`;
  /// YYYY-MM-DD.
  ///
  /// No list is dated after the day on which it came, so what would be is no date, with a day to spare
  /// for time zones. What could be two dates still is the one of the order, or begins with the day.
  ///
  /// - Parameters:
  ///   - arrived: milliseconds since 1970.
  ///   - order: how dates of digits are meant: `dmy`, `mdy` or `ymd`.
  package static func inName(_ name: String, arrived: Int64, order: String? = nil) -> String? {
    let latest = day(of: arrived / 1000 + 86_400), order = order.flatMap(DateOrder.init)
    var runs: [Substring] = []
    // What stands before each run of digits, and behind the last.
    var separators: [Substring] = []
    var rest = name[...]
    while let start = rest.firstIndex(where: isDigit) {
      separators.append(rest[..<start])
      let end = rest[start...].firstIndex { !isDigit($0) } ?? rest.endIndex
      runs.append(rest[start..<end])
      rest = rest[end...]
    }
    separators.append(rest)
    func isJoined(_ index: Int) -> Bool {
      index + 2 < runs.count && separators[index + 1] == separators[index + 2]
        && separators[index + 1].count == 1
    }
    func meaning(_ index: Int) -> String? {
      let mark = separators[index + 1] == "." ? "." : "-"
      return Self.meaning(runs[index...index + 2].joined(separator: mark), order, latest)
    }
    // With the year first there is no other meaning. The last one counts: where procd itself has given
    // the name a date, it stands at the end.
    for (index, run) in runs.enumerated().reversed() {
      // In 15.06.2012.10.30 the year ends a date.
      if index >= 2, isJoined(index - 2), separators[index] != "-" { continue }
      let written =
        run.count == 8
        ? Self.meaning(
          "\(run.prefix(4))-\(run.dropFirst(4).prefix(2))-\(run.suffix(2))", nil, latest)
        : run.count == 4 && isJoined(index) ? meaning(index) : nil
      if let written { return written }
    }
    let joined = runs.indices.filter(isJoined)
    /// Three numbers may be much else than a date with a year of two digits: a version, a part of more numbers.
    func standsAlone(_ index: Int) -> Bool {
      let mark = separators[index + 1], next = separators[index + 3]
      return [".", "-", "_"].contains(mark) && separators[index].last?.isLetter != true
        && next.first?.isLetter != true && (index == 0 || separators[index] != mark)
        && (index + 3 == runs.count || next != mark)
    }
    return joined.lazy.filter { max(runs[$0].count, runs[$0 + 2].count) == 4 }
      .compactMap(meaning).first
      ?? withMonthName(name, latest)
      ?? joined.lazy.filter { runs[$0 + 2].count == 2 && standsAlone($0) }.compactMap(meaning).first
  }

  /// What a date can mean: of those that are possible, the likeliest.
  private static func meaning(_ text: String, _ order: DateOrder?, _ latest: String) -> String? {
    guard let date = PrintedDate(text) else { return nil }
    let orders = [order, .dayMonthYear, .monthDayYear, .yearMonthDay].compactMap(\.self)
    let readings = orders.compactMap { date.iso($0) }.prefix(order == nil ? orders.count : 1)
    let possible = readings.filter { ("1900"...latest).contains($0) }
    // In 24-07-15 the year stands first where it is nearer then.
    return date.usualOrder != nil ? possible.first : possible.max { $0.prefix(4) < $1.prefix(4) }
  }

  /// The date of a name that has the month by its name; one whose year has two digits where there is no other.
  private static func withMonthName(_ name: String, _ latest: String) -> String? {
    var words: [String] = []
    var last: Character?
    for character in name.lowercased() {
      if isDigit(character) || character.isLetter {
        if let last, isDigit(last) == isDigit(character), isDigit(last) || last.isLetter {
          words[words.count - 1].append(character)
        } else {
          words.append(String(character))
        }
      }
      last = character
    }
    words.removeAll(where: between.contains)
    var found: [(date: String, isLong: Bool)] = []
    for index in words.indices where MonthNames.isName(words[index]) {
      var starts = index > 0 ? [index - 1] : []
      // In English alone the month stands first.
      if MonthNames.isEnglish(words[index]), index + 1 < words.count, words[index + 1].count <= 2 {
        starts.append(index)
      }
      for start in starts {
        let parts = words.dropFirst(start).prefix(3)
        guard let date = meaning(parts.joined(separator: " "), nil, latest) else { continue }
        found.append((date, parts.contains { $0.count == 4 && $0.allSatisfy(isDigit) }))
      }
    }
    return (found.first(where: \.isLong) ?? found.first)?.date
  }

  /// What may stand between day, month and year.
  private static let between: Set<String> = ["st", "nd", "rd", "th", "er", "of", "de", "del"]

  private static func isDigit(_ character: Character) -> Bool {
    ("0"..."9").contains(character)
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
