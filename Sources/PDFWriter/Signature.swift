public import PDFSyntax

/// Finds out whether a PDF is signed (PDF 32000-1, 12.8): an update keeps the bytes that were signed, but viewers report
/// it as a change after signing.
public enum Signature {
  /// A form with more fields is not looked through to its end.
  private static let mostFields = 200_000

  /// Whether the author certified the file, or a field of its form holds a signature (12.7.4.5).
  public static func isPresent(in file: PDFFile) -> Bool {
    let catalog = file.catalog
    if let permissions = file.dictionary(catalog, "Perms"), permissions["DocMDP"] != nil {
      return true
    }
    guard let form = file.dictionary(catalog, "AcroForm") else { return false }
    var waiting = fields(file.array(form, "Fields"), nil)
    var seen: Set<Int> = []
    var looked = 0
    while let (field, inherited) = waiting.popLast(), looked < mostFields {
      looked += 1
      if let number = field.reference?.number, !seen.insert(number).inserted { continue }
      guard let dictionary = file.resolve(field).dictionary else { continue }
      let kind = file.name(dictionary, "FT") ?? inherited
      if let value = file.dictionary(dictionary, "V"), kind == "Sig" || value["ByteRange"] != nil {
        return true
      }
      // Many fields may share an array of many.
      if waiting.count < mostFields { waiting += fields(file.array(dictionary, "Kids"), kind) }
    }
    return false
  }

  /// Fields, each with the kind that it has unless it says otherwise.
  private static func fields(
    _ fields: [PDFObject]?, _ kind: PDFName?
  ) -> [(field: PDFObject, kind: PDFName?)] {
    (fields ?? []).prefix(mostFields).map { ($0, kind) }
  }
}
