package import SystemPackage

/// A folder that results or originals go to.
package enum Place: String, Sendable, CaseIterable { case outbox, archive, quarantine }

/// What becomes of a file where another one has its name already.
package enum NameClash: String, Sendable, CaseIterable { case number, replace, refuse }

/// Files that get their names together, so that all of them carry the same number.
package struct NameBundle: Sendable {
  package var place: Place
  package var onClash: NameClash
  /// The paths with a number, relative to the place and as many for each: 1 for the plain names, 2 and on for names
  /// that show it.
  package var paths: @Sendable (_ number: Int) -> [FilePath]

  package init(
    _ place: Place, onClash: NameClash = .number, _ paths: @escaping @Sendable (Int) -> [FilePath]
  ) {
    (self.place, self.onClash, self.paths) = (place, onClash, paths)
  }
}
