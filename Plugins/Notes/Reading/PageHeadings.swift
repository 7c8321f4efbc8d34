internal import PDFText

/// The headings of a document's outline, to say under which one a note stands.
struct PageHeadings {
  private let entries: [OutlineEntry]

  init(_ extractor: TextExtractor) {
    // By pages: an outline may name places out of order.
    entries = extractor.outline().enumerated()
      .sorted { ($0.element.page, $0.offset) < ($1.element.page, $1.offset) }
      .map(\.element)
  }

  var isEmpty: Bool { entries.isEmpty }

  /// The headings of one page, at the words with which they begin.
  func onPage(_ words: PageWords, _ budget: inout ReadingBudget) -> OnPage {
    var found = OnPage()
    var low = 0, high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].page < words.page.number { low = middle + 1 } else { high = middle }
    }
    if low > 0 { found.before = entries[low - 1].title }
    let own = entries[low...].prefix { $0.page == words.page.number }.prefix(500)
    guard !own.isEmpty else { return found }
    let lines = words.page.lines.map { line in
      Self.letters(words.text(of: Array(line.words.prefix(40))))
    }
    // What is compared are texts, not numbers.
    for entry in own where budget.has(comparisons: 10 * lines.count) {
      found.entries.append(
        OnPage.Entry(
          title: entry.title, top: entry.top ?? 0,
          word: Self.place(of: entry, words.page, lines) ?? 0))
    }
    return found
  }

  /// The first word of the line that says what the entry says, nearest to where it leads; else the
  /// first word below that place.
  private static func place(
    of entry: OutlineEntry, _ page: TextPage, _ lines: [String]
  ) -> Int? {
    let title = letters(entry.title)
    let alike = lines.indices.filter { index in
      // The number of a chapter stands in one of the two only, now and then, and long titles run on.
      !title.isEmpty && !lines[index].isEmpty
        && (lines[index].hasPrefix(title) || title.hasSuffix(lines[index])
          || lines[index].utf8.count >= 12 && title.hasPrefix(lines[index])
          || lines[index].hasSuffix(title) && lines[index].utf8.count <= title.utf8.count + 8)
    }
    let said = alike.min { first, second in
      guard let top = entry.top else { return first < second }
      func distance(_ index: Int) -> Double { (page.lines[index].box.y0 - top).magnitude }
      return distance(first) < distance(second)
    }
    if let said { return page.lines[said].words.lowerBound }
    guard let top = entry.top else { return nil }
    // Viewers are led a little above the line.
    return page.lines.first { $0.box.y1 > top }?.words.lowerBound ?? page.words.count
  }

  private static func letters(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.prefix(400).lowercased().unicodeScalars.filter {
          $0.properties.isAlphabetic || $0.properties.numericType != nil
        }))
  }

  /// Of one page.
  struct OnPage {
    struct Entry {
      var title: String
      /// Points below the page's top edge.
      var top: Double
      /// The word with which it begins.
      var word: Int
    }

    /// The last one of the pages before.
    var before: String?
    var entries: [Entry] = []

    /// The heading under which a note stands.
    ///
    /// - Parameters:
    ///   - word: of the page, nearest to the note; nil where the page has none.
    ///   - top: of the note, below the page's top edge.
    func heading(at word: Int?, top: Double?) -> String? {
      var title = before
      var last = -1.0
      for entry in entries {
        let place = word == nil ? entry.top : Double(entry.word)
        let own = word.map { Double($0) } ?? top ?? 0
        // The later of two headings at one place is the narrower one.
        if place <= own, place >= last { (title, last) = (entry.title, place) }
      }
      return title
    }
  }
}
