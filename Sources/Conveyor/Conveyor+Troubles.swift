internal import Files
internal import Intake
internal import JobLedger
internal import Pipelines
internal import Synchronization
internal import SystemPackage

extension Conveyor {
  /// Notes that the disk does not take the results of a job, or that the job has left.
  func block(job: String, _ reason: String?) { state.withLock { $0.blocked[job] = reason } }

  /// Notes what is wrong with something, or that it is well again.
  ///
  /// - Returns: whether it was otherwise before.
  @discardableResult
  package func note(_ trouble: String?, about matter: Matter) -> Bool {
    state.withLock { state in
      defer { state.troubles[matter] = trouble }
      return state.troubles[matter] != trouble
    }
  }

  /// Looks whether the folders are still what they were. Where one is not, intake pauses; where a disk was
  /// mounted late, the process ends its work and begins anew.
  func watchMounts() {
    if wallTime() - state.withLock(\.lastReturn) > Self.returnsOver { note(nil, about: .returning) }
    guard active.silentFolders().isEmpty else { return }
    // What cannot be looked at is told by who needs it.
    let found =
      spool.openPlaces.mounts.trouble()
      ?? (active.refusedPlaces() ?? (try? active.overlap()) ?? swappable).map { .waits($0) }
    switch found {
    case .appeared(let what) where !isOnce: beginAnew(with: what)
    case .returned(let what) where !isOnce:
      guard (try? spool.folder.isAtItsPath()) == true else {
        return placeTrouble("\(what), and the spool, \(active.spool.printable), is not back yet")
      }
      beginAnew(with: what)
    case .appeared(let why), .returned(let why), .waits(let why): placeTrouble(why)
    case nil:
      if let loss = spool.loss() { return fail(.gone(loss)) }
      if !isOnce, let lost = lostLog() {
        // What stands in it is still read and written here; nobody else would see it, and it goes with this process.
        let what = "\(lost.printable) was removed while procd ran"
        guard let obstacle = obstacleToStart() else {
          emit(.notice("\(what): procd begins anew with what it knew"))
          return beginAnew()
        }
        let trouble = "\(what), and procd cannot begin anew with what it knew: \(obstacle)"
        if note(trouble, about: .ledger) { emit(.trouble(trouble)) }
      }
      let isOver = state.withLock { state in
        guard state.placeTrouble != nil, !state.loops.isClosed else { return false }
        state.placeTrouble = nil
        state.forgetEarlierPause()
        return true
      }
      guard isOver else { return }
      emit(.notice("the folders are back as they were; files are taken in again"))
      tellResumed("The folders are back as they were")
    }
  }

  /// Why others could exchange claimed files, where they lie in the inbox; it may have been given other rights.
  private var swappable: String? {
    // What stands in its place tells nothing of where they lie.
    guard (try? spool.folder.isAtItsPath()) == true else { return nil }
    return (try? Spool.refusal(active)) ?? nil
  }

  /// Begins anew with a disk, if that is possible: else procd would only end.
  private func beginAnew(with what: String) {
    do throws(FileError) {
      var refusal = try Spool.refusal(active)
      if refusal == nil { refusal = try active.overlap() }
      if let refusal = refusal ?? active.refusedPlaces() ?? obstacleToStart() {
        return placeTrouble("\(what), and procd cannot begin anew with it: \(refusal)")
      }
    } catch { return placeTrouble("\(what), and cannot be looked at: \(error)") }
    emit(.notice("\(what): procd begins anew with it"))
    beginAnew()
  }

  private func beginAnew() {
    stop(grace: .seconds(20))
    state.withLock { $0.beginsAnew = true }
  }

  /// The log of the ledger and its index.
  private static let ledgerLogs = ["-wal", "-shm"].map { FilePath(Spool.ledgerName.string + $0) }

  /// Remembers what stands beside the ledger once it is open.
  func noteLogs() {
    for name in Self.ledgerLogs {
      // What cannot be looked at is told by who needs it.
      let found = (try? spool.folder.status(name)) ?? nil
      state.withLock { $0.ledgerLogs[name] = found }
    }
  }

  /// The first of them that is not there any more, or another file; nil where all is as it was.
  private func lostLog() -> FilePath? {
    Self.ledgerLogs.first { name in
      guard let before = state.withLock({ $0.ledgerLogs[name] }),
        let found = try? spool.folder.status(name) as FileStatus??
      else { return false }
      return found?.isSameFile(as: before) != true
    }.map { spool.folder.path.appending($0.components) }
  }

  /// Between two times that lost events are told of, milliseconds.
  private static let overflowPause: Int64 = 600_000

