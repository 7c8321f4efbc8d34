internal import PluginKit

extension Pipeline {
  /// The step that makes one document of the files of a folder.
  package static let joiningUse = "pages.join"
}

extension MeaningReader {
  /// The step that a rule for folders begins with: it makes one document of the files, which the other
  /// steps have as their source.
  mutating func joining(
    _ gather: Pipeline.Gathering, _ node: JSONNode
  ) -> (step: Pipeline.Step, known: KnownStep) {
    let use = Pipeline.joiningUse
    let declared = declaration(of: use, node)
    let manifest =
      declared ?? StepManifest(name: use, about: "", accepts: ["*/*"], outputs: [])
    let order: JSON = gather == .oddEven ? ["order": "odd-even"] : [:]
    let step = Pipeline.Step(
      id: Self.joiningStep, use: use, options: Options(checked: manifest.options.filled(order)),
      inputs: [("source", [.source])], condition: nil, timeout: defaults.timeout,
      stall: defaults.stall, attempts: defaults.retry.attempts, expectations: [],
      manifest: manifest)
    return (step, KnownStep(id: Self.joiningStep, use: use, manifest: declared))
  }

  private static let joiningStep = "pages"

  /// Gives all steps but the first the joined document in place of the source.
  static func readJoined(_ steps: inout [Pipeline.Step], _ emits: inout [Pipeline.Emit]) {
    func joined(_ reference: Reference) -> Reference {
      reference == .source ? .artifact(step: joiningStep, role: "pdf") : reference
    }
    for index in steps.indices.dropFirst() {
      steps[index].inputs = steps[index].inputs.map { ($0.role, $0.from.map(joined)) }
    }
    for index in emits.indices {
      emits[index].from = joined(emits[index].from)
      emits[index].otherwise = emits[index].otherwise.map(joined)
    }
  }
}
