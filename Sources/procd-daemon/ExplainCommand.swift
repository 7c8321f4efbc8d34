import ArgumentParser
import Conveyor
import Files
import Glibc
import Intake
import Pipelines
import PlainText
import PluginKit
import ReadingArguments
import SystemPackage

struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show which rule takes a file and why, and what would be written. Changes nothing.")

  @Argument(help: "Files; they need not be in the inbox.")
  var files: [String] = []

  @Flag(help: "All files of the inbox, a line each.")
  var all = false

  @Flag(help: "Print as JSON.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func validate() throws {
    guard all || !files.isEmpty else { throw ValidationError("Name a file, or say --all.") }
    guard !all || files.isEmpty else {
      throw ValidationError("--all is the whole inbox: name no files with it.")
    }
  }

  func run() async throws {
    let active = try options.load(probed: .inbox)
    try StartConditions.check(active, languages: false)
    // Root's workers may enter no other user's folder.
    if all || files.allSatisfy({ Self.place(of: $0, active).starts(with: active.inbox) }) {
      try ConfigurationOption.becomeOwner(of: active.spool)
    }
    if !json { RunningRules.tell(active) }
    if all { return try await Self.explainAll(active, asJSON: json) }
    let scratch = try ScratchFolder(for: "explain")
    defer { scratch.remove() }
    let bench = try Self.bench(active, in: scratch)
    defer { bench.close() }
    var worst: ExitCode?
    let waiting = Self.waitingForPartners(files, active)
    for file in files {
      let path = Self.place(of: file, active), kind = Self.kind(of: path)
      if let reason = Self.obstacle(kind, path, active) {
        Console.complain("\(file): \(reason)")
        worst = Status.inputQuarantined
        continue
      }
      let pattern = Self.ignoringPattern(path, active)
      do {
        let explanation = try await bench.explain(path, as: Self.relative(path, active))
        let wait = waiting[path]
        if json {
          Console.print(json: Self.json(file, explanation, ignoredBy: pattern, waits: wait))
        } else {
          Console.print(PlainText(lines: Self.text(file, explanation)))
          if let wait { Console.print("  ! \(wait)") }
          if let pattern {
            Console.print(
              path.starts(with: active.inbox)
                ? "  ! stays in the inbox: its name is left alone by the pattern \(pattern)"
                : "  ! would stay in the inbox: its name is left alone by the pattern \(pattern)")
          }
          if kind == .link {
            Console.print(
              path.starts(with: active.inbox)
                ? "  ! stays in the inbox: it is a symbolic link"
                : "  ! would stay in the inbox: it is a symbolic link")
          }
        }
        if explanation.pipeline == nil || !explanation.missing.isEmpty {
          worst = Status.inputQuarantined
        }
      } catch {
        let ignored = pattern.map { "; its name is left alone by the pattern \($0)" } ?? ""
        Console.complain("\(file): \(error.failure.message) [\(error.failure.code)]\(ignored)")
        worst = Status.inputQuarantined
      }
    }
    if let worst { throw worst }
  }

  /// A path as it was typed or, as `status` takes it, below the inbox.
  private static func place(of file: String, _ active: ActiveConfiguration) -> FilePath {
    let path = absolutePath(file)
    guard kind(of: path) == nil else { return path }
    let below = active.inbox.appending(FilePath(typed: file).components)
    return kind(of: below) == nil ? path : below
  }

  private static func kind(of path: FilePath) -> FileStatus.Kind? {
    let folder = try? Folder.open(path.removingLastComponent())
    return path.lastComponent.flatMap { try? folder?.status(FilePath(name: $0))?.kind }
  }

  /// Why there is nothing to explain.
  private static func obstacle(
    _ kind: FileStatus.Kind?, _ path: FilePath, _ active: ActiveConfiguration
  ) -> String? {
    switch kind {
    case .folder:
      if let pattern = ignoringPattern(path, active) {
        return "it is left alone by the pattern \(pattern), with all that is in it"
      }
      let relative = relative(path, active).repaired.text
      let name = path.lastComponent.map { FilePath(name: $0).repaired.text } ?? ""
      guard active.router.gathers(folder: relative, name: name) else {
        return
          "a folder is no document: its files are taken one by one; name them, or all of the inbox by --all"
      }
      let obstacle = (try? Folder.open(path)).flatMap {
        active.inboxFolder(wake: nil).obstacle(in: $0)
      }
      return obstacle.map { "it \($0.text)" }
    case .link where !path.allows(F_OK):
      return "it is a symbolic link that leads nowhere"
    case .link where (try? Folder.open(path)) != nil:
      return "it is a symbolic link to a folder, which stays where it is in an inbox"
    case .other: return "it is a fifo, socket or device; only regular files are processed"
    case nil where !path.allows(F_OK) && errno == ENOENT:
      return "there is no such file"
    case .regular, .link, nil: return nil
    }
  }

  private static func bench(
    _ active: ActiveConfiguration, in folder: ScratchFolder
  ) throws -> Workbench {
    try Workbench(
      active, installation: .ofThisProgram(), in: folder.path, slots: 1,
      landlockCeiling: landlockCeiling())
  }

  /// The path that rules see: below the inbox where the file lies there, or would lie if it were moved
  /// back; else its name.
  private static func relative(_ path: FilePath, _ active: ActiveConfiguration) -> FilePath {
    for folder in [active.inbox, active.folder(.quarantine), active.folder(.archive)]
    where path.starts(with: folder) {
      var relative = path
      if relative.removePrefix(folder) { return relative }
    }
    return path.lastComponent.map { FilePath(name: $0) } ?? path
  }

  /// By which pattern a file is left alone in the inbox, or would be there.
  private static func ignoringPattern(
    _ path: FilePath, _ active: ActiveConfiguration
  ) -> String? {
    active.inboxFolder(wake: nil).ignoringPattern(of: relative(path, active))
  }

  /// What those of the files that lie in the inbox say of the other files that they wait for.
  private static func waitingForPartners(
    _ files: [String], _ active: ActiveConfiguration
  ) -> [FilePath: String] {
    let paths = Set(files.map { place(of: $0, active) }.filter { $0.starts(with: active.inbox) })
    guard !paths.isEmpty else { return [:] }
    let inbox = active.inboxFolder(wake: nil)
    do { try inbox.scan(at: wallTime()) } catch {
      Console.complain(
        "procd: the inbox cannot be looked at, so nothing is said of files that wait for others: \(error)"
      )
      return [:]
    }
    return judged(inbox, active).reduce(into: [:]) { waiting, entry in
      let path = active.inbox.appending(entry.path.components)
      if entry.reason.isForPartner, paths.contains(path) { waiting[path] = entry.reason.text }
    }
  }

  /// As if all had been quiet for as long as is waited for.
  private static func judged(
    _ inbox: Inbox, _ active: ActiveConfiguration
  ) -> [(path: FilePath, reason: WaitReason)] {
    inbox.judged(at: wallTime() + Int64(active.configuration.inbox.settle))
  }

  static func text(_ file: String, _ explanation: Workbench.Explanation) -> String {
    var lines = [file.plain]
    let probed = explanation.file
    let others = probed.candidates.dropFirst()
    let also = others.isEmpty ? "" : " (also seen as \(others.joined(separator: ", ")))"
    let size =
      probed.facts["files"]?.integerValue.map { "\($0) file\($0 == 1 ? "" : "s")" }
      ?? "\(probed.claimed.bytes) bytes"
    lines.append("  type      \(probed.mime)\(also), \(size)")
    let companions = probed.claimed.companions.map { $0.name.repaired.text.plain }
    if !companions.isEmpty { lines.append("  with      \(companions.joined(separator: ", "))") }
    for name in ["pages", "pagesWithoutText", "locked", "endMark"] {
      // Pictures have none.
      guard name != "pagesWithoutText" || probed.facts["pages"] != nil else { continue }
      if let value = probed.facts[name] {
        lines.append(
          "  \(ShownText.padded(name, to: 9)) \(String(decoding: value.line, as: UTF8.self))")
      }
    }
    for rule in explanation.trace {
      lines.append("  \(rule.taken ? "✓" : "–") \(rule.pipeline): \(rule.reason.plain)")
    }
    guard let pipeline = explanation.pipeline else {
      lines.append(
        explanation.trace.contains(where: \.lacksCompanion)
          ? "  → waits for what is to come with it, then quarantine [companion.unpaired]"
          : "  → quarantine: no pipeline takes it [route.unmatched]")
      if let hint = probed.hintAtContent { lines.append("    \(hint)") }
      return lines.joined(separator: "\n")
    }
    let isLocked = probed.facts["locked"] == true
    if isLocked { lines.append("  ! is locked: without its password it goes to the quarantine") }
    for step in pipeline.steps {
      var condition = ""
      if let wanted = step.condition {
        let known = wanted.step == "probe"
        let holds = wanted.holds(["probe": probed.facts])
        condition =
          known
          ? (holds ? "" : " (skipped: condition does not hold)")
          : " (if \(wanted.step).\(wanted.fact) allows)"
      }
      let wanted = step.expectations.map(\.text).joined(separator: ", ")
      let expects = wanted.isEmpty ? "" : " (expects \(wanted))"
      lines.append("    \(step.id): \(step.use)\(condition)\(expects.plain)")
    }
    if !explanation.missing.isEmpty {
      let missing = explanation.missing.map(\.description).joined(separator: ", ")
      lines.append(
        "  → quarantine: no \(missing), as its step is skipped; \"?\" behind it allows that [result.missing]"
      )
      return lines.joined(separator: "\n")
    }
    lines.append(
      "  → outbox\(isLocked ? ", once it can be opened" : ""): \(explanation.writes.map(\.printable).joined(separator: ", "))"
    )
    if !explanation.mayWrite.isEmpty {
      let names = explanation.mayWrite.map(\.printable).joined(separator: ", ")
      lines.append("    what the steps find decides whether there are also: \(names)")
    }
    if explanation.writes.contains(where: { $0.string.contains("{text:") }) {
      lines.append("    {text:…} is known once the file has been read")
    }
    return lines.joined(separator: "\n")
  }

  /// Where a file goes, in short.
  private static func fate(_ explanation: Workbench.Explanation) -> String {
    guard let pipeline = explanation.pipeline else { return "quarantine (no pipeline takes it)" }
    guard let missing = explanation.missing.first else { return pipeline.id }
    return "quarantine (\(pipeline.id) gives no \(missing) of it)"
  }

  private static func json(
    _ file: String, _ explanation: Workbench.Explanation, ignoredBy pattern: String? = nil,
    waits wait: String? = nil
  ) -> JSON {
    let companions = explanation.file.claimed.companions.map { companion -> JSON in
      .string(companion.name.repaired.text)
    }
    return [
      "file": .string(file), "ignoredBy": pattern.map { .string($0) },
      "waits": wait.map { .string($0) },
      "mime": .string(explanation.file.mime),
      "candidates": .array(explanation.file.candidates.map { .string($0) }),
      "companions": companions.isEmpty ? nil : .array(companions),
      "facts": explanation.file.facts,
      "rules": .array(
        explanation.trace.map {
          [
            "pipeline": .string($0.pipeline), "taken": .bool($0.taken),
            "reason": .string($0.reason),
          ]
        }),
      "pipeline": explanation.pipeline.map { .string($0.id) },
      "missing": explanation.missing.isEmpty
        ? nil : .array(explanation.missing.map { .string($0.description) }),
      "writes": explanation.pipeline.map { _ in
        .array(explanation.writes.map { .string($0.printable) })
      },
      "mayWrite": explanation.mayWrite.isEmpty
        ? nil : .array(explanation.mayWrite.map { .string($0.printable) }),
    ]
  }

  /// One line per file of the inbox.
  static func explainAll(_ active: ActiveConfiguration, asJSON: Bool = false) async throws {
    let inbox = active.inboxFolder(wake: nil)
    guard (try? Folder.open(active.inbox)) != nil else {
      if !asJSON { Console.print("\(active.inbox.printable) does not exist yet") }
      return
    }
    try inbox.scan(at: wallTime())
    let scratch = try ScratchFolder(for: "explain")
    defer { scratch.remove() }
    let bench = try Self.bench(active, in: scratch)
    defer { bench.close() }
    func tell(_ text: String, _ json: @autoclosure () -> JSON) {
      asJSON ? Console.print(line: json()) : Console.print(PlainText(lines: text))
    }
    for (path, reason) in judged(inbox, active) {
      let shown = path.printable
      if !reason.willPass {
        tell("\(shown): \(reason.text)", ["file": .string(shown), "waits": .string(reason.text)])
        continue
      }
      do {
        let explanation = try await bench.explain(
          active.inbox.appending(path.components), as: path)
        tell(
          "\(shown): \(fate(explanation))",
          json(shown, explanation))
      } catch {
        let failure = error.failure
        tell(
          "\(shown): quarantine (\(failure.message)) [\(failure.code)]",
          [
            "file": .string(shown),
            "error": ["code": .string(failure.code), "message": .string(failure.message)],
          ])
      }
    }
  }
}
