internal import PluginKit

/// In which order the pages of several files become one document.
enum PageOrder: String, Sendable, CaseIterable {
  /// File after file.
  case files
  /// Two files, as a scanner gives them that reads one side at a time: the first has the fronts in
  /// order, the second the backs from the last to the first.
  case oddEven = "odd-even"

  /// A page of a file, both counted from 0.
  struct Place: Sendable, Equatable {
    var file: Int
    var page: Int
  }

  /// The places of all pages.
  ///
  /// - Parameter counts: how many pages each file has.
  /// - Throws: ``PluginFailure`` with the code `pages.sides` where fronts and backs do not fit each other.
  func places(_ counts: [Int]) throws(PluginFailure) -> [Place] {
    switch self {
    case .files:
      return counts.enumerated().flatMap { file, count in
        (0..<count).map { Place(file: file, page: $0) }
      }
    case .oddEven:
      guard counts.count == 2, counts[0] == counts[1] || counts[0] == counts[1] + 1 else {
        throw PluginFailure(
          .input, "pages.sides",
          "fronts and backs do not fit each other: \(Self.told(counts))",
          hint: "Two files are needed, the fronts first by name, with as many backs or one less.")
      }
      return (0..<counts[0]).flatMap { front in
        let back = counts[0] - 1 - front - (counts[0] - counts[1])
        let sides = [Place(file: 0, page: front)]
        return back >= 0 ? sides + [Place(file: 1, page: back)] : sides
      }
    }
  }

  private static func told(_ counts: [Int]) -> String {
    guard counts.count == 2 else { return "there are \(counts.count) files" }
    return "the first file has \(counts[0]) pages, the second \(counts[1])"
  }
}
