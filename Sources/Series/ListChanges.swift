internal import PluginKit

/// What differs between two editions of a list.
package struct ListChanges: Sendable, Equatable {
  /// A number whose entries differ.
  package struct Change: Sendable, Equatable {
    package enum Kind: String, Sendable { case added, removed, changed }
    package var kind: Kind
    package var number: String
    /// Empty for one that was added.
    package var before: [ListEntry]
    /// Empty for one that was removed.
    package var after: [ListEntry]

    package init(kind: Kind, number: String, before: [ListEntry], after: [ListEntry]) {
      (self.kind, self.number) = (kind, number)
      (self.before, self.after) = (before, after)
    }

    /// Whether all that was said before still stands and more was added.
    package var gainsRows: Bool {
      guard kind == .changed, after.count > before.count else { return false }
      var rest = after[...]
      for entry in before {
        guard let place = rest.firstIndex(of: entry) else { return false }
        rest = rest[(place + 1)...]
      }
      return true
    }
  }

  /// In the order of the numbers.
  package var changes: [Change]

  package init(changes: [Change] = []) { self.changes = changes }

  /// Compares two editions.
  ///
  /// - Parameter isWhole: whether the newer one can be relied on to have all its numbers; where not,
  ///   none counts as removed.
  package init(
    from old: [String: [ListEntry]], to new: [String: [ListEntry]], isWhole: Bool
  ) {
    changes = []
    for number in Set(old.keys).union(new.keys).sorted() {
      switch (old[number], new[number]) {
      case (nil, let after?):
        changes.append(Change(kind: .added, number: number, before: [], after: after))
      case (let before?, nil) where isWhole:
        changes.append(Change(kind: .removed, number: number, before: before, after: []))
      case (let before?, let after?) where before != after:
        changes.append(Change(kind: .changed, number: number, before: before, after: after))
      default: break
      }
    }
  }

  package func count(_ kind: Change.Kind) -> Int { changes.count { $0.kind == kind } }
}
