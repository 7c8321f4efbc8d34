internal import Files
internal import Intake
internal import JobLedger
internal import Outbox
internal import Pipelines
internal import PluginKit
internal import SystemPackage

/// Brings folders and ledger together after a start, whatever ended the run before. The ledger says
/// what was decided, the folders say where the bytes are. Doing it twice changes nothing.
///
/// What one job meets here holds up that job alone: it is tried again while the others go on. Only where the
/// ledger fails, or the disk keeps nothing, does procd not start.
struct Recovery: Sendable {
  let conveyor: Conveyor
  private var ledger: Ledger { conveyor.ledger }
  private var claims: Claims { conveyor.spool.claims }
  private var places: Places { conveyor.spool.places }

  /// - Returns: the journeys that go on, the oldest first.
  func run() async throws -> [Journey] {
    try await ledger.endVanishedAttempts(at: wallTime())
    try makeDurable()
    try clean()
    var heldUp: [String: String] = [:]
    let decided =
      try ledger.reader.unfinished().filter { $0.state == .publishing } + ledger.reader.unreleased()
    for row in decided {
      try await holdingUp(row.id, &heldUp) { try await finish(row) }
    }
    var journeys = try await claimed(&heldUp)
    for (job, reason) in heldUp.sorted(by: { $0.key < $1.key }) {
      guard let row = try ledger.reader.job(job) else {
        conveyor.emit(.trouble("the claim \(job) cannot be read and stays as it is: \(reason)"))
        continue
      }
      journeys.append(Journey(heldUp: row, reason))
    }
    try await forgetLost(but: Set(journeys.map(\.claim.job)))
    try await ledger.dropStaleComputations()
    try await ledger.dropStaleNames()
    return journeys
  }

  /// Does something for one job. Where that fails, and the ledger is well, the job is held up.
  private func holdingUp(
    _ job: String, _ heldUp: inout [String: String], _ action: () async throws -> Void
  ) async throws {
    do { try await action() } catch let error as LedgerError where !error.isOfOneJob {
      throw error
    } catch {
      heldUp[job] = "\(error)"
    }
  }

  /// What an earlier process did may stand in memory only, and everything below builds on it: a sealed
  /// file that is missing counts as published, a folder that is there as made.
  private func makeDurable() throws {
    let isIdle =
      try ledger.reader.unfinished().isEmpty && ledger.reader.unreleased().isEmpty
      && claims.jobs().isEmpty && places.seals.names().isEmpty
    if isIdle { return }
    var synced: Set<UInt64> = []
    for folder in [
      conveyor.spool.folder, try claims.inbox.root(), places.seals, places.outbox, places.archive,
      places.quarantine,
    ] + claims.folders where synced.insert(try folder.status().device).inserted {
      try folder.syncFileSystem()
    }
  }

  /// A job that was being published is published as it was sealed; one that is done is released.
  func finish(_ row: JobRow) async throws {
    guard let publication = row.publication.flatMap(Publication.init),
      let json = row.report, let outcome = row.outcome
    else { throw LedgerError.noDecision(job: row.id) }
    let stage = conveyor.publishing
    if row.state == .publishing, try !places.seals.exists(FilePath(row.id)) {
      // With the folder of seals, which somebody removed or put another in its place of.
      conveyor.emit(
        .trouble("the finished results of \(row.path.printable) are gone; it is processed again"))
      return try await ledger.beginAnew(job: row.id)
    }
    if row.state == .done { return try await stage.release(publication, job: row.id) }
    try await stage.finish(publication, Report(published: json, outcome, row), job: row.id)
  }

  /// What stands in the folder of claims: journeys that begin again, or claims that never came
  /// about.
  private func claimed(_ heldUp: inout [String: String]) async throws -> [Journey] {
    var journeys: [Journey] = []
    for job in try claims.jobs() where heldUp[job] == nil {
      try await holdingUp(job, &heldUp) {
        if let journey = try await claimed(job) { journeys.append(journey) }
      }
    }
    return journeys.sorted { $0.claim.arrival.arrived < $1.claim.arrival.arrived }
  }

  /// What stands in the claim of one job; nil where nothing is left to do.
  func claimed(_ job: String) async throws -> Journey? {
    let row = try ledger.reader.job(job)
    let isUndecided = row.map { !$0.isDecided } ?? false
    let hadNote = claims.hasNote(job)
    guard let found = try claims.found(job, recorded: isUndecided ? row?.arrival : nil) else {
      return nil
    }
    switch found {
    case .claim(let claim), .torn(let claim):
      if let row, row.state == .done {
        // Archived already; only the way there was cut off.
        try await finish(row)
        return nil
      }
      if isUndecided, !hadNote {
        conveyor.emit(
          .trouble(
            "the record of the arrival of \(claim.arrival.path.printable) was damaged or gone; the ledger knows the path,"
              + " and a copy of the file as it is now is processed"))
      }
      try Sealer(places: places).discard(job: job)
      let isTorn = if case .torn = found { true } else { false }
      return Journey(resuming: claim, isTorn: isTorn, row)
    case .incomplete(let claim):
      if let row, row.state == .done {
        try await finish(row)
        return nil
      }
      // Some of the files never left the inbox: all go back, to be taken together.
      try claims.giveBack(job: job, claim.arrival)
      try await ledger.forget(job: job)
    case .empty:
      // The file never left the inbox, or has gone where it belongs.
      if let row, row.state != .done { try await ledger.forget(job: job) }
      try claims.clear(job: job)
    }
    return nil
  }

