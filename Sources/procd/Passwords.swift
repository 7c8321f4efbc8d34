import Bytes
import Glibc
import PDFSyntax
import PluginKit
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
    Options.text(of: Array(text.utf8)).split(whereSeparator: \.isNewline).map(String.init)
  }
}
