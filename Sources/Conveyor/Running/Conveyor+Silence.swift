internal import Files
internal import Glibc
internal import Intake
internal import Outbox
internal import Pipelines
internal import Synchronization
internal import SystemPackage

/// Watches whether the folders answer, on a task of its own: whatever else hangs, this is reported.
struct SilenceWatch: Sendable {
  let conveyor: Conveyor
  /// Together with the patience of a question, a folder is reported within ten seconds.
  private static let interval = Duration.seconds(4)
  /// How long a run that drains the inbox waits for a call that does not return.
  private static let longestSilence = Duration.seconds(30)

  /// Watches until the task is cancelled.
  func serve() async {
    var since = ContinuousClock.now
    while !Task.isCancelled {
      let silent = conveyor.active.silentFolders()
      conveyor.note(silent: silent)
      if silent.isEmpty { since = .now }
      if conveyor.isOnce, since.duration(to: .now) > Self.longestSilence {
        conveyor.endDespiteSilence(after: .zero)
      }
      try? await Task.sleep(for: Self.interval)
    }
  }
}

extension Conveyor {
  /// Reports which folders have stopped answering, and which answer again.
  func note(silent: [SilentFolder]) {
    let before = state.withLock { state in
      defer { state.silent = silent }
      return state.silent
    }
    for folder in silent where !before.contains(folder) {
      emit(.trouble("\(folder.sentence). What needs it waits, nothing is lost"))
      if stopsIntake(folder) {
        tellPaused(folder.sentence)
      } else if isQuarantine(folder) {
        tellWaiting(folder.sentence)
      }
    }
    for folder in before where !silent.contains(folder) {
      let rest = "\(folder.name), \(folder.path.printable), answers again"
      emit(.notice("the \(rest)"))
      if stopsIntake(folder) || isQuarantine(folder) { tellResumed("The \(rest)") }
    }
    if before != silent { wakeup.signal() }
  }

  /// Returns whether every file needs the folder. Without the quarantine, good files go on.
  private func stopsIntake(_ folder: SilentFolder) -> Bool {
    [active.inbox, active.folder(.outbox), active.folder(.archive)].contains(folder.path)
  }

  private func isQuarantine(_ folder: SilentFolder) -> Bool {
    folder.path == active.folder(.quarantine)
  }

  /// Returns why files cannot be taken in for want of an answer, or nil.
  var silencePausing: String? {
    let silent = state.withLock(\.silent).filter(stopsIntake)
    return silent.isEmpty ? nil : silent.map(\.sentence).joined(separator: "; ")
  }

  /// Returns what else does not answer, of what files need and of all the rest.
  var silenceBesides: (ofFiles: String?, others: [String]) {
    let silent = state.withLock(\.silent).filter { !stopsIntake($0) }
    let quarantine = silent.first(where: isQuarantine)
    return (quarantine?.sentence, silent.filter { $0 != quarantine }.map(\.sentence))
  }

  /// Waits until some folders answer.
  ///
  /// - Throws: `Interruption.handedBack` if procd stops first; `FileError` at once in a run that drains the inbox.
  func awaitAnswers(of folders: [FilePath]) async throws {
    while let silent = FolderProbe.shared.silent(of: folders).first {
      if isStopping { throw Interruption.handedBack }
      if isOnce {
        let folder = active.silentFolders().first { $0.path == silent }
        throw folder?.error ?? FileError("use", silent, .timedOut)
      }
      try await Task.sleep(for: .milliseconds(500))
    }
  }

  /// The folders that an action of a job goes into, besides the spool.
  func folders(of hop: Journey.Hop) -> [FilePath] {
    let claims = spool.claims.folder.path.starts(with: active.inbox) ? [active.inbox] : []
    let outbox = active.folder(.outbox)
    let seals = spool.places.seals.path.starts(with: outbox) ? [outbox] : []
    return switch hop {
    case .find, .run, .finish: claims + seals
    case .secure, .probe, .route: claims
    case .giveBack: [active.inbox]
    case .discard: seals
    case .reuse: [outbox]
    case .publish(.quarantine): claims + seals + [active.folder(.quarantine)]
    case .publish: claims + [outbox, active.folder(.archive)]
    case .record, .identify, .adopt, .reserve, .takeOver, .passOver, .suspect, .postpone, .sleep,
      .awaitTwin, .awaitName, .awaitDisk, .holdUp, .leave:
      []
    }
  }

  /// Ends the process if it has not ended by itself after a time and a folder does not answer: a thread may be stuck in
  /// it for ever. What was in work is taken up at the next start, as after a crash.
  func endDespiteSilence(after time: Duration) {
    // If there is no thread for it, the process ends when the folder answers.
    try? startThread { [weak self] in
      usleep(UInt32(time / .microseconds(1)))
      while let conveyor = self {
        if let first = conveyor.active.silentFolders().first {
          conveyor.emit(
            .trouble(
              "procd ends without waiting for \(conveyor.inFlight) files: \(first.sentence)."
                + " They are taken up at the next start"))
          _exit(75)
        }
        usleep(500_000)
      }
    }
  }
}
