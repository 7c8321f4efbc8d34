internal import Files
internal import JobLedger
internal import Outbox
internal import Pipelines
internal import PluginKit
internal import SystemPackage
internal import Workers

/// What the steps of a pipeline made of a file.
struct Processed: Sendable {
  var emitted: [EmittedResult]
  var steps: [StepReport]
  var partial: Bool
  /// All artifacts by the step that gave them, emitted or not.
  var made: [String: [CollectedArtifact]] = [:]
  /// What was found in the document for names.
  var texts: JSON?
  /// What else is to be told of it.
  var notes: [String] = []
}

/// A file could not be processed; what was done until then.
struct ProcessingFailed: Error, Sendable {
  var failure: PluginFailure
  var steps: [StepReport]
}

/// The way of one file from its bytes to its artifacts: probe, route, steps. Knows nothing of
/// inboxes and outboxes; what it runs is written down by its `StepRunner`.
struct FileProcessor: Sendable {
  let runner: StepRunner
  var active: ActiveConfiguration { runner.active }

  func input(_ claimed: ClaimedFile, mime: String) -> StepInput {
    StepInput(
      path: claimed.source, mime: mime, bytes: claimed.bytes, sha256: claimed.sha256)
  }

  /// What stands for `source`: the file, or the files of a folder.
  func sources(_ claimed: ClaimedFile, mime: String) -> [StepInput] {
    guard claimed.arrival.isFolder else { return [input(claimed, mime: mime)] }
    return inputs(claimed.members)
  }

  /// Files that were not probed, each with its name.
  func inputs(_ members: [ClaimedFile.Member]) -> [StepInput] {
    members.map { member in
      StepInput(
        path: member.source, mime: "application/octet-stream", bytes: member.bytes,
        sha256: member.sha256, name: member.name.repaired.text)
    }
  }

  /// Carries out a hop that needs neither ledger nor folders; nil for all others.
  ///
  /// - Throws: `Interruption`, what the disk of the daemon says.
  func carryOut(_ hop: Journey.Hop, alone: Bool) async throws -> Journey.Event? {
    do {
      switch hop {
      case .probe(let claimed): return .probed(try await probe(claimed, alone: alone))
      case .route(let probed, let passedOver):
        let (pipeline, trace) = try await route(
          probed, passedOver: Set(passedOver.map(\.pipeline)), alone: alone)
        return .routed(pipeline, trace)
      case .run(let pipeline, let probed, var progress):
        do { return try await run(pipeline, on: probed, &progress, alone: alone) } catch let
          interruption as Interruption
        {
          return .interrupted(interruption, progress)
        }
      default: return nil
      }
    } catch let failed as ProcessingFailed {
      return .refused(failed)
    }
  }

  // MARK: - Probe

  /// Finds out what a file is.
  ///
  /// - Parameter describes: whether the words of libmagic are wanted, whoever asks for them.
  func probe(
    _ claimed: ClaimedFile, describes: Bool = false, alone: Bool
  ) async throws -> ProbedFile {
    guard claimed.bytes > 0 else {
      throw ProcessingFailed(
        failure: PluginFailure(
          .input, "file.empty", "the file is empty",
          hint: "send it again; its transfer may have been cut off"), steps: [])
    }
    if claimed.arrival.isFolder {
      return ProbedFile(
        claimed: claimed, mime: folderMediaType, candidates: [folderMediaType],
        facts: ["mime": .string(folderMediaType), "files": .integer(claimed.members.count)])
    }
    // What costs something is found out only where somebody asks for it.
    func isWanted(_ fact: String) -> Bool {
      active.configuration.pipelines.contains { pipeline in
        pipeline.steps.contains {
          $0.condition?.step == "probe" && $0.condition?.fact == fact
        }
      }
    }
    let options: JSON = [
      "pagesWithoutText": .bool(isWanted("pagesWithoutText")),
      "description": .bool(describes || isWanted("description")),
    ]
    let result = try await ask(
      "probe.identify", options, claimed, mime: "application/octet-stream", alone: alone)
    let facts = result.output.facts
    let mime = facts["mime"]?.stringValue ?? "application/octet-stream"
    let candidates = (facts["candidates"]?.arrayValue ?? []).compactMap(\.stringValue)
    return ProbedFile(
      claimed: claimed, mime: mime, candidates: candidates.isEmpty ? [mime] : candidates,
      facts: facts)
  }

  func ask(
    _ step: String, _ options: JSON, _ claimed: ClaimedFile, mime: String,
    about input: StepInput? = nil, key: String? = nil, attempts: Int = 3, timeout: Int = 120_000,
    alone: Bool
  ) async throws -> StepResult {
    guard let entry = active.catalog[step] else {
      throw ProcessingFailed(
        failure: PluginFailure(
          .internal, "step.unknown", "the step \(step) is missing in this installation",
          hint: "run procd check"), steps: [])
    }
    let request = StepRequest(
      job: claimed.job, pipeline: "", key: key ?? step, entry: entry,
      options: Options(checked: entry.step.options.filled(options)),
      inputs: ["source": [input ?? self.input(claimed, mime: mime)]],
      sourceName: claimed.arrival.name.repaired.text, path: claimed.arrival.path,
      timeout: timeout,
      stall: 60_000, attempts: attempts,
      priority: 0, part: nil, collects: nil)
    do { return try await runner.run(request, alone: alone) } catch let failed as StepFailed {
      throw ProcessingFailed(failure: failed.failure, steps: [])
    }
  }

  // MARK: - Route

  /// Finds the pipeline of a file, asking a worker where its text decides.
  func route(
    _ file: ProbedFile, passedOver: Set<String>, alone: Bool
  ) async throws -> (pipeline: Pipeline?, trace: [RuleTrace]) {
    if let asked = runner.wish(file.claimed.arrival)?.rule, !passedOver.contains(asked),
      let pipeline = active.configuration.pipelines.first(where: { $0.id == asked }),
      (pipeline.gather != nil) == file.claimed.arrival.isFolder
    {
      return (pipeline, [.asked(asked)])
    }
    var answers: TextAnswers = [:]
    while true {
      let (answer, trace) = active.router.route(
        file.routingFacts, passedOver: passedOver, answers: answers)
      switch answer {
      case .pipeline(let index): return (active.configuration.pipelines[index], trace)
      case .unmatched: return (nil, trace)
      case .ask(let question):
        answers[question] = try await lines(question, of: file, alone: alone)
      }
    }
  }

  /// A file whose text cannot be read matches no text condition; that is for the steps to tell.
  private func lines(
    _ question: TextQuestion, of file: ProbedFile, alone: Bool
  ) async throws -> Int {
    guard !file.claimed.arrival.isFolder else { return 0 }
    let options: JSON = [
      "pages": .string(question.pages.description), "regex": .string(question.regex),
    ]
    do {
      let result = try await ask(
        "probe.text", options, file.claimed, mime: file.mime, attempts: 1, timeout: 60_000,
        alone: alone)
      return result.output.facts["lines"]?.integerValue ?? 0
    } catch let failed as ProcessingFailed {
      // Where it was not answered, the next rule may be the wrong one.
      if ["limit.time", "limit.stall", "limit.cpu"].contains(failed.failure.code) {
        throw ProcessingFailed(
          failure: PluginFailure(
            .options, "route.regex",
            "the text of this file could not be compared with \(question.regex) in time",
            hint:
              "write the expression so that it has no repetition inside a repetition, then procd retry"
          ),
          steps: [])
      }
      return 0
    }
  }
}
