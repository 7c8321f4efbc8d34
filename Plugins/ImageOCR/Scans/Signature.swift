internal import PDFSyntax

/// Finds out whether a PDF is signed (PDF 32000-1, 12.8): such a file is not to be changed, not even by an
/// update, which viewers would report as a change after signing.
enum Signature {
  private static let mostFields = 20_000
  private static let deepest = 32

  static func isPresent(in file: PDFFile) -> Bool {
    let catalog = file.catalog
    if let permissions = file.dictionary(catalog, "Perms"), permissions["DocMDP"] != nil {
      return true
    }
    guard let form = file.dictionary(catalog, "AcroForm") else { return false }
    var left = mostFields
    for field in file.array(form, "Fields") ?? [] {
      if isSigned(field, kind: nil, in: file, depth: 0, &left) { return true }
    }
    return false
  }

  /// Whether a field, or one below it, holds a signature.
  private static func isSigned(
    _ field: PDFObject, kind: PDFName?, in file: PDFFile, depth: Int, _ left: inout Int
  ) -> Bool {
    left -= 1
    guard depth < deepest, left > 0, let dictionary = file.resolve(field).dictionary else {
      return false
    }
    let kind = file.name(dictionary, "FT") ?? kind
    if kind == "Sig", file.dictionary(dictionary, "V") != nil { return true }
    for kid in file.array(dictionary, "Kids") ?? []
    where isSigned(kid, kind: kind, in: file, depth: depth + 1, &left) {
      return true
    }
    return false
  }
}
