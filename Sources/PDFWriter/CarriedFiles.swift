internal import PDFSyntax

/// The files that a document carries already (PDF 32000-1, 7.7.4 and 7.11.4).
struct CarriedFiles {
  /// The catalog's `Names`: all name trees.
  private(set) var names: PDFDictionary = [:]
  /// The entries of the name tree `EmbeddedFiles` in its order.
  private(set) var entries: [(name: [UInt8], file: PDFObject)] = []
  /// The catalog's `AF`: the files that are associated with the whole document.
  private(set) var associated: [PDFObject] = []
  /// Whether all are described as PDF/A-3 has it: associated with the document, and how (ISO 19005-3, 6.8).
  private(set) var areDescribed = true
  /// Text strings that are names of files, as they stand.
  private var taken: Set<[UInt8]> = []

  /// Documents that carry more are left alone; so are name trees of more nodes.
  private static let most = 10_000

  /// None.
  init() {}

  /// Nil where there are too many.
  init?(of catalog: PDFDictionary, in file: PDFFile) {
    names = file.dictionary(catalog, "Names") ?? [:]
    if let entry = catalog["AF"] {
      // One that stands alone, without its array, counts too.
      associated = file.array(catalog, "AF") ?? (file.resolve(entry).isNull ? [] : [entry])
    }
    guard associated.count <= Self.most else { return nil }
    let known = Set(associated.compactMap(\.reference))
    var waiting = names["EmbeddedFiles"].map { [$0] } ?? []
    var seen: Set<Int> = [], looked = 0
    while let node = waiting.popLast() {
      looked += 1
      if let number = node.reference?.number, !seen.insert(number).inserted { continue }
      guard let node = file.resolve(node).dictionary else { continue }
      let kids = file.array(node, "Kids") ?? [], pairs = file.array(node, "Names") ?? []
      guard looked <= Self.most, waiting.count + kids.count <= Self.most,
        entries.count + pairs.count / 2 <= Self.most
      else { return nil }
      waiting += kids.reversed()
      for place in stride(from: 1, to: pairs.count, by: 2) {
        let name = file.resolve(pairs[place - 1]).string ?? []
        entries.append((name, pairs[place]))
        let specification = file.resolve(pairs[place]).dictionary ?? [:]
        taken.formUnion(
          [name] + (["F", "UF"] as [PDFName]).compactMap { file.string(specification, $0) })
        let isKnown = pairs[place].reference.map(known.contains) ?? false
        if !isKnown || specification["AFRelationship"] == nil { areDescribed = false }
      }
    }
  }

  /// The name as a text string, with a number like that of results where the document has a file of that name.
  func freeName(for name: String) -> [UInt8] {
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    var free = name, number = 1
    while Self.spellings(free).contains(where: taken.contains) {
      number += 1
      free = "\(name[..<dot])~\(number)\(name[dot...])"
    }
    return MetadataWriter.textString(free)
  }

  /// The ways to write a text string (7.9.2.2; PDF 32000-2 adds UTF-8).
  private static func spellings(_ text: String) -> [[UInt8]] {
    [
      Array(text.utf8), [0xFE, 0xFF] + text.utf16.flatMap { bigEndian($0) },
      [0xEF, 0xBB, 0xBF] + Array(text.utf8),
    ]
  }
}