  /// Tells that the kernel had more changes of the inbox than it keeps: nothing was overlooked, but all was looked at.
  ///
  /// - Parameter count: how often that was so since the start.
  func tellOverflows(_ count: Int, at now: Int64) {
    let isNew = state.withLock { state in
      guard count > state.overflows.count, now >= state.overflows.silentUntil else { return false }
      state.overflows = (count, now + Self.overflowPause)
      return true
    }
    guard isNew else { return }
    let limit = FolderWatcher.limit("max_queued_events").map { ", now \($0)" } ?? ""
    emit(
      .notice(
        "more changed in the inbox at once than the kernel keeps for procd, which has looked at the whole inbox"
          + " instead; where that happens often, raise fs.inotify.max_queued_events\(limit), by sysctl"
      ))
  }

  private static let returnsOver: Int64 = 120_000

  func placeTrouble(_ reason: String) {
    let isNew = state.withLock { state in
      defer { state.placeTrouble = reason }
      // A write that was refused for the same reason may have told it.
      return state.placeTrouble != reason && !state.diskTroublesTold.contains(reason)
    }
    guard isNew else { return }
    emit(.trouble("\(reason). Intake pauses until this is mended, nothing is lost"))
    tellPaused(reason)
  }

  /// Looks whether results come back into the inbox, by whatever way.
  func watchLoops(_ report: Report) {
    guard let loop = state.withLock({ $0.loops.delivered(report, at: wallTime()) }) else { return }
    let what: String
    var orElse = ""
    switch loop {
    case .sameFile: what = "\(report.source.path) for the third time in a row"
    case .otherNames:
      what = "the same content under \(ReturningResults.turnsOfALoop) names in a row"
    case .quickly:
      what =
        "the same content \(ReturningResults.quickTurnsOfALoop) times in a row, each within seconds of the delivery of"
        + " the one before"
      orElse =
        " (if it is a device that writes its file again and again, set \"duplicates\": \"refuse\")"
    case .newTimes:
      state.withLock { $0.lastReturn = wallTime() }
      let trouble =
        "\(report.source.path) came in with the same content \(ReturningResults.turnsOfALoop) times in a row or more,"
        + " each time soon after its delivery: if something brings files of the outbox into the inbox, mend that"
      if note(trouble, about: .returning) { emit(.trouble(trouble)) }
      return
    }
    placeTrouble(
      "results come back into the inbox, \(what): something brings files of"
        + " the outbox there; mend that\(orElse), and restart procd")
  }

  /// More troubles of disks than this are not told one by one.
  private static let mostTold = 10

  /// The disk refuses our own writes: intake pauses until it takes them again.
  ///
  /// - Parameter pauses: false where results alone find no room, and all else goes on.
  func diskTrouble(_ reason: String, pauses: Bool = true) {
    let isNew = state.withLock { state in
      if pauses { state.diskTrouble = reason }
      state.diskWorksSince = nil
      // The ledger's room is what a full disk lacks first.
      let told = reason.replacing(Reserve.upTo, with: "")
      return reason != state.placeTrouble && state.diskTroublesTold.count < Self.mostTold
        && state.diskTroublesTold.insert(told).inserted
    }
    guard isNew else { return }
    let meaning =
      pauses
      ? "intake pauses until this is mended" : "what is to be written there waits until it can be"
    emit(.trouble("\(reason); \(meaning), nothing is lost"))
    if pauses { tellPaused(reason) } else { tellWaiting(reason) }
  }

  /// The room on the disk of a folder, without what the ledger's reserve is about to take of it.
  func room(of folder: Folder) -> FreeSpace? {
    var space = FreeSpace(of: folder)
    // Where neither disk is known there is little to hope for, so the reserve counts.
    let isShared = (try? folder.status().device) == (try? spool.folder.status().device)
    if isShared, !reserve.isKept { space?.bytes -= Reserve.size }
    return space
  }

  func diskWorks() {
    guard reserve.isKept else { return }
    state.withLock { state in
      state.diskTrouble = nil
      if !state.diskTroublesTold.isEmpty {
        state.diskWorksSince = state.diskWorksSince ?? wallTime()
      }
    }
  }

  /// Milliseconds that writes must have gone well before the end of a trouble is told. A disk with room for
  /// some files and not for others would fill the log otherwise.
  private static let quietBeforeTold: Int64 = 30_000

  /// Takes up a pause that an earlier run told of, and not its end.
  func recall() { state.withLock { _ = $0.diskTroublesTold.insert(State.earlierPause) } }

  /// Whether a trouble of a disk was told of which it is not known yet whether it is over.
  var hasToldOfDisks: Bool {
    state.withLock { !$0.diskTroublesTold.isEmpty && $0.diskWorksSince == nil }
  }

  /// Tells the end of a trouble of the disk once it has been over for a while.
  func tellDiskWorks(at now: Int64) {
    let isOver = state.withLock { state in
      // A single run has no time to wait.
      guard let since = state.diskWorksSince, isOnce || now - since >= Self.quietBeforeTold,
        // Else nothing is taken in yet, or files still wait for room.
        state.placeTrouble == nil, state.blocked.isEmpty
      else { return false }
      (state.diskTroublesTold, state.diskWorksSince) = ([], nil)
      return true
    }
    guard isOver else { return }
    emit(.notice("what held up the intake is over"))
    tellResumed("What held up the intake is over")
  }
}
