import ArgumentParser
import Conveyor
import Files
import Glibc
import Pipelines
import PluginKit
import SystemPackage

struct ConvertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Process files here and now: no inbox, no ledger, inputs stay where they are.",
    discussion: """
      Uses the built-in configuration unless -c names another. Results are DIR/{stem}.ext, or \
      DIR/{name}.ext where two inputs would give the same name. With --join the inputs become one \
      document in the order in which they are named, files of a folder by their names; -o may then \
      be the PDF itself. --set pages.order=odd-even interleaves two files, of fronts and of backs \
      from the last to the first.
      """)

  @Argument(help: "Files and folders.")
  var inputs: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("Where results go.", valueName: "dir"))
  var output: String

  @Flag(name: .shortAndLong, help: "Folders with all below them; the tree is mirrored.")
  var recursive = false

  @Flag(help: "Make one document of all inputs.")
  var join = false

  @Option(help: ArgumentHelp("Only results of this role: pdf, text, csv, …", valueName: "role"))
  var to: String?

  @Option(
    name: [.customShort("l"), .long],
    help: ArgumentHelp("Languages of scans, as Tesseract names them: eng+deu.", valueName: "lang"))
  var language: String?

  @Option(
    help: ArgumentHelp("An option of a step: ocr.straighten=turn.", valueName: "step.option=value"))
  var set: [String] = []

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: "How many steps to run at a time; one per core when left out.")
  var jobs: Int?

  @Flag(help: "Skip inputs whose results are newer.")
  var update = false

  @Flag(help: "Print a line of JSON per file.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func validate() throws {
    guard !inputs.isEmpty else { throw ValidationError("Name a file or folder.") }
    if let jobs, jobs < 1 || jobs > 1024 { throw ValidationError("--jobs takes 1 to 1024.") }
  }

  func run() async throws {
    signal(SIGPIPE, SIG_IGN)
    let active = try ConvertSettings(command: self).active()
    guard !join else { return try await convertJoined(active) }
    let list = ConvertInputs(recursive: recursive).list(inputs.map(absolutePath))
    for missing in list.missing { Console.complain("\(missing): no such file or folder") }
    let bench: Workbench
    do {
      bench = try Workbench(
        active, installation: .ofThisProgram(), in: absolutePath(output), slots: jobs,
        landlockCeiling: landlockCeiling())
    } catch {
      Console.complain("procd: \(error.failure.message)")
      throw ExitCode(73)
    }
    let run = ConvertRun(
      bench: bench, role: to, output: absolutePath(output), update: update, json: json)
    let failed = await run.convert(list.files)
    bench.close()
    if failed > 0, list.files.count > 1 {
      Console.complain("procd: \(failed) of \(list.files.count) failed")
    }
    guard failed == 0, list.missing.isEmpty else { throw Status.inputQuarantined }
  }
}

/// The configuration that `convert` works with: built in or named, changed by its options.
private struct ConvertSettings {
  let command: ConvertCommand

  func active() throws -> ActiveConfiguration {
    var active: ActiveConfiguration
    if command.options.file != nil {
      active = try command.options.load()
      try StartConditions.check(active)
    } else {
      let text = command.join ? joiningConfiguration : builtInConfiguration
      let loaded = command.options.loader.load(
        Array(text.utf8), name: "built-in pipelines.json",
        path: absolutePath("pipelines.json"))
      guard let built = loaded.active else {
        Console.complain(loaded.file.rendered(), end: "")
        for problem in loaded.pluginProblems {
          Console.complain("\(problem.place): \(problem.message)")
        }
        throw Status.configuration
      }
      active = built
    }
    var configuration = active.configuration
    if let language = command.language {
      let languages = JSON.array(language.split(separator: "+").map { .string(String($0)) })
      for index in configuration.pipelines.indices {
        configuration.pipelines[index].setOption("languages", languages, where: { _ in true })
      }
    }
    for assignment in command.set { try apply(assignment, to: &configuration) }
    if let role = command.wantedRole {
      configuration.pipelines = configuration.pipelines.compactMap { $0.keeping(role) }
    }
    return ActiveConfiguration(configuration, catalog: active.catalog, base: active.base)
  }

