package import PDFSyntax

/// Which optional content groups are off in the default configuration (PDF 32000-1, 8.11.4).
package struct OptionalContent {
  private var hidden: Set<Int> = []

  package init(_ file: PDFFile) {
    guard let properties = file.dictionary(file.catalog, "OCProperties") else { return }
    let configuration = file.dictionary(properties, "D") ?? PDFDictionary()
    if file.name(configuration, "BaseState") == "OFF" {
      for group in file.array(properties, "OCGs") ?? [] {
        if let number = group.reference?.number { hidden.insert(number) }
      }
      for group in file.array(configuration, "ON") ?? [] {
        if let number = group.reference?.number { hidden.remove(number) }
      }
    }
    for group in file.array(configuration, "OFF") ?? [] {
      if let number = group.reference?.number { hidden.insert(number) }
    }
  }

  /// Whether a group or membership dictionary (8.11.2) hides what it is put on.
  package func hides(_ object: PDFObject?, _ file: PDFFile) -> Bool {
    guard let object else { return false }
    if let number = object.reference?.number, hidden.contains(number) { return true }
    guard let dictionary = file.resolve(object).dictionary,
      file.name(dictionary, "Type") == "OCMD"
    else { return false }
    var groups: [PDFObject] = []
    if let entry = dictionary["OCGs"] { groups = file.resolve(entry).array ?? [entry] }
    guard !groups.isEmpty else { return false }
    let states = groups.map { group in
      group.reference.map { !hidden.contains($0.number) } ?? true
    }
    switch file.name(dictionary, "P") {
    case "AllOn": return states.contains(false)
    case "AnyOff": return !states.contains(false)
    case "AllOff": return states.contains(true)
    default: return !states.contains(true)
    }
  }
}
