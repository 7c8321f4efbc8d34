internal import CZlib

/// Bytes as gzip (RFC 1952), as all browsers unpack them; nil where zlib refuses.
///
/// - Parameter level: from 1, fast, to 9, small.
package func gzipped(_ bytes: [UInt8], level: Int32 = 9) -> [UInt8]? {
  var stream = unsafe z_stream()
  // 15 bits of window, and 16 for the form of gzip.
  guard
    unsafe deflateInit2_(
      &stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)) == Z_OK
  else { return nil }
  defer { unsafe deflateEnd(&stream) }
  var input = bytes
  let room = unsafe Int(deflateBound(&stream, UInt(bytes.count)))
  var isWhole = false
  let packed = unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
    unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = UInt32(clamping: input.count)
      unsafe stream.next_out = output.baseAddress
      unsafe stream.avail_out = UInt32(clamping: room)
      isWhole = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
      count = unsafe room - Int(stream.avail_out)
    }
  }
  return isWhole ? packed : nil
}
