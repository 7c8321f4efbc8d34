package import PluginKit
package import SystemPackage

/// A configuration as it is meant: defaults filled in, units read, references resolved.
package struct Configuration: Sendable {
  /// Paths as written; relative ones start at the folder of the file.
  package var inbox: Inbox
  package var outbox: Outbox
  package var archive: Archive
  package var quarantine: Quarantine
  package var spool: String
  package var workers: Int?
  package var duplicates: Duplicates
  package var isolationRequired: Bool
  package var defaults: Defaults
  package var pluginFolders: [String]
  package var pipelines: [Pipeline] = []

  package var sources: [Source] = []
  package var notify: [NotifyTarget] = []
  /// Other machines that steps may run on; nil where there are none.
  package var fleet: Fleet?
  /// Whether the texts of documents are kept for searching while procd runs.
  package var isIndexed: Bool
  /// The page in the browser; nil where there is none.
  package var web: Web?
  /// Where figures for a monitoring system are written.
  package var metricsFile: String?
  package var metricsSocket: String?
  /// A local socket at which the status is told, and the group whose members may ask.
  package var statusSocket: String?
  package var statusGroup: String?
  package var isMeasured: Bool { metricsFile != nil || metricsSocket != nil }

  /// What does not hang on plugins, as it is written; what is left out is as ``ConfigurationShape`` has it.
  init(_ written: JSON) {
    let set = Options(ConfigurationShape.file, written)
    inbox = Inbox(set["inbox"])
    outbox = Outbox(set["outbox"])
    archive = Archive(set["archive"])
    quarantine = Quarantine(set["quarantine"])
    spool = set.text("spool")
    workers = set.integer("workers")
    duplicates = set.choice("duplicates", .reuse)
    isolationRequired = set.string("isolation") == "required"
    defaults = Defaults(set["defaults"])
    pluginFolders = set.strings("plugins")
    isIndexed = set.flag("find")
    web = set["web"].map(Web.init)
    metricsFile = set["metrics"]?["file"]?.stringValue
    metricsSocket = set["metrics"]?["socket"]?.stringValue
    statusSocket = set["status"]?["socket"]?.stringValue
    statusGroup = set["status"]?["group"]?.stringValue
  }

  package func access(_ place: Place) -> Access {
    switch place {
    case .outbox: outbox.access
    case .archive: archive.access
    case .quarantine: quarantine.access
    }
  }

  package enum Duplicates: String, Sendable, CaseIterable { case reuse, report, again, refuse }

  package struct Inbox: Sendable, Equatable {
    package enum Watch: String, Sendable { case auto, events, poll }
    package var path: String
    package var recursive: Bool
    /// Milliseconds, as all times here.
    package var settle: Int
    package var settleFolder: Int
    package var settleUnleased: Int
    package var settleEndMark: Int
    package var rescan: Int
    package var watch: Watch
    package var poll: Int
    /// How long a sub-folder must have been empty to be removed; nil for never.
    package var removeEmpty: Int?
    /// The shipped list and what the file adds, and the marker.
    package var ignore: [String]
    /// The name of a file without which the folder is not taken for what is meant.
    package var marker: String?

    package init(_ written: JSON? = nil) {
      let set = Options(ConfigurationShape.inbox, written, short: "path")
      path = set.text("path")
      recursive = set.flag("recursive")
      settle = set.milliseconds("settle")
      settleFolder = set.milliseconds("settleFolder")
      settleUnleased = set.milliseconds("settleUnleased")
      settleEndMark = set.milliseconds("settleEndMark")
      rescan = set.milliseconds("rescan")
      watch = set.choice("watch", .auto)
      poll = set.milliseconds("poll")
      removeEmpty = set.string("removeEmpty").flatMap(Quantity.milliseconds)
      marker = set.string("marker")
      ignore =
        ConfigurationShape.shippedIgnores + set.strings("ignore") + (marker.map { [$0] } ?? [])
    }
  }

  package struct Outbox: Sendable, Equatable {
    package enum Layout: String, Sendable { case flat, folder }
    package var path: String
    package var layout: Layout
    /// A folder below the outbox that reports are put into, by its components; nil for beside their results.
    package var reports: FilePath?
    package var keepsSourceTime: Bool
    package var access: Access

    package init(_ written: JSON? = nil) {
      let set = Options(ConfigurationShape.outbox, written, short: "path")
      path = set.text("path")
      layout = set.choice("layout", .flat)
      let reports = set.text("reports")
      self.reports = reports == "beside" ? nil : FilePath(reports)
      keepsSourceTime = set.string("mtime") == "source"
      access = Access(set)
    }
  }

  package struct Archive: Sendable, Equatable {
    package var path: String
    package var access: Access
    /// How long an original stays once its job is done, in milliseconds; nil for ever, 0 not at all.
    package var keep: Int?

    package init(_ written: JSON? = nil) {
      let set = Options(ConfigurationShape.archive, written, short: "path")
      path = set.text("path")
      access = Access(set)
      keep = set.text("keep") == "no" ? 0 : Quantity.milliseconds(set.text("keep"))
    }
  }

  package struct Quarantine: Sendable, Equatable {
    package var path: String
    package var access: Access

    package init(_ written: JSON? = nil) {
      let set = Options(ConfigurationShape.quarantine, written, short: "path")
      path = set.text("path")
      access = Access(set)
    }
  }

  /// Who may do what with the files of a place, and how it is known.
  package struct Access: Sendable, Equatable {
    /// Permission bits; nil for what files get of themselves: 0660 what procd makes, their own what
    /// was dropped.
    package var mode: UInt32?
    /// The name or number of a group; nil for the group of the source.
    package var group: String?
    /// The name of a file without which the folder is not taken for what is meant.
    package var marker: String?

    fileprivate init(_ set: Options) {
      marker = set.string("marker")
      mode = set.string("mode").flatMap(Quantity.permissions)
      group = set.string("group")
    }
  }

  package struct Defaults: Sendable, Equatable {
    package var timeout: Int
    package var stall: Int
    package var retry: Retry
    package var limits = StepLimits()
    package var files: Int

    package init(_ written: JSON? = nil) {
      let set = Options(ConfigurationShape.defaults, written)
      timeout = set.milliseconds("timeout")
      stall = set.milliseconds("stall")
      retry = Retry(set["retry"])
      let limit = Options(ConfigurationShape.limits, set["limits"])
      limits.memory = Quantity.bytes(limit.text("memory")) ?? 0
      limits.output = Quantity.bytes(limit.text("output")) ?? 0
      limits.pages = limit.integer("pages") ?? 0
      limits.pixels = Quantity.pixels(limit.text("pixels")) ?? 0
      files = limit.integer("files") ?? 0
    }
  }

  package struct Retry: Sendable, Equatable {
    package var attempts: Int
    package var backoff: Int
    package var factor: Double
    package var max: Int

    package init(_ written: JSON? = nil) {
      let set = Options(ConfigurationShape.retry, written)
      attempts = set.integer("attempts") ?? 0
      backoff = set.milliseconds("backoff")
      factor = set.double("factor") ?? 0
      max = set.milliseconds("max")
    }

    /// Milliseconds to wait after this many charged attempts.
    package func wait(after attempts: Int) -> Int {
      var wait = Double(backoff)
      for _ in 1..<Swift.max(1, min(attempts, 100)) { wait = min(wait * factor, Double(max)) }
      return Int(min(wait, Double(max)))
    }
  }
}

extension Options {
  /// What is written, with the defaults of its declaration. Where the shape is wrong somewhere, which is told
  /// elsewhere, its value is empty.
  ///
  /// - Parameter short: the member that a text alone stands for.
  init(_ shape: ObjectShape, _ written: JSON?, short: String? = nil) {
    var written = written ?? [:]
    if let short, let text = written.stringValue { written = [short: .string(text)] }
    self.init(checked: shape.filled(written))
  }

  func text(_ name: String) -> String { string(name) ?? "" }

  fileprivate func milliseconds(_ name: String) -> Int {
    Quantity.milliseconds(text(name)) ?? 0
  }

  fileprivate func choice<Choice: RawRepresentable>(
    _ name: String, _ otherwise: Choice
  ) -> Choice where Choice.RawValue == String {
    string(name).flatMap(Choice.init) ?? otherwise
  }
}

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
    package var condition: Condition?
    package var timeout: Int
    package var stall: Int
    package var attempts: Int
    package var expectations: [Expectation]
    package var manifest: StepManifest

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
package struct Condition: Sendable, Equatable {
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
      guard parts.count == 2, !right.isEmpty else { return nil }
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
