internal import Files
internal import Intake
internal import JobLedger
internal import Outbox
internal import Pipelines
internal import PluginKit
internal import Synchronization
internal import SystemPackage

/// Takes one file its way: carries out each hop of its `Journey` and tells the journey what came of it. The ledger
/// has each decision before the next hop, so a crash between two is a restart.
struct JourneyDriver: Sendable {
  let conveyor: Conveyor
  let processor: FileProcessor
  private let job: String
  /// By pipeline: the same all the way, also if a plugin is changed meanwhile.
  private let memory = Memory()
  private var ledger: Ledger { conveyor.ledger }
  private var claims: Claims { conveyor.spool.claims }
  private var publishing: PublishStage { conveyor.publishing }

  private final class Memory: Sendable { let hashes = Mutex<[String: String]>([:]) }

  /// Drives the whole way. Whatever happens, the file stands whole somewhere.
  static func travel(_ journey: Journey, _ conveyor: Conveyor) async {
    await JourneyDriver(conveyor, job: journey.claim.job).travel(journey)
  }

  private init(_ conveyor: Conveyor, job: String) {
    self.conveyor = conveyor
    self.job = job
    processor = FileProcessor(runner: conveyor.runner(conveyor.active))
  }

  private func travel(_ start: Journey) async {
    await conveyor.runningJobs.started(job)
    var journey = start
    journey.terms = conveyor.terms(of: start.claim.arrival)
    var hop = journey.begin(at: wallTime()), isInside = false
    while true {
      if isInside, !hop.isWork {
        await conveyor.gate.leave(alone: journey.isAlone)
        isInside = false
      }
      if case .leave(let departure) = hop {
        await depart(departure, journey.claim)
        if departure == .ended { Wish.forget(journey.claim.arrival, in: conveyor.spool.folder) }
        break
      }
      if !isInside, hop.isWork {
        if conveyor.isStopping {
          hop = journey.take(.interrupted(.handedBack), at: wallTime())
          continue
        }
        await conveyor.gate.enter(alone: journey.isAlone)
        isInside = true
        // It works again, and waits for no disk.
        conveyor.block(job: job, nil)
      }
      hop = journey.take(await event(of: journey), at: wallTime())
    }
    conveyor.block(job: job, nil)
    await conveyor.permits.ended(job: job)
    conveyor.spoken.forget(journey.claim.arrival.path)
    await conveyor.runningJobs.ended(job)
    conveyor.emit(.left(job: job))
    conveyor.end()
  }

  private func depart(_ departure: Journey.Departure, _ claim: Claim) async {
    guard case .deferred(let reason) = departure else { return }
    conveyor.count { $0.deferred += 1 }
    if let reason {
      conveyor.emit(.trouble("\(claim.arrival.path.printable) waits for the next start: \(reason)"))
    }
    await giveWay()
  }

  /// Carries out the hop that a journey stands at.
  private func event(of journey: Journey) async -> Journey.Event {
    do {
      try await conveyor.awaitAnswers(of: conveyor.folders(of: journey.hop))
      if let event = try await processor.carryOut(journey.hop, alone: journey.isAlone) {
        return event
      }
      return try await carryOut(journey.hop, journey)
    } catch let interruption as Interruption {
      return .interrupted(interruption)
    } catch let failed as ProcessingFailed {
      return .refused(failed)
    } catch is CancellationError {
      // Stopping: the job is taken up again at the next start.
      return .stopped(nil)
    } catch LedgerError.nameHeld(let holder) {
      // Nobody is to wait for one who waits.
      await giveWay()
      return .nameHeld(by: holder, runs: await conveyor.runningJobs.runs(holder))
    } catch let error as LedgerError where error.isOfOneJob {
      return .stopped("\(error)")
    } catch let error as LedgerError {
      conveyor.fail(error)
      return .stopped(nil)
    } catch let error as FileError {
      guard error.isDiskFull else { return .fault("\(error)") }
      conveyor.state.withLock { $0.fullDisks[job] = conveyor.active.folderOfDisk(error.path)?.path }
      return .diskFull(conveyor.active.diskSentence(error))
    } catch let taken as Publisher.Taken {
      return .fault("\(taken)")
    } catch {
      return .stopped("\(error)")
    }
  }

