internal import Bytes
internal import Dates

extension CalendarDate {
  /// `YYYY-MM-DD` or `YYYYMMDD`, of a year that a guide may be of.
  init?(_ text: String) {
    let digits = text.utf8.filter { $0 != 0x2D }
    guard digits.count == 8, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    self.init(number / 10_000, number / 100 % 100, number % 100)
    guard Limits.years.contains(year), exists else { return nil }
  }
}

/// Times as XMLTV writes them: `20260105201500 +0100`, with parts left out at the end.
enum GuideTime {
  /// Seconds since 1970 in UTC; nil for what is no time.
  ///
  /// - Parameter zone: where a time names none.
  static func parse(_ bytes: [UInt8], _ zone: inout LocalZone) -> Int64? {
    var digits = 0, index = 0, fields = (date: 0, clock: 0)
    while index < bytes.count, digits < 14 {
      let byte = bytes[index]
      if byte >= 0x30, byte <= 0x39 {
        if digits < 8 {
          fields.date = fields.date * 10 + Int(byte - 0x30)
        } else {
          fields.clock = fields.clock * 10 + Int(byte - 0x30)
        }
        digits += 1
      } else if byte == 0x3A || byte == 0x54 || byte == 0x2D && digits < 12 {
        // Some write 2026-01-05T20:15:00.
        guard digits >= 4 else { return nil }
      } else if byte <= 0x20, digits == 8, index + 1 < bytes.count,
        (0x30...0x39).contains(bytes[index + 1])
      {
        // Some write 20260105 201500.
      } else {
        break
      }
      index += 1
    }
    guard digits >= 8, digits % 2 == 0 else { return nil }
    for _ in stride(from: digits, to: 14, by: 2) { fields.clock *= 100 }
    let date = CalendarDate(fields.date / 10_000, fields.date / 100 % 100, fields.date % 100)
    let hours = fields.clock / 10_000, minutes = fields.clock / 100 % 100
    let seconds = fields.clock % 100
    // A 30 February is taken for 1 or 2 March.
    guard Limits.years.contains(date.year), (1...12).contains(date.month),
      (1...31).contains(date.day), hours <= 24, minutes < 60, seconds <= 60
    else { return nil }
    let clock = Int64(date.daysSince1970) * 86_400 + Int64(hours * 3600 + minutes * 60 + seconds)
    if let offset = offset(bytes, from: index) { return clock - offset }
    return zone.time(ofClock: clock)
  }

  /// Seconds ahead of UTC; nil where nothing is said that is understood.
  private static func offset(_ bytes: [UInt8], from: Int) -> Int64? {
    var index = from
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    guard index < bytes.count else { return nil }
    let sign = bytes[index]
    if sign == 0x2B || sign == 0x2D {
      var value: Int64 = 0, digits = 0
      index += 1
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        if byte == 0x3A { continue }
        guard byte >= 0x30, byte <= 0x39, digits < 4 else { break }
        value = value * 10 + Int64(byte - 0x30)
        digits += 1
      }
      if digits == 2 { value *= 100 } else if digits != 4 { return nil }
      let seconds = value / 100 * 3600 + value % 100 * 60
      // The real ones go from -12:00 to +14:00.
      guard seconds <= 18 * 3600 else { return nil }
      return sign == 0x2D ? -seconds : seconds
    }
    var name: [UInt8] = []
    while index < bytes.count, bytes[index] != 0x20, name.count < 8 {
      name.append(bytes[index])
      index += 1
    }
    return names[String(decoding: name, as: UTF8.self).uppercased()].map { $0 * 3600 }
  }

  /// Names that guides use; they are not of the standard, and each is taken in its most common sense.
  private static let names: [String: Int64] = [
    "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "BST": 1, "WEST": 1, "CET": 1, "MEZ": 1, "CEST": 2,
    "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5,
    "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
  ]
}
