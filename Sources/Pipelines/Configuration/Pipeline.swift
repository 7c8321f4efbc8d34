package import PluginKit

/// One rule: which files, what is done, what lands in the outbox.
package struct Pipeline: Sendable {
  package var id: String
  package var match: Match
  /// Set where the rule takes folders, and what becomes of their files; nil where it takes files.
  package var gather: Gathering?
  /// The files that come with each file that the rule takes; nil where each comes alone.
  package var companions: Companions?
  /// The list that each file is an edition of.
  package var series: String?
  package var steps: [Step]
  package var emits: [Emit]
  package var to: String?
  /// Whether the folders of the inbox stand below `to` too.
  package var keepsFolders = true
  /// What becomes of results whose names are taken.
  package var onClash = NameClash.number
  /// How long originals of its files are kept, or nil if the archive's time applies.
  package var keep: Configuration.KeepTime?
  /// What names of results may hold of the document's text.
  package var texts: [NamedText]
  /// The pipeline as it is meant, canonical: what its hash is made of.
  package var canonical: JSON
  /// Byte offset of its entry in the file, for messages.
  package var offset: Int

  /// What becomes of the files of a folder that is taken as one document.
  package enum Gathering: String, Sendable, CaseIterable {
    /// Their pages follow each other in the order of the files' names.
    case folder
    /// Two files are interleaved: fronts, and backs from the last to the first.
    case oddEven = "odd-even"
  }

  package struct Step: Sendable {
    package var id: String
    package var use: String
    package var options: Options
    /// By role; of several references the first that exists is taken.
    package var inputs: [(role: String, from: [Reference])]
    /// Whether it runs once for each file of its main input that it reads, instead of once for all.
    package var each = false
    package var condition: Condition?
    package var timeout: Int
    package var stall: Int
    package var attempts: Int
    package var expectations: [Expectation]
    package var manifest: StepManifest

    /// The role of its main input, which it is run for: the first one that is named.
    package var mainRole: String { inputs.first?.role ?? "source" }
    /// What it reads.
    package var references: [Reference] { inputs.flatMap(\.from) }

    /// Has the step give an output that it leaves out unless its option of the same name asks for it.
    package mutating func ask(for role: String) {
      guard isAsked(for: role) else { return }
      options = Options(checked: options.json.setting(role, true))
    }

    /// Whether it has an output that it leaves out unless its option of the same name asks for it.
    package func isAsked(for role: String) -> Bool {
      guard case .boolean? = manifest.options[role]?.shape else { return false }
      return manifest.outputs.contains { $0.role == role && !$0.always }
    }
  }

  package struct Emit: Sendable, Equatable {
    package var from: Reference
    package var otherwise: Reference?
    package var optional: Bool
    package var name: String?

    package init(from: Reference, otherwise: Reference? = nil, optional: Bool, name: String? = nil)
    {
      (self.from, self.otherwise) = (from, otherwise)
      (self.optional, self.name) = (optional, name)
    }

    /// What it places.
    package var references: [Reference] { [from] + (otherwise.map { [$0] } ?? []) }
  }

  /// A comparison that a step's fact must satisfy.
  package struct Expectation: Sendable, Equatable {
    package enum Comparison: String, Sendable { case equal, atLeast, atMost }
    package var fact: String
    package var comparison: Comparison
    package var value: JSON

    /// For people: `rows at least 100`.
    package var text: String { "\(fact) \(wanted)" }

    /// What is wanted of the fact, without its name.
    package var wanted: String {
      let value = Self.text(value)
      return switch comparison {
      case .equal: value
      case .atLeast: "at least \(value)"
      case .atMost: "at most \(value)"
      }
    }

    package static func text(_ value: JSON) -> String {
      value.stringValue ?? String(decoding: value.line, as: UTF8.self)
    }

    package func holds(for facts: JSON) -> Bool {
      guard let fact = facts[fact] else { return false }
      switch comparison {
      case .equal:
        return fact == value
          || (fact.doubleValue != nil
            && fact.doubleValue == value.doubleValue)
      case .atLeast:
        return fact.doubleValue.flatMap { a in value.doubleValue.map { a >= $0 } } ?? false
      case .atMost:
        return fact.doubleValue.flatMap { a in value.doubleValue.map { a <= $0 } } ?? false
      }
    }
  }
}

