import PDFText

/// Headings above blocks of numbers, where they are all that a list says of its statuses.
struct BlockHeadings {
  private let pages: [StatusPage]
  /// What stands on every page, which is its head or foot.
  private let repeated: Set<String>

  /// Nil where no two blocks have different headings, or none stands between rows: then they are titles.
  init?(_ pages: [StatusPage]) {
    self.pages = pages
    var counts: [String: Int] = [:]
    for page in pages {
      for text in Set(page.headings.map { Self.withoutDigits($0.text) }) {
        counts[text, default: 0] += 1
      }
    }
    repeated = Set(counts.filter { $0.value > 1 && $0.value == pages.count }.keys)
    let standsBetween = pages.contains { page in
      let first = page.lists.compactMap { $0.anchors.first?.middle }.min() ?? .infinity
      let last = page.lists.compactMap { $0.anchors.last?.middle }.max() ?? -.infinity
      return heading(above: last, on: page) != heading(above: first, on: page)
    }
    guard standsBetween, Set(all()).subtracting([""]).count > 1 else { return nil }
  }

  /// Gives all rows of the pages the headings above them.
  func fill(_ rows: inout [StatusRow]) {
    for (place, heading) in zip(rows.indices, all()) where !heading.isEmpty {
      rows[place].status = heading
      rows[place].doubt = rows[place].doubt ?? .heading
    }
  }

  /// What stands above each row; empty where nothing does.
  private func all() -> [String] {
    var result: [String] = []
    var last = ""
    for page in pages {
      for list in page.lists {
        result += list.anchors.map { heading(above: $0.middle, on: page) ?? last }
      }
      last = heading(above: .infinity, on: page) ?? last
    }
    return result
  }

  private func heading(above middle: Double, on page: StatusPage) -> String? {
    page.headings.last {
      $0.middle < middle && !repeated.contains(Self.withoutDigits($0.text))
    }?.text
  }

  /// Numbers of pages differ.
  private static func withoutDigits(_ text: String) -> String {
    String(text.map { $0.isNumber ? "0" : $0 })
  }
}
