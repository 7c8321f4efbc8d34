import ArgumentParser
import Conveyor
import Files
import Pipelines
import PlainText
import PluginKit
import SystemPackage

/// Converts a list of files, a few at a time.
struct ConvertRun: Sendable {
  let bench: Workbench
  let role: String?
  /// What tells its options from those of other calls; nil for the usual ones.
  var options: String?
  let output: FilePath
  let update: Bool
  let replaces: Replacing
  let json: Bool
  var progress: ConvertProgress?
  /// Whether files that no rule takes are nothing to complain of: they lie in folders with others.
  var passesOver = false

  /// How results of the wanted role end.
  private var endings: Set<String> {
    guard let role else { return [] }
    return Set(outputs.filter { $0.role == role }.map(\.fileExtension))
  }

  private enum Outcome: Equatable {
    case well, failed, passedOver(String), empty, diskFull

    /// How a command for one file ends; nil where it went well.
    var status: ExitCode? {
      switch self {
      case .well: nil
      case .diskFull: Status.outputFailed
      case .failed, .passedOver, .empty: Status.inputQuarantined
      }
    }
  }

  struct Counts: Sendable {
    var files = 0
    var failed = 0
    /// Files that no rule takes.
    var passedOver = PassedFiles()
    /// Files of folders that are empty.
    var empty = 0
    /// Whether the disk of the results took no more; then no further file was begun.
    var isDiskFull = false
    /// Folders that were not gone into.
    var foldersLeftOut = 0
    /// Folders that could not be read, as they are shown.
    var unreadable: [String] = []
  }

  func convert(_ inputs: ConvertInputs) async -> Counts {
    var walk = inputs.walk,
      earlier = EarlierResults(
        below: output, role: role, endings: endings, options: options)
    let update = update, progress = progress
    return await withTaskGroup(of: Outcome.self) { group in
      var counts = Counts()
      var current: ArraySlice<ConvertInputs.File> = []
      func next() async -> ConvertInputs.File? {
        while current.isEmpty, let contents = walk.nextFolder() {
          current = contents.named(without: await idle(among: contents, &earlier))[...]
        }
        return current.popFirst()
      }
      /// Starts the next file that is not done yet; false where there is none.
      func add() async -> Bool {
        while !bench.isStopping, !counts.isDiskFull, let file = await next() {
          counts.files += 1
          if update, earlier.hasResult(of: file) {
            progress?.count(wasDone: true)
            continue
          }
          group.addTask { await one(file) }
          return true
        }
        return false
      }
      for _ in 0..<(bench.slots + 1) { guard await add() else { break } }
      while let outcome = await group.next() {
        progress?.count(wasDone: false)
        if outcome == .failed || outcome == .diskFull { counts.failed += 1 }
        if outcome == .diskFull { counts.isDiskFull = true }
        if case .passedOver(let name) = outcome { counts.passedOver.add(name) }
        if outcome == .empty { counts.empty += 1 }
        _ = await add()
      }
      counts.foldersLeftOut = walk.foldersLeftOut
      counts.unreadable = walk.unreadable.map(\.printable)
      return counts
    }
  }

  /// Those of the files that share their stem which give no result, told by what they are and not by what came of them:
  /// names hang on nothing that is decided while others run.
  private func idle(
    among contents: ConvertInputs.Contents, _ earlier: inout EarlierResults
  ) async -> Set<FilePath> {
    var idle: Set<FilePath> = []
    for path in contents.rivals where !bench.isStopping {
      if update, earlier.isKnown(path, in: contents.folder) { continue }
      let name = path.lastComponent.map { contents.folder.appending($0) } ?? contents.folder
      if await !bench.takes(path, as: name) { idle.insert(path) }
    }
    return idle
  }

  /// Converts one file.
  ///
  /// - Parameter name: that of its only result.
  /// - Returns: how it ended; nil where that went well.
  func convert(_ path: FilePath, to name: FilePath) async -> ExitCode? {
    let own = path.lastComponent.map { FilePath(name: $0) } ?? path
    return await place(own.printable, [path], base: name, isWhole: true) {
      () throws(WorkbenchFailure) in
      try await bench.convert(path, as: own, role: role)
    }.status
  }

  private func one(_ file: ConvertInputs.File) async -> Outcome {
    let relative = file.path.lastComponent.map { file.folder.appending($0) } ?? file.folder
    // As it is now: it may be written to while it is read.
    let origin = EarlierResults.status(of: file.path).map {
      ResultOrigin(file.path, $0, role: role, options: options)
    }
    return await place(relative.printable, [file.path], base: file.base, origin: origin) {
      () throws(WorkbenchFailure) in
      try await bench.convert(file.path, as: relative, role: role)
    }
  }

  /// Makes one document of all files.
  ///
  /// - Parameters:
  ///   - base: the path of its results without extension.
  ///   - isWhole: whether that is the path of its only result.
  /// - Returns: how it ended; nil where that went well.
  func join(_ files: [FilePath], base: FilePath, isWhole: Bool = false) async -> ExitCode? {
    await place(base.printable, files, base: base, isWhole: isWhole) {
      () throws(WorkbenchFailure) in
      try await bench.join(files, as: base, role: role)
    }.status
  }

