/// A file or folder name with places to fill in: `{yyyy}/{stem}-{sha8}.pdf`.
package struct NameTemplate: Sendable, Equatable {
  package static let known = [
    "stem", "ext", "yyyy", "mm", "dd", "pipeline", "sha8", "job",
  ]

  package var text: String
  package init(_ text: String) { self.text = text }

  /// The first place that stands for nothing, nil where all are known.
  package var unknown: String? {
    text.matches(of: /\{([^}]*)\}/).map { String($0.output.1) }.first { !Self.known.contains($0) }
  }

  /// The name with the places filled in. Slashes in values become underscores: a value cannot make
  /// folders.
  package func filled(_ values: [String: String]) -> String {
    text.replacing(/\{([^}]*)\}/) { match in
      (values[String(match.output.1)] ?? "").replacing("/", with: "_")
    }
  }
}
