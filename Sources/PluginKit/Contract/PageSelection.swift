/// Pages of a document chosen by number from 1: `3`, `1-3`, `-3`, `7-`, several of these as in `2-5,9`, or `all`.
public struct PageSelection: Sendable, Hashable, CustomStringConvertible {
  /// As it was written.
  public let description: String
  private let ranges: [ClosedRange<Int>]

  public static let first = PageSelection(description: "1", ranges: [1...1])

  private init(description: String, ranges: [ClosedRange<Int>]) {
    (self.description, self.ranges) = (description, ranges)
  }

  /// Nil for what chooses no pages.
  public init?(_ text: String) {
    description = text
    guard text != "all" else {
      ranges = [1 ... .max]
      return
    }
    var ranges: [ClosedRange<Int>] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      let isOpen = ends.count == 2 && ends.contains { !$0.isEmpty }
      let first = isOpen && ends[0].isEmpty ? 1 : Int(ends[0]) ?? 0
      let last = isOpen ? (ends[1].isEmpty ? .max : Int(ends[1]) ?? 0) : first
      guard first >= 1, last >= first else { return nil }
      ranges.append(first...last)
    }
    self.ranges = ranges
  }

  public func contains(_ page: Int) -> Bool { ranges.contains { $0.contains(page) } }
}
