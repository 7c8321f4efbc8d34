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