extension StepManifest {
  /// What the step gives where it runs once for each file: it may find none that it reads, and what it found out of
  /// one file is no fact of all.
  package var forEachFile: StepManifest {
    var manifest = self
    for index in manifest.outputs.indices { manifest.outputs[index].always = false }
    manifest.facts = [
      FactManifest(Self.filesRead, "How many files it read", .number),
      FactManifest(Self.filesUnread, "How many files it could not read", .number),
    ]
    return manifest
  }

  /// Names of the facts of a step that runs once for each file.
  package static let filesRead = "files", filesUnread = "filesUnread", factsPerFile = "perFile"
}

/// What a step reads: the source, what came with it, or an artifact of an earlier step.
package enum Reference: Sendable, Hashable, CustomStringConvertible {
  case source
  /// The files that came with the source.
  case companions
  case artifact(step: String, role: String)

  package init?(_ text: String) {
    if text == "source" {
      self = .source
      return
    }
    if text == "companions" {
      self = .companions
      return
    }
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    self = .artifact(step: String(parts[0]), role: String(parts[1]))
  }

  package var description: String {
    switch self {
    case .source: "source"
    case .companions: "companions"
    case .artifact(let step, let role): "\(step).\(role)"
    }
  }
}

/// `probe.pagesWithoutText > 0`: a fact, a comparison, a value. A fact that is missing makes it
/// false.
package struct Condition: Sendable, Equatable, CustomStringConvertible {
  package enum Operator: String, Sendable, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case unequal = "!="
    case equal = "=="
    case above = ">"
    case below = "<"
  }
  /// A step's id, or `probe`.
  package var step: String
  package var fact: String
  package var comparison: Operator
  package var value: JSON

  /// Reads a condition; nil where it is none.
  package init?(_ text: String) {
    for comparison in Operator.allCases {
      guard let range = text.firstRange(of: comparison.rawValue) else { continue }
      let left = text[..<range.lowerBound].trimmed, right = text[range.upperBound...].trimmed
      let parts = left.split(separator: ".", maxSplits: 1)
      // Signs on either side are those of a comparison that there is not: =>, =<, ===.
      guard parts.count == 2, let sign = right.first, !"=<>!".contains(sign),
        !left.contains(where: { "=<>!&|\"".contains($0) || $0.isWhitespace })
      else { return nil }
      step = String(parts[0])
      fact = String(parts[1])
      self.comparison = comparison
      if let node = try? JSONReader.read(String(right)) {
        value = node.value
      } else {
        value = .string(String(right))
      }
      // More than one comparison, or a number that is none.
      guard right.hasPrefix("\"") || !right.contains("&&") && !right.contains("||"),
        [.equal, .unequal].contains(comparison) || value.doubleValue != nil
      else { return nil }
      return
    }
    return nil
  }

  /// As it is written in a configuration.
  package var description: String {
    "\(step).\(fact) \(comparison.rawValue) \(String(decoding: value.line, as: UTF8.self))"
  }

  package func holds(_ facts: [String: JSON]) -> Bool {
    guard let fact = facts[step]?[fact] else { return false }
    if let left = fact.doubleValue, let right = value.doubleValue {
      return switch comparison {
      case .equal: left == right
      case .unequal: left != right
      case .above: left > right
      case .below: left < right
      case .atLeast: left >= right
      case .atMost: left <= right
      }
    }
    return switch comparison {
    case .equal: fact == value
    case .unequal: fact != value
    default: false
    }
  }
}

extension Substring {
  var trimmed: Substring {
    drop { $0 == " " }.reversed().drop { $0 == " " }.reversed().reduce(into: "") { $0.append($1) }
  }
}
