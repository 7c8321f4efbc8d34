internal import Glibc
internal import PluginKit

/// A file that is made here and nowhere else: creating it fails where one of the name is there.
final class OutputFile {
  private var descriptor: Int32

  init(creating path: String) throws(PluginFailure) {
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw Self.failure("created", errno) }
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  func write(_ bytes: [UInt8]) throws(PluginFailure) { try write(bytes.span) }

  func write(_ bytes: Span<UInt8>) throws(PluginFailure) {
    var written = 0
    while written < bytes.count {
      let rest = bytes.extracting(written...)
      let count = unsafe rest.withUnsafeBufferPointer { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.failure("written", errno)
      }
      written += count
    }
  }

  /// Closes the file; an error that was put off until now is thrown.
  func close() throws(PluginFailure) {
    let status = Glibc.close(descriptor)
    descriptor = -1
    guard status == 0 else { throw Self.failure("closed", errno) }
  }

  private static func failure(_ what: String, _ number: Int32) -> PluginFailure {
    switch number {
    case ENOSPC, EDQUOT, EIO, EROFS, EFBIG: .writing("the result", errno: number)
    default:
      PluginFailure(
        .internal, "file.write",
        "an output file cannot be \(what): \(unsafe String(cString: strerror(number)))")
    }
  }
}
