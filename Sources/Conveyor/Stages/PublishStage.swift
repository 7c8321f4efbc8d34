internal import Files
internal import Intake
internal import JobLedger
internal import Outbox
internal import Pipelines
internal import PluginKit
internal import SystemPackage

/// Names, seals, publishes and releases: from artifacts in our hands to files in the outbox and the
/// original in archive or quarantine.
struct PublishStage: Sendable {
  /// What happened, for those who make something of it.
  enum Event: Sendable {
    /// The folder of a place was replaced: what comes goes to the new one.
    case replaced(Place)
    /// The ledger has the job as done.
    case done(Report)
    /// The job is done and about to leave. Comes again after a crash until it has left.
    case leaving(job: String)
    /// The original is at its last place and nothing else is left of the job. Comes again after a crash too.
    case cleared(job: String)
    /// The job has left.
    case left(job: String)
  }

  let active: ActiveConfiguration
  let ledger: Ledger
  let claims: Claims
  let openPlaces: OpenPlaces
  /// Waits until places answer.
  let awaitAnswers: @Sendable (Set<Place>) async throws -> Void
  let tell: @Sendable (Event) async throws -> Void
  private var places: Places { openPlaces.now }
  private var sealer: Sealer { Sealer(places: places) }

  func publish(
    _ draft: Report, _ emitted: [EmittedResult],
    _ claimed: ClaimedFile, to subfolder: String?
  ) async throws {
    try await renewPlaces(
      draft.outcome == .quarantined ? [.quarantine] : [.outbox, .archive])
    let naming = Naming(active: active, report: draft, claimed: claimed, places: places)
    let bundles = naming.bundles(emitted, to: subfolder)
    let plan = naming.plan(emitted, bundles, try await reserve(bundles, for: draft))
    try seal(plan, emitted, claimed)
    try await ledger.publishing(
      job: draft.job, outcome: draft.outcome, publication: plan.publication.json,
      report: plan.report.json)
    try await finish(plan.publication, plan.report, job: draft.job)
  }

  private func reserve(_ bundles: [NameBundle], for draft: Report) async throws -> [[FilePath]] {
    let places = places
    do {
      return try await ledger.reserveNames(bundles, for: draft.job) { places.isFree($0, $1) }
    } catch {
      guard case .nameTaken = error else { throw error }
      throw ProcessingFailed(
        failure: PluginFailure(
          .input, "name.taken", error.description,
          hint:
            "take that file away, then bring this one back with procd retry; \"onClash\" of its rule"
            + " says what becomes of such files"), steps: draft.steps)
    }
  }

  /// Waits until some places answer, and opens those again that were replaced: results go to the folders that people
  /// see.
  func renewPlaces(_ needed: Set<Place>) async throws {
    try await awaitAnswers(needed)
    for place in try openPlaces.renew(needed) { try await tell(.replaced(place)) }
  }

  private func seal(
    _ plan: PublicationPlan, _ emitted: [EmittedResult],
    _ claimed: ClaimedFile
  ) throws(FileError) {
    let job = plan.report.job
    let parent = try Folder.open(claimed.source.removingLastComponent())
    let status = try claimed.source.lastComponent.flatMap { name throws(FileError) in
      try parent.status(FilePath(name: name))
    }
    // What nobody asked for follows the source: who may see it may see its results.
    func access(_ place: Place) -> PlaceAccess {
      var access = active.access[place] ?? PlaceAccess()
      access.group = access.group ?? status?.group
      return access
    }
    let keepsTime = active.configuration.outbox.keepsSourceTime
    try sealer.seal(
      emitted.map(\.artifact.name), job: job,
      Sealer.Attributes(modified: keepsTime ? status?.modified : nil, access: access(.outbox)))
    for (name, text) in reports(plan.report, plan.publication) {
      let place = plan.publication.place(ofSealed: name)
      try sealer.write(text, as: name, job: job, access(place))
    }
    if plan.isFolder {
      try sealer.gather(plan.inFolder, job: job, access(.outbox))
    }
    try sealer.finish(job: job)
  }

  /// The files of ours that go with a report, by their names in the seal.
  private func reports(
    _ report: Report, _ publication: Publication
  ) -> [(name: FilePath, text: [UInt8])] {
    let text = report.json.text
    var files = [(name: Sealer.reportName, text: text)]
    if publication.originalReport != nil { files.append((Sealer.reportCopyName, text)) }
    if report.outcome == .quarantined {
      files.append((Sealer.whyName, Array(WhyText.text(of: report).utf8)))
    }
    return files
  }

  /// Carries out what the ledger says is being published. May be repeated at any point.
  func finish(_ publication: Publication, _ report: Report, job: String) async throws {
    var publication = publication, report = report
    try await renewPlaces(Set(publication.items.map(\.place)))
    let publisher = Publisher(places: places, access: active.access)
    for attempt in 0... {
      do {
        try publisher.publish(publication, job: job)
        break
      } catch let taken as Publisher.Taken where attempt < 8 {
        // Somebody put a file where ours was to go: ours gets a name of its own.
        Naming.evade(taken, in: &publication, &report, places, attempt: attempt)
        for (name, text) in reports(report, publication) {
          try sealer.rewrite(text, as: name, job: job)
        }
        try sealer.finish(job: job)
        try await ledger.publishing(
          job: job, outcome: report.outcome, publication: publication.json, report: report.json)
      }
    }
    try await ledger.done(
      job: job, outcome: report.outcome, error: report.error, original: whole(publication.original),
      at: wallTime())
    try await tell(.done(report))
    try await release(publication, job: job)
  }

  /// Brings the original to its last place and removes what is left of the job.
  func release(_ publication: Publication, job: String) async throws {
    try await tell(.leaving(job: job))
    try await renewPlaces([publication.original.place])
    var publication = publication
    let name = FilePath(job)
    let claimed = try claims.holder(job)
    if try claimed.exists(name) {
      let place = try claimed.folder(name)
      let wanted = publication
      for attempt in 0... {
        do {
          try Publisher(places: places, access: active.access).release(
            publication, from: place,
            name: publication.isCopy ? Claims.copyName : Claims.sourceName, job: job)
          break
        } catch let taken as Publisher.Taken where attempt < 8 {
          Naming.evade(taken, in: &publication, places, attempt: attempt)
        }
      }
      if publication != wanted {
        try await ledger.originalLies(
          at: whole(publication.original), publication: publication.json, job: job)
      }
      if publication.isCopy { try claims.letGo(job: job) }
      try claims.clear(job: job)
    }
    try sealer.discard(job: job)
    try await tell(.cleared(job: job))
    try await ledger.released(job: job)
    try await tell(.left(job: job))
  }

  private func whole(_ item: Publication.Item) -> FilePath {
    active.original(in: item.place, at: item.path).whole
  }
}
