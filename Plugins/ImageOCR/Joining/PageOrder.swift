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
    /// Degrees clockwise by which it is turned, a multiple of 90.
    var rotation = 0
  }

  /// The places of chosen pages, in their order.
  ///
  /// - Parameters:
  ///   - chosen: each `FILE`, for all its pages, or `FILE:PAGE`, counted from 1, with `@90`, `@180` or `@270` behind it
  ///     if it is turned.
  ///   - counts: how many pages each file has.
  /// - Throws: ``PluginFailure`` with the code `pages.choice` if there is no such file or page.
  static func places(_ chosen: [String], _ counts: [Int]) throws(PluginFailure) -> [Place] {
    var places: [Place] = []
    for text in chosen {
      guard
        let match = text.wholeMatch(of: /([0-9]{1,6})(?::([0-9]{1,6}))?(?:@(0|90|180|270))?/),
        let file = Int(match.1), counts.indices.contains(file - 1)
      else { throw noPage(text) }
      let page = match.2.flatMap { Int($0) }, all = 0..<counts[file - 1]
      if let page, !all.contains(page - 1) { throw noPage(text) }
      for index in page.map({ $0 - 1..<$0 }) ?? all {
        places.append(
          Place(file: file - 1, page: index, rotation: match.3.flatMap { Int($0) } ?? 0))
      }
    }
    return places
  }

  private static func noPage(_ text: String) -> PluginFailure {
    PluginFailure(
      .options, "pages.choice", "there is no page \"\(text.prefix(40))\" to choose",
      hint: "write FILE, FILE:PAGE or FILE:PAGE@90, both counted from 1")
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
