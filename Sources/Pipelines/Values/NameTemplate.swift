/// A file or folder name with places to fill in: `{yyyy}/{stem}-{sha8}.pdf`.
package struct NameTemplate: Sendable, Equatable {
  package static let known = [
    "stem", "ext", "yyyy", "mm", "dd", "pipeline", "sha8", "job",
  ]

  package var text: String
  package init(_ text: String) { self.text = text }

  /// The first place that stands for nothing, nil where all are known.
  ///
  /// - Parameter texts: further places, for texts of the document.
  package func unknown(besides texts: [String]) -> String? {
    places.first { !Self.known.contains($0) && !texts.contains($0) }
  }

  private var places: [String] {
    text.matches(of: /\{([^}]*)\}/).map { String($0.output.1) }
  }

  /// The name with the places filled in. Slashes in values become underscores, and so do the dots
  /// of `.` and `..`: a value can neither make folders nor leave one.
  ///
  /// - Parameter otherwise: what stands for a place, braces included, that no value is known of.
  package func filled(
    _ values: [String: String], otherwise: (String) -> String = { _ in "" }
  ) -> String {
    let filled = text.replacing(/\{([^}]*)\}/) { match in
      (values[String(match.output.1)] ?? otherwise(String(match.output.0)))
        .replacing("/", with: "_")
    }
    return filled.split(separator: "/", omittingEmptySubsequences: false)
      .map { $0 == "." || $0 == ".." ? String(repeating: "_", count: $0.count) : String($0) }
      .joined(separator: "/")
  }
}
