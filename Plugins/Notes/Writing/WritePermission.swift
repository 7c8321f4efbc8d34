internal import PDFSyntax
internal import PDFWriter
internal import PluginKit

/// Whether notes may be written into a document.
enum WritePermission {
  /// - Throws: where the document is encrypted or signed.
  static func check(_ file: PDFFile) throws(PluginFailure) {
    if file.isEncrypted {
      let rights = file.dictionary(file.trailer, "Encrypt").flatMap { file.integer($0, "P") } ?? -1
      // Table 22: bit 6, adding or changing annotations.
      let forbids = rights & 0x20 == 0
      throw PluginFailure(
        .input, "notes.encrypted",
        forbids
          ? "the document is encrypted, and its owner does not allow notes"
          : "the document is encrypted",
        hint: "write all the same with --force, or the step's option \"force\": the document stays"
          + " encrypted as it is")
    }
    guard Signature.isPresent(in: file) else { return }
    let allowed = certification(file)
    let meaning =
      switch allowed {
      case 1?, 2?: "its author has certified it and forbids notes, so the signature will be broken"
      case 3?: "its author has certified it and allows notes"
      default:
        "the signature covers only the document without the notes, and viewers say that it was"
          + " changed"
      }
    throw PluginFailure(
      .input, "notes.signed", "the document is signed: \(meaning)",
      hint: "write all the same with --force, or the step's option \"force\"")
  }

  /// What a certifying signature allows (12.8.2.2): 3 for notes; nil where there is none.
  private static func certification(_ file: PDFFile) -> Int? {
    guard let permissions = file.dictionary(file.catalog, "Perms"),
      let signature = file.dictionary(permissions, "DocMDP")
    else { return nil }
    for entry in (file.array(signature, "Reference") ?? []).prefix(16) {
      guard let reference = file.resolve(entry).dictionary,
        file.name(reference, "TransformMethod") == "DocMDP"
      else { continue }
      return file.dictionary(reference, "TransformParams").flatMap { file.integer($0, "P") } ?? 2
    }
    return 2
  }
}
