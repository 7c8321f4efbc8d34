/// The version of this procd: the one place it is written. Packages take it from here.
package enum ProgramVersion {
  package static let number = "0.1.0"
  /// What `--version` prints.
  package static let line = "procd \(number)"
}
