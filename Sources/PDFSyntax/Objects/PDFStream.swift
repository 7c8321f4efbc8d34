/// A stream object (PDF 32000-1, 7.3.8): its dictionary and where its raw bytes are.
///
/// Raw means as in the file: encoded by the filters of the dictionary and, in an encrypted file,
/// encrypted. ``PDFFile/decode(_:limit:)`` gives the decoded bytes.
public struct PDFStream: Sendable, Equatable {
  /// Where the raw bytes of a stream are.
  public enum Source: Sendable, Equatable {
    /// A range of offsets into the file the stream was read from.
    case file(Range<Int>)
    /// Bytes held in memory, never encrypted: streams made by a program, or read from elsewhere.
    case memory([UInt8])
  }

  /// Its dictionary: length, filters, and what its kind needs.
  public var dictionary: PDFDictionary
  /// Where its bytes are, still encoded.
  public var source: Source
  /// The indirect object the stream is, from which its encryption key is derived; nil for streams
  /// made in memory.
  public var reference: PDFReference?

  /// A stream of encoded bytes.
  public init(dictionary: PDFDictionary, source: Source, reference: PDFReference? = nil) {
    self.dictionary = dictionary
    self.source = source
    self.reference = reference
  }

  /// A stream with these raw bytes, whose `Length` is set accordingly.
  public init(_ dictionary: PDFDictionary = [:], bytes: [UInt8]) {
    self.dictionary = dictionary
    self.dictionary["Length"] = .integer(bytes.count)
    source = .memory(bytes)
  }

  /// The raw bytes where they are held in memory, otherwise nil.
  public var bytesInMemory: [UInt8]? {
    if case .memory(let bytes) = source { bytes } else { nil }
  }
}
