import ArgumentParser
import Conveyor
import Files
import Glibc
import Intake
import JobLedger
import Logging
import Pipelines
import PlainText
import ReadingArguments
import ServiceLifecycle
import Synchronization
import SystemPackage
import UnixSignals

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Watch the inbox and process files that are dropped into it.",
    discussion: """
      Runs in the foreground until SIGTERM or Ctrl-C; running jobs then get 20 s to finish, and \
      unfinished ones are run again at the next start. SIGHUP reloads the configuration.
      """)

  @Argument(help: "The configuration, same as -c.")
  var file: String?

  @Flag(help: "Process what is in the inbox, then exit; for cron.")
  var once = false

  @Flag(help: "Show what would be done with each file; nothing is changed.")
  var dryRun = false

  @Flag(help: "Also make folders whose parent folder is missing.")
  var create = false

  @Flag(help: "Open the page in the desktop's browser once it is shown.")
  var open = false

  @Option(
    help: "process: also take files that were in the inbox before the first run, however many.")
  var existing: Existing?

  @Option(help: "How log lines look: text or json.")
  var logFormat: LogFormat = .text

  @Flag(
    help:
      "Write a line of JSON to standard output for each event: what is being worked on, how far it is, how it ended."
  )
  var json = false

  @OptionGroup var options: ConfigurationOption

  enum Existing: String, ExpressibleByArgument { case process }
  enum LogFormat: String, ExpressibleByArgument { case text, json }

  /// A first run over more files than this asks before it takes them.
  static let mostUnasked = 200

  func run() async throws {
    // A lease that is broken sends SIGIO, which would end this process.
    signal(SIGIO, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
    // Until the conveyor runs and ends by itself, ending is that of a crash, which loses nothing.
    for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } }
    // Whoever reads mail of cron would get the same warnings with each run; `check` tells them.
    let active = try options.load(file, warns: !once || Console.errorsToTerminal)
    if !dryRun {
      let asRoot = ConfigurationOption.refusalAsRoot(active.spool)
      let refusal =
        asRoot.map { "\($0.message); \($0.cure)" } ?? ConfigurationOption.refusal(of: active.spool)
      if let refusal {
        Console.complain("procd: \(refusal)")
        throw Status.notPermitted
      }
    }
    try StartConditions.check(active)
    if dryRun {
      try ConfigurationOption.becomeOwner(of: active.spool)
      try ConfigurationOption.refuseSilent(active, .all)
      return try await ExplainCommand.explainAll(active)
    }
    let log = eventLog, options = options, path = options.path(file).string
    try await waitForPlaces(active, log)
    try refusePlacesInNowhere(active)
    let conveyor: Conveyor
    do {
      conveyor = try Conveyor(
        active, installation: .ofThisProgram(), version: ProgramVersion.number, once: once,
        landlockCeiling: landlockCeiling(),
        obstacleToStart: { options.obstacleToStart(path, active) }
      ) { log.tell($0) }
    } catch {
      if let error = error as? LedgerError { await tellStopped(error, active, log) }
      throw told(error, active)
    }
    try guardFirstRun(conveyor, active)
    do { try await showing(log) { try await serve(conveyor, log) } } catch {
      conveyor.close()
      if let error = error as? LedgerError { await tellStopped(error, active, log) }
      throw error
    }
    conveyor.close()
    if conveyor.beginsAnew, conveyor.fatal == nil { beginAnew() }
    if let fatal = conveyor.fatal { await tellStopped(fatal, conveyor.active, log) }
    try end(conveyor)
  }

  /// Tells that procd has stopped, where no new start helps or its history went with its spool.
  private func tellStopped(
    _ error: LedgerError, _ active: ActiveConfiguration, _ log: EventLog
  ) async {
    switch error {
    case .damaged, .gone: break
    case .full, .failed, .noName, .nameHeld, .nameTaken, .noDecision, .unsafe: return
    }
    let notice = SingleNotice(active, .ofThisProgram(active), emit: { log.tell($0) })
    let ledger = active.spool.appending(Spool.ledgerName.components)
    await notice.tell(.stopped("\(error)", ledger: ledger))
  }

  private func refusePlacesInNowhere(_ active: ActiveConfiguration) throws {
    let lacking = create ? [] : active.placesInNowhere()
    guard !lacking.isEmpty else { return }
    for place in lacking { Console.complain("procd: \(place.message)") }
    throw Status.configuration
  }

  /// Waits for disks that are not mounted yet, as markers tell.
  private func waitForPlaces(_ active: ActiveConfiguration, _ log: EventLog) async throws {
    guard let missing = active.missingPlace else { return }
    if once {
      Console.complain("procd: \(missing)")
      throw Status.deferred
    }
    let waiting = WaitingRun.begin(active)
    // One that runs there answers and tells by itself.
    let isAlone = !Health.ask(active).isHeld
    let answering =
      isAlone
      ? StatusAnswer.open(configuration: options.path(file), isWaiting: true) { active } : nil
    let isOver = Atomic<Bool>(false)
    defer {
      answering?.close()
      withExtendedLifetime(waiting) {}
    }
    try await withThrowingDiscardingTaskGroup { group in
      var told: String?, waited = 0
      while let missing = active.missingPlace {
        if told != missing { Console.complain("procd: \(missing); procd waits for it") }
        told = missing
        if waited == Self.patience, isAlone {
          // While a machine starts, a disk often comes a moment later.
          let notice = SingleNotice(
            active, .ofThisProgram(active), emit: { log.tell($0) },
            while: { !isOver.load(ordering: .relaxed) })
          group.addTask { await notice.tell(.paused(missing)) }
        }
        waited += 1
        try await Task.sleep(for: .seconds(1))
      }
      isOver.store(true, ordering: .relaxed)
    }
  }

  /// Seconds that a disk may be missing at the start before that is told to anybody.
  private static let patience = 30

  /// Goes on as the same process with the folders as they are now. All descriptors are closed by that.
  private func beginAnew() -> Never {
    unsafe execv("/proc/self/exe", CommandLine.unsafeArgv)
    Console.complain("procd: restarting failed: \(unsafe String(cString: strerror(errno)))")
    _exit(Status.deferred.rawValue)
  }

  private var eventLog: EventLog {
    let form: EventLog.Form =
      Console.isTerminal && !json ? .terminal : once || json ? .problemsOnly : .log
    let format: LineLogHandler.Format = logFormat == .json ? .json : .text
    let chosen = logFormat == .json ? .log : form
    return EventLog(
      form: chosen, logger: Logger(label: "procd") { _ in LineLogHandler(format: format) },
      isOnce: once,
      display: chosen == .terminal && LiveDisplay.isPossible ? LiveDisplay() : nil,
      stream: json ? EventStream() : nil, board: once ? nil : LiveBoard())
  }

  /// Shows the live block while the work goes on.
  private func showing(_ log: EventLog, _ work: () async throws -> Void) async throws {
    try log.stream?.start()
    defer { log.stream?.end() }
    guard let display = log.display else { return try await work() }
    try display.start()
    let redraws = Task {
      // Continued after Ctrl-Z, the shell has written over the block.
      for await _ in await UnixSignalsSequence(trapping: .sigwinch, .sigcont) { display.redraw() }
    }
    Console.show(display)
    defer {
      redraws.cancel()
      Console.show(nil)
      display.end()
    }
    try await work()
  }

  private func told(_ error: any Error, _ active: ActiveConfiguration) -> any Error {
    lazy var health = Health.ask(active)
    switch error {
    case Spool.Failure.held where health.other != nil:
      Console.complain("procd: \(health.sentence)")
      return Status.configuration
    case Spool.Failure.held(let holder?)
    where once && !Console.errorsToTerminal && holder.contains("procd"):
      // Two turns of cron overlap: the one that runs does what this one would do.
      return Status.deferred
    case Spool.Failure.held(let pid):
      let who = pid.map { " (process \($0))" } ?? ""
      Console.complain(
        "procd: another procd\(who) holds \(active.spool.printable); stop it first")
      return Status.deferred
    case Spool.Failure.file(let error):
      let isOfSpool = !active.spool.allows(R_OK | W_OK | X_OK)
      // What is tried with another folder may be told of by its place in the spool.
      let refused = isOfSpool ? nil : active.refusedPlaces()
      Console.complain(
        "procd: the folders cannot be used: \(refused ?? active.diskSentence(error))")
      guard error.errno == .permissionDenied else {
        return error.mayPass ? Status.deferred : Status.configuration
      }
      // Of the other folders the configuration is to be mended, or their rights.
      return refused == nil && error.path.starts(with: active.spool)
        ? Status.notPermitted : Status.configuration
    case let error as LedgerError: return error
    default:
      Console.complain("procd: \(error)")
      return Status.deferred
    }
  }

  /// A first run that meets many files is rarely meant: somebody pointed it at a full folder.
  private func guardFirstRun(_ conveyor: Conveyor, _ active: ActiveConfiguration) throws {
    guard existing == nil, try conveyor.ledger.reader.isEmpty() else { return }
    let inbox = conveyor.spool.claims.inbox
    try inbox.scan(at: wallTime())
    guard inbox.count > Self.mostUnasked else { return }
    let what = "\(inbox.count) files stand in \(active.inbox.printable) before the first run"
    guard isatty(0) == 1, Console.isTerminal else {
      Console.complain(
        "procd: \(what); to process all of them, start with --existing process")
      throw Status.configuration
    }
    Console.print("\(what). Process all of them? [y/N] ", end: "")
    guard readLine()?.lowercased().hasPrefix("y") == true else { throw Status.configuration }
  }

  private func serve(_ conveyor: Conveyor, _ log: EventLog) async throws {
    // What is read again is the file that it was started with, whatever else there is by then.
    let options = options, file = options.path(file).string, started = conveyor.active
    // nohup(1) has the end of the terminal ignored.
    let isKept = unsafe unsafeBitCast(signal(SIGHUP, SIG_IGN), to: Int.self) == Self.ignored
    let hasTerminal = !isKept && Self.canOpenTerminal
    let reload = Task {
      for await _ in await UnixSignalsSequence(trapping: .sighup) {
        if hasTerminal, !Self.canOpenTerminal {
          conveyor.stop(grace: .seconds(20))
          continue
        }
        let loaded = try? options.read(file)
        let complaints =
          loaded?.active.map { active in
            StartConditions.complaints(active)
              + (active.hasFolders(of: conveyor.active)
                ? [] : ["folders cannot change while procd is running; restart it"])
          } ?? []
        let refused = RunningRules.refused
        if let active = loaded?.active, complaints.isEmpty {
          let later = active.laterParts(than: started)
          conveyor.take(active)
          conveyor.note(later, about: .configuration)
          tellLacks(conveyor, log)
          log.tell(
            .notice(
              "the configuration was reloaded" + (later.map { "; \($0)" } ?? "")))
        } else if complaints.isEmpty {
          conveyor.note("\(refused): `procd check` says why", about: .configuration)
          let first = loaded?.file.rendered().split(separator: "\n").first ?? "it cannot be read"
          log.tell(.trouble("\(refused): \(first) (`procd check` tells all)"))
        } else {
          let why = "\(refused): \(complaints.joined(separator: "; "))"
          conveyor.note(why, about: .configuration)
          log.tell(.trouble(why))
        }
      }
    }
    tellLacks(conveyor, log)
    if let lack = StartConditions.lackOfLandlock {
      conveyor.note(lack, about: .confinement)
      log.tell(.notice(lack))
    }
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          .init(
            service: ConveyorRun(service: ConveyorService(conveyor), draws: log.display != nil),
            successTerminationBehavior: .gracefullyShutdownGroup)
        ], gracefulShutdownSignals: [.sigterm, .sigint],
        logger: Logger(label: "lifecycle") { _ in SwiftLogNoOpLogHandler() }))
    let answering =
      conveyor.active.lacksSocketFolder(conveyor.active.statusSocket, once: once)
      ? nil
      : StatusAnswer.open(
        configuration: options.path(file), running: { [weak conveyor] in conveyor },
        { [weak conveyor] in conveyor?.active })
    let board = log.board?.open(in: conveyor.spool.folder)
    let page = startPage(conveyor, log)
    defer {
      reload.cancel()
      page?.cancel()
      board?.close()
      answering?.close()
    }
    do { try await group.run() } catch let error as LedgerError {
      // Which ends otherwise where it is damaged: then no new start helps.
      throw error
    } catch {
      Console.complain("procd: \(error)")
      throw Status.deferred
    }
  }

  private static let mostPluginsTold = 5

  /// Says which plugins cannot be used, and what news cannot be told: nobody would hear of that by the news.
  private func tellLacks(_ conveyor: Conveyor, _ log: EventLog) {
    let active = conveyor.active
    // Of a file with mistakes the first; `check` tells all.
    var plugins = active.pluginProblems.prefix(Self.mostPluginsTold).map { problem in
      "\(problem.place): \(problem.message.split(separator: "\n").first ?? "")"
    }
    let more = active.pluginProblems.count - plugins.count
    if more > 0 { plugins.append("\(more) more plugins cannot be used (`procd check` tells them)") }
    conveyor.note(plugins.isEmpty ? nil : plugins.joined(separator: "; "), about: .plugins)
    for lack in plugins { log.tell(.trouble(lack)) }
    guard !once else { return }
    for missing in Prerequisites(active).untold() {
      log.tell(.trouble("\(missing.message), so its news waits; cure: \(missing.cure)"))
    }
  }

  /// Shows the page where the configuration has one, and its link first of all.
  private func startPage(_ conveyor: Conveyor, _ log: EventLog) -> Task<Void, Never>? {
    guard !once, let web = conveyor.active.configuration.web else { return nil }
    let spool = conveyor.spool.folder
    var link: String?
    do { link = try PageLink(conveyor.active).url } catch {
      log.tell(.trouble("the page has no link: \(error)"))
    }
    let opens = Atomic<Bool>(open), isTold = Atomic<Bool>(false)
    let process = PageProcess(configuration: options.path(file), spool: spool.path) {
      [weak conveyor, link] trouble in
      if trouble == nil, let link, opens.exchange(false, ordering: .relaxed) {
        Task {
          if let reason = await BrowserLaunch.open(link, spool: spool) {
            log.tell(.notice("no browser was opened: \(reason)"))
          }
        }
      }
      if trouble == nil, !isTold.exchange(true, ordering: .relaxed) {
        if Console.isTerminal, let link {
          Console.print("Page: \(link)")
        } else {
          // A log is read by others: whoever has the link has all documents.
          log.tell(.notice("page  \(web.listen) (procd web open prints the link that opens it)"))
        }
      }
      let isNew = conveyor?.note(trouble.map { PageProcess.notShown + $0 }, about: .page) ?? false
      if let trouble {
        log.tell(.trouble(PageProcess.notShown + trouble))
      } else if isNew {
        log.tell(.notice("the page is shown again"))
      }
    }
    return Task { await process.serve() }
  }

  /// What stands for SIG_IGN (signal(2)); C functions cannot be compared.
  private static let ignored = 1

  /// Whether the process belongs to a terminal that is still there: where it was closed, the same signal
  /// comes as for reading the configuration again.
  private static var canOpenTerminal: Bool {
    let terminal = unsafe Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return false }
    close(terminal)
    return true
  }

  private func end(_ conveyor: Conveyor) throws {
    let counts = conveyor.counts
    // At once: a ledger that is closed in order would be written to once more.
    if let fatal = conveyor.fatal {
      // Starting it again does not help where the ledger is damaged.
      _exit((fatal.isDamage ? Status.ledgerDamaged : Status.deferred).rawValue)
    }
    guard once else { return }
    let done = counts.done + counts.duplicates
    let troubled = counts.quarantined + counts.deferred > 0
    // Whoever reads lines of JSON has been told each of them.
    if Console.isTerminal || troubled, logFormat != .json {
      let waiting = counts.deferred + counts.awaitingPartner
      let text: PlainText =
        "procd: \(done) done, \(counts.quarantined) quarantined, \(waiting) waiting"
      if Console.isTerminal, !json { Console.print(text) } else { Console.complain(text) }
    }
    if counts.deferred > 0 { throw Status.deferred }
    if counts.quarantined > 0 { throw Status.inputQuarantined }
  }
}

/// The conveyor as a service of the life cycle. A second signal ends the process at once: the kernel
/// then ends its workers.
private struct ConveyorRun: Service {
  let service: ConveyorService
  /// Whether a block stands on the terminal that must not outlive the process.
  let draws: Bool

  func run() async throws {
    try await withGracefulShutdownHandler {
      try await service.run()
    } onGracefulShutdown: {
      // Asked again: now. Everything is on the disk, the next start goes on.
      if draws {
        signal(SIGTERM) { _ in LiveFrame.eraseAndExit(143) }
        signal(SIGINT) { _ in LiveFrame.eraseAndExit(130) }
      } else {
        signal(SIGTERM) { _ in _exit(143) }
        signal(SIGINT) { _ in _exit(130) }
      }
    }
  }
}
