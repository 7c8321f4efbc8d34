internal import Bytes
internal import Glibc
internal import PluginKit

/// A new file that is written from its beginning to its end, 64 KiB at a time.
final class FileOutput {
  /// What people call the file.
  let name: String
  private let descriptor: Int32
  private var buffer = ByteWriter(reserving: 1 << 16)
  private var flushed = 0

  init(path: String, name: String) throws(PluginFailure) {
    self.name = name
    descriptor = try Self.create(path, name)
  }

  deinit { close(descriptor) }

  /// Bytes so far.
  var count: Int { flushed + buffer.count }

  func write(_ fill: (inout ByteWriter) -> Void) throws(PluginFailure) {
    fill(&buffer)
    if buffer.count >= 1 << 16 { try flush() }
  }

  func write(_ text: String) throws(PluginFailure) { try write { $0.append(text) } }

  func flush() throws(PluginFailure) {
    let bytes = buffer.bytes
    buffer = ByteWriter(reserving: 1 << 16)
    var offset = 0
    while offset < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { raw in
        unsafe Glibc.write(descriptor, raw.baseAddress?.advanced(by: offset), raw.count - offset)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw Self.failure(name, errno) }
      offset += written
    }
    flushed += bytes.count
  }

  // MARK: Files

  /// Creates a file and opens it for writing.
  static func create(_ path: String, _ name: String) throws(PluginFailure) -> Int32 {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure(name, errno) }
    return descriptor
  }

  static func failure(_ name: String, _ code: Int32) -> PluginFailure {
    code == EFBIG ? tooLarge(name) : .writing(name, errno: code)
  }

  static func tooLarge(_ name: String) -> PluginFailure {
    PluginFailure(
      .input, "limit.output", "\(name) would be larger than limits.output allows",
      hint: "raise \"output\" in defaults.limits, or leave the WAV file out")
  }
}
