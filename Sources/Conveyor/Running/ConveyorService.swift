internal import Files
internal import Intake
internal import JobLedger
internal import Outbox
internal import Pipelines
internal import PluginKit
internal import ServiceLifecycle
internal import SystemPackage

/// The life of the daemon: recover, look, take, let travel; until asked to stop, or, once, until
/// the inbox is drained.
package struct ConveyorService: Sendable {
  let conveyor: Conveyor

  package init(_ conveyor: Conveyor) { self.conveyor = conveyor }

  /// Returns when the daemon is asked to stop and all journeys have ended or were handed back.
  ///
  /// - Throws: when ledger or folders cannot be brought together at the start.
  package func run() async throws {
    let pulse = conveyor.answerForHealth()
    let bell = conveyor.isOnce ? nil : conveyor.answerToBell()
    defer {
      pulse?.close()
      bell?.close()
      // The last word, also of a run that failed.
      MetricsService(conveyor: conveyor).write()
    }
    try await withGracefulShutdownHandler {
      try await withTaskExecutorPreference(conveyor.executor) { try await work() }
    } onGracefulShutdown: {
      conveyor.stop(grace: .seconds(20))
    }
  }

  /// Whether the disk takes our writes again.
  private func tryDisk() {
    guard conveyor.hasDiskTrouble || conveyor.hasToldOfDisks else { return }
    let folder = conveyor.spool.folder, trial = FilePath("disk-trial")
    do throws(FileError) {
      try conveyor.reserve.keep()
      try folder.writeDurably(Array(repeating: 0x20, count: 65536), as: trial)
      conveyor.diskWorks()
    } catch {
      conveyor.diskTrouble(conveyor.active.diskSentence(error))
    }
    // Where it stays, the next trial replaces it.
    for name in [trial, "disk-trial.new"] { _ = try? folder.remove(name) }
  }

  private func work() async throws {
    if !conveyor.isOnce { conveyor.keepWritten(conveyor.active) }
    for notice in conveyor.spool.notices { conveyor.emit(.notice(notice)) }
    let resumed = try await Recovery(conveyor: conveyor).run()
    if conveyor.metricsFile != nil || conveyor.metricsSocket != nil {
      // Not before: recovery ends what vanished.
      conveyor.tally.add(attempts: try conveyor.ledger.reader.attemptResults())
    }
    let metrics = conveyor.answerForMetrics()
    defer { metrics?.close() }
    conveyor.recallPause()
    if conveyor.isOnce { await FetchingService(conveyor: conveyor).round() }
    let inbox = conveyor.spool.claims.inbox
    try inbox.scan(at: wallTime())
    conveyor.emit(.ready(resumed: resumed.count, polls: conveyor.isOnce ? nil : inbox.polls))
    Spool.ringForRequests(in: conveyor.spool.folder.path)
    // Before anything is taken: what comes back may be what a file in the inbox waits for.
    do { try await takeRequests() } catch let error as LedgerError { conveyor.fail(error) } catch {
      // The main loop does it again, and reports why it cannot be done.
    }

    let fleet = conveyor.fleet.map { fleet in Task { await conveyor.serveFleet(fleet) } }
    defer { fleet?.cancel() }
    // Asked to end, and waited for, when the work is done.
    async let _: Void = SilenceWatch(conveyor: conveyor).serve()
    async let _: Void = serveBesides()
    // Discarding: a daemon that keeps what ended journeys returned grows for ever.
    var isTiredOfWaiting = false
    await withDiscardingTaskGroup { group in
      var pending = resumed[...]
      var nextScan = wallTime() + Int64(inbox.rescanInterval)
      var nextGlance = wallTime() + Self.glance
      var clock = ClockGuard(at: wallTime())
      var scannedForEnd = false
      var toldWaiting = 0, lastWork = ContinuousClock.now
      var lastCounts = conveyor.counts
      while !conveyor.isStopping {
        conveyor.tally.turn()
        var busy = false
        while conveyor.inFlight < conveyor.window, let journey = pending.popFirst() {
          start(journey, in: &group)
        }
        if clock.wasSetBack(at: wallTime()) {
          inbox.clockWasSetBack(to: wallTime())
          (nextScan, nextGlance) = (0, 0)
        }
        let inboxAnswers = conveyor.active.silentFolders(.inbox).isEmpty
        if inboxAnswers { busy = takeDue(from: inbox, in: &group) }
        // A look at a file that is still being written is no work.
        if !pending.isEmpty || conveyor.counts != lastCounts { lastWork = .now }
        lastCounts = conveyor.counts
        let waiting = pending.count + inbox.count
        if waiting != toldWaiting { conveyor.emit(.waiting(files: waiting)) }
        toldWaiting = waiting
        let now = wallTime()
        tryDisk()
        if !conveyor.isOnce { conveyor.tellDiskWorks(at: now) }
        do {
          var isReplaced = false
          if !inboxAnswers {
            // Its events and the time of a scan are not lost.
          } else if now >= nextGlance {
            conveyor.watchMounts()
            isReplaced = inbox.wasReplaced
            conveyor.note(
              inbox.lacksWatches
                ? "there are more folders than the kernel watches for one user"
                  + " (fs.inotify.max_user_watches): the inbox is looked at again and again instead"
                : inbox.lacksWatcher
                  ? "the kernel gives this user nothing more to watch folders with"
                    + " (fs.inotify.max_user_instances): the inbox is looked at again and again instead"
                  : nil, about: .watches)
            conveyor.tellOverflows(inbox.overflows, at: now)
            tellStuck(in: inbox)
            nextGlance = now + Self.glance
          }
          if !inboxAnswers {
            nextScan = max(nextScan, now + Self.glance)
          } else if now >= nextScan || isReplaced {
            // Before it: a scan that fails is not repeated without a pause.
            nextScan = now + Self.glance
            try inbox.scan(at: now)
            if isReplaced {
              conveyor.emit(
                .notice(
                  "the inbox was removed or replaced: the folder that is there now is watched"))
            }
            conveyor.note(
              try inbox.removeEmptyFolders(at: now).failure.map {
                "an empty folder of the inbox cannot be removed: \($0)"
              }, about: .emptied)
            nextScan = now + Int64(inbox.rescanInterval)
            if conveyor.note(nil, about: .inbox) {
              conveyor.emit(.notice("the inbox can be looked at again"))
            }
          } else if try inbox.followHints(at: now) {
            busy = true
          }
          if inboxAnswers { try await takeRequests() }
        } catch let error as LedgerError {
          conveyor.fail(error)
        } catch {
          let trouble = "no files are taken in, for the inbox cannot be looked at: \(error)"
          if conveyor.note(trouble, about: .inbox) { conveyor.emit(.trouble(trouble)) }
          // Where it is back as it was, nothing else would tell.
          nextScan = min(nextScan, now + Self.glance)
        }
        if conveyor.isOnce, pending.isEmpty, conveyor.inFlight == 0, inbox.isDrained {
          // One look more: something may have come while the last files were processed.
          if scannedForEnd { break }
          scannedForEnd = true
          nextScan = 0
          continue
        }
        if conveyor.isOnce, conveyor.inFlight == 0, lastWork.duration(to: .now) > longestIdle {
          // What is written again and again would keep it for ever, and every run after it away.
          isTiredOfWaiting = true
          break
        }
        if conveyor.isOnce, conveyor.hasDiskTrouble || !inboxAnswers, pending.isEmpty,
          conveyor.inFlight == 0
        {
          // Nobody waits here for the disk: what is left is for the next run.
          break
        }
        scannedForEnd = false
        if !busy { await conveyor.wakeup.wait(milliseconds: pause(inbox, nextScan)) }
      }
    }
    if conveyor.isOnce {
      tellLeft(in: inbox, all: isTiredOfWaiting)
      conveyor.tellDiskWorks(at: wallTime())
      if let trouble = await RetentionService(conveyor: conveyor).round() {
        conveyor.emit(.trouble(trouble))
      }
      await NotifyingService(conveyor: conveyor).flush()
    }
    // A ledger that failed has been told of.
    if let unfinished = try? conveyor.ledger.reader.unfinished() {
      conveyor.emit(.stopped(unfinished: unfinished.count))
    }
  }

  /// Says once of each file that it stays in the inbox until somebody does something about it.
  private func tellStuck(in inbox: Inbox) {
    guard !conveyor.isOnce else { return }
    inbox.lookAgainAtStuck(at: wallTime())
    let new = Staying.groups(conveyor.newlyStuck(inbox.stuck))
    for staying in new.prefix(Conveyor.mostStuckTold) {
      conveyor.emit(.trouble(staying.sentence(in: inbox.path)))
    }
    if new.count > Conveyor.mostStuckTold {
      conveyor.emit(
        .trouble(
          "\(new.count - Conveyor.mostStuckTold) more stay in the inbox; procd status tells why")
      )
    }
    conveyor.tellStuck(conveyor.newlyOverdue())
  }

  /// How long a run that drains the inbox waits for files that are still being written, with nothing else to do.
  private var longestIdle: Duration {
    let inbox = conveyor.active.configuration.inbox
    let settles = [inbox.settle, inbox.settleFolder, inbox.settleUnleased, inbox.settleEndMark]
    return .milliseconds(2 * (settles.max() ?? 0)) + .seconds(30)
  }

  /// Nobody looks after a run that has ended: what it leaves is said. What waits for another file does as its rule
  /// says, which is no trouble.
  ///
  /// - Parameter all: whether those are told too that will be taken by a later run.
  private func tellLeft(in inbox: Inbox, all: Bool) {
    guard !conveyor.isStopping else { return }
    let left = Staying.groups(inbox.left)
    conveyor.tellStuck(left.filter { $0.reason.needsSomebody && !$0.reason.isNoInput })
    for staying in left {
      let reason = staying.reason, sentence = staying.sentence(in: inbox.path)
      if reason.isForPartner { conveyor.count { $0.awaitingPartner += 1 } }
      // A later run would find both as they are: neither is a reason to exit with 75.
      if reason.isForPartner || reason.isNeverTaken {
        conveyor.emit(.notice(sentence))
        continue
      }
      conveyor.count { $0.deferred += staying.count }
      // Of files that wait for the disk, and of errors, it was said already.
      if reason.willPass, !all { continue }
      if case .failed = reason { continue }
      conveyor.emit(.trouble(sentence))
    }
  }

  /// How often it is made sure that the inbox is still there, in milliseconds.
  private static let glance: Int64 = 5000

  /// What goes on beside the files while the daemon runs.
  private func serveBesides() async {
    guard !conveyor.isOnce else { return }
    async let fetching: Void = FetchingService(conveyor: conveyor).serve()
    async let measuring: Void = MetricsService(conveyor: conveyor).serve()
    async let keeping: Void = RetentionService(conveyor: conveyor).serve()
    async let indexing: Void = IndexingService(conveyor: conveyor).serve()
    await NotifyingService(conveyor: conveyor).serve()
    await fetching
    await measuring
    await keeping
    await indexing
  }

  /// How long nothing can happen by itself.
  private func pause(_ inbox: Inbox, _ nextScan: Int64) -> Int {
    let now = wallTime()
    var until = min(nextScan, now + 5000)
    // While the disk is in the way nothing is taken, however long it has been due.
    if conveyor.inFlight < conveyor.window, !conveyor.hasDiskTrouble, let next = inbox.nextTime {
      until = min(until, max(now, next))
    }
    return Int(clamping: max(10, until - now))
  }

  private func start(_ journey: Journey, in group: inout DiscardingTaskGroup) {
    conveyor.begin()
    group.addTask(executorPreference: conveyor.jobExecutor) {
      await JourneyDriver.travel(journey, conveyor)
    }
  }

  /// Takes what is due, as far as there is room. True where something was taken.
  private func takeDue(from inbox: Inbox, in group: inout DiscardingTaskGroup) -> Bool {
    let room = conveyor.window - conveyor.inFlight
    guard room > 0, !conveyor.hasDiskTrouble else { return false }
    let due = inbox.due(at: wallTime(), limit: room)
    for path in due {
      conveyor.begin()
      // Given here, where they come in their order: what came later replaces what came before.
      let job = JobIdentifiers.make(at: wallTime())
      group.addTask(executorPreference: conveyor.jobExecutor) {
        await take(path, as: job, from: inbox)
      }
    }
    return !due.isEmpty
  }

  /// Claims a file and sees it through. Many at once, because most of the time is waiting for the disk.
  private func take(_ path: FilePath, as job: String, from inbox: Inbox) async {
    do throws(FileError) {
      if !conveyor.active.silentFolders(.inbox).isEmpty {
        inbox.postpone(path, .paused, until: wallTime() + 1000)
      } else if !conveyor.isStopping,
        case .claimed(let claim) = try conveyor.spool.claims.take(path, at: wallTime(), job: job)
      {
        if let failure = claim.syncFailure {
          conveyor.emit(
            .trouble("\(path.printable) is copied, for the disk may not keep it: \(failure)"))
        }
        return await JourneyDriver.travel(Journey(claim: claim), conveyor)
      }
    } catch {
      // Not at once again: what refuses this file may take all else.
      inbox.postpone(
        path, .failed(error.isDiskFull ? conveyor.active.diskSentence(error) : "\(error)"),
        until: wallTime() + (error.isDiskFull ? 5_000 : 30_000))
      if error.isDiskFull {
        conveyor.diskTrouble(conveyor.active.diskSentence(error))
      } else {
        conveyor.emit(.trouble("\(path.printable) could not be claimed: \(error)"))
      }
    }
    conveyor.end()
  }

  /// Wishes from outside, such as `procd retry`.
  ///
  /// Whoever makes one rings by a file in the spool: looking for it costs nothing, asking the ledger
  /// every few seconds would keep an idle machine awake.
  private func takeRequests() async throws {
    // They wait for the folders that files are taken from and put into.
    guard try conveyor.spool.folder.exists(Spool.requestBell), conveyor.active.answer(.quarantine),
      try conveyor.spool.folder.remove(Spool.requestBell)
    else { return }
    conveyor.spoken.take(from: conveyor.spool.folder, at: wallTime())
    // Documents may have been brought back.
    IndexingService.noteAll(in: conveyor)
    // What was asked for twice is taken back once.
    var asked: Set<FilePath> = []
    for case .retry(let path) in try await conveyor.ledger.takeRequests()
    where asked.insert(path).inserted {
      do {
        try Retry(conveyor: conveyor).takeBack(path)
      } catch {
        conveyor.emit(.trouble("\(path.printable) could not be tried again: \(error)"))
      }
    }
    try conveyor.spool.claims.inbox.scan(at: wallTime())
  }
}
