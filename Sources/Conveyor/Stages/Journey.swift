internal import Files
internal import Intake
internal import JobLedger
internal import Outbox
internal import Pipelines
internal import PluginKit
internal import Series
internal import SystemPackage

/// The way of one claimed file through the daemon: record, secure, probe, route, steps, seal,
/// publish, release. The ledger has each decision before the next stage begins, so a crash between
/// two stages is a restart.
struct Journey: Sendable {
  let conveyor: Conveyor
  var claim: Claim
  /// What the disk no longer holds as it was claimed.
  var isTorn = false
  var isSuspect = false
  /// Whether an earlier run had begun it, so that the ledger may know of rules that passed it over.
  var isResumed = false
  var notBefore: Int64?
  /// What this start met when it was to go on with the job; nil where it went well.
  private var heldUpBy: String?

  init(conveyor: Conveyor, claim: Claim) {
    self.conveyor = conveyor
    self.claim = claim
  }

  /// Of a job that recovery could not look after: it is tried again, from where the ledger says it stands.
  init(conveyor: Conveyor, heldUp row: JobRow, _ reason: String) {
    let arrival = Arrival(
      path: row.path, device: 0, inode: 0, size: row.size, modifiedSeconds: 0,
      modifiedNanoseconds: 0, arrived: row.arrived, completeness: row.completeness)
    self.init(conveyor: conveyor, claim: Claim(job: row.id, arrival: arrival, needsCopy: true))
    isResumed = true
    isSuspect = row.suspect
    notBefore = row.notBefore
    heldUpBy = reason
  }

  private var ledger: Ledger { conveyor.ledger }
  private var claims: Claims { conveyor.spool.claims }
  private var path: FilePath { claim.arrival.path }

  /// The job waits longer than this run does.
  private struct Deferred: Error {}

  /// Runs the whole way. Whatever happens, the file stands whole somewhere.
  func travel() async {
    await conveyor.twins.started(claim.job)
    var tries = 0
    var goesOn = true
    if let heldUpBy {
      goesOn = await waits(for: heldUpBy, tries: 0)
      tries = 1
    }
    while goesOn, await failsForNow(tries) { tries += 1 }
    await conveyor.permits.ended(job: claim.job)
    await conveyor.twins.ended(claim.job)
    conveyor.emit(.left(job: claim.job))
    conveyor.end()
  }

  /// Runs the way once; true where it is to be tried again by this process.
  private func failsForNow(_ tries: Int) async -> Bool {
    do {
      try await tries > 0 ? rest() : whole()
    } catch is Deferred {
      conveyor.count { $0.deferred += 1 }
      await giveWay()
    } catch is CancellationError {
      // Stopping: the job is taken up again at the next start.
    } catch Interruption.handedBack {
    } catch LedgerError.noName(let reason) {
      await waitForStart(reason)
    } catch let error as LedgerError {
      conveyor.fail("\(error)")
    } catch let error as FileError {
      return await waits(for: "\(error)", tries: tries)
    } catch let taken as Publisher.Taken {
      return await waits(for: "\(taken)", tries: tries)
    } catch {
      await waitForStart("\(error)")
    }
    return false
  }

  /// Waits before another try, ever longer; false where this run makes none.
  private func waits(for reason: String, tries: Int) async -> Bool {
    do throws(LedgerError) { try await ledger.note(job: claim.job, reason) } catch {
      conveyor.fail("\(error)")
      return false
    }
    guard !conveyor.isOnce else {
      await waitForStart(reason)
      return false
    }
    conveyor.emit(.trouble("\(path.printable) is tried again soon: \(reason)"))
    await giveWay()
    return (try? await nap(milliseconds: 10_000 << min(tries, 6))) != nil
  }

  private func waitForStart(_ reason: String) async {
    conveyor.count { $0.deferred += 1 }
    conveyor.emit(.trouble("\(path.printable) waits for the next start: \(reason)"))
    await giveWay()
  }

  /// After a fault of the machine: what is decided is finished, all else begins anew.
  private func rest() async throws {
    if let row = try ledger.reader.job(claim.job), try isDecided() {
      try await Recovery(conveyor: conveyor).finish(row)
      // Unless what was decided cannot be carried out any more.
      if try isDecided() { return }
    }
    try Sealer(places: conveyor.spool.places).discard(job: claim.job)
    guard heldUpBy == nil else { return try await beginAgain() }
    try await whole()
  }

