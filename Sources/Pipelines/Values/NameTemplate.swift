/// A file or folder name with places to fill in: `{yyyy}/{stem}-{sha8}.pdf`.
package struct NameTemplate: Sendable, Equatable {
  package static let known = [
    "stem", "ext", "yyyy", "mm", "dd", "pipeline", "sha8", "job",
  ]
  /// The place for what tells a result from others of its role, and what stands there if nothing does.
  package static let label = "label", noLabel = "unknown"

  package var text: String
  package init(_ text: String) { self.text = text }

  /// The places that stand for nothing.
  ///
  /// - Parameter others: further places.
  package func unknown(besides others: [String]) -> [String] {
    places.filter { !Self.known.contains($0) && !others.contains($0) }
  }

  /// Whether a brace has no partner.
  package var isUnbalanced: Bool {
    let rest = text.replacing(/\{[^{}]*\}/, with: "")
    return rest.contains("{") || rest.contains("}")
  }

  private var places: [String] {
    text.matches(of: /\{([^}]*)\}/).map { String($0.output.1) }
  }

  /// The name with the places filled in. Slashes in values become underscores, and so do the dots
  /// of `.` and `..`, and a dot at the beginning that the template does not have: a value can neither make folders nor
  /// leave one, nor hide one.
  ///
  /// - Parameter otherwise: what stands for a place, braces included, that no value is known of.
  package func filled(
    _ values: [String: String], otherwise: (String) -> String = { _ in "" }
  ) -> String {
    // A file without an ending gives its results none.
    let text =
      values["ext"]?.isEmpty == true ? self.text.replacing(".{ext}", with: "") : self.text
    let filled = text.replacing(/\{([^}]*)\}/) { match in
      Self.joined(
        Self.names(in: values[String(match.output.1)] ?? otherwise(String(match.output.0))),
        by: "_")
    }
    let written = Self.names(in: text)
    let names = Self.names(in: filled).enumerated().map { index, name in
      if name.allSatisfy({ $0 == "." }), (1...2).contains(name.count) {
        return Substring.UnicodeScalarView(repeatElement("_", count: name.count))
      }
      let isMeant = !written.indices.contains(index) || written[index].first == "."
      guard name.first == ".", !isMeant else { return name }
      return Substring.UnicodeScalarView(["_"] + Array(name.dropFirst()))
    }
    return Self.joined(names, by: "/")
  }

  /// What stands between slashes. By scalars, as the kernel sees it: a slash with an accent upon it is no
  /// `Character` "/", and is a slash.
  private static func names(in text: String) -> [Substring.UnicodeScalarView] {
    text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func joined(
    _ names: [Substring.UnicodeScalarView], by separator: Unicode.Scalar
  ) -> String {
    var text = String.UnicodeScalarView()
    for (index, name) in names.enumerated() {
      if index > 0 { text.append(separator) }
      text.append(contentsOf: name)
    }
    return String(text)
  }
}
