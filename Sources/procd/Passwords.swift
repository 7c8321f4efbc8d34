import Bytes
import Glibc
import PDFSyntax
import ReadingArguments

/// The passwords that a command was given, read before the process confines itself.
enum Passwords {
  struct Unreadable: Error {
    var file: String
    var reason: String
  }

  /// Those of `--password`, of the file of `--passwords` and of the environment, in this order.
  static func all(_ options: ReadingOptions) throws(Unreadable) -> [String] {
    var all: [String] = []
    if let password = options.password { all.append(password) }
    if let file = options.passwords {
      let bytes: FileBytes
      do { bytes = try Source(file).read() } catch {
        throw Unreadable(file: file, reason: error.reason)
      }
      all += lines(String(decoding: bytes.span.array(0..<limit), as: UTF8.self))
    }
    if let value = unsafe getenv("PROCD_PASSWORDS") {
      all += lines(unsafe String(cString: value))
    }
    return all
  }

  /// The largest file of passwords; more would not be tried.
  private static let limit = 64 << 10

  private static func lines(_ text: String) -> [String] {
    // Editors of Windows begin a file with a byte order mark.
    let text =
      text.unicodeScalars.first == "\u{FEFF}"
      ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
    return String(text).split(whereSeparator: \.isNewline).map(String.init)
  }
}
