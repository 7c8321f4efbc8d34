internal import CZlib

/// Compresses bytes for the FlateDecode filter (PDF 32000-1, 7.4.4): the zlib format of RFC 1950.
public enum Deflate {
  /// Whether bytes in the zlib format are wrong, do not have their checksum, or stand for more than so many; bytes that
  /// end early are not wrong.
  public static func isBroken(_ bytes: Span<UInt8>, longest: Int) -> Bool {
    let result = Flate.inflate(bytes, limit: longest + 1)
    return result.isBroken || result.bytes.count > longest
  }

  /// The compressed form of `bytes`, or nil where zlib refuses (it has no memory).
  ///
  /// - Parameters:
  ///   - bytes: of any number, none included.
  ///   - level: 1, fastest, to 9, smallest.
  public static func compressed(_ bytes: [UInt8], level: Int = 6) -> [UInt8]? {
    var length = compressBound(UInt(bytes.count))
    var status = Z_OK
    let output = unsafe [UInt8](unsafeUninitializedCapacity: Int(clamping: length)) {
      buffer, initialized in
      status = unsafe compress2(
        buffer.baseAddress, &length, bytes, UInt(bytes.count), Int32(max(1, min(level, 9))))
      initialized = status == Z_OK ? Int(clamping: length) : 0
    }
    return status == Z_OK ? output : nil
  }
}
