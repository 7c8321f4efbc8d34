import Conveyor
import Files
import Glibc
import JobLedger
import PageAPI
import Pipelines
import PluginKit
import Synchronization
import SystemPackage

/// The rules: what they are, what each took, and changes of them.
extension PageAnswers {
  func rules() throws -> JSON {
    let active = active, now = wallTime(), ledger = try ledger()
    let loaded = try? options.read()
    func counts(_ time: Int64) throws -> [String: Int] {
      Dictionary(
        (try ledger?.counts(by: .pipeline, since: time) ?? []).map { ($0.name, $0.count) },
        uniquingKeysWith: +)
    }
    let today = try counts(now - Self.day), week = try counts(now - 7 * Self.day)
    let all = try ledger?.outcomes() ?? []
    let written = try? JSONReader.read(active.text).value
    let rules = active.configuration.pipelines.map { pipeline -> JSON in
      let text = written?["pipelines"]?.arrayValue?.first {
        $0["id"]?.stringValue == pipeline.id
      }
      let total = all.filter { $0.key.pipeline == pipeline.id }
      return [
        "id": .string(pipeline.id), "about": text?["about"], "rule": text,
        "steps": .array(
          pipeline.steps.map { step in
            [
              "id": .string(step.id), "use": .string(step.use),
              "if": step.condition.map { .string($0.description) },
            ]
          }),
        "emit": text?["emit"] ?? .array([]), "to": text?["to"],
        "day": .integer(today[pipeline.id] ?? 0), "week": .integer(week[pipeline.id] ?? 0),
        "all": .integer(total.reduce(0) { $0 + $1.number }),
        "last": total.map(\.last).max().map { .string(timestamp($0)) },
      ]
    }
    let problems = loaded.map { $0.file.complaints.isEmpty ? nil : $0.file.rendered() } ?? nil
    return [
      "file": .string(configuration.printable),
      "mark": .string(Self.mark(of: loaded?.file.text ?? active.text)),
      "edit": .bool(editObstacle() == nil), "editObstacle": editObstacle().map { .string($0) },
      "templates": .array(templates()),
      "problems": problems.map { .string($0) },
      "text": .string(String(decoding: loaded?.file.text ?? active.text, as: UTF8.self)),
      "rules": .array(rules),
    ]
  }

  // MARK: - Changing

  static func mark(of text: [UInt8]) -> String { sha256(text) }

  /// Why the page may not change rules, one sentence, or nil if it may.
  func editObstacle() -> String? {
    guard active.configuration.web?.editsRules == true else {
      return
        "The page may not change rules here: the configuration would have to allow it with \"rules\": \"edit\" in \"web\"."
    }
    guard configuration.allows(W_OK), configuration.removingLastComponent().allows(W_OK) else {
      return
        "procd may not write \(configuration.printable), so its rules are changed by who may."
    }
    return nil
  }

  /// The shipped rules whose steps are installed, by kind of file and by what is wanted of it.
  private func templates() -> [JSON] {
    ShippedRules.Kind.allCases.compactMap { kind in
      var makes: [JSON] = []
      for wanted in ShippedRules.Wanted.allCases {
        let rule = ShippedRules.rule(kind, wanted, crop: false)
        guard ShippedRules.isInstalled(rule, in: active.catalog),
          !makes.contains(where: { $0["rule"] == rule })
        else { continue }
        makes.append(["wanted": .string(wanted.rawValue), "about": rule["about"], "rule": rule])
      }
      return makes.isEmpty
        ? nil
        : [
          "kind": .string(kind.rawValue), "name": .string(ShippedRules.name(of: kind)),
          "makes": .array(makes),
        ]
    }
  }

  /// The shipped rule that would take a file that no rule takes, or nil.
  func offer(mime: String, name: String) -> JSON? {
    guard let kind = ShippedRules.kind(mime: mime, name: name) else { return nil }
    let rule = ShippedRules.rule(kind, .searchable, crop: true)
    guard ShippedRules.isInstalled(rule, in: active.catalog) else { return nil }
    return ["kind": .string(kind.rawValue), "about": rule["about"], "rule": rule]
  }

