internal import Confinement
internal import Files
package import Fleet
internal import Intake
package import JobLedger
internal import Notices
internal import Outbox
internal import Pipelines
internal import PluginKit
internal import Synchronization
internal import SystemPackage
internal import Workers

/// Everything a running daemon holds: folders, ledger, workers, and the jobs in flight.
package final class Conveyor: Sendable {
  package let spool: Spool
  package let ledger: Ledger
  package let lists: Lists
  let pool: WorkerPool
  /// Slots on other machines; nil where the configuration names none.
  package let fleet: FleetSlots?
  let permits: Permits
  let gate = Gate()
  let runningJobs = RunningJobs()
  /// Runs the jobs: one that is stuck in a folder holds up nothing else.
  let jobExecutor: BlockingExecutor
  /// Runs everything besides.
  let executor: BlockingExecutor
  let wakeup: Wakeup
  /// Signaled when the search index lacks something.
  let indexWakeup = Wakeup()
  /// Passwords for one try.
  let spoken = SpokenPassword()
  let pendingIndex = Mutex(IndexingService.Pending())
  /// Signaled when there is something to tell.
  let newsWakeup = Wakeup()
  let openedNotices = Mutex<NoticeQueue?>(nil)
  /// What could not be kept to be told, because the disk was full.
  let unkept = Mutex<[Notice]>([])
  let net: NetProgram
  let reserve: Reserve
  let isOnce: Bool
  let version: String
  /// Where figures go; the counts of earlier runs are only known where there was one at the start.
  let metricsFile: FilePath?
  let metricsSocket: FilePath?
  let slots: Int
  let tally = Tally()
  private let events: @Sendable (ConveyorEvent) -> Void
  /// Why this procd, if it began anew, would only end; nil where it would not.
  let obstacleToStart: @Sendable () -> String?
  private let activeConfiguration: Mutex<ActiveConfiguration>
  let state = Mutex(State())

  struct State {
    var inFlight = 0
    var stopping = false
    /// The ledger failed for good; why.
    var fatal: LedgerError?
    var diskTrouble: String?
    /// The folders that do not answer.
    var silent: [SilentFolder] = []
    /// Which folder is not what it was at the start, or that results come back; why nothing is taken in.
    var placeTrouble: String?
    /// What people should know of besides, by what it is about.
    var troubles: [Matter: String] = [:]
    /// Files whose results the disk did not take, by their jobs; what people read of each.
    var blocked: [String: String] = [:]
    /// The folders whose disks those jobs found full.
    var fullDisks: [String: FilePath] = [:]
    var loops = ReturningResults()
    /// When a file came in that may have been a result of its own, milliseconds since 1970.
    var lastReturn: Int64 = 0
    var stuck = StuckFiles()
    /// How often the kernel had lost changes of the inbox when that was told last, and until when it is not told again.
    var overflows = (count: 0, silentUntil: Int64(0))
    /// Files that somebody wants tried again.
    var retried: Set<RetriedFile> = []
    /// Whether the process is to begin anew once it has ended its work.
    var beginsAnew = false
    /// The files beside the ledger, as they were when it was opened.
    var ledgerLogs: [FilePath: FileStatus] = [:]
    /// What people know of it; since when it is over, as far as is known.
    var diskTroublesTold: Set<String> = []
    var diskWorksSince: Int64?
    var counts = Counts()

    /// Among what was told of disks: what an earlier run told.
    static let earlierPause = ""

    /// Its end was told.
    mutating func forgetEarlierPause() {
      diskTroublesTold.remove(Self.earlierPause)
      if diskTroublesTold.isEmpty { diskWorksSince = nil }
    }
  }

  /// What a trouble is about, that stands until it is mended and hinders no file by itself.
  package enum Matter: String, Sendable {
    case inbox, configuration, watches, emptied, fleet, page, returning, ledger, confinement,
      plugins
  }

  /// What one run did.
  package struct Counts: Sendable, Equatable {
    package var done = 0
    package var quarantined = 0
    package var duplicates = 0
    package var deferred = 0
    /// Files that wait for others, as their rules have it.
    package var awaitingPartner = 0
    package init() {}
  }

  /// How many jobs may be in flight: enough to keep all workers busy, few enough to recover soon.
  let window: Int
  /// Whether no step can send signals past itself (Landlock 6).
  private let fencesSignals: Bool

  /// Takes the folders, ends what an earlier daemon left running, opens the ledger.
  ///
  /// - Throws: `Spool.Failure`, `LedgerError`.
  package init(
    _ active: ActiveConfiguration, installation: Installation, version: String, once: Bool,
    landlockCeiling: Int? = nil, obstacleToStart: @escaping @Sendable () -> String? = { nil },
    events: @escaping @Sendable (ConveyorEvent) -> Void
  ) throws {
    let wakeup = Wakeup()
    self.wakeup = wakeup
    // A run that drains the inbox looks by itself.
    let wake: (@Sendable () -> Void)? = once ? nil : { @Sendable in wakeup.signal() }
    spool = try Spool.open(active, wake: wake)
    let mark = SpoolMark(spool: spool.folder.path.string)
    Leftovers.end(mark)
    let reserve = Reserve(spool.folder)
    self.reserve = reserve
    let lostLedger = Spool.lossTold(spool.folder, active)
    ledger = try Ledger(path: spool.folder.path.appending(Spool.ledgerName.components)) {
      // Signaled, so that the service tells it and looks for the space to come back.
      reserve.release()
      wakeup.signal()
    }
    lists = Lists(spool: spool.folder.path)
    let slots = active.configuration.workers ?? coreCount()
    self.slots = slots
    self.version = version
    metricsFile = active.metricsFile
    metricsSocket = active.metricsSocket
    let setup = WorkerSetup(
      programs: installation.programs.string, mark: mark, landlockCeiling: landlockCeiling)
    pool = try WorkerPool(setup, slots: slots)
    permits = Permits(slots)
    net = NetProgram(
      installation, mark: mark, landlockCeiling: landlockCeiling,
      isolationRequired: active.configuration.isolationRequired)
    window = max(32, 8 * slots)
    // A job may have several pages in work at once.
    jobExecutor = try BlockingExecutor(most: 4 * window)
    executor = try BlockingExecutor(most: 64)
    fleet = try Self.fleetSlots(active, installation, mark, landlockCeiling, version: version)
    isOnce = once
    fencesSignals = LandlockSupport.version(ceiling: landlockCeiling) >= 6
    self.events = events
    self.obstacleToStart = obstacleToStart
    activeConfiguration = Mutex(active)
    // Before anything is done, so that nothing is counted twice.
    if active.configuration.isMeasured { tally.add(try ledger.reader.outcomes()) }
    noteLogs()
    if let lostLedger {
      note(lostLedger, about: .ledger)
      emit(.trouble(lostLedger))
    }
  }

  package var active: ActiveConfiguration { activeConfiguration.withLock { $0 } }

  /// Takes a configuration that passed its check; running jobs keep theirs.
  package func take(_ active: ActiveConfiguration) {
    activeConfiguration.withLock { $0 = active }
    keepWritten(active)
    active.tell(spool.claims.inbox)
    wakeup.signal()
  }

  /// Keeps what the configuration says, for who asks while somebody edits the file. Where that fails they are
  /// told of the mistakes alone.
  func keepWritten(_ active: ActiveConfiguration) {
    _ = try? spool.folder.writeDurably(active.text, as: Spool.runningName)
  }

  func emit(_ event: ConveyorEvent) {
    tally.take(event)
    events(event)
  }

  // MARK: - State

  var inFlight: Int { state.withLock { $0.inFlight } }
  var isStopping: Bool { state.withLock { $0.stopping || $0.fatal != nil } }
  package var fatal: LedgerError? { state.withLock { $0.fatal } }
  package var counts: Counts { state.withLock { $0.counts } }
  /// Whether nothing is to be taken in: our own writes failed, or the ledger lives on its reserve.
  var hasDiskTrouble: Bool { pauseReason != nil }
  /// The same, as people read it.
  var pauseReason: String? {
    if let trouble = silencePausing ?? state.withLock({ $0.placeTrouble ?? $0.diskTrouble }) {
      return trouble
    }
    return reserve.isKept ? nil : "the disk is full: the ledger lives on its reserve"
  }

  func begin() { state.withLock { $0.inFlight += 1 } }

  func end() {
    state.withLock { $0.inFlight -= 1 }
    wakeup.signal()
  }

  func count(_ change: (inout Counts) -> Void) { state.withLock { change(&$0.counts) } }

  /// The ledger failed, which this process cannot mend: it stops, nothing is lost.
  func fail(_ error: LedgerError) {
    let isNew = state.withLock { state in
      defer { state.fatal = state.fatal ?? error }
      return state.fatal == nil
    }
    if isNew { emit(.trouble("\(error)")) }
    pool.stopNow()
    fleet?.stopNow()
    // All who wait for something to do.
    for waiting in [wakeup, newsWakeup, indexWakeup] { waiting.signal() }
  }

  /// Whether this process is to begin anew, with the folders as they are now.
  package var beginsAnew: Bool { state.withLock { $0.beginsAnew } }

  /// What stands until it is mended, for people.
  var troubles: [String] {
    state.withLock { state in
      state.troubles.filter { $0.key != .inbox }.sorted { $0.key.rawValue < $1.key.rawValue }
        .map(\.value)
    } + silenceBesides.others
  }

  /// Why nothing is taken in, or why files that were stand still though others go through; nil where all goes on.
  var blocked: String? {
    let (blocked, inbox) = state.withLock { ($0.blocked, $0.troubles[.inbox]) }
    if let inbox { return inbox }
    if let silent = silenceBesides.ofFiles { return silent }
    guard let first = blocked.min(by: { $0.key < $1.key })?.value else { return nil }
    return blocked.count == 1 ? first : "\(first), and \(blocked.count - 1) more"
  }

  /// Takes no more files; running steps may end within the grace time.
  package func stop(grace: Duration) {
    // Whoever asks for the end meanwhile does not want another beginning.
    state.withLock { ($0.stopping, $0.beginsAnew) = (true, false) }
    pool.drain()
    wakeup.signal()
    newsWakeup.signal()
    indexWakeup.signal()
    endDespiteSilence(after: .seconds(7))
    Task { [pool, fleet] in
      try? await Task.sleep(for: grace)
      pool.stopNow()
      fleet?.stopNow()
    }
  }

  /// Stops running steps at once.
  package func stopNow() {
    state.withLock { $0.stopping = true }
    pool.stopNow()
    fleet?.stopNow()
    wakeup.signal()
  }

  /// Ends all worker processes; call when the service has returned.
  package func close() {
    fleet?.stopNow()
    pool.end()
    if beginsAnew {
      // The process goes on without closing what it has open.
      do throws(LedgerError) { try ledger.checkpoint() } catch { emit(.trouble("\(error)")) }
    }
    Wish.removeOld(in: spool.folder, at: wallTime())
    // The page's processes die with this one, a moment later: nobody is to find them then.
    if !isOnce, active.configuration.web != nil {
      Leftovers.end(SpoolMark(spool: spool.folder.path.string))
    }
  }

  func runner(_ active: ActiveConfiguration) -> StepRunner {
    StepRunner(
      active: active, pool: pool, fleet: fleet, permits: permits,
      collector: Collector(
        places: spool.places, limit: active.configuration.defaults.limits.output,
        files: active.configuration.defaults.files),
      book: LedgerAttempts(ledger: ledger, tally: tally), stateFolder: spool.state,
      fencesSignals: fencesSignals, watcher: { [self] in emit($0) }, spoken: spoken,
      wish: { [spool] in Wish.of($0, in: spool.folder) })
  }

  /// What stays in the inbox until somebody does something about it, as it was last looked at.
  var stuck: StuckFiles { state.withLock(\.stuck) }

  /// Notes which files stay in the inbox until somebody does something about it.
  ///
  /// - Returns: those that were not so before.
  func newlyStuck(_ found: [FilePath: WaitReason]) -> [(path: FilePath, reason: WaitReason)] {
    state.withLock { $0.stuck.note(found, at: .now) }
  }

  /// Those that should have been taken by now and that this was not asked for before.
  func newlyOverdue() -> [Staying] { state.withLock { $0.stuck.newlyOverdue(at: .now) } }

  /// Notes that a file is to be tried again, whatever was made of the same content before.
  func retries(_ status: FileStatus) {
    state.withLock { state in
      if state.retried.count > 10_000 { state.retried = [] }
      state.retried.insert(RetriedFile(status))
    }
  }

  /// What the journey of a claim depends on.
  func terms(of arrival: Arrival) -> Journey.Terms {
    let active = active
    let wish = Wish.of(arrival, in: spool.folder) { [self] in emit(.trouble($0)) }
    if let rule = wish?.rule, !active.configuration.pipelines.contains(where: { $0.id == rule }) {
      emit(.trouble("\(arrival.path.printable): the rule \(rule) that was asked for is gone"))
    }
    // Content that was processed before is processed again if a rule or an option is asked for.
    let isRetried =
      state.withLock { $0.retried.remove(RetriedFile(arrival)) } != nil || wish != nil
    return Journey.Terms(
      isOnce: isOnce, duplicates: isRetried ? .again : active.configuration.duplicates,
      companions: active.companionRules)
  }

  var editions: EditionStage {
    EditionStage(lists: lists, reader: ledger.reader, places: spool.places)
  }

  var publishing: PublishStage {
    PublishStage(
      active: active, ledger: ledger, claims: spool.claims, openPlaces: spool.openPlaces,
      awaitAnswers: { [self] places in
        try await awaitAnswers(of: places.map { active.folder($0) })
      }, tell: { [self] in try await heard($0) })
  }

  /// What follows from a publication: counts, notices, pages of lists, retention. Telling again changes nothing.
  private func heard(_ event: PublishStage.Event) async throws {
    switch event {
    case .replaced(let place):
      emit(
        .notice("the folder of the \(place.rawValue) was replaced: what comes goes to the new one"))
      // At once: it may be the inbox, or lie in it.
      watchMounts()
    case .done(let report):
      watchLoops(report)
      if !isOnce { IndexingService.note(report.job, in: self) }
      count { counts in
        switch report.outcome {
        case .done: counts.done += 1
        case .quarantined: counts.quarantined += 1
        case .duplicate: counts.duplicates += 1
        }
      }
      emit(.finished(report))
    case .leaving(let job): try tellEnd(of: job)
    case .cleared(let job): try tellNews(of: job)
    case .left(let job): await RetentionService(conveyor: self).released(job)
    }
  }
}