  private func apply(_ assignment: String, to configuration: inout Configuration) throws {
    let parts = assignment.split(separator: "=", maxSplits: 1)
    let names = parts.first?.split(separator: ".", maxSplits: 1) ?? []
    guard parts.count == 2, names.count == 2 else {
      throw ValidationError("--set takes step.option=value, not \(assignment).")
    }
    let text = String(parts[1]), step = String(names[0]), option = String(names[1])
    let value = (try? JSONReader.read(text).value) ?? .string(text)
    var found = false
    for index in configuration.pipelines.indices {
      found =
        configuration.pipelines[index].setOption(option, value) { $0.id == step || $0.use == step }
        || found
    }
    guard found else { throw ValidationError("no step \(step) has an option \(option).") }
  }
}

extension Pipeline {
  /// Sets an option of the steps that have it; false where none has.
  @discardableResult
  fileprivate mutating func setOption(
    _ name: String, _ value: JSON, where wanted: (Step) -> Bool
  ) -> Bool {
    var found = false
    for index in steps.indices
    where wanted(steps[index]) && steps[index].manifest.options[name] != nil {
      steps[index].options = Options(checked: steps[index].options.json.setting(name, value))
      found = true
    }
    return found
  }

  /// The pipeline with results of one role only, those that it emits or else what its last step can
  /// give, and without steps that do not lead there; nil where it cannot give that role.
  fileprivate func keeping(_ role: String) -> Pipeline? {
    var kept = self
    kept.emits = emits.filter {
      if case .artifact(_, role) = $0.from { true } else { false }
    }
    if kept.emits.isEmpty {
      let last = steps.indices.last { steps[$0].manifest.outputs.contains { $0.role == role } }
      guard let last else { return nil }
      kept.emits = [Emit(from: .artifact(step: steps[last].id, role: role), optional: false)]
      kept.steps[last].ask(for: role)
    }
    var needed: Set<String> = []
    for case .artifact(let step, _) in kept.emits.map(\.from) { needed.insert(step) }
    for step in steps.reversed() where needed.contains(step.id) {
      for case .artifact(let id, _) in step.inputs.flatMap(\.from) { needed.insert(id) }
      if let condition = step.condition { needed.insert(condition.step) }
    }
    kept.steps = kept.steps.filter { needed.contains($0.id) }
    return kept
  }
}

/// What is to be converted, in a fixed order.
struct ConvertInputs {
  struct File: Sendable {
    var path: FilePath
    /// Below the output folder: the folder that mirrors the input's.
    var folder: FilePath
  }

  let recursive: Bool

  func list(_ inputs: [FilePath]) -> (files: [File], missing: [String]) {
    var files: [File] = [], missing: [String] = []
    for input in inputs {
      if let folder = try? Folder.open(input) {
        add(folder, at: "", to: &files)
      } else if let parent = try? Folder.open(input.removingLastComponent()),
        let name = input.lastComponent, (try? parent.following(FilePath(name: name))) != nil
      {
        files.append(File(path: input, folder: ""))
      } else {
        missing.append(input.printable)
      }
    }
    return (files.sorted { $0.path.string < $1.path.string }, missing)
  }

  private func add(_ folder: Folder, at path: FilePath, to files: inout [File]) {
    var waiting = [(folder, path)]
    while let (folder, path) = waiting.popLast() {
      for name in (try? folder.names()) ?? [] where !name.string.hasPrefix(".") {
        guard let status = try? folder.status(name) else { continue }
        if status.kind == .regular {
          files.append(File(path: folder.path.appending(name.components), folder: path))
        } else if status.kind == .folder, recursive, let inner = try? folder.folder(name) {
          waiting.append((inner, path.appending(name.components)))
        }
      }
    }
  }
}

/// Converts a list of files, a few at a time.
struct ConvertRun: Sendable {
  let bench: Workbench
  let role: String?
  let output: FilePath
  let update: Bool
  let json: Bool

  /// - Returns: how many failed.
  func convert(_ files: [ConvertInputs.File]) async -> Int {
    let names = names(for: files)
    return await withTaskGroup(of: Bool.self) { group in
      var next = 0, failed = 0
      func add() {
        guard next < files.count else { return }
        let index = next
        next += 1
        group.addTask { await one(files[index], base: names[index]) }
      }
      for _ in 0..<(bench.slots + 1) { add() }
      while let well = await group.next() {
        if !well { failed += 1 }
        add()
      }
      return failed
    }
  }

