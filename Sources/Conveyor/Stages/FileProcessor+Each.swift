internal import Outbox
internal import Pipelines
internal import PluginKit
internal import SystemPackage
internal import Workers

extension FileProcessor {
  /// What became of one of the files that a step runs for.
  private enum Each: Sendable {
    case read(StepResult)
    /// Of a type that the step does not read.
    case passedOver
    /// Why it could not be read, and what the last run cost.
    case unread(PluginFailure, RunOutcome?)
  }

  /// A step that runs once for each file of its main input that it reads.
  ///
  /// What cannot be read is told as a note and makes the result a partial one: the other files of a mail or a stack
  /// do not suffer for it.
  ///
  /// - Parameter made: what earlier steps made, some of which it reads.
  func runEach(
    _ request: StepRequest, of file: ProbedFile, _ made: [CollectedArtifact], alone: Bool
  ) async throws -> StepResult {
    let role = request.collects?.mainRole ?? "source", files = request.inputs[role] ?? []
    let all = try await withThrowingTaskGroup(of: (Int, Each).self) { group in
      var results = [Each](repeating: .passedOver, count: files.count)
      var next = 0
      func add() {
        guard next < files.count else { return }
        let index = next
        next += 1
        group.addTask {
          var one = request
          one.key = "\(request.key)~\(index + 1)"
          // Names in the seal are made of the step's id.
          one.collects?.id = one.key
          return (index, try await run(one, role, files[index], of: file, alone: alone))
        }
      }
      for _ in 0..<(await runner.sideBySide(alone: alone)) { add() }
      while let (index, result) = try await group.next() {
        results[index] = result
        add()
      }
      return results
    }
    var sum = StepResult(
      artifacts: [], outcome: RunOutcome(ending: .answered, result: .success(StepOutput())),
      output: StepOutput(), attempts: 0)
    var read = 0, unread = 0, perFile: [JSON] = []
    for (input, one) in zip(files, all) {
      switch one {
      case .passedOver: continue
      case .read(let result):
        read += 1
        perFile.append(
          .object([.init("file", .string(input.name ?? ""))] + Self.plain(result.output.facts)))
        sum.add(result)
        sum.artifacts += result.artifacts.map { artifact in
          named(
            artifact, after: input, madeAs: made.first { $0.path == input.path },
            request.sourceName)
        }
      case .unread(let failure, let outcome):
        unread += 1
        sum.output.partial = true
        if let outcome {
          sum.add(StepResult(artifacts: [], outcome: outcome, output: StepOutput(), attempts: 1))
        }
        sum.outcome.notes.append(
          "\(input.name ?? "a file") could not be read: \(failure.message) (\(failure.code))")
      }
    }
    sum.output.facts = [
      StepManifest.filesRead: .integer(read), StepManifest.filesUnread: .integer(unread),
      StepManifest.factsPerFile: .array(perFile),
    ]
    return sum
  }

  /// Facts without lists: those of all pages of all files would be too many for one report.
  private static func plain(_ facts: JSON) -> [JSON.Member] {
    (facts.members ?? []).filter { $0.value.arrayValue == nil && $0.value.members == nil }
  }

  private func run(
    _ request: StepRequest, _ role: String, _ input: StepInput, of file: ProbedFile, alone: Bool
  ) async throws -> Each {
    guard input.bytes > 0 else { return .passedOver }
    var request = request, input = input
    do {
      // What says of what type it is, such as the header of a mail, may be wrong.
      let facts = try await ask(
        "probe.identify", [:], file.claimed, mime: input.mime, about: input,
        key: "probe.identify~\(request.key)", alone: alone
      ).output.facts
      let mime = facts["mime"]?.stringValue ?? input.mime
      let types = [mime] + (facts["candidates"]?.arrayValue ?? []).compactMap(\.stringValue)
      guard
        let type = types.first(where: { type in
          request.entry.step.accepts.contains { mediaType(type, matches: $0) }
        })
      else { return .passedOver }
      input.mime = type
      request.inputs[role] = [input]
      if let name = input.name { request.sourceName = name }
      return .read(
        try await run(
          request, pages: (facts["pages"] ?? facts["frames"])?.integerValue, alone: alone))
    } catch let failed as ProcessingFailed where failed.failure.isOfFile {
      return .unread(failed.failure, nil)
    } catch let failed as StepFailed where failed.failure.isOfFile {
      return .unread(failed.failure, failed.outcome)
    }
  }

  /// A result under the name of the file that it was made of, with its own extension.
  private func named(
    _ artifact: CollectedArtifact, after input: StepInput, madeAs source: CollectedArtifact?,
    _ sourceName: String
  ) -> CollectedArtifact {
    var artifact = artifact
    artifact.madeOf = input.path
    // Parts of a stack that have no label get none here either.
    guard artifact.label == nil, let name = input.name ?? (source == nil ? sourceName : nil)
    else { return artifact }
    let file = FilePath(name.replacing("/", with: "_"))
    // The label of a part of a stack is no name of a file: a dot in it is none of an extension.
    let isFileName = source.map { file.extension?.lowercased() == $0.fileExtension } ?? true
    artifact.label = isFileName ? "\(file.stem ?? name).\(artifact.fileExtension)" : name
    return artifact
  }
}

extension PluginFailure {
  /// Whether the file itself is at fault, as far as can be told: not the plugin, the machine or the configuration.
  fileprivate var isOfFile: Bool {
    self.class == .input || code.hasPrefix("limit.") || code == "step.crashed"
  }
}
