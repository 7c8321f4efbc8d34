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
  let conveyor: Conveyor
  private var places: Places { conveyor.spool.places }
  private var sealer: Sealer { Sealer(places: places) }

  func publish(
    _ draft: Report, _ emitted: [EmittedResult],
    _ claimed: ClaimedFile, to subfolder: String?
  ) async throws {
    try renewPlaces()
    let active = conveyor.active
    let naming = Naming(active: active, report: draft, claimed: claimed, places: places)
    let bundles = naming.bundles(emitted, to: subfolder)
    let places = places
    let names = try await conveyor.ledger.reserveNames(bundles, for: draft.job) {
      places.isFree($0, $1)
    }
    let plan = naming.plan(draft, emitted, names)
    try seal(plan, emitted, claimed)
    try await conveyor.ledger.publishing(
      job: draft.job, outcome: draft.outcome, publication: plan.publication.json,
      report: plan.report.json)
    try await finish(plan.publication, plan.report, job: draft.job)
  }

  /// Results go to the folders that people see.
  func renewPlaces() throws(FileError) {
    for place in try conveyor.spool.openPlaces.renew() {
      conveyor.emit(
        .notice("the folder of the \(place.rawValue) was replaced: what comes goes to the new one"))
    }
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
      var access = conveyor.active.access[place] ?? PlaceAccess()
      access.group = access.group ?? status?.group
      return access
    }
    let keepsTime = conveyor.active.configuration.outbox.keepsSourceTime
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
    try renewPlaces()
    let publisher = Publisher(places: places, access: conveyor.active.access)
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
        try await conveyor.ledger.publishing(
          job: job, outcome: report.outcome, publication: publication.json, report: report.json)
      }
    }
    let original = conveyor.active.folder(publication.original.place)
      .appending(publication.original.path.components)
    try await conveyor.ledger.done(
      job: job, outcome: report.outcome, error: report.error, original: original, at: wallTime())
    conveyor.count { counts in
      switch report.outcome {
      case .done: counts.done += 1
      case .quarantined: counts.quarantined += 1
      case .duplicate: counts.duplicates += 1
      }
    }
    conveyor.emit(.finished(report))
    try await release(publication, job: job)
  }

  /// Tells what an edition brought, after its job is done and before it is forgotten: a crash between
  /// repeats it, and the same news has the same names.
  private func tellNews(of job: String) async throws {
    guard let row = try conveyor.ledger.reader.job(job), let series = series(of: row) else {
      return
    }
    let notices = try EditionStage(conveyor: conveyor).notices(of: job)
    for notice in notices { conveyor.emit(.notice(notice.subject)) }
    try conveyor.tell(notices)
    if let reader = try conveyor.lists.reader() {
      try StatusPages.renew(series, reader, outbox: places.outbox)
    }
  }

  private func series(of row: JobRow) -> String? {
    row.report?["edition"]?["series"]?.stringValue
  }

  /// Brings the original to its last place and removes what is left of the job.
  func release(_ publication: Publication, job: String) async throws {
    // Here, because this is repeated until the job has left: after a crash too.
    try conveyor.tellEnd(of: job)
    try renewPlaces()
    var publication = publication
    let claims = conveyor.spool.claims
    let name = FilePath(job)
    if try claims.folder.exists(name) {
      let place = try claims.folder.folder(name)
      let wanted = publication.original.path
      for attempt in 0... {
        do {
          try Publisher(places: places, access: conveyor.active.access).release(
            publication, from: place,
            name: publication.isCopy ? Claims.copyName : Claims.sourceName, job: job)
          break
        } catch let taken as Publisher.Taken where attempt < 8 {
          Naming.evade(taken, in: &publication, places, attempt: attempt)
        }
      }
      if publication.original.path != wanted {
        let original = conveyor.active.folder(publication.original.place)
          .appending(publication.original.path.components)
        try await conveyor.ledger.originalLies(at: original, job: job)
      }
      if publication.isCopy { try claims.letGo(job: job) }
      try claims.clear(job: job)
    }
    try sealer.discard(job: job)
    try await tellNews(of: job)
    try await conveyor.ledger.released(job: job)
    await RetentionService(conveyor: conveyor).released(job)
  }
}
