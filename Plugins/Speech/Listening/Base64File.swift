internal import Bytes
internal import Glibc
internal import PluginKit

/// Copies a file in base64 (RFC 4648), a piece at a time.
enum Base64File {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The bytes of a file; the greatest number where it cannot be looked at.
  static func size(_ path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : .max
  }

  static func copy(_ path: String, to output: FileOutput) throws(PluginFailure) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw FileOutput.failure("audio.opus", errno) }
    defer { close(descriptor) }
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 48 << 10)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { raw in
        unsafe read(descriptor, raw.baseAddress, raw.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileOutput.failure("audio.opus", errno) }
      let bytes = rest + buffer.prefix(count)
      // Groups of three bytes; only the end of the file may fill one up.
      let whole = count == 0 ? bytes.count : bytes.count - bytes.count % 3
      try output.write { $0.append(contentsOf: encoded(bytes.prefix(whole))) }
      rest = Array(bytes.dropFirst(whole))
      if count == 0 { return }
    }
  }

  static func encoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let left = bytes.endIndex - index
      let first = bytes[index]
      let second = left > 1 ? bytes[index + 1] : 0
      let third = left > 2 ? bytes[index + 2] : 0
      text.append(alphabet[Int(first >> 2)])
      text.append(alphabet[Int(first & 3) << 4 | Int(second >> 4)])
      text.append(left > 1 ? alphabet[Int(second & 15) << 2 | Int(third >> 6)] : 0x3D)
      text.append(left > 2 ? alphabet[Int(third & 63)] : 0x3D)
      index += 3
    }
    return text
  }
}
