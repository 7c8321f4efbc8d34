internal import Files
internal import JobLedger
internal import Outbox
internal import Pipelines
internal import PluginKit
internal import Series
internal import SystemPackage

/// Keeps the rows of a file as an edition of its list, and makes what differs from the edition before
/// part of its results.
///
/// The store knows an edition by its job, so that a job that begins again after a crash gets the same
/// answer and no edition is doubled. What there is to tell leaves only after the job is done.
struct EditionStage: Sendable {
  let lists: Lists
  let reader: LedgerReader
  let places: Places

  /// What the file's results are with its changes, and what the report says of the edition.
  func record(
    _ processed: Processed, of claimed: ClaimedFile, series: String, _ pipeline: Pipeline
  ) throws -> (processed: Processed, edition: JSON) {
    let last = processed.steps.reversed().lazy.compactMap { step in
      processed.made[step.id]?.first { RowsOfList.are($0.role, mime: $0.mime) }
    }.first
    guard let rows = last else {
      throw ProcessingFailed(
        failure: PluginFailure(
          .options, "series.rows", "the rule keeps the series \(series), but no step gave rows",
          hint: "use the step status.rows"), steps: processed.steps)
    }
    let bytes = try Folder.open(rows.path.removingLastComponent())
      .reading(rows.name).readAll(limit: max(rows.bytes, 1))
    let content: ListContent
    do { content = try ListContent(jsonLines: bytes) } catch {
      throw ProcessingFailed(
        failure: PluginFailure(.internal, "series.rows", "\(error)"), steps: processed.steps)
    }
    let (name, (date, isInName)) = Self.nameAndDate(of: claimed, pipeline)
    let edition = Edition(
      series: series, job: claimed.job, name: name, path: claimed.arrival.path.string, date: date,
      arrived: claimed.arrival.arrived, isPartial: processed.partial)
    let recorded: RecordedEdition
    do {
      recorded = try lists.store().record(edition, content, try check(claimed, pipeline))
    } catch SeriesError.form(let reason) {
      throw ProcessingFailed(
        failure: PluginFailure(
          .input, "series.form", reason,
          hint:
            "look at the list: where it is right, procd retry takes it as it is; where it is read wrong, "
            + "the options columns, pattern and dateOrder of status.rows help"),
        steps: processed.steps)
    }
    var result = processed
    let told = EditionDate.written(date)
    if !isInName {
      result.notes.append(
        "no date was found in its name: the list is dated \(told), by the time of the file")
    }
    if recorded.standing == .late {
      result.notes.append(
        "the list is dated \(told) and was sorted in before newer ones, so it brings no news")
    }
    for (role, mime, bytes) in [
      ("changes.json", "application/json", recorded.json.text),
      ("changes.csv", "text/csv", recorded.csv),
    ] {
      let artifact = try place(bytes, as: role, mime: mime, job: claimed.job)
      result.emitted.append(EmittedResult(artifact))
    }
    return (result, Self.summary(of: recorded))
  }

  /// Who puts a list into the inbox again that was held back, and lies in the quarantine no more, has looked at it.
  private func check(_ claimed: ClaimedFile, _ pipeline: Pipeline) throws -> ListForm.Check {
    let quarantine = places.quarantine
    let wasReleased = try reader.quarantined(sha256: claimed.identity).contains {
      row in
      guard row.errorCode == "series.form",
        let original = row.publication.flatMap(Publication.init)?.original,
        original.place == .quarantine
      else { return false }
      return try !quarantine.exists(original.path)
    }
    if wasReleased { return .none }
    let allowsDoubt = pipeline.steps.contains { step in
      step.expectations.contains { $0.fact == "doubtful" && $0.comparison == .atMost }
    }
    return allowsDoubt ? .withoutDoubt : .all
  }

  /// Notes that a file was not taken for the list that it was meant to be: one list alone has rules that it was
  /// tried with.
  ///
  /// - Parameter pipeline: the rule that took the file.
  /// - Returns: what the report says of it; nil where it was meant for no list, or for several.
  func refuse(
    _ claimed: ClaimedFile, _ failure: PluginFailure, _ pipeline: Pipeline?,
    _ passedOver: [PassedOver], _ pipelines: [Pipeline]
  ) throws(SeriesError) -> JSON? {
    let tried = pipelines.filter { rule in
      rule.series != nil
        && (rule.id == pipeline?.id || passedOver.contains { $0.pipeline == rule.id })
    }
    guard let last = tried.last, let series = last.series,
      tried.allSatisfy({ $0.series == series })
    else { return nil }
    let reason = passedOver.first { $0.pipeline == last.id }?.reason ?? failure.message
    let (name, (date, _)) = Self.nameAndDate(of: claimed, last)
    try lists.store().refuse(
      RefusedEdition(
        series: series, job: claimed.job, name: name, date: date,
        arrived: claimed.arrival.arrived, reason: reason))
    return ["series": .string(series), "date": .string(date), "standing": "refused"]
  }

  private static func nameAndDate(
    of claimed: ClaimedFile, _ pipeline: Pipeline
  ) -> (name: String, date: (date: String, isInName: Bool)) {
    let arrival = claimed.arrival
    let name = arrival.name.repaired.text
    let date = EditionDate.of(
      name, modified: arrival.modifiedSeconds, arrived: arrival.arrived,
      // How the dates of the list are meant, which those in the names of its files follow.
      order: pipeline.steps.lazy.compactMap { $0.options.string("dateOrder") }.first)
    return (name, date)
  }

  private func place(
    _ bytes: [UInt8], as name: String, mime: String, job: String
  ) throws(FileError) -> CollectedArtifact {
    let sealer = Sealer(places: places)
    try sealer.write(bytes, as: FilePath(name), job: job, PlaceAccess())
    return CollectedArtifact(
      role: name, mime: mime, fileExtension: name, name: FilePath(name),
      path: try sealer.folder(job: job).path.appending(name), bytes: bytes.count,
      sha256: sha256(bytes))
  }

  private static func summary(of recorded: RecordedEdition) -> JSON {
    [
      "series": .string(recorded.edition.series), "date": .string(recorded.edition.date),
      "standing": .string(recorded.standing.rawValue),
      "comparedWith": recorded.comparedWith.map { .string($0) },
      "numbers": .integer(recorded.edition.numbers),
      "added": .integer(recorded.changes.count(.added)),
      "removed": .integer(recorded.changes.count(.removed)),
      "changed": .integer(recorded.changes.count(.changed)),
    ]
  }
}