  /// Goes on with a claim that could not be read at the start: how the file arrived stands in it.
  private func beginAgain() async throws {
    switch try claims.found(claim.job) {
    case .claim(let claim)?:
      var journey = self
      (journey.claim, journey.heldUpBy) = (claim, nil)
      try await journey.whole()
    case .torn(let claim)?:
      var journey = self
      (journey.claim, journey.heldUpBy, journey.isTorn) = (claim, nil, true)
      try await journey.whole()
    case .incomplete(let claim)?:
      try claims.giveBack(job: claim.job, claim.arrival)
      try await ledger.forget(job: claim.job)
    case .empty?:
      try await ledger.forget(job: claim.job)
      try claims.clear(job: claim.job)
    case nil: try await ledger.forget(job: claim.job)
    }
  }

  /// A twin would wait for ever for what this run does not compute any more.
  private func giveWay() async {
    do throws(LedgerError) { try await ledger.giveUpComputations(of: claim.job) } catch {
      conveyor.fail("\(error)")
    }
  }

  private func whole() async throws {
    try PublishStage(conveyor: conveyor).renewPlaces()
    try await ledger.record(job: claim.job, claim.arrival, .withNext)
    conveyor.emit(.claimed(job: claim.job, path: path))
    if let notBefore { try await pause(until: notBefore) }
    guard let claimed = try await secured() else {
      // Somebody still writes: back to the inbox, where it settles anew.
      try claims.giveBack(job: claim.job, claim.arrival)
      try await ledger.forget(job: claim.job)
      return
    }
    try await ledger.identify(job: claim.job, sha256: claimed.identity, .withNext)
    try forgetOldQuarantine(of: claimed)
    if isTorn {
      let failure = PluginFailure(
        .input, "source.torn",
        "after a power cut the file was not as it had been when it arrived",
        hint: "send it again")
      return try await quarantine(claimed, nil, failure, steps: [], pipeline: nil)
    }
    try await process(claimed)
  }

  private func secured() async throws -> ClaimedFile? {
    while true {
      do throws(FileError) {
        let secured = try claims.secure(claim)
        conveyor.diskWorks()
        return secured
      } catch {
        guard error.isDiskFull else { throw error }
        try await waitForDisk(error)
      }
    }
  }

  private func waitForDisk(_ error: FileError) async throws {
    conveyor.diskTrouble("\(error)")
    if conveyor.isOnce { throw Deferred() }
    try await nap(milliseconds: 5000)
  }

  private func nap(milliseconds: Int64) async throws {
    // Woken often enough to notice that procd stops.
    let until = wallTime() + milliseconds
    while wallTime() < until {
      if conveyor.isStopping { throw Interruption.handedBack }
      try await Task.sleep(for: .milliseconds(min(500, max(1, until - wallTime()))))
    }
  }

  /// Waits for a back-off; a run that drains the inbox waits at most 30 s.
  private func pause(until: Int64) async throws {
    let left = until - wallTime()
    guard left > 0 else { return }
    if conveyor.isOnce, left > 30_000 { throw Deferred() }
    try await nap(milliseconds: left)
  }

  // MARK: - Processing

  private struct Standing {
    var claimed: ClaimedFile
    var probed: ProbedFile?
    var pipeline: Pipeline?
    var progress = FileProcessor.Progress()
    /// The rules whose expectations did not hold, each with what was found.
    var passedOver: [PassedOver] = []
  }

  private func process(_ claimed: ClaimedFile) async throws {
    let active = conveyor.active
    let processor = FileProcessor(runner: conveyor.runner(active))
    var standing = Standing(claimed: claimed)
    var alone = isSuspect
    await conveyor.gate.enter(alone: alone)
    while true {
      let interruption: any Error
      do {
        try await advance(&standing, processor, alone: alone)
        await conveyor.gate.leave(alone: alone)
        return
      } catch {
        interruption = error
      }
      await conveyor.gate.leave(alone: alone)
      switch interruption {
      case Interruption.vanished:
        try await ledger.suspect(job: claim.job)
        conveyor.emit(.suspected(job: claim.job, path: path))
        alone = true
      case Interruption.wait(let until, let failure):
        try await ledger.wait(
          job: claim.job, until: until, code: failure.code, message: failure.message)
        conveyor.emit(.waits(job: claim.job, path: path, until: until, failure))
        try await pause(until: until)
      case EndMarkMissing.until(let until):
        try await nap(milliseconds: until - wallTime())
        guard let again = try await secured() else {
          try claims.giveBack(job: claim.job, claim.arrival)
          try await ledger.forget(job: claim.job)
          return
        }
        try await ledger.identify(job: claim.job, sha256: again.identity)
        standing = Standing(claimed: again)
      case TwinInFlight.job(let twin):
        await conveyor.twins.wait(for: twin)
        // A twin that is not in flight here waits itself.
        try await nap(milliseconds: 50)
      case let error as FileError where error.isDiskFull:
        if try isDecided() { return try await finishWhenDiskWorks(error) }
        // What was made so far takes space that the disk lacks.
        try Sealer(places: conveyor.spool.places).discard(job: claim.job)
        standing.progress = FileProcessor.Progress()
        try await waitForDisk(error)
      default: throw interruption
      }
      if conveyor.isStopping { throw Interruption.handedBack }
      await conveyor.gate.enter(alone: alone)
    }
  }

