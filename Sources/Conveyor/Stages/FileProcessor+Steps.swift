internal import Files
internal import JobLedger
internal import Outbox
internal import Pipelines
internal import PluginKit
internal import SystemPackage
internal import Workers

extension FileProcessor {
  /// What is done already of a pipeline; kept over interruptions, so that no step runs twice.
  struct Progress: Sendable {
    var facts: [String: JSON] = [:]
    var made: [String: [CollectedArtifact]] = [:]
    var reports: [StepReport] = []
    var partial = false
  }

  /// Whether a condition is about what the probe could not see of a locked file, and the step has passwords to see it:
  /// it decides by itself then.
  private func isOpen(
    _ condition: Condition, for step: Pipeline.Step, _ probed: JSON
  ) -> Bool {
    condition.step == "probe" && probed[condition.fact] == nil && probed["locked"] == true
      && step.options.json["passwords"] != nil
  }

  /// The facts of the probe. For a locked file, the step that unlocked it gives the numbers of pages.
  private func probed(_ file: ProbedFile, _ progress: Progress) -> JSON {
    let unlocking = progress.reports.first { $0.facts["unlocked"] == true }
    return ["pages", "pagesWithoutText"].reduce(file.facts) { facts, name in
      facts.setting(name, facts[name] ?? unlocking?.facts[name])
    }
  }

  /// - Returns: `.processed` or `.unexpected`.
  func run(
    _ pipeline: Pipeline, on file: ProbedFile, _ progress: inout Progress, alone: Bool
  ) async throws -> Journey.Event {
    for step in pipeline.steps.dropFirst(progress.reports.count) {
      guard let entry = active.catalog[step.use] else {
        throw ProcessingFailed(
          failure: PluginFailure(.options, "step.unknown", "no plugin offers \(step.use)"),
          steps: progress.reports)
      }
      var report = StepReport(
        id: step.id, use: step.use, plugin: "\(entry.plugin) \(entry.version)", attempts: 0,
        outcome: .skipped)
      let probed = probed(file, progress)
      progress.facts["probe"] = probed
      if let condition = step.condition, !condition.holds(progress.facts),
        !isOpen(condition, for: step, probed)
      {
        progress.reports.append(report)
        continue
      }
      guard let inputs = inputs(of: step, in: pipeline, file, progress.made) else {
        // That there is none of several is nothing to tell: a mail has attachments or has not.
        if !step.each { report.notes = ["nothing to read: no earlier step produced its input"] }
        progress.reports.append(report)
        continue
      }
      do {
        let result = try await run(
          step, entry, inputs, of: pipeline, on: file, progress, alone: alone)
        report.outcome = .done
        report.attempts = result.attempts
        report.take(result.outcome)
        report.facts = result.output.facts
        progress.reports.append(report)
        progress.made[step.id] = result.artifacts
        progress.facts[step.id] = result.output.facts
        progress.partial = progress.partial || result.output.partial
      } catch let failed as StepFailed {
        report.outcome = .failed
        report.attempts = failed.attempts
        if let outcome = failed.outcome { report.take(outcome) }
        throw ProcessingFailed(failure: failed.failure, steps: progress.reports + [report])
      }
      let facts = progress.facts[step.id] ?? [:]
      if let broken = step.expectations.first(where: { !$0.holds(for: facts) }) {
        return .unexpected(
          PassedOver(
            pipeline: pipeline.id, reason: broken.reason(found: facts[broken.fact], by: step)))
      }
    }
    let emitted = try emitted(pipeline, file, progress.made, progress.reports)
    var notes: [String] = []
    let texts = try await texts(
      pipeline, of: file, progress.made, emitted.map(\.artifact), alone, &notes)
    return .processed(
      Processed(
        emitted: emitted, steps: progress.reports, partial: progress.partial, made: progress.made,
        texts: texts, notes: notes))
  }

  private func run(
    _ step: Pipeline.Step, _ entry: PluginCatalog.Entry, _ inputs: [String: [StepInput]],
    of pipeline: Pipeline, on file: ProbedFile, _ progress: Progress, alone: Bool
  ) async throws -> StepResult {
    let request = StepRequest(
      job: file.claimed.job, pipeline: pipeline.id, key: step.id, entry: entry,
      options: step.options, inputs: inputs,
      sourceName: file.claimed.arrival.name.repaired.text, path: file.claimed.arrival.path,
      timeout: step.timeout,
      stall: step.stall, attempts: step.attempts, priority: 10, part: nil, collects: step,
      wish: runner.wish(file.claimed.arrival))
    if step.each {
      let made = progress.made.values.flatMap(\.self)
      return try await runEach(request, of: file, made, alone: alone)
    }
    return try await run(request, pages: pages(of: step, file, progress), alone: alone)
  }

  /// Runs a step, page by page where it may be split.
  func run(_ request: StepRequest, pages: Int?, alone: Bool) async throws -> StepResult {
    guard request.entry.step.splitByPage, let pages, pages > 1 else {
      return try await runner.run(request, alone: alone)
    }
    return try await runSplit(request, pages: pages, alone: alone)
  }

  /// How many pages a step's main input has, as the step that made it or the probe tells.
  private func pages(of step: Pipeline.Step, _ file: ProbedFile, _ progress: Progress) -> Int? {
    for reference in step.inputs.first?.from ?? [] {
      switch reference {
      case .source: return (file.facts["pages"] ?? file.facts["frames"])?.integerValue
      case .companions: continue
      case .artifact(let id, let role):
        guard progress.made[id]?.contains(where: { $0.role == role }) ?? false else { continue }
        return progress.facts[id]?["pages"]?.integerValue
      }
    }
    return nil
  }

