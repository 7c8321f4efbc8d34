internal import Outbox
internal import Pipelines
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
  init(_ artifact: CollectedArtifact, named template: String? = nil) {
    self.artifact = artifact
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