  private func carryOut(_ hop: Journey.Hop, _ journey: Journey) async throws -> Journey.Event {
    let claim = journey.claim, path = claim.arrival.path
    switch hop {
    case .find:
      if let found = try await Recovery(conveyor: conveyor).claimed(job) { return .found(found) }
      if let row = try ledger.reader.job(job), row.state != .done {
        try await ledger.forget(job: job)
      }
      return .found(nil)
    case .record:
      try await ledger.record(job: job, claim.arrival, .withNext)
      try await publishing.renewPlaces(Set(Place.allCases.filter { conveyor.active.answer($0) }))
      conveyor.emit(.claimed(job: job, path: path))
    case .secure:
      let secured = try claims.secure(claim)
      conveyor.diskWorks()
      return .secured(secured)
    case .giveBack:
      try claims.giveBack(job: job, claim.arrival)
      try await ledger.forget(job: job)
    case .identify(let claimed):
      try await ledger.identify(job: job, sha256: claimed.identity, .withNext)
      try await forgetOldQuarantine(of: claimed)
      return .identified(
        passedOver: journey.isResumed ? try await ledger.passedOver(job: job) : [])
    case .adopt(let pipeline, let probed):
      try await ledger.routed(
        job: job, mime: probed.mime, pipeline: pipeline.id, hash: hash(pipeline), .withNext)
    case .reserve(let pipeline, let probed):
      return .reservation(
        try await ledger.reserve(
          sha256: probed.claimed.identity, pipelineHash: hash(pipeline), for: job))
    case .reuse(let twin, let pipeline, let probed):
      if let row = try ledger.reader.job(twin),
        let processed = try PublishedResults(places: conveyor.spool.places)
          .collect(row, pipeline, for: probed.claimed)
      {
        return .processed(processed)
      }
    case .takeOver(let pipeline, let probed):
      try await ledger.takeOver(
        sha256: probed.claimed.identity, pipelineHash: hash(pipeline), for: job)
    case .passOver(let passedOver):
      try await ledger.passOver(job: job, passedOver)
      try await ledger.giveUpComputations(of: job)
      conveyor.emit(.notice("\(path.printable): \(passedOver.sentence)"))
    case .publish(let ending): try await publish(ending, journey)
    case .finish:
      if let row = try ledger.reader.job(job) { try await Recovery(conveyor: conveyor).finish(row) }
      // Unless what was decided cannot be carried out any more.
      if try ledger.reader.job(job)?.isDecided == false { return try await discard() }
    case .discard: return try await discard()
    case .suspect:
      try await ledger.suspect(job: job)
      conveyor.emit(.suspected(job: job, path: path))
    case .postpone(let until, let failure):
      try await ledger.wait(job: job, until: until, code: failure.code, message: failure.message)
      conveyor.emit(.waits(job: job, path: path, until: until, failure))
    case .sleep(let until): try await sleep(until: until)
    case .awaitTwin(let twin):
      await conveyor.runningJobs.wait(for: twin)
      // A twin that is not in flight here waits itself.
      try await sleep(until: wallTime() + 50)
    case .awaitName(let holder):
      await conveyor.runningJobs.wait(for: holder)
      // One that does not run here has just ended, begins later, or waits itself.
      try await sleep(until: wallTime() + 200)
    case .awaitDisk(let reason, let until):
      conveyor.diskTrouble(reason, pauses: false)
      conveyor.block(job: job, "\(path.printable) waits: \(reason)")
      let place = conveyor.state.withLock { $0.fullDisks.removeValue(forKey: job) }
      let folder = try Folder.open(place ?? conveyor.spool.folder.path)
      // The ledger's own disk has no room for a note; that nothing is taken in says it then.
      if try folder.status().device != conveyor.spool.folder.status().device {
        try await ledger.note(job: job, reason)
      }
      guard let until else { break }
      // To begin before there is more room than now would be to do the work in vain.
      let before = conveyor.room(of: folder), refused = conveyor.active.refusedPlaces()
      try await sleep(until: until) {
        conveyor.room(of: folder)?.hasGrown(since: before) != false
          || refused != nil && conveyor.active.refusedPlaces() == nil
      }
    case .holdUp(let reason, let until):
      // The folder that may not be used says more than the file of ours that could not be moved there.
      let refused = conveyor.active.refusedPlaces(), told = refused ?? reason
      try await ledger.note(job: job, told)
      guard let until else { break }
      conveyor.emit(.trouble("\(path.printable) is tried again soon: \(told)"))
      await giveWay()
      try await sleep(until: until) { refused != nil && conveyor.active.refusedPlaces() == nil }
    case .probe, .route, .run, .leave: break
    }
    return .done
  }

  private func hash(_ pipeline: Pipeline) -> String {
    memory.hashes.withLock { known in
      let hash = known[pipeline.id] ?? processor.active.hash(of: pipeline)
      known[pipeline.id] = hash
      return hash
    }
  }

  /// Woken often enough to notice that procd stops.
  private func sleep(until: Int64, orTill isOver: () -> Bool = { false }) async throws {
    while wallTime() < until, !isOver() {
      if conveyor.isStopping { throw Interruption.handedBack }
      try await Task.sleep(for: .milliseconds(min(500, max(1, until - wallTime()))))
    }
  }

  /// Throws away what was made so far, unless the job is being published or is done: then what is sealed is
  /// published, never made again.
  private func discard() async throws -> Journey.Event {
    let isDecided = try ledger.reader.job(job)?.isDecided ?? false
    if !isDecided {
      try Sealer(places: conveyor.spool.places).discard(job: job)
      try await ledger.releaseNames(of: job)
    }
    return .discarded(isDecided: isDecided)
  }