  /// A configuration with one rule changed, and what is wrong with it.
  struct ChangedRules {
    var loaded: ConfigurationLoader.Loaded
    var edit: RuleEdit
    /// The mistakes as `procd check` prints them, those of the rule with its own lines; nil if there are none.
    var problems: String?
    var warnings: String?
  }

  /// - Throws: ``PageRefusal`` if the change cannot be made or brings in what only the file may say.
  func changed(_ change: RuleEdit.Change, in old: ConfigurationLoader.Loaded) throws
    -> ChangedRules
  {
    let edit: RuleEdit
    do throws(RuleEdit.Refusal) { edit = try RuleEdit(change, in: old.file.text) } catch {
      throw PageRefusal(
        409, "web.rules", "\(error.message.prefix(1).uppercased())\(error.message.dropFirst()).")
    }
    guard edit.text.count <= Self.longestFile else {
      throw PageRefusal(409, "web.rules", "The file would become larger than 1 MiB.")
    }
    let loaded = options.loader.load(edit.text, name: old.file.name, path: configuration)
    let complaints = loaded.file.complaints
    func rendered(_ severity: Complaint.Severity) -> String? {
      let wanted = complaints.filter { $0.severity == severity }
      return wanted.isEmpty ? nil : Self.rendered(wanted, of: loaded.file, in: edit.rule)
    }
    if let active = loaded.active {
      let known = Self.secrets(of: old.active?.configuration ?? self.active.configuration)
      guard Self.secrets(of: active.configuration).isSubset(of: known) else {
        throw PageRefusal(
          403, "web.rules",
          "A rule that is made here cannot name a file or variable with passwords: write that into the file itself."
        )
      }
    }
    return ChangedRules(
      loaded: loaded, edit: edit, problems: rendered(.error), warnings: rendered(.warning))
  }

  private static let longestFile = 1 << 20