  /// Jobs that the ledger knows and whose file stands nowhere of ours: somebody took it away.
  private func forgetLost(but known: Set<String>) async throws {
    for row in try ledger.reader.unfinished() where !known.contains(row.id) {
      conveyor.emit(
        .trouble(
          "job \(row.id) (\(row.path.printable)) no longer has a file in the spool; it is forgotten"
        ))
      try await ledger.forget(job: row.id)
    }
  }

  /// Removes what half-done work left: work folders, seals of nobody, temporary names.
  private func clean() throws {
    for name in try places.work.names() {
      leaving(name, in: places.work) { name throws(FileError) in
        if try places.work.rename(name, to: places.trash, as: name) == .taken {
          try places.work.removeTree(name)
        }
      }
    }
    for name in try places.trash.names() {
      leaving(name, in: places.trash) { name throws(FileError) in
        try places.trash.removeTree(name)
      }
    }
    let unfinished = Set(
      try ledger.reader.unfinished().filter { $0.state == .publishing }.map(\.id)
        + ledger.reader.unreleased().map(\.id))
    for name in try places.seals.names() where !unfinished.contains(name.string) {
      leaving(name, in: places.seals) { name throws(FileError) in
        try places.seals.removeTree(name)
      }
    }
    for place in Place.allCases {
      guard let own = try? places[place].own() else { continue }
      for name in try own.names() {
        // Folders of ours that stay have no dot in their names.
        guard let kind = try own.status(name)?.kind,
          kind == .regular || (kind == .folder && name.string.contains("."))
        else { continue }
        leaving(name, in: own) { name throws(FileError) in try own.removeTree(name) }
      }
    }
  }

  /// Removes what is in nobody's way. Where that fails it stays, which is told.
  private func leaving(
    _ name: FilePath, in folder: Folder, _ remove: (FilePath) throws(FileError) -> Void
  ) {
    do throws(FileError) { try remove(name) } catch {
      let path = folder.path.appending(name.components).printable
      conveyor.emit(.trouble("\(path) was left by an earlier run and stays: \(error)"))
    }
  }
}

extension Report {
  /// The report of a job that was sealed by an earlier run. Its text stands in the seal already;
  /// here only what events and names need is read back.
  init(published json: JSON, _ outcome: Outcome, _ row: JobRow) {
    let claimed = ClaimedFile(
      job: row.id, arrival: row.arrival, source: FilePath(), isCopy: false, bytes: row.size,
      sha256: row.sha256 ?? "")
    self.init(
      job: row.id, outcome: outcome, source: Source(claimed, mime: row.mime), arrived: row.arrived,
      finished: wallTime(), completeness: row.completeness)
    source.files = ClaimedFile.Member.list(json["source"]?["files"])
    source.companions = ClaimedFile.Member.list(json["companions"])
    // The ledger has those of a file and its companions together.
    source.bytes = json["source"]?["bytes"]?.integerValue ?? source.bytes
    source.sha256 = json["source"]?["sha256"]?.stringValue ?? source.sha256
    source.isLocked = json["source"]?["locked"]?.boolValue ?? false
    pipeline = json["pipeline"]?.stringValue
    configuration = json["config"]?.stringValue
    reusedFrom = json["reusedFrom"]?.stringValue
    edition = json["edition"]
    partial = json["partial"]?.boolValue ?? false
    original = json["original"]?.stringValue
    artifacts = (json["artifacts"]?.arrayValue ?? []).compactMap(ArtifactReport.init)
    if let failure = json["error"] {
      error = PluginFailure(failure.setting("msg", failure["message"]))
    }
    // The steps as they were written: needed again only where a name is evaded.
    steps = (json["steps"]?.arrayValue ?? []).map(StepReport.init(published:))
  }
}

extension StepReport {
  init(published json: JSON) {
    self.init(
      id: json["id"]?.stringValue ?? "", use: json["use"]?.stringValue ?? "",
      plugin: json["plugin"]?.stringValue ?? "", attempts: json["attempts"]?.integerValue ?? 0,
      outcome: json["outcome"]?.stringValue.flatMap(Outcome.init) ?? .done)
    wallMilliseconds = json["wallMs"]?.integerValue ?? 0
    cpuMilliseconds = json["cpuMs"]?.integerValue ?? 0
    peakMemory = json["peakMemory"]?.integerValue ?? 0
    isolation = json["isolation"]
    machine = json["machine"]?.stringValue
    facts = json["facts"] ?? [:]
    notes = (json["notes"]?.arrayValue ?? []).compactMap(\.stringValue)
  }
}
