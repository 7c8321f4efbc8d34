// Images and forms as content streams name them (PDF 32000-1, 8.8 and 8.10).
extension PDFFile {
  /// The external object of a name, or nil.
  public func externalObject(_ name: PDFName?, in resources: PDFDictionary) -> PDFStream? {
    guard let name, let objects = dictionary(resources, "XObject") else { return nil }
    return resolve(objects[name]).stream
  }

  /// Leads from a form's space to that of what draws it.
  public func matrix(of form: PDFStream) -> Matrix { Matrix(numbers(form.dictionary, "Matrix")) }

  /// What a form's content names: its own resources, or else those of what draws it.
  public func resources(of form: PDFStream, in resources: PDFDictionary) -> PDFDictionary {
    dictionary(form.dictionary, "Resources") ?? resources
  }
}
