public import PDFSyntax

/// Copies pages of one file into new documents, with all that they need and nothing else.
///
/// What belongs to a document as a whole stays behind: its outline, its form, its structure tree and
/// names. Links to pages that are copied too lead to the copies, others nowhere.
public struct PageCopier {
  private let file: PDFFile
  private let pages: PageTree
  /// The new numbers of objects that were met, by their old ones.
  private var copies: [Int: PDFReference] = [:]
  /// Objects that have a new number and are not written yet.
  private var waiting: [Int] = []
  /// The new numbers of pages that are written.
  private var written: Set<Int> = []

  /// - Parameters:
  ///   - file: where the pages come from. Encrypted files give decrypted pages.
  ///   - pages: its pages.
  public init(_ file: PDFFile, pages: PageTree) {
    self.file = file
    self.pages = pages
  }

  /// Copies one page.
  ///
  /// - Parameters:
  ///   - index: the page from 0.
  ///   - document: takes what the page is made of.
  ///   - parent: the node of the page tree that the copy hangs below.
  ///   - rotation: degrees clockwise by which it is turned more than it was, a multiple of 90.
  /// - Returns: the copy; nil where there is no such page.
  mutating func copy(
    _ index: Int, into document: inout some ObjectSink, parent: PDFReference,
    rotated rotation: Int = 0
  ) -> PDFReference? {
    guard let page = pages.page(index) else { return nil }
    let copy = page.reference.map { number(of: $0.number, in: &document) } ?? document.reserve()
    // A page that stands in the tree twice has one copy; the second needs a number of its own.
    let reference = written.insert(copy.number).inserted ? copy : document.reserve()
    var dictionary = page.dictionary
    for key in Self.ofTheDocument { dictionary[key] = nil }
    dictionary["MediaBox"] = Self.numbers(page.mediaBox)
    dictionary["CropBox"] = page.cropBox == page.mediaBox ? nil : Self.numbers(page.cropBox)
    let turned = (page.rotation + rotation) % 360
    dictionary["Rotate"] = turned == 0 ? nil : .integer(turned)
    dictionary["Resources"] = .dictionary(page.resources)
    guard case .dictionary(var mapped) = self.mapped(.dictionary(dictionary), in: &document) else {
      return nil
    }
    mapped["Parent"] = .reference(parent)
    document.put(.dictionary(mapped), as: reference)
    writeWaiting(into: &document)
    return reference
  }

  /// Members of a page that mean something in the document it came from only (7.7.3.3): its place in
  /// the tree, in the structure, and in threads.
  private static let ofTheDocument: [PDFName] = ["Parent", "StructParents", "B", "PieceInfo"]

  private mutating func writeWaiting(into document: inout some ObjectSink) {
    while let old = waiting.popLast() {
      guard let reference = copies[old] else { continue }
      var object = file.object(old)
      if case .stream(let stream) = object {
        var decrypted = file.decrypted(stream)
        guard
          case .dictionary(let mapped) = mapped(.dictionary(decrypted.dictionary), in: &document)
        else { continue }
        decrypted.dictionary = mapped
        object = .stream(decrypted)
      } else {
        object = mapped(object, in: &document)
      }
      document.put(object, as: reference)
    }
  }

  /// The object with its references led to the copies. Its own nesting is bounded by the parser.
  private mutating func mapped(_ object: PDFObject, in document: inout some ObjectSink) -> PDFObject
  {
    switch object {
    case .reference(let reference): return mapped(reference, in: &document)
    case .array(let items): return .array(items.map { mapped($0, in: &document) })
    case .dictionary(let dictionary):
      var result = PDFDictionary()
      for (key, value) in zip(dictionary.keys, dictionary.values) {
        result[key] = mapped(value, in: &document)
      }
      return .dictionary(result)
    default: return object
    }
  }

  private mutating func mapped(
    _ reference: PDFReference, in document: inout some ObjectSink
  ) -> PDFObject {
    if let known = copies[reference.number] { return .reference(known) }
    let target = file.object(reference.number)
    switch target.dictionary?.name("Type") {
    // Above the page: what hangs there belongs to the whole document.
    case "Pages", "Catalog", "StructTreeRoot": return .null
    case "Page":
      // Written when its turn comes; until then, and if it never does, readers see null.
      return .reference(number(of: reference.number, in: &document))
    default: break
    }
    switch target {
    case .dictionary, .array, .stream:
      let copy = number(of: reference.number, in: &document)
      waiting.append(reference.number)
      return .reference(copy)
    default: return target
    }
  }

  private mutating func number(of old: Int, in document: inout some ObjectSink) -> PDFReference {
    if let known = copies[old] { return known }
    let copy = document.reserve()
    copies[old] = copy
    return copy
  }

  private static func numbers(_ box: Rectangle) -> PDFObject {
    .numbers(box.x0, box.y0, box.x1, box.y1)
  }
}

extension PDFFile {
  /// A stream with its bytes decrypted, and without the filter by which they were encrypted (7.4.10).
  func decrypted(_ stream: PDFStream) -> PDFStream {
    var dictionary = stream.dictionary
    if dictionary.name("Filter") == "Crypt" {
      dictionary["Filter"] = nil
      dictionary["DecodeParms"] = nil
    } else if var filters = dictionary.array("Filter"),
      let place = filters.firstIndex(where: { $0.name == "Crypt" })
    {
      filters.remove(at: place)
      dictionary["Filter"] = .array(filters)
      if var parameters = dictionary.array("DecodeParms"), place < parameters.count {
        parameters.remove(at: place)
        dictionary["DecodeParms"] = .array(parameters)
      }
    }
    return PDFStream(dictionary, bytes: rawBytes(stream))
  }
}
