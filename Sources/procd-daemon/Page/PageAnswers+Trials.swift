import Conveyor
import Files
import Pipelines
import PluginKit
import Synchronization
import SystemPackage
import Workers

/// A file that somebody tries rules with, and what came of it.
struct RuleTrial: Sendable {
  struct Result: Sendable {
    var name: String
    var mime: String
    var bytes: Int
    var path: FilePath
  }
  /// The path below the inbox that rules see.
  let path: FilePath
  var results: [Result] = []
  /// How often it was run, so that pictures of earlier runs are not shown again.
  var runs = 0
}

extension PageAnswers {
  /// Milliseconds that a trial may take.
  private static let patience = 120_000

  private static let sampleName = FilePath("sample")

  private static let isGone = PageRefusal(
    404, "web.try", "The file to try rules with is no longer kept: give it again.")

  /// - Parameter file: an upload in the spool, which becomes the trial's.
  /// - Returns: the handle of the trial.
  func beginTrial(_ file: HandIn, as path: FilePath) throws -> String {
    let scratch = try trials.makeScratch(in: active.spool)
    guard try file.finish(in: scratch.folder, exactly: Self.sampleName) else {
      throw FileError("rename", file.path, .fileExists)
    }
    return trials.keep(scratch, RuleTrial(path: path))
  }

  /// Takes the results of a run out of its staging folder.
  private func keep(
    _ results: [Workbench.Converted.Result], of handle: String
  ) throws -> [RuleTrial.Result] {
    guard let (scratch, kept) = trials[handle] else { throw Self.isGone }
    var trial = kept
    trial.runs += 1
    let place = FilePath("results-\(trial.runs)")
    try scratch.folder.makeFolder(place, mode: 0o700)
    let target = try scratch.folder.folder(place)
    trial.results = []
    for (index, result) in results.enumerated() {
      guard let name = result.staged.lastComponent else { continue }
      let staged = try Folder.open(result.staged.removingLastComponent())
      try staged.rename(FilePath(name: name), over: FilePath("\(index)"), in: target)
      trial.results.append(
        RuleTrial.Result(
          name: (trial.path.lastComponent?.stem ?? "result") + result.ending, mime: result.mime,
          bytes: result.bytes, path: target.path.appending("\(index)")))
    }
    if trial.runs > 1 { try scratch.folder.removeTree(FilePath("results-\(trial.runs - 1)")) }
    trials.update(handle, trial)
    return trial.results
  }

  func runTrial(_ head: JSON, _ body: JSON) async throws -> JSON {
    let handle = head["try"]?.stringValue ?? ""
    guard let (scratch, trial) = trials[handle] else { throw Self.isGone }
    var active = self.active
    if let rule = body["rule"]?.stringValue {
      if let obstacle = editObstacle() { throw PageRefusal(403, "web.rules", obstacle) }
      let change: RuleEdit.Change =
        body["id"]?.stringValue.map { .replace($0, by: Array(rule.utf8)) }
        ?? .add(rule: Array(rule.utf8), before: body["before"]?.stringValue)
      let new = try changed(change, in: options.read())
      guard let usable = new.loaded.active else {
        return ["problems": new.problems.map { .string($0) }, "results": .array([])]
      }
      active = usable
    }
    try await heavy.pass()
    defer { heavy.leave() }
    let bench = try Workbench(
      active, installation: installation, in: scratch.path.appending("bench"), slots: 1,
      landlockCeiling: landlockCeiling())
    defer { bench.close() }
    let deadline = Task {
      try await Task.sleep(for: .milliseconds(Self.patience))
      bench.stop()
    }
    defer { deadline.cancel() }
    do {
      let converted = try await bench.convert(
        scratch.path.appending(Self.sampleName.components), as: trial.path, role: nil)
      let results = try keep(converted.results, of: handle)
      return [
        "pipeline": .string(converted.pipeline), "partial": .bool(converted.partial),
        "results": .array(
          results.map { result in
            [
              "name": .string(result.name), "mime": .string(result.mime),
              "bytes": .integer(result.bytes),
            ]
          }),
        "picture": .bool(painter.isThere && results.contains { $0.mime == "application/pdf" }),
      ]
    } catch let error as WorkbenchFailure {
      return [
        "results": .array([]),
        "why": .string(
          bench.isStopping
            ? "It takes more than two minutes, which is too long for a trial."
            : error.failure.message),
        "code": .string(error.failure.code), "hint": error.failure.hint.map { .string($0) },
      ]
    }
  }

  private func trialResult(_ head: JSON, at index: Int) throws -> (RuleTrial.Result, OpenFile) {
    guard let results = trials[head["try"]?.stringValue ?? ""]?.value.results,
      results.indices.contains(index),
      let name = results[index].path.lastComponent,
      let file = try? Folder.open(results[index].path.removingLastComponent())
        .reading(FilePath(name: name))
    else { throw PageRefusal(404, "web.result", "There is no such result.") }
    return (results[index], file)
  }

  func trialResult(_ head: JSON) throws -> PageReply {
    let index = head["index"]?.stringValue.flatMap { Int($0) } ?? -1
    let (result, file) = try trialResult(head, at: index)
    return try piece(of: file, head, name: result.name, mime: result.mime)
  }

  func trialPicture(_ head: JSON) async throws -> PageReply {
    let handle = head["try"]?.stringValue ?? ""
    guard let trial = trials[handle]?.value,
      let page = head["page"]?.stringValue.flatMap({ Int($0) }), page > 0,
      let pdf = trial.results.first(where: { $0.mime == "application/pdf" })
    else { throw PageRefusal(404, "web.page", "There is no such page.") }
    let bytes = try await painter.picture(
      of: pdf.path, page: page, width: head["width"]?.integerValue ?? 800,
      job: "\(handle) \(trial.runs)")
    return piece(of: bytes, head)
  }
}
