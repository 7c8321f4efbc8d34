public import PDFSyntax

extension PDFStream {
  /// A stream whose bytes are compressed with FlateDecode where that makes them smaller.
  public static func compressed(_ dictionary: PDFDictionary = [:], bytes: [UInt8]) -> PDFStream {
    guard let packed = Deflate.compressed(bytes), packed.count + 20 < bytes.count else {
      return PDFStream(dictionary, bytes: bytes)
    }
    var dictionary = dictionary
    dictionary["Filter"] = .name("FlateDecode")
    return PDFStream(dictionary, bytes: packed)
  }
}

/// The bytes of a whole number, the highest first, as fonts, profiles and JBIG2 have it.
func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
  (1...value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (value.bitWidth - 8 * $0)) }
}
