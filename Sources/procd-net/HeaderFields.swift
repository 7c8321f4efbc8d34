/// Fields of HTTP messages that are more than a word.
enum HeaderFields {
  // MARK: - Dates (RFC 9110, 5.6.7)

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Seconds since 1970 of a date in any of the three forms; nil where it is none.
  static func seconds(ofDate text: String) -> Int? {
    var day: Int?, month: Int?, year: Int?, clock: [Int]?
    let words = text.split { " ,-".contains($0) }.map { $0.lowercased() }
    guard words.count >= 5, words.count <= 7 else { return nil }
    for word in words {
      if word.contains(":") {
        clock = word.split(separator: ":").compactMap { number($0) }
      } else if let index = months.firstIndex(of: word) {
        month = index + 1
      } else if let number = number(word[...]) {
        if day == nil { day = number } else if year == nil { year = number }
      }
    }
    guard let day, let month, var year, let clock, clock.count == 3, (1...31).contains(day),
      (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    if year < 70 { year += 2000 } else if year < 100 { year += 1900 }
    guard (1970...9999).contains(year) else { return nil }
    return days(year, month, day) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
  }

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 4, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      return nil
    }
    return Int(text)
  }

  /// Days since 1970 of a date of the Gregorian calendar, counted in years that begin in March.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400, inEra = shifted % 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + inEra * 365 + inEra / 4 - inEra / 100 + dayOfYear - 719_468
  }

  // MARK: - Ranges (RFC 9110, 14.4)

  struct ContentRange: Equatable {
    var first: Int
    var last: Int
    /// Nil where the server does not know it.
    var total: Int?
  }

  static func contentRange(_ text: String) -> ContentRange? {
    guard text.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(separator: "/", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    let range = parts[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard range.count == 2, let first = Int(range[0]), let last = Int(range[1]),
      range[0].allSatisfy(\.isNumber), last >= first
    else { return nil }
    if parts[1] == "*" { return ContentRange(first: first, last: last, total: nil) }
    guard let total = Int(parts[1]), total > last else { return nil }
    return ContentRange(first: first, last: last, total: total)
  }

  // MARK: - Names (RFC 6266)

  /// What a server calls the file: `filename*` before `filename`.
  static func fileName(ofDisposition text: String) -> String? {
    var plain: String?, extended: String?
    for (name, value) in parameters(of: text) {
      if name == "filename" { plain = value }
      if name == "filename*" {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { continue }
        extended = percentDecoded(parts[2])
      }
    }
    return extended ?? plain
  }

  private static func parameters(of text: String) -> [(name: String, value: String)] {
    var found: [(String, String)] = []
    var rest = text.drop { $0 != ";" }
    while rest.first == ";" {
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      let name = rest.prefix { $0 != "=" && $0 != ";" }
      rest = rest.dropFirst(name.count)
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      var value = ""
      if rest.first == "\"" {
        rest = rest.dropFirst()
        while let character = rest.popFirst(), character != "\"" {
          value.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
        }
        rest = rest.drop { $0 != ";" }
      } else {
        let word = rest.prefix { $0 != ";" }
        rest = rest.dropFirst(word.count)
        value = String(word.reversed().drop { $0 == " " }.reversed())
      }
      found.append((name.filter { $0 != " " }.lowercased(), value))
    }
    return found
  }

  /// The text with `%41` as `A`; nil where that is no UTF-8.
  static func percentDecoded(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
