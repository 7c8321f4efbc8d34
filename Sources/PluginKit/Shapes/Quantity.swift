/// Numbers with units, as configurations write them.
public enum Quantity {
  /// Milliseconds of `250ms`, `2s`, `5m`, `1h`, `30d`; nil for anything else.
  public static func milliseconds(_ text: String) -> Int? {
    amount(text, units: ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000])
  }

  /// Bytes of `100B`, `512KiB`, `64MiB`, `2GiB`, `1TiB`, `1KB`, `1MB`, `1GB`.
  public static func bytes(_ text: String) -> Int? {
    amount(
      text,
      units: [
        "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "KB": 1000,
        "MB": 1_000_000, "GB": 1_000_000_000,
      ])
  }

  /// Pixels of `250Mpx`, `800kpx`, `12px`.
  public static func pixels(_ text: String) -> Int? {
    amount(text, units: ["px": 1, "kpx": 1000, "Mpx": 1_000_000, "Gpx": 1_000_000_000])
  }

  /// Whether a text is a day of the Gregorian calendar as ISO 8601 writes it: `2026-11-25`.
  public static func isDay(_ text: String) -> Bool {
    guard let match = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/),
      let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
      (1...12).contains(month)
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[month - 1]).contains(day)
  }

  /// Permission bits of `0640` or `640`; nil for anything else, for set-user-identity and the like, and
  /// where the owner may not read and write.
  public static func permissions(_ text: String) -> UInt32? {
    guard (3...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
      let bits = UInt32(text, radix: 8), bits <= 0o777, bits & 0o600 == 0o600
    else { return nil }
    return bits
  }

  private static func amount(_ text: String, units: [String: Int]) -> Int? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }
    guard let scale = units[String(unit)], digits.first != ".", digits.last != ".",
      let number = Double(digits), number.isFinite
    else {
      return nil
    }
    return Int(exactly: (number * Double(scale)).rounded())
  }
}
