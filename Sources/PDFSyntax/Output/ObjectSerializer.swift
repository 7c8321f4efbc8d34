public import Bytes

/// Writes objects in the syntax of PDF 32000-1, 7.3.
///
/// Output is compact and ASCII: other bytes of strings go as hexadecimal strings, those of names as
/// `#xx`. Nesting deeper than ``depthLimit`` is written as `null`.
public struct ObjectSerializer: Sendable {
  /// The nesting below which values are written as null.
  public static let depthLimit = 256

  /// What has been written.
  public var writer: ByteWriter

  /// A serializer with room for some bytes.
  public init(reserving capacity: Int = 0) { writer = ByteWriter(reserving: capacity) }

  /// The bytes of one object.
  public static func bytes(of object: PDFObject) -> [UInt8] {
    var serializer = ObjectSerializer()
    serializer.write(object)
    return serializer.writer.bytes
  }

  /// Writes a direct object. A stream is written with its raw bytes where they are in memory; of
  /// one that lies in a file only the dictionary is written, since the bytes are not at hand.
  public mutating func write(_ object: PDFObject) { write(object, depth: 0) }

  /// Writes `N G obj`, the object and `endobj`.
  public mutating func write(_ object: PDFObject, as reference: PDFReference) {
    writer.append(decimal: reference.number)
    writer.append(0x20)
    writer.append(decimal: reference.generation)
    writer.append(" obj\n")
    write(object)
    writer.append("\nendobj\n")
  }

  private mutating func write(_ object: PDFObject, depth: Int) {
    guard depth <= Self.depthLimit else { return writer.append("null") }
    switch object {
    case .null: writer.append("null")
    case .boolean(let value): value ? writer.append("true") : writer.append("false")
    case .integer(let value): writer.append(decimal: value)
    case .real(let value): writer.append(fixed: value, digits: 6)
    case .string(let bytes): write(string: bytes)
    case .name(let name): write(name: name)
    case .reference(let reference):
      writer.append(decimal: reference.number)
      writer.append(0x20)
      writer.append(decimal: reference.generation)
      writer.append(" R")
    case .array(let items):
      writer.append(0x5B)
      for (index, item) in items.enumerated() {
        if index > 0 { writer.append(0x20) }
        write(item, depth: depth + 1)
      }
      writer.append(0x5D)
    case .dictionary(let dictionary): write(dictionary, depth: depth)
    case .stream(let stream):
      write(stream.dictionary, depth: depth)
      if let bytes = stream.bytesInMemory {
        writer.append("\nstream\n")
        writer.append(contentsOf: bytes)
        writer.append("\nendstream")
      }
    }
  }

  private mutating func write(_ dictionary: PDFDictionary, depth: Int) {
    writer.append("<<")
    for (key, value) in zip(dictionary.keys, dictionary.values) {
      write(name: key)
      writer.append(0x20)
      write(value, depth: depth + 1)
    }
    writer.append(">>")
  }

  private mutating func write(name: PDFName) {
    writer.append(0x2F)
    for byte in name.bytes {
      switch byte {
      case 0x21...0x7E where !Self.isDelimiterOrHash(byte): writer.append(byte)
      default:
        writer.append(0x23)
        writer.append(hexadecimal: CollectionOfOne(byte))
      }
    }
  }

  private mutating func write(string bytes: [UInt8]) {
    let plain = bytes.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A }
    guard plain else {
      writer.append(0x3C)
      writer.append(hexadecimal: bytes)
      writer.append(0x3E)
      return
    }
    writer.append(0x28)
    for byte in bytes {
      if byte == 0x28 || byte == 0x29 || byte == 0x5C { writer.append(0x5C) }
      writer.append(byte)
    }
    writer.append(0x29)
  }

  private static func isDelimiterOrHash(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x23, 0x25, 0x28, 0x29, 0x2F, 0x3C, 0x3E, 0x5B, 0x5D, 0x7B, 0x7D: true
    default: false
    }
  }
}
