internal import CLinux
internal import Glibc
package import SystemPackage

/// An open file, closed when the last one who knows it is done.
package final class OpenFile: Sendable {
  package let descriptor: Int32
  package let path: FilePath

  init(descriptor: Int32, path: FilePath) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  /// A second descriptor of the same opening; the caller closes it.
  func duplicate() -> Int32 { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }

  func failure(_ operation: String) -> FileError {
    FileError(operation, path, Errno(rawValue: errno))
  }

  package func status() throws(FileError) -> FileStatus {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure("look at") }
    return FileStatus(status)
  }

  /// Makes content and size durable. An error is final for this file: after one the kernel may
  /// have dropped what was not written, and a second call would claim success.
  package func sync() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw failure("sync") }
  }

  /// Writes all bytes at the current position.
  package func write(_ bytes: Span<UInt8>) throws(FileError) {
    var offset = 0
    while offset < bytes.count {
      let written = unsafe bytes.withUnsafeBufferPointer { buffer in
        unsafe Glibc.write(
          descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw failure("write") }
      offset += written
    }
  }

  /// Up to so many bytes from an offset on, fewer where the file ends before.
  package func bytes(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    guard offset >= 0, count > 0 else { return [] }
    var got = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      repeat {
        got = unsafe pread(descriptor, buffer.baseAddress, count, offset)
      } while got < 0 && errno == EINTR
      initialized = max(0, got)
    }
    guard got >= 0 else { throw failure("read") }
    return bytes
  }

  /// The first bytes, however long the file is.
  package func beginning(_ most: Int) throws(FileError) -> [UInt8] {
    try bytes(at: 0, count: min(most, try status().size))
  }

  /// Reads the rest of the file, up to a limit in bytes.
  ///
  /// - Throws: EFBIG where the file is larger.
  package func readAll(limit: Int = 64 << 20) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      var count = 0
      let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, initialized in
        count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        initialized = max(0, count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read") }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { throw FileError("read", path, .fileTooLarge) }
      bytes += chunk
    }
  }

  /// What became of the wish for a read lease (fcntl(2), F_SETLEASE).
  package enum Lease: Sendable { case held, writerPresent, unavailable }

  /// Asks for a read lease: granted only while no process has the file open for writing.
  package func takeLease() -> Lease {
    if clinux_set_lease(descriptor, Int32(CLINUX_LEASE_READ)) == 0 { return .held }
    return errno == EAGAIN ? .writerPresent : .unavailable
  }

  /// Whether the read lease stands unbroken.
  package func holdsLease() -> Bool {
    clinux_get_lease(descriptor) == Int32(CLINUX_LEASE_READ)
  }

  /// Gives the lease up at once: left to close, a child that inherited the descriptor would keep a
  /// writer waiting.
  package func dropLease() { _ = clinux_set_lease(descriptor, Int32(CLINUX_LEASE_NONE)) }

  package func setModified(_ time: FileTime) throws(FileError) {
    guard clinux_set_modification_time(descriptor, time.seconds, time.nanoseconds) == 0 else {
      throw failure("set the time of")
    }
  }

  /// The value of an extended attribute; nil where the file has none of that name, and of file systems without any.
  package func attribute(_ name: String) -> [UInt8]? { Files.attribute(name, of: descriptor) }

  /// Gives the file an extended attribute.
  ///
  /// - Returns: whether the file system took it.
  @discardableResult
  package func setAttribute(_ name: String, _ value: [UInt8]) -> Bool {
    Files.setAttribute(name, value, of: descriptor)
  }

  package func setMode(_ mode: UInt32) throws(FileError) {
    guard fchmod(descriptor, mode) == 0 else { throw failure("set the mode of") }
  }

  /// Sets the group where this process may; false where it may not.
  package func setGroup(_ group: UInt32) -> Bool { fchown(descriptor, .max, group) == 0 }
}

/// The value of an extended attribute of what is open; nil where there is none.
func attribute(_ name: String, of descriptor: Int32) -> [UInt8]? {
  let longest = 64 << 10
  let value = unsafe [UInt8](unsafeUninitializedCapacity: longest) { buffer, count in
    count = unsafe max(0, clinux_get_attribute(descriptor, name, buffer.baseAddress, longest))
  }
  return value.isEmpty ? nil : value
}

/// - Returns: whether the file system took it.
func setAttribute(_ name: String, _ value: [UInt8], of descriptor: Int32) -> Bool {
  unsafe value.withUnsafeBytes { bytes in
    unsafe clinux_set_attribute(descriptor, name, bytes.baseAddress, bytes.count) == 0
  }
}
