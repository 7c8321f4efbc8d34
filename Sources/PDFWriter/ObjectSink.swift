public import PDFSyntax

/// Where indirect objects go: a new document or an addition to one.
public protocol ObjectSink {
  /// A number for an object that is added later.
  mutating func reserve() -> PDFReference
  /// Writes the object for which a number was reserved.
  mutating func put(_ object: PDFObject, as reference: PDFReference)
}

extension ObjectSink {
  /// Writes an indirect object and gives its reference.
  @discardableResult
  public mutating func add(_ object: PDFObject) -> PDFReference {
    let reference = reserve()
    put(object, as: reference)
    return reference
  }
}
