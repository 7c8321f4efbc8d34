/// What the filters of a stream made of its bytes.
public struct DecodedStream: Sendable {
  /// The decoded bytes, as far as they could be decoded.
  public var bytes: [UInt8]
  /// Whether the data was sound: not broken, cut off or longer than the limit.
  public var isComplete: Bool
  /// Whether codes were met that mean nothing, or bytes that do not have their checksum.
  public var isBroken = false
  /// Whether filters were applied that read any data without a complaint, and none with a checksum: then only the number
  /// of bytes shows that the data was altered.
  public var isUnchecked = false
  /// The first filter that was not applied, with its parameters: image filters (DCTDecode,
  /// JPXDecode, JBIG2Decode, CCITTFaxDecode) and unknown ones. Nil where all were applied.
  public var pending: PDFName?
  /// The `DecodeParms` of that filter.
  public var pendingParameters: PDFDictionary?
  /// Bytes that went into the filters and came out of each: what is thrown away costs as much as what is kept.
  var work = 0
}

/// The output of one filter.
struct FilterResult {
  var bytes: [UInt8]
  var isComplete: Bool
  /// Whether codes were met that mean nothing, or a wrong checksum.
  var isBroken = false
}
