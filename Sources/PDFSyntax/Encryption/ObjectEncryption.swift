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
    guard reference.number != exempt else { return object }
    let result = object.mapStrings { security.encrypt(string: $0, of: reference) }
    guard case .stream(let stream) = result, let bytes = stream.bytesInMemory,
      case .stream(let plain) = object
    else { return result }
    return .stream(
      PDFStream(
        stream.dictionary,
        bytes: security.encrypt(stream: bytes, dictionary: plain.dictionary, of: reference)))
  }
}

extension PDFFile {
  /// What encrypts objects that are added to this file; nil where it is not encrypted.
  public var objectEncryption: ObjectEncryption? {
    security.map { ObjectEncryption($0, exempt: encryptionReference?.number) }
  }
}
