/// The pages of a document in order (PDF 32000-1, 7.7.3).
///
/// Only references and inherited attributes are kept; a page's own dictionary is read when the page
/// is asked for. Nodes with kids count once, so loops are cut; missing nodes are passed over with a
/// diagnostic, and pages that a damaged tree has lost are put at the end, the first of a linearized file at the start.
public struct PageTree {
  private struct Leaf {
    var reference: PDFReference?
    var dictionary: PDFDictionary?
    var inherited: InheritedAttributes
  }

  private var leaves: [Leaf] = []
  private let file: PDFFile
  private var isIncomplete = false

  /// The number of pages that were found, whatever `Count` says.
  public var count: Int { leaves.count }

  /// Walks the tree.
  ///
  /// - Throws: ``PDFError/noPages`` where no page can be found, ``PDFError/passwordNeeded`` where the
  ///   search for pages meets a locked file.
  public init(_ file: PDFFile) throws(PDFError) {
    self.file = file
    walkFromRoot()
    if leaves.isEmpty, !file.wasRebuilt {
      try file.rebuildForPages()
      walkFromRoot()
    }
    if leaves.isEmpty || (isIncomplete && file.wasRebuilt) { addLostPages() }
    guard !leaves.isEmpty else { throw .noPages }
  }

  /// The page with an index from 0, or nil where there is none.
  public func page(_ index: Int) -> Page? {
    guard leaves.indices.contains(index) else { return nil }
    let leaf = leaves[index]
    let dictionary =
      leaf.dictionary ?? file.resolve(leaf.reference.map { .reference($0) }).dictionary
    return Page(
      reference: leaf.reference, dictionary: dictionary ?? PDFDictionary(),
      inherited: leaf.inherited, number: index + 1, file: file)
  }

  private mutating func walkFromRoot() {
    isIncomplete = false
    guard let root = file.catalog["Pages"] else { return }
    var seen: Set<Int> = []
    var visits = 0
    walk(root, InheritedAttributes(), depth: 0, seen: &seen, visits: &visits)
    let announced = file.dictionary(file.catalog, "Pages").flatMap { file.integer($0, "Count") }
    if let announced, announced > leaves.count, isIncomplete {
      file.diagnostics.add(
        .lost, "the document announces \(announced) pages, \(leaves.count) were found")
    }
  }

  private mutating func walk(
    _ node: PDFObject, _ inherited: InheritedAttributes, depth: Int, seen: inout Set<Int>,
    visits: inout Int
  ) {
    visits += 1
    guard leaves.count < file.limits.pages, visits <= 2 * file.limits.pages,
      depth <= file.limits.pageTreeDepth
    else {
      file.diagnostics.add(.lost, "the page tree is too large or too deep")
      return
    }
    guard let dictionary = file.resolve(node).dictionary else {
      isIncomplete = true
      return
    }
    guard let kids = file.array(dictionary, "Kids") else {
      // A node that calls itself a tree and has no kids is an empty tree.
      if file.name(dictionary, "Type") == "Pages", dictionary["Contents"] == nil { return }
      leaves.append(
        Leaf(
          reference: node.reference, dictionary: node.reference == nil ? dictionary : nil,
          inherited: inherited))
      return
    }
    // Each node and each list of kids once: a few that name one another twice would be a million pages.
    for reference in [node.reference, dictionary["Kids"]?.reference] {
      guard let reference else { continue }
      guard seen.insert(reference.number).inserted else {
        file.diagnostics.add(
          .repaired, "the page tree has a loop, or a part of it twice", object: reference)
        return
      }
    }
    let own = inherited.overridden(by: dictionary)
    for kid in kids { walk(kid, own, depth: depth + 1, seen: &seen, visits: &visits) }
  }

  private mutating func addLostPages() {
    let known = Set(leaves.compactMap { $0.reference?.number })
    let first = file.firstPageOfLinearized
    for reference in file.allPageObjects() where !known.contains(reference.number) {
      guard leaves.count < file.limits.pages else { return }
      leaves.insert(
        Leaf(reference: reference, dictionary: nil, inherited: attributes(above: reference)),
        at: reference.number == first ? 0 : leaves.count)
    }
  }

  /// What a page that the tree has lost inherits, found by its way up.
  private func attributes(above reference: PDFReference) -> InheritedAttributes {
    var result = InheritedAttributes()
    var node = file.resolve(.reference(reference)).dictionary?["Parent"]
    for _ in 0..<32 {
      guard let dictionary = file.resolve(node).dictionary else { break }
      result.resources = result.resources ?? dictionary["Resources"]
      result.mediaBox = result.mediaBox ?? dictionary["MediaBox"]
      result.cropBox = result.cropBox ?? dictionary["CropBox"]
      result.rotate = result.rotate ?? dictionary["Rotate"]
      node = dictionary["Parent"]
    }
    return result
  }
}
