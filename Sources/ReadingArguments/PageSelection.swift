public import ArgumentParser

/// Pages chosen by number, such as `2-5,9`, `-3` or `7-`.
public struct PageSelection: ExpressibleByArgument, Sendable, Equatable {
  private var ranges: [ClosedRange<Int>] = []

  /// - Parameter argument: numbers from 1 and ranges of them, separated by commas.
  public init?(argument: String) {
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      let first = ends[0].isEmpty && ends.count == 2 ? 1 : Int(ends[0]) ?? 0
      var last = first
      if ends.count == 2 { last = ends[1].isEmpty ? .max : Int(ends[1]) ?? 0 }
      guard first >= 1, last >= first else { return nil }
      ranges.append(first...last)
    }
    guard !ranges.isEmpty else { return nil }
  }

  /// Whether the page with a number, from 1, is chosen.
  public func contains(_ page: Int) -> Bool { ranges.contains { $0.contains(page) } }
}
