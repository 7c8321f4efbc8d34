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
          fileExtension: result.path.extension ?? artifact.role, name: name,
          path: seal.path.appending(name.components), bytes: digest.bytes, sha256: digest.sha256,
          label: artifact.label))
    }
    return emitted.isEmpty
      ? nil
      : Processed(
        emitted: named(emitted, pipeline, claimed.arrival), steps: [],
        partial: report["partial"]?.boolValue ?? false, texts: report["texts"],
        notes: (report["steps"]?.arrayValue ?? [])
          .flatMap { $0["notes"]?.arrayValue ?? [] }.compactMap(\.stringValue))
  }

  /// The artifacts with the names that the rule gives them, in the order in which it emits them.
  private func named(
    _ artifacts: [CollectedArtifact], _ pipeline: Pipeline, _ arrival: Arrival
  ) -> [EmittedResult] {
    func entries(_ role: String) -> [Pipeline.Emit] {
      pipeline.emits.filter { emit in
        emit.references.contains {
          switch $0 {
          case .artifact(_, role): true
          case .source: role == EmittedResult.sourceRole
          default: false
          }
        }
      }
    }
    let counts = Dictionary(artifacts.map { ($0.role, 1) }, uniquingKeysWith: +)
    var seen: [String: Int] = [:]
    return artifacts.map { artifact in
      let role = artifact.role, entries = entries(role), place = seen[role, default: 0]
      seen[role] = place + 1
      // Several artifacts may come of one entry.
      let template = (entries.count == counts[role] ? entries[place] : entries.first)?.name
      return role == EmittedResult.sourceRole
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
