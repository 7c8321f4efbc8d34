package import SystemPackage

/// A folder that results or originals go to.
package enum Place: String, Sendable, CaseIterable { case outbox, archive, quarantine }

/// Files that get their names together: the first alternative of which all paths are free is
/// taken.
package struct NameBundle: Sendable {
  package var place: Place
  /// Paths relative to the place; each alternative has as many.
  package var alternatives: [[FilePath]]
  package init(_ place: Place, _ alternatives: [[FilePath]]) {
    self.place = place
    self.alternatives = alternatives
  }
}
