internal import Outbox
internal import Pipelines
internal import PluginKit
internal import SystemPackage

extension FileProcessor {
  /// Whether a step that ran declares a result that it always gives.
  private func isPromised(
    _ reference: Reference, in pipeline: Pipeline, _ reports: [StepReport]
  ) -> Bool {
    guard case .artifact(let id, let role) = reference,
      reports.contains(where: { $0.id == id && $0.outcome == .done }),
      let step = pipeline.steps.first(where: { $0.id == id })
    else { return false }
    return step.manifest.outputs.contains { $0.role == role && $0.always }
  }

  /// What the rule emits of what was made. Each result is a file of its own in our hands.
  func emitted(
    _ pipeline: Pipeline, _ file: ProbedFile, _ made: [String: [CollectedArtifact]],
    _ reports: [StepReport]
  ) throws -> [EmittedResult] {
    var emitted: [EmittedResult] = [], taken: Set<FilePath> = []
    for emit in pipeline.emits {
      var found: [EmittedResult] = []
      for reference in emit.references where found.isEmpty {
        switch reference {
        case .artifact(let step, let role):
          found = (made[step] ?? []).filter { $0.role == role }.map {
            EmittedResult($0, from: reference, named: emit.name)
          }
        case .source: found = [try source(of: file, emitted.count, named: emit.name, reports)]
        case .companions: break
        }
      }
      found += unread(instead: emit, in: pipeline, made, found).map {
        EmittedResult($0, from: emit.otherwise, named: emit.name)
      }
      if found.isEmpty, !emit.optional {
        throw ProcessingFailed(
          failure: PluginFailure(
            .internal, "result.missing",
            "\(emit.from) was to be emitted, but no step gave it",
            hint: isPromised(emit.from, in: pipeline, reports)
              ? "the step says that it always gives it: mend the plugin, as `procd plugins try` shows"
              : "write \"\(emit.from)?\" if it may be missing"), steps: reports)
      }
      for var result in found {
        if !taken.insert(result.artifact.name).inserted {
          result.artifact = try runner.collector.copy(
            result.artifact, emitted.count, job: file.claimed.job)
        }
        emitted.append(result)
      }
    }
    guard !emitted.isEmpty else {
      throw ProcessingFailed(
        failure: PluginFailure(
          .input, "result.none", "the pipeline \(pipeline.id) gave no result for this file",
          hint:
            "if such files are to go through, emit \"source\" too, or let another rule take them"),
        steps: reports)
    }
    return emitted
  }

  /// The files for which an entry gives what stands behind `else`, because the step that runs once for each file made
  /// nothing of them.
  private func unread(
    instead emit: Pipeline.Emit, in pipeline: Pipeline, _ made: [String: [CollectedArtifact]],
    _ found: [EmittedResult]
  ) -> [CollectedArtifact] {
    guard case .artifact(let id, _) = emit.from,
      case .artifact(let other, let role)? = emit.otherwise,
      let step = pipeline.steps.first(where: { $0.id == id }), step.each,
      found.contains(where: { $0.artifact.madeOf != nil })
    else { return [] }
    // What was made of something that was made of a file was made of it too.
    let all = made.values.joined()
    var read: Set<FilePath> = [], next = found.compactMap(\.artifact.madeOf)
    while let path = next.popLast() {
      guard read.insert(path).inserted else { continue }
      next += all.filter { $0.path == path }.compactMap(\.madeOf)
    }
    return (made[other] ?? []).filter { $0.role == role && !read.contains($0.path) }
  }

  /// The file as it came, in our own hands.
  private func source(
    of file: ProbedFile, _ number: Int, named template: String?, _ reports: [StepReport]
  ) throws -> EmittedResult {
    let claimed = file.claimed
    let copy = try runner.collector.keep(
      claimed, as: EmittedResult.sourceRole, mime: file.mime, number: number)
    guard copy.sha256 == claimed.sha256 else {
      throw ProcessingFailed(
        failure: PluginFailure(
          .input, "source.changed", "the file was changed while it was being delivered",
          hint: "check whether the file in quarantine is complete, then procd retry it"),
        steps: reports)
    }
    return EmittedResult(copy, of: claimed.arrival, named: template)
  }
}