  private func place(
    _ shown: String, _ inputs: [FilePath], base: FilePath, isWhole: Bool = false,
    origin: ResultOrigin? = nil,
    _ convert: () async throws(WorkbenchFailure) -> Workbench.Converted
  ) async -> Outcome {
    do throws(WorkbenchFailure) {
      let converted = try await convert()
      defer { bench.discard(converted.job) }
      var written: [String] = []
      if isWhole, converted.results.count != 1 {
        throw WorkbenchFailure(
          PluginFailure(
            .options, "result.several",
            "it gives \(converted.results.count) files, and one is named",
            hint: Set(converted.results.map(\.role)).count > 1
              ? "name a folder for them with -o, or one of their roles with --to"
              : "name a folder for them with -o"))
      }
      let paths = converted.results.map {
        isWhole ? base : FilePath(bytes: base.bytes + Array($0.ending.utf8))
      }
      var origin = origin
      origin?.results = paths.map { $0.lastComponent.map { FilePath(name: $0).printable } ?? "" }
      let before = origin.map { bench.madeTogether(with: paths, of: $0) } ?? []
      // All or none: what is in the way of one is found before any takes its place.
      var placings: [Workbench.Placing] = []
      for (result, path) in zip(converted.results, paths) {
        written.append(path.printable)
        placings.append(
          try bench.placing(
            result.staged, at: path, sparing: inputs, replaces: replaces, origin: origin,
            isLast: written.count == paths.count))
      }
      for placing in placings { try bench.place(placing) }
      try bench.finish(Array(paths.dropLast()))
      var outdated = OutdatedResults()
      if let origin {
        outdated = try bench.clearOutdated(
          at: base, placed: paths, endings: allEndings, before: before, of: origin,
          removes: replaces != .none)
      }
      if json {
        tell([
          "file": .string(shown), "outcome": "done", "pipeline": .string(converted.pipeline),
          "mime": .string(converted.mime), "partial": converted.partial ? true : nil,
          "results": .array(written.map { .string($0) }),
          "removed": outdated.removed.isEmpty
            ? nil : .array(outdated.removed.map { .string($0.printable) }),
          "steps": .array(converted.steps.map(\.json)),
        ])
      } else if Console.isTerminal {
        progress?.erase()
        Console.print("✓ \(shown) → \(written.joined(separator: ", "))")
      }
      tell(outdated, of: shown)
      if converted.partial, !json {
        progress?.erase()
        Console.complain("\(shown): only part of it could be read")
      }
      if !json, converted.steps.contains(where: { !$0.notes.isEmpty }) {
        progress?.erase()
        Console.complain(
          notes: converted.steps.flatMap(\.notes), of: shown, all: "what --json prints")
      }
      return .well
    } catch {
      let failure = error.failure
      let isPassedOver = passesOver && failure.code == "route.unmatched"
      if bench.isStopping { return .failed }
      if passesOver, failure.code == "file.empty" {
        if json { tell(["file": .string(shown), "outcome": "empty"]) }
        return .empty
      }
      if isPassedOver {
        if json { tell(["file": .string(shown), "outcome": "passedOver"]) }
        return .passedOver(shown)
      }
      if json {
        tell(["file": .string(shown), "outcome": "failed", "error": Report.json(failure)])
      } else {
        progress?.erase()
        let hint = failure.hint.map { "; \($0)" } ?? ""
        Console.complain("\(shown): \(failure.message)\(hint) [\(failure.code)]")
      }
      return failure.code.hasPrefix("disk.") ? .diskFull : .failed
    }
  }

  /// What the results of a file may end with; each may have a number.
  private var allEndings: Set<String> {
    Set(outputs.flatMap { [".\($0.fileExtension)", ".\($0.role).\($0.fileExtension)"] } + [".pdf"])
  }

  /// What the steps of all rules declare.
  private var outputs: [OutputManifest] {
    bench.active.configuration.pipelines.flatMap(\.steps).flatMap(\.manifest.outputs)
  }

  private func tell(_ outdated: OutdatedResults, of shown: String) {
    guard !json else { return }
    for path in outdated.removed {
      Console.complain("\(shown): it has changed and gives no \(path.printable) now: removed")
    }
    for path in outdated.left {
      Console.complain("\(shown): it has changed; \(path.printable) is of what it was before")
    }
  }

  private func tell(_ json: JSON) { Console.print(line: json) }
}

/// Files of folders that no rule takes: how many, and the first of them.
struct PassedFiles {
  private(set) var count = 0
  private var first: [String] = []

  mutating func add(_ name: String) {
    count += 1
    if first.count < 3 { first.append(name) }
  }

  /// For people; nil where there are none.
  ///
  /// - Parameter role: of the only results that are wanted; nil for all.
  func sentence(wanting role: String? = nil) -> String? {
    guard count > 0 else { return nil }
    let names = first.joined(separator: ", ") + (count > first.count ? ", …" : "")
    return count == 1
      ? "1 file was passed over: no rule \(role.map { "makes \($0) of it" } ?? "takes its type") (\(names))"
      : "\(count) files were passed over: no rule \(role.map { "makes \($0) of them" } ?? "takes their types") (\(names))"
  }
}
