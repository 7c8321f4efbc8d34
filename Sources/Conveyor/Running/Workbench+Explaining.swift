internal import Files
package import Pipelines
internal import PluginKit
package import SystemPackage

extension Workbench {
  package struct Explanation: Sendable {
    package var file: ProbedFile
    package var pipeline: Pipeline?
    package var trace: [RuleTrace]
    /// What would be written, relative to the outbox, the report last.
    package var writes: [FilePath]
    /// What else may be written: steps give it at times only.
    package var mayWrite: [FilePath]
    /// What must be emitted and comes from a step that will be skipped: the file goes to the quarantine.
    package var missing: [Reference]
  }

  /// Finds out which rule takes a file and why, without running its steps.
  ///
  /// - Parameter path: the path below the inbox that rules see.
  package func explain(_ file: FilePath, as path: FilePath) async throws(WorkbenchFailure)
    -> Explanation
  {
    do {
      return try await withTaskExecutorPreference(executor) {
        let probed = try await processor.probe(
          try claimed(file, as: path), describes: true, alone: true)
        let (pipeline, trace) = try await processor.route(probed, passedOver: [], alone: true)
        let (results, possible, missing) = pipeline?.foreseen(of: probed) ?? ([], [], [])
        let sure = pipeline.map { preview(results, of: probed, $0) } ?? []
        var others: [FilePath] = []
        for result in possible {
          let names = pipeline.map { preview(results + [result], of: probed, $0) } ?? []
          if let name = names.dropFirst(results.count).first, !others.contains(name) {
            others.append(name)
          }
        }
        return Explanation(
          file: probed, pipeline: pipeline, trace: trace, writes: sure,
          mayWrite: others, missing: missing)
      }
    } catch { throw WorkbenchFailure(error) }
  }

  private func preview(
    _ results: [EmittedResult], of file: ProbedFile, _ pipeline: Pipeline
  ) -> [FilePath] {
    var draft = Report(
      job: "{job}", outcome: .done, source: Report.Source(file.claimed, mime: file.mime),
      arrived: wallTime(), finished: wallTime(), completeness: .quiet)
    draft.pipeline = pipeline.id
    let naming = Naming(
      active: active, report: draft, claimed: file.claimed, places: places, isPreview: true)
    return naming.preview(results, to: pipeline.to)
  }
}
