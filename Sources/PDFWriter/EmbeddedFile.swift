internal import PDFSyntax

/// A file that a document carries, as PDF/A-3 has it (ISO 19005-3, 6.8): associated with the whole document, as the data
/// of what its pages show.
public struct EmbeddedFile: Sendable {
  /// The file name, which no other file of the document has.
  public var name: String
  /// Its media type.
  public var mime: String
  /// What it is, for people.
  public var about: String
  /// Its content.
  public var bytes: [UInt8]

  /// A file with its content.
  public init(name: String, mime: String, about: String, bytes: [UInt8]) {
    (self.name, self.mime, self.about, self.bytes) = (name, mime, about, bytes)
  }

  /// Adds the objects of some files and sets the catalog's `AF` and `Names`.
  ///
  /// - Parameters:
  ///   - others: what the document carries already, which stays.
  ///   - modified: the `ModDate` of the files as PDF writes dates (7.9.4); nil for none.
  static func write(
    _ files: [EmbeddedFile], beside others: CarriedFiles = CarriedFiles(), modified: [UInt8]? = nil,
    into catalog: inout PDFDictionary, of sink: inout some ObjectSink
  ) {
    guard !files.isEmpty else { return }
    var parameters: PDFDictionary = [:]
    if let modified { parameters["ModDate"] = .string(modified) }
    var entries = others.entries
    // The names of a name tree are in order (PDF 32000-1, 7.9.6).
    let named = files.map { (name: others.freeName(for: $0.name), file: $0) }
      .sorted { $0.name.lexicographicallyPrecedes($1.name) }
    var associated = others.associated
    for (name, file) in named {
      parameters["Size"] = .integer(file.bytes.count)
      let content = sink.add(
        .stream(
          .compressed(
            [
              "Type": .name("EmbeddedFile"), "Subtype": .name(PDFName(file.mime)),
              "Params": .dictionary(parameters),
            ], bytes: file.bytes)))
      let specification = sink.add(
        .dictionary([
          "Type": .name("Filespec"), "F": .string(name), "UF": .string(name),
          "Desc": .string(MetadataWriter.textString(file.about)), "AFRelationship": .name("Data"),
          "EF": .dictionary(["F": .reference(content), "UF": .reference(content)]),
        ]))
      entries.append((name, .reference(specification)))
      associated.append(.reference(specification))
    }
    catalog["AF"] = .array(associated)
    let pairs = entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
      .flatMap { [PDFObject.string($0.name), $0.file] }
    var names = others.names
    names["EmbeddedFiles"] = .dictionary(["Names": .array(pairs)])
    catalog["Names"] = .dictionary(names)
  }
}
