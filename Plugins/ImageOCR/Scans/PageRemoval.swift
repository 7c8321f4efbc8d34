internal import PDFSyntax

/// Takes pages out of the page tree: out of the Kids of their node, and out of the Count of all nodes
/// above (PDF 32000-1, 7.7.3.2).
struct PageRemoval {
  struct Node {
    var reference: PDFReference
    var dictionary: PDFDictionary
  }

  /// The nodes as they are to be, by object number.
  private(set) var changed: [Int: Node] = [:]
  /// Page trees deeper than this are not page trees.
  private static let deepest = 64

  /// Takes a page out.
  ///
  /// - Returns: false, and nothing is changed, where the tree is not as it should be or no page would be
  ///   left.
  mutating func remove(_ page: PDFReference, of dictionary: Page, in file: PDFFile) -> Bool {
    var nodes: [Node] = []
    var parent = dictionary.dictionary["Parent"]
    while case .reference(let reference)? = parent {
      guard nodes.count < Self.deepest,
        let node = changed[reference.number]?.dictionary
          ?? file.object(reference.number).dictionary,
        let count = file.integer(node, "Count"), count > 0
      else { return false }
      var smaller = node
      smaller["Count"] = .integer(count - 1)
      nodes.append(Node(reference: reference, dictionary: smaller))
      parent = node["Parent"]
    }
    guard var first = nodes.first, let top = nodes.last,
      file.integer(top.dictionary, "Count") ?? 0 > 0,
      let kids = file.array(first.dictionary, "Kids")
    else { return false }
    let rest = kids.filter { kid in
      if case .reference(let reference) = kid { reference.number != page.number } else { true }
    }
    guard rest.count == kids.count - 1 else { return false }
    first.dictionary["Kids"] = .array(rest)
    nodes[0] = first
    for node in nodes { changed[node.reference.number] = node }
    return true
  }
}
