internal import Glibc

/// Writes all bytes to a descriptor; false when the reader is gone or the disk is full.
@discardableResult
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  writeAll(bytes.span, to: descriptor)
}

@discardableResult
package func writeAll(_ bytes: Span<UInt8>, to descriptor: Int32) -> Bool {
  var offset = 0
  while offset < bytes.count {
    let written = unsafe bytes.extracting(offset...).withUnsafeBufferPointer { buffer in
      unsafe write(descriptor, buffer.baseAddress, buffer.count)
    }
    if written < 0, errno == EINTR { continue }
    if written < 0, errno == EAGAIN {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = unsafe poll(&waiting, 1, -1)
      continue
    }
    guard written > 0 else { return false }
    offset += written
  }
  return true
}

/// Reads what is there, up to 64 KiB; empty at the end of the stream, nil on an error.
package func readSome(_ descriptor: Int32) -> [UInt8]? {
  while true {
    var count = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65536) { buffer, initialized in
      count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
      initialized = max(0, count)
    }
    if count < 0, errno == EINTR { continue }
    return count < 0 ? nil : bytes
  }
}
