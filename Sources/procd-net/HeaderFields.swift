import CCurl
import Glibc

/// Fields of HTTP messages that are more than a word.
enum HeaderFields {
  /// Seconds since 1970 of a date in any of the three forms (RFC 9110, 5.6.7); nil where it is none.
  static func seconds(ofDate text: String) -> Int? {
    let seconds = unsafe curl_getdate(text, nil)
    return seconds < 0 ? nil : seconds
  }

  /// The date that stands for seconds since 1970, as servers write it.
  static func date(ofSeconds seconds: Int) -> String? {
    var time = time_t(seconds)
    var parts = unsafe tm()
    guard unsafe gmtime_r(&time, &parts) != nil else { return nil }
    var text = [CChar](repeating: 0, count: 64)
    let count = unsafe strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return count == 0 ? nil : String(decoding: text[..<count].map(UInt8.init), as: UTF8.self)
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
    var count: Int32 = 0
    let text = String(text)
    guard let bytes = unsafe curl_easy_unescape(nil, text, Int32(text.utf8.count), &count) else {
      return nil
    }
    defer { unsafe curl_free(bytes) }
    return unsafe String(
      validating: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
  }
}
