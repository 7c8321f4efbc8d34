import Glibc
import Pipelines
import PluginKit

/// The body that is being received, and what is known of it, so that the next process can go on where
/// this one broke off. Both files are opened before the process confines itself.
final class PartialDownload: Sendable {
  private let body: Int32
  private let notes: Int32
  private let url: String

  /// What is there of an earlier download.
  struct Rest: Equatable {
    var bytes: Int
    /// The entity tag or date that the server gave it.
    var validator: String
  }

  /// - Parameter url: as the request has it, before redirects.
  init(folder: String, url: String) throws(NetAnswer.Failure) {
    self.url = url
    func opened(_ name: String) -> Int32 {
      unsafe open("\(folder)/\(name)", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    body = opened(NetRequest.Fetch.bodyName)
    notes = opened(NetRequest.Fetch.partialName)
    guard body >= 0, notes >= 0 else { throw Self.failure() }
  }

  /// What can be resumed; nil where there is nothing, or nothing is known of it.
  func rest() -> Rest? {
    var status = stat()
    guard unsafe fstat(body, &status) == 0, status.st_size > 0 else { return nil }
    let text = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, unsafe pread(notes, buffer.baseAddress, buffer.count, 0))
    }
    guard let json = try? JSONReader.read(text).value, json["url"]?.stringValue == url,
      let validator = json["validator"]?.stringValue
    else { return nil }
    return Rest(bytes: Int(status.st_size), validator: validator)
  }

  /// Forgets what was there and notes what comes now.
  ///
  /// - Parameter validator: nil where the server gives nothing by which it could be resumed.
  func begin(validator: String?, total: Int?) throws(NetAnswer.Failure) {
    // In this order: notes never speak of bytes that are another file's.
    guard ftruncate(notes, 0) == 0, ftruncate(body, 0) == 0 else { throw Self.failure() }
    let json: JSON = [
      "url": .string(url), "validator": validator.map { .string($0) },
      "total": total.map { .integer($0) },
    ]
    try write(json.line, to: notes, at: 0)
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(NetAnswer.Failure) {
    try write(bytes, to: body, at: offset)
  }

  /// The first bytes of what was received.
  func beginning(_ count: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, unsafe pread(body, buffer.baseAddress, count, 0))
    }
  }

  /// The last bytes before `end`.
  func ending(_ count: Int, before end: Int) -> [UInt8] {
    let start = max(0, end - count)
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, unsafe pread(body, buffer.baseAddress, end - start, start))
    }
  }

  /// All is there: made durable, and nothing is left to be resumed.
  func finish() throws(NetAnswer.Failure) {
    guard fsync(body) == 0, ftruncate(notes, 0) == 0 else { throw Self.failure() }
  }

  func discard() {
    _ = ftruncate(notes, 0)
    _ = ftruncate(body, 0)
  }

  private func write(
    _ bytes: [UInt8], to descriptor: Int32, at start: Int
  ) throws(NetAnswer.Failure) {
    var offset = 0
    while offset < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset,
          start + offset)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw Self.failure() }
      offset += written
    }
  }

  private static func failure() -> NetAnswer.Failure {
    let reason = unsafe String(cString: strerror(errno))
    return NetAnswer.Failure(
      "net.disk", "what was received could not be written: \(reason)", isPassing: true)
  }
}