  /// Whether the job is being published or is done: then what is sealed is published, never made again.
  private func isDecided() throws -> Bool {
    guard let row = try ledger.reader.job(claim.job) else { return false }
    return row.state == .publishing || row.state == .done
  }

  private func finishWhenDiskWorks(_ first: FileError) async throws {
    var trouble = first
    while true {
      try await waitForDisk(trouble)
      guard let row = try ledger.reader.job(claim.job) else { return }
      do {
        return try await Recovery(conveyor: conveyor).finish(row)
      } catch let error as FileError where error.isDiskFull {
        trouble = error
      }
    }
  }

  private enum EndMarkMissing: Error { case until(Int64) }
  private enum TwinInFlight: Error { case job(String) }

  /// Goes on from where the file stands to its publication.
  private func advance(
    _ standing: inout Standing, _ processor: FileProcessor, alone: Bool
  ) async throws {
    let claimed = standing.claimed
    do {
      if standing.probed == nil {
        let probed = try await processor.probe(claimed, alone: alone)
        try waitForEndMark(probed)
        standing.probed = probed
      }
      guard let probed = standing.probed else { return }
      while true {
        if standing.pipeline == nil {
          if isResumed { standing.passedOver = try await ledger.passedOver(job: claim.job) }
          let (pipeline, trace) = try await processor.route(
            probed, passedOver: Set(standing.passedOver.map(\.pipeline)), alone: alone)
          guard let pipeline else {
            return try await unmatched(probed, standing.passedOver, trace)
          }
          try await ledger.routed(
            job: claim.job, mime: probed.mime, pipeline: pipeline.id,
            hash: processor.active.hashes[pipeline.id], .withNext)
          standing.pipeline = pipeline
        }
        guard let pipeline = standing.pipeline else { return }
        // An edition is news even where its bytes are known: it says that nothing has changed.
        if pipeline.series == nil, try await reuse(probed, pipeline, processor.active) { return }
        do {
          let processed = try await processor.run(
            pipeline, on: probed, &standing.progress, alone: alone)
          return try await publish(
            processed, probed, pipeline, reusedFrom: nil, passedOver: standing.passedOver)
        } catch let failed as ExpectationFailed {
          let passedOver = PassedOver(pipeline: pipeline.id, reason: failed.reason)
          try await ledger.passOver(job: claim.job, passedOver)
          standing.passedOver.append(passedOver)
          try await ledger.giveUpComputations(of: claim.job)
          conveyor.emit(.notice("\(path.printable): \(passedOver.sentence)"))
          standing.pipeline = nil
          standing.progress = FileProcessor.Progress()
        }
      }
    } catch let failed as ProcessingFailed {
      try await quarantine(
        claimed, standing.probed?.mime, failed.failure, steps: failed.steps,
        pipeline: standing.pipeline, passedOver: standing.passedOver)
    }
  }

  /// Where no lease could tell, a file that seems cut off may still be on its way.
  private func waitForEndMark(_ probed: ProbedFile) throws {
    let arrival = probed.claimed.arrival
    guard arrival.completeness == .quiet, probed.facts["endMark"]?.boolValue == false else {
      return
    }
    let changed = arrival.modifiedSeconds * 1000 + arrival.modifiedNanoseconds / 1_000_000
    let until = changed + Int64(conveyor.active.configuration.inbox.settleEndMark)
    if until > wallTime() { throw EndMarkMissing.until(until) }
  }

  private func unmatched(
    _ probed: ProbedFile, _ passedOver: [PassedOver], _ trace: [RuleTrace]
  ) async throws {
    let failure =
      passedOver.isEmpty
      ? unpaired(probed, trace)
        ?? PluginFailure(
          .input, "route.unmatched", "no pipeline takes files of the type \(probed.mime)",
          hint: "run procd explain on the file to see why each rule passed it over")
      : passedOver.failure
    try await quarantine(
      probed.claimed, probed.mime, failure, steps: [], pipeline: nil, passedOver: passedOver)
  }

  /// Why a file that is processed only together with another goes to the quarantine; nil where that is not
  /// the reason.
  private func unpaired(_ probed: ProbedFile, _ trace: [RuleTrace]) -> PluginFailure? {
    let rules = conveyor.active.companionRules
    let hint = "put both into the inbox, in any order; procd retry brings back this one"
    if let lacking = trace.first(where: \.lacksCompanion) {
      return PluginFailure(
        .input, "companion.unpaired",
        "\(lacking.reason), which the pipeline \(lacking.pipeline) takes with it",
        hint: hint)
    }
    guard probed.claimed.companions.isEmpty, rules.waitOfCompanion(path) != nil else { return nil }
    return PluginFailure(
      .input, "companion.unpaired", "the file that it belongs to did not come", hint: hint)
  }