  /// Complaints about a rule with the lines counted within it; the others with those of the file.
  private static func rendered(
    _ complaints: [Complaint], of file: ConfigurationFile, in rule: Range<Int>?
  ) -> String {
    guard let rule else { return file.rendered(complaints) }
    // From the start of its first line, so that columns and carets fit what is shown.
    let start = file.text[..<rule.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let own = complaints.filter { rule.contains($0.range.lowerBound) }.map { complaint in
      var moved = complaint
      moved.range =
        complaint.range.lowerBound - start..<complaint.range.upperBound - start
      return moved
    }
    let excerpt = ConfigurationFile(
      name: "rule", text: Array(file.text[start..<rule.upperBound]), complaints: own)
    return excerpt.rendered()
      + file.rendered(complaints.filter { !rule.contains($0.range.lowerBound) })
  }

  /// Where the rules of a configuration have their secrets.
  private static func secrets(of configuration: Configuration) -> Set<JSON> {
    var found: Set<JSON> = []
    for step in configuration.pipelines.flatMap(\.steps) {
      for field in step.manifest.options.fields {
        guard case .secret = field.shape, let place = step.options.json[field.key] else { continue }
        found.insert(place)
      }
    }
    return found
  }

  func changeRules(_ body: JSON) throws -> JSON {
    if let obstacle = editObstacle() { throw PageRefusal(403, "web.rules", obstacle) }
    return try changingRules.withLock { _ in
      let old = try options.read()
      guard old.active != nil else {
        throw PageRefusal(
          409, "web.rules", "The file has mistakes, which have to be mended in the file first.")
      }
      guard body["mark"]?.stringValue == Self.mark(of: old.file.text) else {
        throw PageRefusal(
          409, "web.changed", "The file was changed meanwhile: look at its rules again.")
      }
      let new = try changed(Self.change(body), in: old)
      var answer: JSON = [
        "saved": false, "problems": new.problems.map { .string($0) },
        "warnings": new.warnings.map { .string($0) },
        "rule": new.edit.rule.map {
          .string(String(decoding: new.edit.text[$0], as: UTF8.self))
        },
        "mark": .string(Self.mark(of: new.edit.text)),
      ]
      guard body["dry"]?.boolValue != true, new.problems == nil, let active = new.loaded.active
      else { return answer }
      let kept = try save(new.edit.text, instead: old.file.text)
      answer = answer.setting("saved", true).setting("kept", .string(kept.printable))
      return answer.setting("lines", .array([.string(takenUp(active))]))
    }
  }

  private static func change(_ body: JSON) throws -> RuleEdit.Change {
    let id = body["id"]?.stringValue, before = body["before"]?.stringValue
    switch (body["change"]?.stringValue, id, body["rule"]?.stringValue) {
    case ("put", _, let rule?):
      // The rule alone first: its places would mean nothing in the middle of the file.
      do throws(JSONError) { _ = try JSONReader.read(Array(rule.utf8)) } catch {
        let file = ConfigurationFile(
          name: "rule", text: Array(rule.utf8), catalog: nil)
        throw PageRefusal(
          409, "web.rules", "The rule is not JSON: \(file.rendered())")
      }
      return id.map { .replace($0, by: Array(rule.utf8)) }
        ?? .add(rule: Array(rule.utf8), before: before)
    case ("move", let id?, _): return .move(id, before: before)
    case ("remove", let id?, _): return .remove(id)
    default: throw PageRefusal(400, "web.request", "The change lacks a rule or its id.")
    }
  }

  /// How many earlier files are kept.
  private static let mostKept = 50

  /// Writes the configuration and keeps the old one in the spool.
  ///
  /// - Returns: where the old one is kept.
  private func save(_ text: [UInt8], instead old: [UInt8]) throws -> FilePath {
    let earlier = try Folder.make(active.spool.appending("earlier-rules"))
    let kept = FilePath("\(timestamp(wallTime()).replacing(":", with: "-")).json")
    try earlier.writeDurably(old, as: kept)
    for name in try earlier.names().sorted(by: { $0.string < $1.string }).dropLast(Self.mostKept) {
      try earlier.remove(name)
    }
    // A link stays a link: the file that it leads to is replaced.
    let real = unsafe configuration.withPlatformString { unsafe realpath($0, nil) }
    defer { unsafe free(real) }
    let path = unsafe real.map { unsafe FilePath(platformString: $0) } ?? configuration
    let folder = try Folder.open(path.removingLastComponent())
    let name = path.lastComponent.map { FilePath(name: $0) } ?? "pipelines.json"
    let present = folder.target(name)
    guard present.map({ $0.owner == geteuid() }) ?? true else {
      throw PageRefusal(
        403, "web.rules", "The file belongs to another user, who would lose it: change it there.")
    }
    guard try folder.reading(name).readAll(limit: 16 << 20) == old else {
      throw PageRefusal(
        409, "web.changed", "The file was changed meanwhile: look at its rules again.")
    }
    let temporary = FilePath(".\(name.string).new")
    _ = try folder.remove(temporary)
    do throws(FileError) {
      let file = try folder.creating(temporary, mode: 0o600)
      try file.setMode(present.map { $0.mode & 0o777 } ?? 0o644)
      try file.write(text.span)
      try file.sync()
      try folder.replace(name, by: temporary)
    } catch {
      // What is left of it would be in the way of nobody, and is removed at the next change.
      _ = try? folder.remove(temporary)
      throw error
    }
    return earlier.path.appending(kept.components)
  }

  /// Has the running procd read the file.
  ///
  /// - Returns: what came of it, for people.
  private func takenUp(_ new: ActiveConfiguration) -> String {
    switch RunningRules.reload(new) {
    case .told:
      RunningRules.rejection(new).map { "The file is saved, but \($0)." }
        ?? "procd uses the new rules."
    case .notRunning: "No procd is running; the rules count once it is started."
    case .refused: "The running procd cannot be told; `procd reload` makes it use the new rules."
    }
  }
}