  /// Others would wait for ever for what this run does not compute any more, and for names that it does not take.
  private func giveWay() async {
    do throws(LedgerError) {
      try await ledger.giveUpComputations(of: job)
      try await ledger.releaseNames(of: job)
    } catch {
      conveyor.fail(error)
    }
  }

  /// A file that was moved back from quarantine takes its report and note with it.
  private func forgetOldQuarantine(of claimed: ClaimedFile) async throws {
    for row in try ledger.reader.quarantined(sha256: claimed.identity) {
      try await conveyor.awaitAnswers(of: [conveyor.active.folder(.quarantine)])
      try QuarantineNotes(quarantine: conveyor.spool.places.quarantine).forget(row)
    }
  }

  // MARK: - Publishing

  /// What is told of a file that may be the rest of one whose writer closed it and went on later: it has no beginning
  /// that would say what it is, or is broken.
  private func beginning(
    of claimed: ClaimedFile, _ failure: PluginFailure, _ probed: ProbedFile?
  ) throws -> String? {
    let isNameless = ["application/octet-stream", "text/plain"].contains(probed?.mime ?? "")
    guard failure.code == "route.unmatched" ? isNameless : failure.code.hasSuffix(".broken") else {
      return nil
    }
    let arrived = claimed.arrival.arrived
    let earlier = try ledger.reader.latest(
      path: claimed.arrival.path, from: arrived - 10 * 60_000, until: arrived, besides: job)
    guard let earlier, earlier.sha256 != claimed.identity else { return nil }
    return "a file of this name was taken \((arrived - earlier.arrived) / 1000) s before, by job"
      + " \(earlier.id); where its writer went on after a pause, this is the rest of it: send the whole file again"
  }

  /// What the reader of the results should know of a file that was not complete when it was taken, as far as that shows.
  private func late(
    _ claimed: ClaimedFile, _ probed: ProbedFile?, isPartial: Bool
  ) throws -> [String] {
    let path = claimed.arrival.path
    var notes: [String] = []
    if probed?.facts["endMark"]?.boolValue == false, !isPartial {
      notes.append("the mark that ends such files is missing: it may be cut off")
    }
    let arrived = claimed.arrival.arrived
    if let earlier = try ledger.reader.latest(
      path: path, from: arrived - 60_000, until: arrived - 1, besides: job),
      let other = earlier.sha256, other != claimed.identity
    {
      notes.append(
        "a file of this name with other content was taken \((arrived - earlier.arrived) / 1000) s before, by job"
          + " \(earlier.id): where its writer writes it again, as some scanners do after each page, raise \"settle\" of the"
          + " inbox above its pauses")
    }
    if try conveyor.spool.claims.wasWritten(claimed) {
      notes.append(
        "somebody wrote to it after it was taken, and the results are from before that"
          + (claimed.isCopy ? "; as it is now it comes as another file" : ""))
    } else if try ledger.reader.latest(
      path: path, from: claimed.arrival.arrived + 1, until: .max, besides: job) != nil
      || conveyor.spool.claims.inbox.knows(path)
    {
      notes.append("a file of its name has come since: a newer one, or the rest of this one")
    }
    return notes
  }

  private func publish(_ ending: Journey.Ending, _ journey: Journey) async throws {
    guard let claimed = journey.claimed else { return }
    let pipeline = journey.pipeline
    var report = Report(
      job: job, outcome: ending.outcome, source: Report.Source(claimed, mime: journey.probed?.mime),
      arrived: claimed.arrival.arrived, finished: wallTime(),
      completeness: claimed.arrival.completeness)
    report.source.isLocked = journey.probed?.facts["locked"] == true
    report.pipeline = pipeline?.id
    report.configuration = pipeline.map(hash)
    var emitted: [EmittedResult] = []
    switch ending {
    case .results(var processed, let twin):
      if let series = pipeline?.series, let pipeline {
        (processed, report.edition) = try conveyor.editions
          .record(processed, of: claimed, series: series, pipeline)
      }
      emitted = processed.emitted
      report.steps = processed.steps
      report.partial = processed.partial
      report.texts = processed.texts
      report.notes += journey.passedOver.map(\.sentence) + processed.notes
      let late = try late(claimed, journey.probed, isPartial: processed.partial)
      report.notes += late
      for note in late { conveyor.emit(.notice("\(claimed.arrival.path.printable): \(note)")) }
      report.reusedFrom = twin
    case .duplicate(let twin): report.reusedFrom = twin
    case .quarantine(let failure, let steps):
      try await ledger.giveUpComputations(of: job)
      report.steps = steps
      report.error = failure
      report.notes += try beginning(of: claimed, failure, journey.probed).map { [$0] } ?? []
      report.edition = try conveyor.editions.refuse(
        claimed, failure, pipeline, journey.passedOver, processor.active.configuration.pipelines)
    }
    try await publishing.publish(
      report, emitted, claimed, to: ending.outcome == .quarantined ? nil : pipeline?.to)
  }
}

extension Journey.Ending {
  var outcome: Report.Outcome {
    switch self {
    case .results: .done
    case .duplicate: .duplicate
    case .quarantine: .quarantined
    }
  }
}
