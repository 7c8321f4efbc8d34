public import PDFSyntax

/// Attaches files to a document by what is appended to it: its pages, its text and all else that it has stay byte for
/// byte (PDF 32000-1, 7.5.6). The files are associated with the document as its data (ISO 19005-3, 6.8).
///
/// The same document and the same files give the same bytes.
public struct AttachingUpdate: Sendable {
  /// Why a document cannot carry files.
  public enum Obstacle: String, Error, Sendable {
    /// Its cross-references are broken, it ends within an update, or something stands before its header.
    case damaged
    /// Its catalog is no object that could be replaced.
    case catalog
    /// It carries more files than are looked through.
    case manyFiles
    /// Files in it are encrypted by another method than all else (7.6.5, `EFF`).
    case encryption

    /// A sentence for people without full stop.
    public var sentence: String {
      let reason =
        switch self {
        case .damaged: "it is damaged"
        case .catalog: "it is built so oddly that nothing can be added to it"
        case .manyFiles: "it carries too many files already"
        case .encryption: "it encrypts attached files by a method of their own"
        }
      return "nothing can be attached to the document: \(reason)"
    }
  }

  /// What stands in the copy of PDF/A.
  public enum Archive: Sendable, Equatable {
    /// Nothing, as before.
    case none
    /// The part and the level, such as `3B`.
    case claimed(String)
    /// Nothing any more: the document said that it is of this part and level, which may not carry such files.
    case withdrawn(String)
  }

  /// What is to be appended to the bytes of the document.
  public private(set) var bytes: [UInt8]
  /// What the copy says of PDF/A.
  public private(set) var archive: Archive
  /// Whether the document is signed: its signature holds for what it was, and viewers say that more was added.
  public let isSigned: Bool

  /// What people should know of a copy of a signed document, without full stop; nil for one that is not signed.
  public var remarkOnSignature: String? {
    isSigned
      ? "the document is signed: its signature covers it without the attached files, and viewers say that something was"
        + " added" : nil
  }

  /// What people should know of a copy that says nothing of PDF/A any more, without full stop; nil for others.
  public var remarkOnArchive: String? {
    guard case .withdrawn(let claim) = archive else { return nil }
    return
      "the document says that it is PDF/A-\(claim.lowercased()), which may not carry such files; the copy says so no"
      + " more"
  }

  /// - Throws: why the document cannot carry files.
  public init(attaching files: [EmbeddedFile], to file: PDFFile) throws(Obstacle) {
    guard file.headerOffset == 0, !file.endsInUpdate, let base = IncrementalUpdate.Base(file),
      file.isEncrypted || file.resolve(file.trailer["Encrypt"]).isNull
    else { throw .damaged }
    // Two objects for each file, one for the cross-references; numbers beyond are not believed (Annex C).
    guard let root = file.trailer.reference("Root"), Self.canBeReplaced(root),
      base.highestNumber + 2 * files.count + 1 <= file.limits.objectNumber
    else { throw .catalog }
    guard !Self.encryptsFilesApart(file) else { throw .encryption }
    var catalog = file.catalog
    guard let others = CarriedFiles(of: catalog, in: file) else { throw .manyFiles }
    var update = IncrementalUpdate(of: base)
    EmbeddedFile.write(
      files, beside: others, modified: Self.modified(file), into: &catalog, of: &update)
    archive = Self.adaptClaim(of: file, to: others, &catalog, &update)
    update.put(.dictionary(catalog), as: root)
    isSigned = Signature.isPresent(in: file)
    bytes = update.finish()
  }

  /// Whether a cross-reference entry can have its generation (7.5.4).
  private static func canBeReplaced(_ reference: PDFReference) -> Bool {
    reference.number > 0 && (0...65_535).contains(reference.generation)
  }

  /// Whether streams of embedded files have a crypt filter of their own (7.6.5.2).
  private static func encryptsFilesApart(_ file: PDFFile) -> Bool {
    guard file.isEncrypted, let dictionary = file.dictionary(file.trailer, "Encrypt"),
      file.integer(dictionary, "V") ?? 0 >= 4, let own = file.name(dictionary, "EFF")
    else { return false }
    return own != file.name(dictionary, "StmF") ?? "Identity"
  }

  /// When the document was changed last, as it says (14.3.3); there is no clock here.
  private static func modified(_ file: PDFFile) -> [UInt8]? {
    guard let info = file.dictionary(file.trailer, "Info"),
      let date = file.string(info, "ModDate"), date.starts(with: Array("D:".utf8)),
      (6...30).contains(date.count), date.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    return date
  }

  /// Has the metadata say what holds for the copy.
  private static func adaptClaim(
    of file: PDFFile, to others: CarriedFiles, _ catalog: inout PDFDictionary,
    _ update: inout IncrementalUpdate
  ) -> Archive {
    // No encrypted file is PDF/A.
    guard !file.isEncrypted, var stream = file.resolve(catalog["Metadata"]).stream else {
      return .none
    }
    let packet = file.decode(stream, limit: 16 << 20)
    guard packet.isComplete, var claim = ArchiveClaim(in: packet.bytes) else { return .none }
    let before = "\(claim.part)\(claim.level)"
    switch (claim.part, claim.level) {
    // Part 4 has levels for files of any kind.
    case (3, _), (4, "F"), (4, "E"): return .claimed(before)
    case (2, _) where others.areDescribed: claim.raise()
    default: claim.withdraw()
    }
    // In the clear, for programs that know no PDF.
    for key: PDFName in ["Filter", "DecodeParms", "Length"] { stream.dictionary[key] = nil }
    let changed = PDFObject.stream(PDFStream(stream.dictionary, bytes: claim.packet))
    if let own = catalog.reference("Metadata"), canBeReplaced(own) {
      update.put(changed, as: own)
    } else {
      catalog["Metadata"] = .reference(update.add(changed))
    }
    return claim.part == 3 ? .claimed("3\(claim.level)") : .withdrawn(before)
  }
}
