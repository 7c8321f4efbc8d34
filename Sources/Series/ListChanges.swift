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
        guard let place = rest.firstIndex(where: { $0.says(entry) }) else { return false }
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
  /// - Parameter isWhole: whether the newer one can be relied on to have all its rows. Where not, none
  ///   counts as removed, and neither does what its reader was not sure of count.
  package init(
    from old: [String: [ListEntry]], to new: [String: [ListEntry]], isWhole: Bool
  ) {
    changes = []
    for number in Set(old.keys).union(new.keys).sorted() {
      let before = old[number] ?? []
      var after = new[number] ?? []
      if !isWhole { after = Self.relied(on: after, after: before) }
      if before.isEmpty, !after.isEmpty {
        changes.append(Change(kind: .added, number: number, before: [], after: after))
      } else if after.isEmpty, !before.isEmpty, isWhole {
        changes.append(Change(kind: .removed, number: number, before: before, after: []))
      } else if !after.isEmpty, !before.says(after) {
        changes.append(Change(kind: .changed, number: number, before: before, after: after))
      }
    }
  }

  /// What a damaged list can be trusted to say of a number: what stood before, where nothing new was
  /// read for sure; else what was read, without doubtful rows that say something new.
  private static func relied(
    on entries: [ListEntry], after before: [ListEntry]
  ) -> [ListEntry] {
    var known = SaidRows()
    for entry in before { _ = known.add(entry) }
    let sure = entries.filter { $0.doubt == nil || known.place(of: $0) != nil }
    return sure.contains { known.place(of: $0) == nil } ? sure : before
  }

  /// What is known of each number after these changes.
  func applied(to old: [String: [ListEntry]]) -> [String: [ListEntry]] {
    var entries = old
    for change in changes { entries[change.number] = change.after.isEmpty ? nil : change.after }
    return entries
  }

  package func count(_ kind: Change.Kind) -> Int { changes.count { $0.kind == kind } }
}
