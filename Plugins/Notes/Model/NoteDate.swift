internal import Bytes

/// A time of day on a date, with its zone where that is known.
struct NoteDate: Sendable, Equatable {
  var year: Int
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  /// Minutes east of UTC; nil where nothing is said of it.
  var zone: Int?

  init(
    year: Int, month: Int = 1, day: Int = 1, hour: Int = 0, minute: Int = 0, second: Int = 0,
    zone: Int? = nil
  ) {
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second, self.zone) = (hour, minute, second, zone)
  }

  private var isPossible: Bool {
    (1...12).contains(month) && (1...31).contains(day) && (0...23).contains(hour)
      && (0...59).contains(minute) && (0...60).contains(second)
      && (zone ?? 0).magnitude < 24 * 60
  }

  // MARK: D:YYYYMMDDHHmmSSOHH'mm'

  /// A date of a PDF (PDF 32000-1, 7.9.4); what is missing at its end counts as the beginning.
  init?(pdf text: String) {
    var rest = Substring(text.filter { !$0.isWhitespace })[...]
    if rest.hasPrefix("D:") { rest = rest.dropFirst(2) }
    guard let year = Self.digits(&rest, 4) else { return nil }
    self.init(year: year)
    if let month = Self.digits(&rest, 2) {
      self.month = month
      if let day = Self.digits(&rest, 2) {
        self.day = day
        hour = Self.digits(&rest, 2) ?? 0
        minute = Self.digits(&rest, 2) ?? 0
        second = Self.digits(&rest, 2) ?? 0
      }
    }
    zone = Self.zone(&rest)
    if !isPossible { return nil }
  }

  var pdf: String {
    let time = [month, day, hour, minute, second].map { $0.padded() }.joined()
    return "D:" + year.padded(to: 4) + time + (zone.map { Self.zone($0, "'") + "'" } ?? "")
  }

  // MARK: ISO 8601

  init?(iso text: String) {
    var rest = Substring(text)
    guard let year = Self.digits(&rest, 4) else { return nil }
    self.init(year: year)
    guard Self.skip(&rest, "-"), let month = Self.digits(&rest, 2), Self.skip(&rest, "-"),
      let day = Self.digits(&rest, 2)
    else { return nil }
    (self.month, self.day) = (month, day)
    if Self.skip(&rest, "T") || Self.skip(&rest, " ") {
      guard let hour = Self.digits(&rest, 2), Self.skip(&rest, ":"),
        let minute = Self.digits(&rest, 2)
      else { return nil }
      (self.hour, self.minute) = (hour, minute)
      if Self.skip(&rest, ":") {
        guard let second = Self.digits(&rest, 2) else { return nil }
        self.second = second
        if Self.skip(&rest, ".") { rest = rest.drop { $0.isASCII && $0.isNumber } }
      }
      if !rest.isEmpty {
        guard let zone = Self.zone(&rest) else { return nil }
        self.zone = zone
      }
    }
    guard rest.isEmpty, isPossible else { return nil }
  }

  var iso: String {
    let time = [hour, minute, second].map { $0.padded() }.joined(separator: ":")
    return "\(CalendarDate(year, month, day).iso)T\(time)"
      + (zone.map { $0 == 0 ? "Z" : Self.zone($0, ":") } ?? "")
  }

  /// Of seconds since 1970, in UTC.
  init(secondsSince1970 seconds: Int) {
    let (date, rest) = CalendarDate.of(secondsSince1970: seconds)
    self.init(
      year: date.year, month: date.month, day: date.day, hour: rest / 3600,
      minute: rest / 60 % 60, second: rest % 60, zone: 0)
  }

  // MARK: Parts

  private static func digits(_ text: inout Substring, _ count: Int) -> Int? {
    let digits = text.utf8.prefix(count)
    guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    let value = Int(text.prefix(count))
    text = text.dropFirst(count)
    return value
  }

  private static func skip(_ text: inout Substring, _ character: Character) -> Bool {
    guard text.first == character else { return false }
    text = text.dropFirst()
    return true
  }

  /// `Z`, `+02'00'`, `+02:00`, `+0200` or `+02`.
  private static func zone(_ text: inout Substring) -> Int? {
    if skip(&text, "Z") || skip(&text, "z") {
      text = text.drop { $0 == "0" || $0 == "'" }
      return 0
    }
    let sign = text.first == "-" ? -1 : 1
    guard skip(&text, "+") || skip(&text, "-"), let hours = digits(&text, 2) else { return nil }
    _ = skip(&text, "'") || skip(&text, ":")
    let minutes = digits(&text, 2) ?? 0
    _ = skip(&text, "'")
    guard hours < 24, minutes < 60 else { return nil }
    return sign * (hours * 60 + minutes)
  }

  private static func zone(_ minutes: Int, _ separator: String) -> String {
    let size = Int(minutes.magnitude)
    return (minutes < 0 ? "-" : "+") + (size / 60).padded() + separator + (size % 60).padded()
  }
}
