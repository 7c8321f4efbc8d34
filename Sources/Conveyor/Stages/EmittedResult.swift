internal import Outbox
internal import Pipelines
internal import PluginKit
internal import SystemPackage

/// A result on its way to the outbox.
struct EmittedResult: Sendable {
  var artifact: CollectedArtifact
  var name: Name

  /// What it is to be called.
  enum Name: Sendable, Equatable {
    /// The source's name with the artifact's own extension.
    case extended
    /// What the configuration says, with its placeholders.
    case template(String)
    /// Its own name: it is published as it came.
    case kept(FilePath)
  }

  /// A step's artifact.
  ///
  /// - Parameter reference: by what it is emitted; nil where it says so itself.
  init(
    _ artifact: CollectedArtifact, from reference: Reference? = nil, named template: String? = nil
  ) {
    self.artifact = artifact
    if let reference { self.artifact.from = "\(reference)" }
    name = template.map(Name.template) ?? .extended
  }

  /// The source itself.
  init(_ copy: CollectedArtifact, of arrival: Arrival, named template: String?) {
    artifact = copy
    name = template.map(Name.template) ?? .kept(arrival.name)
  }

  /// The role of a source that is published as it came.
  static let sourceRole = Reference.source.description
}

extension Pipeline {
  /// What the rule will emit of a file, as far as is known before its steps have run: nothing of steps whose
  /// condition does not hold, nor what a step gives at times only and may be missing.
  ///
  /// - Returns: also what may come besides or instead, and what must be emitted and will surely be missing.
  func foreseen(
    of file: ProbedFile
  ) -> (results: [EmittedResult], possible: [EmittedResult], missing: [Reference]) {
    func artifact(_ role: String, _ fileExtension: String) -> CollectedArtifact {
      CollectedArtifact(
        role: role, mime: "", fileExtension: fileExtension, name: FilePath(role), path: FilePath(),
        bytes: 0, sha256: "")
    }
    func isSkipped(_ step: Step) -> Bool {
      guard let condition = step.condition, condition.step == "probe" else { return false }
      return !condition.holds(["probe": file.facts])
    }
    func isSkipped(_ reference: Reference) -> Bool {
      guard case .artifact(let id, _) = reference else { return false }
      return steps.first { $0.id == id }.map(isSkipped) ?? false
    }
    func result(_ reference: Reference, _ emit: Emit, isSure: Bool = true) -> EmittedResult? {
      switch reference {
      case .companions: return nil
      case .source:
        return EmittedResult(
          artifact(EmittedResult.sourceRole, ""), of: file.claimed.arrival, named: emit.name)
      case .artifact(let id, let role):
        guard let step = steps.first(where: { $0.id == id }),
          let output = step.manifest.outputs.first(where: { $0.role == role }),
          (output.always || !emit.optional) == isSure, !isSkipped(step)
        else { return nil }
        return EmittedResult(artifact(role, output.fileExtension), named: emit.name)
      }
    }
    return (
      emits.compactMap { emit in emit.references.lazy.compactMap { result($0, emit) }.first },
      emits.flatMap { emit in
        emit.references.compactMap { $0 == .source ? nil : result($0, emit, isSure: false) }
      },
      emits.filter { !$0.optional && $0.references.allSatisfy(isSkipped) }.map(\.from)
    )
  }
}
