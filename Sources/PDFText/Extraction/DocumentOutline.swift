import PDFSyntax

/// One entry of a document's outline (PDF 32000-1, 12.3.3), which viewers show as bookmarks.
public struct OutlineEntry: Sendable, Equatable {
  /// As the file has it, control characters left out.
  public var title: String
  /// How deep it stands, from 1.
  public var level: Int
  /// The number of the page it leads to, from 1.
  public var page: Int
  /// How far below the top edge of that page as shown it leads, in points; nil where it says nothing
  /// of it.
  public var top: Double?

  /// An entry.
  public init(title: String, level: Int, page: Int, top: Double? = nil) {
    self.title = title
    self.level = level
    self.page = page
    self.top = top
  }
}

extension TextExtractor {
  /// The document's outline in its own order, as far as its entries lead to a page of the document.
  ///
  /// Loops are cut; at most 10,000 entries are read, and 32 levels.
  public func outline() -> [OutlineEntry] {
    var reader = OutlineReader(self)
    return reader.read()
  }
}

private struct OutlineReader {
  private let extractor: TextExtractor
  private let file: PDFFile
  /// Page numbers from 1 by the numbers of their objects.
  private var pages: [Int: Int] = [:]
  private var visited: Set<Int> = []
  private var entries: [OutlineEntry] = []

  /// Books have some hundreds; each costs a few objects.
  private static let mostEntries = 10_000
  private static let mostLevels = 32

  init(_ extractor: TextExtractor) {
    self.extractor = extractor
    file = extractor.file
  }

  mutating func read() -> [OutlineEntry] {
    guard let root = file.dictionary(file.catalog, "Outlines"), root["First"] != nil else {
      return []
    }
    for index in 0..<extractor.pageCount {
      guard let number = extractor.pageObject(index)?.reference?.number else { continue }
      if pages[number] == nil { pages[number] = index + 1 }
    }
    walk(root["First"], level: 1)
    return entries
  }

  private mutating func walk(_ first: PDFObject?, level: Int) {
    var next = first
    while let item = next, entries.count < Self.mostEntries {
      if let number = item.reference?.number {
        guard visited.insert(number).inserted else { return }
      }
      guard let dictionary = file.resolve(item).dictionary else { return }
      add(dictionary, level: level)
      if level < Self.mostLevels { walk(dictionary["First"], level: level + 1) }
      // A direct entry cannot be told from its own sibling: no standard file has one.
      next = item.reference == nil ? nil : dictionary["Next"]
    }
  }

  private mutating func add(_ item: PDFDictionary, level: Int) {
    guard let title = title(item), let place = destination(item),
      let number = place.first.flatMap(pageNumber)
    else { return }
    entries.append(
      OutlineEntry(title: title, level: level, page: number, top: top(place, page: number)))
  }

  private func title(_ item: PDFDictionary) -> String? {
    guard let bytes = file.string(item, "Title") else { return nil }
    var text = String.UnicodeScalarView()
    for value in TextString.scalars(Array(bytes.prefix(2048))) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      text.append(value < 0x20 || value == 0x7F ? " " : scalar)
    }
    let words = String(text).split(separator: " ").joined(separator: " ")
    return words.isEmpty ? nil : words
  }

  /// The array of an explicit destination (12.3.2.2), found by its name where it has one.
  private func destination(_ item: PDFDictionary) -> [PDFObject]? {
    var place = file.resolve(item["Dest"])
    if place.isNull, let action = file.dictionary(item, "A"), file.name(action, "S") == "GoTo" {
      place = file.resolve(action["D"])
    }
    switch place {
    case .name(let name):
      place = file.resolve(file.dictionary(file.catalog, "Dests")?[name])
    case .string(let name):
      let tree = file.dictionary(file.catalog, "Names").flatMap { file.dictionary($0, "Dests") }
      place = tree.map { named(name, in: $0) } ?? .null
    default: break
    }
    if let inner = place.dictionary { place = file.resolve(inner["D"]) }
    return place.array
  }

  /// A value of a name tree (7.9.6). Branches are chosen by their limits; what has none is passed over.
  private func named(_ name: [UInt8], in root: PDFDictionary) -> PDFObject {
    var node = root
    for _ in 0..<Self.mostLevels {
      if let pairs = file.array(node, "Names") {
        var index = 0
        while index + 1 < pairs.count {
          if file.resolve(pairs[index]).string == name { return file.resolve(pairs[index + 1]) }
          index += 2
        }
        return .null
      }
      let branch = (file.array(node, "Kids") ?? []).lazy
        .compactMap { file.resolve($0).dictionary }
        .first { kid in
          guard let limits = file.array(kid, "Limits"), limits.count == 2,
            let low = file.resolve(limits[0]).string, let high = file.resolve(limits[1]).string
          else { return false }
          return !name.lexicographicallyPrecedes(low) && !high.lexicographicallyPrecedes(name)
        }
      guard let branch else { return .null }
      node = branch
    }
    return .null
  }

  private func pageNumber(_ page: PDFObject) -> Int? {
    if let number = page.reference?.number { return pages[number] }
    // Against the standard, but met: the index of a page of this document.
    guard let index = page.integer, (0..<extractor.pageCount).contains(index) else { return nil }
    return index + 1
  }

  private func top(_ place: [PDFObject], page number: Int) -> Double? {
    guard let page = extractor.pageObject(number - 1), page.rotation == 0, place.count > 1,
      let kind = file.resolve(place[1]).name
    else { return nil }
    let index: Int
    switch kind.text {
    case "XYZ": index = 3
    case "FitH", "FitBH": index = 2
    case "FitR": index = 5
    default: return nil
    }
    guard place.indices.contains(index), let y = file.resolve(place[index]).number, y.isFinite
    else { return nil }
    return min(max(0, page.cropBox.y1 - y), page.height)
  }
}
