internal import PluginKit

/// Steps whose results nobody takes, and results that steps may not give.
extension MeaningReader {
  /// Warns of steps whose results nobody takes.
  ///
  /// A step whose facts are asked for or expected has its use without them, and one that is no built-in may do
  /// something of its own.
  mutating func checkUse(
    _ node: JSONNode?, _ steps: [Pipeline.Step], _ wanted: [Reference]
  ) {
    guard case .array(let nodes)? = node?.kind else { return }
    for node in nodes {
      guard let id = node["id"]?.value.stringValue, !isFaulty(node),
        let step = steps.first(where: { $0.id == id }),
        case .worker? = catalog?[step.use]?.program, step.expectations.isEmpty,
        !steps.contains(where: { $0.condition?.step == id }),
        !wanted.contains(where: { if case .artifact(id, _) = $0 { true } else { false } })
      else { continue }
      complain(
        "step.unused", "nothing takes what step \"\(id)\" gives", at: node.range,
        hint: "name it in \"emit\", or leave the step out", severity: .warning)
    }
  }

  /// Returns whether a step with `each` may find no file that it reads: what it is given may be missing or of another
  /// type.
  private func mayFindNone(_ step: Pipeline.Step, among steps: [Pipeline.Step]) -> Bool {
    guard step.each else { return false }
    return step.inputs.first?.from.allSatisfy { reference in
      guard case .artifact(let id, let role) = reference,
        let giver = steps.first(where: { $0.id == id }),
        let output = giver.manifest.outputs.first(where: { $0.role == role })
      else { return true }
      return !output.always || output.isOfAnyType
        || !step.manifest.accepts.contains { Self.overlap(output.mime, $0) }
    } ?? true
  }

  /// Warns of results that must be there, from steps that may not run.
  mutating func checkSkipping(
    _ node: JSONNode?, _ steps: [Pipeline.Step], _ emits: [Pipeline.Emit]
  ) {
    guard case .array(let nodes)? = node?.kind, nodes.count == emits.count else { return }
    var mayLack: Set<String> = []
    func mayLackAll(_ references: [Reference]) -> Bool {
      references.allSatisfy {
        if case .artifact(let id, _) = $0 { mayLack.contains(id) } else { false }
      }
    }
    for step in steps
    where step.condition != nil || mayFindNone(step, among: steps)
      || step.inputs.contains(where: { mayLackAll($0.from) })
    {
      mayLack.insert(step.id)
    }
    // Which of several conditions hold together is not known here.
    for (node, emit) in zip(nodes, emits)
    where !emit.optional && emit.otherwise == nil && mayLackAll(emit.references) {
      complain(
        "emit.skipped",
        "where its step does not run there is no \(emit.from), and the file goes to the quarantine",
        at: node.range,
        hint:
          "write \"\(emit.from)?\" and what else such files give, or {\"from\": \"\(emit.from)\", \"else\": \"source\"}",
        severity: .warning)
    }
  }
}
