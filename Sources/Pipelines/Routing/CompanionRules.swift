package import SystemPackage

/// Which files of an inbox belong together, as far as their names tell. Pure.
package struct CompanionRules: Sendable {
  private struct Rule: Sendable {
    var match: Match
    var companions: Pipeline.Companions
  }
  private let rules: [Rule]

  package init(_ pipelines: [Pipeline] = []) {
    rules = pipelines.compactMap { pipeline in
      pipeline.companions.map { Rule(match: pipeline.match, companions: $0) }
    }
  }

  /// Whether every file comes alone.
  package var isEmpty: Bool { rules.isEmpty }

  /// What one rule wants to come with a file.
  package struct Wanted: Sendable, Equatable {
    /// Names in the file's folder; one of each entry.
    package var names: [[FilePath]]
    /// Milliseconds.
    package var wait: Int

    /// Those that are there, and the entries of which none is.
    package func found<Failure: Error>(
      _ isThere: (FilePath) throws(Failure) -> Bool
    ) throws(Failure) -> (names: [FilePath], lacking: [[FilePath]]) {
      var found: [FilePath] = [], lacking: [[FilePath]] = []
      for entry in names {
        let before = found.count
        for name in entry where try isThere(name) { found.append(name) }
        if found.count == before { lacking.append(entry) }
      }
      return (found, lacking)
    }
  }

  /// What is to come with a file, by each rule that may take it, in their order; none where it comes
  /// alone.
  ///
  /// - Parameter path: below the inbox.
  package func wanted(by path: FilePath) -> [Wanted] {
    guard let name = path.lastComponent.map({ FilePath(name: $0) }) else { return [] }
    let facts = RoutingFacts(
      mime: nil, candidates: [], name: name.repaired.text, path: path.repaired.text, size: nil)
    return rules.compactMap { rule in
      guard !rule.companions.areNamed(name.bytes), rule.match.mayHold(facts) else { return nil }
      return Wanted(names: rule.companions.names(for: name), wait: rule.companions.wait)
    }
  }

  /// How long a file waits for the one that it comes with; nil where it is nobody's companion.
  package func waitOfCompanion(_ path: FilePath) -> Int? {
    guard let name = path.lastComponent.map({ FilePath(name: $0) }) else { return nil }
    return rules.filter { $0.companions.areNamed(name.bytes) }.map(\.companions.wait).max()
  }
}
