/// One PDF object (PDF 32000-1, 7.3), direct or a reference to an indirect one.
///
/// The typed views (`integer`, `name`, ...) answer nil where the object is of another kind; they do
/// not follow references: ``PDFFile/resolve(_:)`` does.
public enum PDFObject: Sendable, Equatable {
  case null
  case boolean(Bool)
  case integer(Int)
  case real(Double)
  /// The bytes of a string, decoded from its literal or hexadecimal form and decrypted.
  case string([UInt8])
  case name(PDFName)
  case array([PDFObject])
  case dictionary(PDFDictionary)
  case reference(PDFReference)
  indirect case stream(PDFStream)

  /// Whether it is the null object.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The value of a boolean.
  public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

  /// The value of an integer, or of a real rounded towards zero where it fits.
  public var integer: Int? {
    switch self {
    case .integer(let value): value
    case .real(let value): Int(exactly: value.rounded(.towardZero))
    default: nil
    }
  }

  /// The value of an integer or real number.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  /// The bytes of a string.
  public var string: [UInt8]? { if case .string(let bytes) = self { bytes } else { nil } }

  /// The value of a name.
  public var name: PDFName? { if case .name(let name) = self { name } else { nil } }

  /// The items of an array.
  public var array: [PDFObject]? { if case .array(let items) = self { items } else { nil } }

  /// The dictionary, also that of a stream.
  public var dictionary: PDFDictionary? {
    switch self {
    case .dictionary(let value): value
    case .stream(let value): value.dictionary
    default: nil
    }
  }

  /// What a reference points to.
  public var reference: PDFReference? {
    if case .reference(let value) = self { value } else { nil }
  }

  /// The value of a stream.
  public var stream: PDFStream? { if case .stream(let value) = self { value } else { nil } }

  /// An array of numbers, for rectangles and matrices and in tests.
  public static func numbers(_ values: Double...) -> PDFObject {
    .array(
      values.map { value in
        if let whole = Int(exactly: value) { .integer(whole) } else { .real(value) }
      })
  }
}

extension PDFObject {
  /// The object with something done to each string in it. What is nested too deeply to be written is null.
  func mapStrings(depth: Int = 0, _ change: ([UInt8]) -> [UInt8]) -> PDFObject {
    guard depth < ObjectSerializer.depthLimit else { return .null }
    func mapped(_ dictionary: PDFDictionary) -> PDFDictionary {
      var result = dictionary
      for (key, value) in zip(dictionary.keys, dictionary.values) {
        switch value {
        case .string, .array, .dictionary:
          result[key] = value.mapStrings(depth: depth + 1, change)
        default: break
        }
      }
      return result
    }
    switch self {
    case .string(let bytes): return .string(change(bytes))
    case .array(let items): return .array(items.map { $0.mapStrings(depth: depth + 1, change) })
    case .dictionary(let dictionary): return .dictionary(mapped(dictionary))
    case .stream(var stream):
      stream.dictionary = mapped(stream.dictionary)
      return .stream(stream)
    default: return self
    }
  }
}
