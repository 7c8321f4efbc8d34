package import Crypto
internal import Glibc
internal import SystemPackage

/// A SHA-256 in lower-case hexadecimal digits, as reports and the ledger keep it.
package func hexadecimal(_ digest: SHA256.Digest) -> String {
  var text: [UInt8] = []
  let digits = Array("0123456789abcdef".utf8)
  for byte in digest { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
  return String(decoding: text, as: UTF8.self)
}

/// The SHA-256 of bytes in memory.
package func sha256(_ bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(data: bytes)) }

/// The size and SHA-256 of what was read.
package struct ContentDigest: Sendable, Equatable {
  package var bytes: Int
  package var sha256: String
  package init(bytes: Int, sha256: String) {
    self.bytes = bytes
    self.sha256 = sha256
  }

  /// Of bytes in memory.
  package init(of content: [UInt8]) {
    self.init(bytes: content.count, sha256: hexadecimal(SHA256.hash(data: content)))
  }
}

extension OpenFile {
  /// Reads from the start to the end and hashes.
  package func digest() throws(FileError) -> ContentDigest {
    try unsafe stream { _ throws(FileError) in }
  }

  /// Copies the whole content to another file while hashing; the copy is not synced.
  ///
  /// - Parameter limit: EFBIG is thrown past this many bytes.
  package func copy(
    to target: OpenFile, limit: Int = .max
  ) throws(FileError) -> ContentDigest {
    let descriptor = target.descriptor, path = target.path
    var total = 0
    return try unsafe stream { bytes throws(FileError) in
      total += bytes.count
      guard total <= limit else { throw FileError("copy", path, .fileTooLarge) }
      var offset = 0
      while offset < bytes.count {
        let written = unsafe Glibc.write(
          descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { throw FileError("write", path, Errno(rawValue: errno)) }
        offset += written
      }
    }
  }

  private func stream(
    _ take: (UnsafeRawBufferPointer) throws(FileError) -> Void
  ) throws(FileError) -> ContentDigest {
    var hash = SHA256()
    var position = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { unsafe buffer.deallocate() }
    while true {
      let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, position)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read") }
      if count == 0 { break }
      let chunk = unsafe UnsafeRawBufferPointer(rebasing: buffer[..<count])
      unsafe hash.update(bufferPointer: chunk)
      unsafe try take(chunk)
      position += count
    }
    return ContentDigest(bytes: position, sha256: hexadecimal(hash.finalize()))
  }
}
