import PDFSyntax

/// What the structure tree of a tagged document (PDF 32000-1, 14.7 and 14.8) calls headings.
///
/// A tree in which headings outnumber everything else is not believed: some producers tag every line as one.
struct StructureTags {
  struct Heading {
    /// From 1 to 6.
    var level: Int
    /// Its marked-content sequences on one page, in order.
    var marks: [Int]
  }

  /// By page number, from 1.
  private(set) var headings: [Int: [Heading]] = [:]

  private let file: PDFFile
  private let pages: Destinations
  private let roles: PDFDictionary?
  private var visited: Set<Int> = []
  private var elementsLeft = 100_000
  private var headingCount = 0
  /// Elements with content of their own that are no headings.
  private var otherCount = 0

  private static let mostLevels = 64

  init?(_ extractor: TextExtractor) {
    file = extractor.file
    guard let root = file.dictionary(file.catalog, "StructTreeRoot") else { return nil }
    roles = file.dictionary(root, "RoleMap")
    pages = Destinations(extractor)
    walk(root["K"], page: nil, level: nil, depth: 0)
    if headingCount > otherCount { headings = [:] }
  }

  /// - Parameters:
  ///   - kids: the entry `K` of an element.
  ///   - page: the number of the page that the elements around name.
  ///   - level: that of the heading around; nil outside of headings.
  /// - Returns: whether there is content of the element itself.
  @discardableResult
  private mutating func walk(_ kids: PDFObject?, page: Int?, level: Int?, depth: Int) -> Bool {
    guard let kids, depth < Self.mostLevels, elementsLeft > 0 else { return false }
    if let number = kids.reference?.number {
      guard visited.insert(number).inserted else { return false }
    }
    elementsLeft -= 1
    switch file.resolve(kids) {
    case .array(let all):
      var hasContent = false
      for kid in all where walk(kid, page: page, level: level, depth: depth + 1) {
        hasContent = true
      }
      return hasContent
    case .integer(let mark):
      add(mark, page: page, level: level)
      return true
    case .dictionary(let element):
      let page = element["Pg"]?.reference.flatMap { pages.page(of: $0) } ?? page
      if let mark = file.integer(element, "MCID") {
        add(mark, page: page, level: level)
        return true
      }
      walk(element: element, page: page, level: level, depth: depth)
    default: break
    }
    return false
  }

  private mutating func walk(element: PDFDictionary, page: Int?, level: Int?, depth: Int) {
    let role = role(of: element)
    // What a table calls headings are those of its columns.
    guard role != "Table" else { return }
    guard level == nil, let own = Self.levels.firstIndex(where: { $0 == role }) else {
      if walk(element["K"], page: page, level: level, depth: depth + 1), level == nil {
        otherCount += 1
      }
      return
    }
    headingCount += 1
    isNew = true
    walk(element["K"], page: page, level: own + 1, depth: depth + 1)
  }

  /// Whether the next mark is the first of a heading.
  private var isNew = false

  private mutating func add(_ mark: Int, page: Int?, level: Int?) {
    guard let page, let level else { return }
    // In place: copied for each mark, many marks of one page would cost their square.
    func add(to own: inout [Heading]) {
      if isNew || own.isEmpty { own.append(Heading(level: level, marks: [])) }
      own[own.count - 1].marks.append(mark)
    }
    add(to: &headings[page, default: []])
    isNew = false
  }

  private static let levels: [PDFName] = ["H1", "H2", "H3", "H4", "H5", "H6"]

  /// The standard role of an element, by way of the document's map.
  private func role(of element: PDFDictionary) -> PDFName? {
    guard var role = file.name(element, "S") else { return nil }
    for _ in 0..<8 {
      guard !Self.levels.contains(role), let mapped = roles.flatMap({ file.name($0, role) }) else {
        break
      }
      role = mapped
    }
    return role
  }
}
