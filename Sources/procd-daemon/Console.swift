import Glibc
import PluginKit

/// Output for people and for programs.
enum Console {
  static let isTerminal = isatty(1) == 1
  static let errorsToTerminal = isatty(2) == 1

  static func print(_ text: String, end: String = "\n") {
    writeAll(Array((text + end).utf8), to: 1)
  }

  static func complain(_ text: String, end: String = "\n") {
    writeAll(Array((text + end).utf8), to: 2)
  }

  static func print(_ json: JSON) { writeAll(json.text, to: 1) }

  /// Text with control characters made harmless: file names may hold anything.
  static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : $0 }))
  }
}
