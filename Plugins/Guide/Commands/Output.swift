internal import Glibc
internal import PluginKit

/// Writes what commands say.
enum Output {
  static func print(_ text: String) { print(Array(text.utf8)) }

  static func print(_ bytes: [UInt8]) { _ = write(bytes, to: 1) }

  static func complain(_ text: String) { _ = write(Array("\(text)\n".utf8), to: 2) }

  /// Writes a result: a file, or standard output for `-`.
  static func write(_ bytes: [UInt8], to path: String) throws(PluginFailure) {
    let descriptor =
      path == "-" ? 1 : unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0, write(bytes, to: descriptor) else {
      throw .writing("the result", errno: errno)
    }
    if descriptor > 1, close(descriptor) != 0 { throw .writing("the result", errno: errno) }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(
          descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      offset += written
    }
    return true
  }
}
