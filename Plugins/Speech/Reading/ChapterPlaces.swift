internal import PDFText

/// Finds the passage at which each entry of a page's table of contents begins.
enum ChapterPlaces {
  /// Puts the titles of the entries on the passages of their page: on the one that says the same,
  /// else on the first below the place to which the entry leads.
  static func mark(_ passages: inout [Passage], with entries: [OutlineEntry]) {
    guard !passages.isEmpty else { return }
    let letters = passages.map { Self.letters($0.text.prefix(400)) }
    for entry in entries {
      let wanted = Self.letters(entry.title.prefix(400))
      let said = letters.firstIndex { text in
        // The number of a chapter stands in one of the two only, now and then.
        !wanted.isEmpty
          && (text.starts(with: wanted) || text.count >= 8 && wanted.hasSuffix(text)
            || text.count <= wanted.count + 8 && text.hasSuffix(wanted))
      }
      let below = passages.firstIndex { passage in
        guard let top = entry.top, let box = passage.words.first?.place.box else { return true }
        // Viewers are led a little above the line.
        return box.y1 > top
      }
      let index = said ?? below ?? 0
      passages[index].chapters.append(ChapterTitle(title: entry.title, level: entry.level))
    }
  }

  /// The headings of a document that has no table of contents.
  static func markHeadings(_ passages: inout [Passage]) {
    for index in passages.indices {
      guard case .heading(let level) = passages[index].kind, level <= 3 else { continue }
      let title = String(passages[index].text.prefix(200))
      passages[index].chapters = [ChapterTitle(title: title, level: level)]
    }
  }

  /// Letters and digits in small form.
  private static func letters(_ text: some StringProtocol) -> String {
    String(
      String.UnicodeScalarView(
        text.lowercased().unicodeScalars.filter {
          $0.properties.isAlphabetic || $0.properties.numericType != nil
        }))
  }
}