  /// A step that is split by page: its pages are runs of their own on any free worker, then one run
  /// joins the parts.
  private func runSplit(
    _ request: StepRequest, pages: Int, alone: Bool
  ) async throws -> StepResult {
    let together = Self.pagesTogether(of: pages)
    let starts = Array(stride(from: 1, through: pages, by: together))
    let parts = try await withThrowingTaskGroup(of: (Int, StepResult).self) { group in
      var results = [StepResult?](repeating: nil, count: starts.count)
      var next = 0
      // Each page may take as long as the step; all together no longer than a tenth of that for each.
      var left = Self.budget(of: request.timeout, pages: pages)
      func add() throws {
        guard next < starts.count else { return }
        guard left > 0 else {
          throw StepFailed(
            failure: PluginFailure(
              .internal, "limit.time",
              "the step did not do \(pages) pages within"
                + " \(Self.budget(of: request.timeout, pages: pages) / 1000) s",
              hint: "raise \"timeout\" of the step if such files are wanted"),
            attempts: 1, outcome: nil)
        }
        let index = next, time = min(request.timeout, left)
        next += 1
        group.addTask {
          var part = request
          part.timeout = time
          let first = starts[index]
          part.key = "\(request.key)#\(first)"
          part.part = StepRun.Part(pages: first...min(pages, first + together - 1), of: pages)
          // Names in the seal are made of the step's id.
          part.collects?.id = part.key
          return (index, try await runner.run(part, alone: alone))
        }
      }
      for _ in 0..<(await runner.sideBySide(alone: alone)) { try add() }
      while let (index, result) = try await group.next() {
        results[index] = result
        left -= result.outcome.wallMilliseconds
        try add()
      }
      return results.compactMap(\.self)
    }
    var join = request
    join.key = "\(request.key)#join"
    join.part = StepRun.Part(joining: pages)
    join.inputs["parts"] = parts.flatMap(\.artifacts).map {
      StepInput(path: $0.path, mime: $0.mime, bytes: $0.bytes, sha256: $0.sha256)
    }
    var joined = try await runner.run(join, alone: alone)
    for part in parts { joined.add(part) }
    return joined
  }

  /// How long all pages of a document may take together, in milliseconds: the step's own time and a tenth of
  /// it for each further page.
  static func budget(of timeout: Int, pages: Int) -> Int {
    let (more, isMore) = (timeout / 10).multipliedReportingOverflow(by: max(0, pages - 1))
    let (all, isAll) = timeout.addingReportingOverflow(more)
    return isMore || isAll ? .max : all
  }

  /// How many pages one run does: one of a short document, so that all workers have some; more of a
  /// long one, because a run costs some hundredths of a second even where its pages need nothing.
  static func pagesTogether(of pages: Int) -> Int { max(1, min(16, pages / 16)) }

  /// What a step reads; nil where nothing of what it names exists.
  private func inputs(
    of step: Pipeline.Step, in pipeline: Pipeline, _ file: ProbedFile,
    _ made: [String: [CollectedArtifact]]
  ) -> [String: [StepInput]]? {
    var inputs: [String: [StepInput]] = [:]
    for (role, references) in step.inputs {
      for reference in references {
        let found: [StepInput]
        switch reference {
        case .source: found = sources(file.claimed, mime: file.mime)
        case .companions: found = self.inputs(file.claimed.companions)
        case .artifact(let id, let wanted):
          let use = pipeline.steps.first { $0.id == id }?.use
          found = (made[id] ?? []).filter { $0.role == wanted }.map {
            StepInput(
              path: $0.path, mime: $0.mime, bytes: $0.bytes, sha256: $0.sha256, name: $0.label,
              madeBy: use)
          }
        }
        if !found.isEmpty {
          inputs[role] = found
          break
        }
      }
      if inputs[role] == nil { return nil }
    }
    return inputs
  }
}

extension Pipeline.Expectation {
  /// Why it does not hold, for people: what was found, nil for nothing, and what was wanted.
  fileprivate func reason(found: JSON?, by step: Pipeline.Step) -> String {
    let seen = found.map { "\(fact) \(Self.text($0))" } ?? "no \(fact)"
    return "\(seen), \(wanted) wanted (step \(step.id))"
  }
}

extension StepResult {
  /// Adds what one of several runs of the step cost and told; what it made is not added.
  mutating func add(_ part: StepResult) {
    outcome.cpuMilliseconds += part.outcome.cpuMilliseconds
    outcome.wallMilliseconds += part.outcome.wallMilliseconds
    outcome.peakMemory = max(outcome.peakMemory, part.outcome.peakMemory)
    outcome.notes += part.outcome.notes
    outcome.isolation = outcome.isolation ?? part.outcome.isolation
    outcome.add(machine: part.outcome.machine)
    output.partial = output.partial || part.output.partial
    attempts = max(attempts, part.attempts)
  }
}

extension RunOutcome {
  /// Adds where a part of it ran.
  fileprivate mutating func add(machine other: String?) {
    guard let other else { return }
    let names = (machine.map { $0.split(separator: ", ").map(String.init) } ?? []) + [other]
    machine = Set(names).sorted().joined(separator: ", ")
  }
}

extension StepReport {
  mutating func take(_ outcome: RunOutcome) {
    wallMilliseconds = outcome.wallMilliseconds
    cpuMilliseconds = outcome.cpuMilliseconds
    peakMemory = outcome.peakMemory
    isolation = outcome.isolation
    machine = outcome.machine
    notes = outcome.notes
  }
}
