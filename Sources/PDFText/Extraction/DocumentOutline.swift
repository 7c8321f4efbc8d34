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
  private let file: PDFFile
  private let extractor: TextExtractor
  /// Made only where there is an outline: it looks at all pages.
  private lazy var destinations = Destinations(extractor)
  private var visited: Set<Int> = []
  private var entries: [OutlineEntry] = []

  /// Books have some hundreds; each costs a few objects.
  private static let mostEntries = 10_000
  private static let mostLevels = 32

  init(_ extractor: TextExtractor) {
    file = extractor.file
    self.extractor = extractor
  }

  mutating func read() -> [OutlineEntry] {
    guard let root = file.dictionary(file.catalog, "Outlines"), root["First"] != nil else {
      return []
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
    guard let title = title(item), let place = destinations.place(of: item) else { return }
    entries.append(
      OutlineEntry(title: title, level: level, page: place.page, top: place.top))
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
}
