/// `1`, `1-3` or `all`.
struct PageSelection {
  private let range: ClosedRange<Int>?

  init(_ text: String) {
    let ends = text.split(separator: "-").compactMap { Int($0) }
    if text == "all" {
      range = 1...Int.max
    } else if let first = ends.first {
      range = first...max(first, ends.count > 1 ? ends[1] : first)
    } else {
      range = nil
    }
  }

  func holds(_ page: Int) -> Bool { range?.contains(page) ?? false }
}