  // MARK: - Twins

  /// Whether the file's results were taken from a job that computed the same.
  private func reuse(
    _ probed: ProbedFile, _ pipeline: Pipeline, _ active: ActiveConfiguration
  ) async throws -> Bool {
    guard active.configuration.duplicates != .again, let hash = active.hashes[pipeline.id] else {
      return false
    }
    let claimed = probed.claimed
    switch try await ledger.reserve(
      sha256: claimed.identity, pipelineHash: hash, for: claim.job)
    {
    case .granted: return false
    case .inFlight(let twin): throw TwinInFlight.job(twin)
    case .done(let twin):
      if active.configuration.duplicates == .report {
        try await publishDuplicate(probed, pipeline, of: twin)
        return true
      }
      if let row = try ledger.reader.job(twin),
        let processed = try PublishedResults(conveyor: conveyor)
          .collect(row, pipeline, for: claimed)
      {
        try await publish(processed, probed, pipeline, reusedFrom: twin)
        return true
      }
      try await ledger.takeOver(sha256: claimed.identity, pipelineHash: hash, for: claim.job)
      return false
    }
  }

  // MARK: - Publishing

  private func publish(
    _ processed: Processed, _ probed: ProbedFile, _ pipeline: Pipeline, reusedFrom twin: String?,
    passedOver: [PassedOver] = []
  ) async throws {
    var processed = processed
    var report = report(.done, probed.claimed, mime: probed.mime, pipeline)
    if let series = pipeline.series {
      (processed, report.edition) = try EditionStage(conveyor: conveyor)
        .record(processed, of: probed, series: series, pipeline)
    }
    report.steps = processed.steps
    report.partial = processed.partial
    report.texts = processed.texts
    report.notes += passedOver.map(\.sentence) + processed.notes
    report.reusedFrom = twin
    try await PublishStage(conveyor: conveyor).publish(
      report, processed.emitted, probed.claimed, to: pipeline.to)
  }

  private func publishDuplicate(
    _ probed: ProbedFile, _ pipeline: Pipeline, of twin: String
  ) async throws {
    var report = report(.duplicate, probed.claimed, mime: probed.mime, pipeline)
    report.reusedFrom = twin
    try await PublishStage(conveyor: conveyor).publish(report, [], probed.claimed, to: pipeline.to)
  }

  private func quarantine(
    _ claimed: ClaimedFile, _ mime: String?, _ failure: PluginFailure, steps: [StepReport],
    pipeline: Pipeline?, passedOver: [PassedOver] = []
  ) async throws {
    try await ledger.giveUpComputations(of: claim.job)
    var report = report(.quarantined, claimed, mime: mime, pipeline)
    report.steps = steps
    report.error = failure
    report.edition = try refusedEdition(claimed, failure, pipeline, passedOver)
    try await PublishStage(conveyor: conveyor).publish(report, [], claimed, to: nil)
  }

  /// What is told beside a list of a file that was meant to be its next edition: one list alone has
  /// rules that it was tried with.
  private func refusedEdition(
    _ claimed: ClaimedFile, _ failure: PluginFailure, _ pipeline: Pipeline?,
    _ passedOver: [PassedOver]
  ) throws(SeriesError) -> JSON? {
    let tried = conveyor.active.configuration.pipelines.filter { rule in
      rule.series != nil
        && (rule.id == pipeline?.id || passedOver.contains { $0.pipeline == rule.id })
    }
    guard let last = tried.last, let series = last.series,
      tried.allSatisfy({ $0.series == series })
    else { return nil }
    let reason = passedOver.first { $0.pipeline == last.id }?.reason ?? failure.message
    return try EditionStage(conveyor: conveyor)
      .refuse(claimed, series: series, last, reason: reason)
  }

  private func report(
    _ outcome: Report.Outcome, _ claimed: ClaimedFile, mime: String?, _ pipeline: Pipeline?
  ) -> Report {
    var report = Report(
      job: claim.job, outcome: outcome, source: Report.Source(claimed, mime: mime),
      arrived: claim.arrival.arrived, finished: wallTime(),
      completeness: claim.arrival.completeness)
    report.pipeline = pipeline?.id
    report.configuration = pipeline.flatMap { conveyor.active.hashes[$0.id] }
    return report
  }

  /// A file that was moved back from quarantine takes its report and note with it.
  private func forgetOldQuarantine(of claimed: ClaimedFile) throws {
    for row in try ledger.reader.quarantined(sha256: claimed.identity) {
      try QuarantineNotes(conveyor: conveyor).forget(row)
    }
  }
}
