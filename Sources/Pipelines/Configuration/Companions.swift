package import SystemPackage

extension Pipeline {
  /// Files that come with each file that a rule takes, by their names.
  package struct Companions: Sendable, Equatable {
    /// One of each entry must come; of the patterns of an entry one is enough.
    package var patterns: [[CompanionPattern]]
    /// How long a file and what is to come with it wait for each other, in milliseconds.
    package var wait: Int

    package init(patterns: [[CompanionPattern]], wait: Int) {
      (self.patterns, self.wait) = (patterns, wait)
    }

    /// What the companions of a file are called; one of each entry must come.
    package func names(for file: FilePath) -> [[FilePath]] {
      patterns.map { entry in entry.map { $0.name(for: file) } }
    }

    /// Whether a name is that of a companion.
    func areNamed(_ name: [UInt8]) -> Bool {
      patterns.joined().contains { $0.placeholder(in: name) != nil }
    }

    func areNamed(_ name: String) -> Bool { areNamed(Array(name.utf8)) }
  }
}

/// The name of a companion, with a place for that of the file it comes with: `{stem}.xfdf`.
package struct CompanionPattern: Sendable, Equatable {
  enum Place: String, Sendable, CaseIterable {
    /// The name without its extension.
    case stem = "{stem}"
    /// The whole name.
    case name = "{name}"
  }
  let place: Place
  let before: [UInt8]
  let after: [UInt8]

  /// As it is written.
  package var text: String {
    String(decoding: before, as: UTF8.self) + place.rawValue
      + String(decoding: after, as: UTF8.self)
  }

  /// Nil where the text has no place or several, or where the name would be the file's own, or in another
  /// folder.
  package init?(_ text: String) {
    for place in Place.allCases {
      let parts = text.split(
        separator: place.rawValue, omittingEmptySubsequences: false
      )
      guard parts.count == 2, !text.contains("/"), parts != ["", ""] else { continue }
      guard !parts.contains(where: { $0.contains("{") || $0.contains("}") }) else { return nil }
      self.place = place
      (before, after) = (Array(parts[0].utf8), Array(parts[1].utf8))
      return
    }
    return nil
  }

  /// What the companion of a file is called.
  func name(for file: FilePath) -> FilePath {
    FilePath(bytes: before + (place == .stem ? file.stemAndSuffix.stem : file.bytes) + after)
  }

  /// What stands in the pattern's place in a name; nil where the name is not of this pattern.
  func placeholder(in name: [UInt8]) -> ArraySlice<UInt8>? {
    guard name.count > before.count + after.count, name.starts(with: before),
      name.suffix(after.count).elementsEqual(after)
    else { return nil }
    return name[before.count..<(name.count - after.count)]
  }
}
