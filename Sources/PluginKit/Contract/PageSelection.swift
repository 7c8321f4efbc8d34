/// Pages of a document chosen by number from 1: `3`, `1-3`, `-3`, `7-`, several of these as in `2-5,9`, or `all`.
public struct PageSelection: Sendable, Hashable, CustomStringConvertible {
  /// As it was written.
  public let description: String
  private let ranges: [ClosedRange<Int>]

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
      let isRange = ends.count == 2 && part != "-"
      let first = isRange && ends[0].isEmpty ? 1 : Int(ends[0]) ?? 0
      let last = isRange ? (ends[1].isEmpty ? .max : Int(ends[1]) ?? 0) : first
      guard first >= 1, last >= first else { return nil }
      ranges.append(first...last)
    }
    self.ranges = ranges
  }

  /// Whether the page with a number, from 1, is chosen.
  public func contains(_ page: Int) -> Bool { ranges.contains { $0.contains(page) } }
}