  /// The name of each file's results without extension: the stem, or the whole name where two in
  /// one folder share a stem. Settled by the list of inputs alone.
  private func names(for files: [ConvertInputs.File]) -> [FilePath] {
    func stem(_ file: ConvertInputs.File) -> FilePath {
      file.folder.appending(file.path.stem ?? "unnamed")
    }
    var counts: [FilePath: Int] = [:]
    for file in files { counts[stem(file), default: 0] += 1 }
    return files.map { file in
      guard counts[stem(file), default: 0] > 1, let name = file.path.lastComponent else {
        return stem(file)
      }
      return file.folder.appending(name)
    }
  }

  private func one(_ file: ConvertInputs.File, base: FilePath) async -> Bool {
    let shown = file.path.lastComponent.map { FilePath(name: $0).printable } ?? ""
    if update, isUpToDate(file, base: base) { return true }
    let relative = file.path.lastComponent.map { file.folder.appending($0) } ?? file.folder
    return await place(shown, base: base) { () throws(WorkbenchFailure) in
      try await bench.convert(file.path, as: relative, role: role)
    }
  }

  /// Makes one document of all files.
  ///
  /// - Parameter base: the path of its results without extension.
  /// - Returns: whether that went well.
  func join(_ files: [FilePath], base: FilePath) async -> Bool {
    await place(base.printable, base: base) { () throws(WorkbenchFailure) in
      try await bench.join(files, as: base, role: role)
    }
  }

  private func place(
    _ shown: String, base: FilePath,
    _ convert: () async throws(WorkbenchFailure) -> Workbench.Converted
  ) async -> Bool {
    do throws(WorkbenchFailure) {
      let converted = try await convert()
      var written: [String] = []
      for (result, suffix) in zip(converted.results, Self.suffixes(converted.results)) {
        let path = FilePath(bytes: base.bytes + Array(suffix.utf8))
        try bench.place(result.staged, at: path)
        written.append(path.printable)
      }
      if json {
        tell([
          "file": .string(shown), "outcome": "done", "pipeline": .string(converted.pipeline),
          "mime": .string(converted.mime), "partial": converted.partial ? true : nil,
          "results": .array(written.map { .string($0) }),
          "steps": .array(converted.steps.map(\.json)),
        ])
      } else if Console.isTerminal {
        Console.print("✓ \(shown) → \(written.joined(separator: ", "))")
      }
      if converted.partial, !json {
        Console.complain("\(shown): only part of it could be read")
      }
      return true
    } catch {
      let failure = error.failure
      if json {
        tell(["file": .string(shown), "outcome": "failed", "error": failure.json])
      } else {
        let hint = failure.hint.map { "; \($0)" } ?? ""
        Console.complain("\(shown): \(Console.plain(failure.message))\(hint) [\(failure.code)]")
      }
      return false
    }
  }

  /// What follows the base of each result's name. Results of one file that share an extension carry
  /// their roles, and those that share the role too a number, as in the outbox.
  private static func suffixes(_ results: [Workbench.Converted.Result]) -> [String] {
    var numbers: [String: Int] = [:]
    return results.map { result in
      let same = results.filter { $0.fileExtension == result.fileExtension }
      guard same.count > 1 else { return ".\(result.fileExtension)" }
      guard same.count(where: { $0.role == result.role }) > 1 else {
        return ".\(result.role).\(result.fileExtension)"
      }
      let number = numbers[result.role, default: 0] + 1
      numbers[result.role] = number
      return ".\(result.role)-\(number).\(result.fileExtension)"
    }
  }

  private func tell(_ json: JSON) { Console.print(String(decoding: json.line, as: UTF8.self)) }

  /// Whether a result of that name is newer than its source.
  private func isUpToDate(_ file: ConvertInputs.File, base: FilePath) -> Bool {
    guard let source = try? Folder.open(file.path.removingLastComponent()),
      let name = file.path.lastComponent,
      let sourceStatus = try? source.following(FilePath(name: name)).status(),
      let folder = try? Folder.open(output.appending(base.removingLastComponent().components)),
      let stem = base.lastComponent?.string
    else { return false }
    return ((try? folder.names()) ?? []).contains { candidate in
      guard candidate.string.hasPrefix(stem + "."), let status = try? folder.status(candidate)
      else {
        return false
      }
      return status.kind == .regular && status.modified >= sourceStatus.modified
    }
  }
}
