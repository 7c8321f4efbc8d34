/// Which channels are kept: by identifier or name, with `*` for any letters.
struct ChannelFilter {
  private let patterns: [[UInt8]]

  init(_ patterns: [String]) { self.patterns = patterns.map(Self.plain).filter { !$0.isEmpty } }

  func wants(_ names: [String]) -> Bool {
    patterns.isEmpty
      || names.contains { name in
        let name = Self.plain(name)
        return patterns.contains { Self.matches(name, $0) }
      }
  }

  /// Case does not count.
  private static func plain(_ text: String) -> [UInt8] { Array(text.lowercased().utf8) }

  static func matches(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    var index = 0, place = 0, star: Int?, retry = 0
    while index < text.count {
      if place < pattern.count, pattern[place] == 0x2A {
        star = place
        retry = index
        place += 1
      } else if place < pattern.count, pattern[place] == text[index] {
        index += 1
        place += 1
      } else if let back = star {
        // The star takes one letter more.
        retry += 1
        index = retry
        place = back + 1
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == 0x2A }
  }
}
