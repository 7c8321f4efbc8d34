/// Encrypts objects that are added to a file with the file's own key and methods (PDF 32000-1, 7.6), so
/// that it opens as before.
public struct ObjectEncryption: Sendable {
  private let security: SecurityHandler
  /// The number of the encryption dictionary, which stays in the clear.
  private let exempt: Int?

  init(_ security: SecurityHandler, exempt: Int?) {
    (self.security, self.exempt) = (security, exempt)
  }

  /// The object with its strings, and the bytes of a stream in memory, encrypted.
  public func encrypted(_ object: PDFObject, as reference: PDFReference) -> PDFObject {
    reference.number == exempt ? object : encrypted(object, reference, depth: 0)
  }

  private func encrypted(
    _ object: PDFObject, _ reference: PDFReference, depth: Int
  ) -> PDFObject {
    guard depth < ObjectSerializer.depthLimit else { return .null }
    switch object {
    case .string(let bytes): return .string(security.encrypt(string: bytes, of: reference))
    case .array(let items):
      return .array(items.map { encrypted($0, reference, depth: depth + 1) })
    case .dictionary(let dictionary):
      return .dictionary(encrypted(dictionary, reference, depth: depth))
    case .stream(let stream):
      let dictionary = encrypted(stream.dictionary, reference, depth: depth)
      guard let bytes = stream.bytesInMemory else {
        return .stream(PDFStream(dictionary: dictionary, source: stream.source))
      }
      return .stream(
        PDFStream(
          dictionary,
          bytes: security.encrypt(stream: bytes, dictionary: stream.dictionary, of: reference)))
    default: return object
    }
  }

  private func encrypted(
    _ dictionary: PDFDictionary, _ reference: PDFReference, depth: Int
  ) -> PDFDictionary {
    var result = dictionary
    for (key, value) in zip(dictionary.keys, dictionary.values) {
      result[key] = encrypted(value, reference, depth: depth + 1)
    }
    return result
  }
}

extension PDFFile {
  /// What encrypts objects that are added to this file; nil where it is not encrypted.
  public var objectEncryption: ObjectEncryption? {
    security.map { ObjectEncryption($0, exempt: encryptionReference?.number) }
  }
}
