internal import Pipelines
internal import SystemPackage

/// Names that are left alone in an inbox.
package struct IgnoreList: Sendable {
  private let files: [String]
  private let folders: [String]

  /// - Parameter patterns: shell-like; those that end in a slash are for folders only.
  package init(_ patterns: [String]) {
    files = patterns.filter { !$0.hasSuffix("/") }
    folders = patterns.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
  }

  /// The pattern that a name falls under, nil for none.
  package func pattern(for name: String, isFolder: Bool) -> String? {
    // What other systems leave is written in capital or small letters.
    (isFolder ? folders : files).first { glob($0, matches: name, ignoresCase: true) }
  }
}
