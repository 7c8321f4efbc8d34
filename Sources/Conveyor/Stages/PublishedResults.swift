internal import Files
internal import JobLedger
internal import Outbox
internal import Pipelines
internal import PluginKit
internal import SystemPackage

/// Results of an earlier job that a file with the same content may have.
struct PublishedResults: Sendable {
  let places: Places

  /// Copies the earlier job's artifacts into the new job's seal; nil where one of them is gone or
  /// changed.
  func collect(
    _ row: JobRow, _ pipeline: Pipeline, for claimed: ClaimedFile
  ) throws -> Processed? {
    guard row.outcome == .done, let report = row.report else { return nil }
    let results = row.results
    guard results.count == report["artifacts"]?.arrayValue?.count else { return nil }
    let seal = try Sealer(places: places).folder(job: claimed.job)
    var emitted: [CollectedArtifact] = []
    for (index, result) in results.enumerated() {
      let artifact = result.artifact
      guard let file = result.file(in: places.outbox) else { return nil }
      let name = FilePath("reused.\(index)")
      try seal.remove(name)
      let copy = try seal.creating(name)
      let digest = try file.copy(to: copy)
      guard digest.sha256 == artifact.sha256 else { return nil }
      emitted.append(
        CollectedArtifact(
          role: artifact.role, mime: artifact.mime,
          fileExtension: Self.fileExtension(of: artifact, result.path, pipeline), name: name,
          path: seal.path.appending(name.components), bytes: digest.bytes, sha256: digest.sha256,
          label: artifact.label, from: artifact.from))
    }
    return emitted.isEmpty
      ? nil
      : Processed(
        emitted: named(emitted, pipeline, claimed.arrival), steps: [],
        partial: row.isReadInPart, texts: report["texts"],
        notes: row.stepNotes)
  }

  /// How a result's name ended before what keeps it apart from others, which the name alone does not tell.
  private static func fileExtension(
    of artifact: ArtifactReport, _ path: FilePath, _ pipeline: Pipeline
  ) -> String {
    let role = artifact.role
    for case .artifact(let id, role) in pipeline.emits.flatMap(\.references)
    where artifact.from.map({ $0 == "\(Reference.artifact(step: id, role: role))" }) ?? true {
      let step = pipeline.steps.first { $0.id == id }
      guard let output = step?.manifest.outputs.first(where: { $0.role == role }) else { continue }
      return output.isOfAnyType ? path.extension ?? output.fileExtension : output.fileExtension
    }
    // What procd adds is called by its role.
    return path.string.hasSuffix(".\(role)") ? role : path.extension ?? role
  }

  /// The artifacts with the names that the rule gives them, in the order in which it emits them.
  private func named(
    _ artifacts: [CollectedArtifact], _ pipeline: Pipeline, _ arrival: Arrival
  ) -> [EmittedResult] {
    func entries(_ artifact: CollectedArtifact) -> [Pipeline.Emit] {
      pipeline.emits.filter { emit in
        emit.references.contains { reference in
          // Reports of earlier versions do not say of which step it was.
          if let from = artifact.from { return from == "\(reference)" }
          if case .artifact(_, artifact.role) = reference { return true }
          return reference == .source && artifact.role == EmittedResult.sourceRole
        }
      }
    }
    func key(_ artifact: CollectedArtifact) -> String { artifact.from ?? artifact.role }
    let counts = Dictionary(artifacts.map { (key($0), 1) }, uniquingKeysWith: +)
    var seen: [String: Int] = [:]
    return artifacts.map { artifact in
      let key = key(artifact), entries = entries(artifact), place = seen[key, default: 0]
      seen[key] = place + 1
      // Several artifacts may come of one entry.
      let template = (entries.count == counts[key] ? entries[place] : entries.first)?.name
      return artifact.role == EmittedResult.sourceRole
        ? EmittedResult(artifact, of: arrival, named: template)
        : EmittedResult(artifact, named: template)
    }
  }
}

/// Reports and notes in the quarantine whose file has left it.
struct QuarantineNotes: Sendable {
  let quarantine: Folder

  /// Removes report and why.txt of a quarantined job whose file is no longer there.
  func forget(_ row: JobRow) throws {
    guard let publication = row.publication.flatMap(Publication.init) else { return }
    guard publication.original.place == .quarantine,
      try !quarantine.exists(publication.original.path)
    else { return }
    for item in publication.items where item.place == .quarantine {
      let folder = try? quarantine.folder(item.path.removingLastComponent())
      guard let folder, let name = item.path.lastComponent else { continue }
      if try folder.remove(FilePath(name: name)) { try folder.sync() }
    }
  }
}
