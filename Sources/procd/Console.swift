import PlainText
import PluginKit

/// Standard error, line by line.
enum Console {
  static func complain(_ text: String) {
    // Where even this cannot be written there is nobody left to tell.
    writeAll(Array("procd: \(text.plain)\n".utf8), to: 2)
  }
}
