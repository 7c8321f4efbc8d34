package import Files
internal import Glibc
package import Pipelines
internal import Synchronization
package import SystemPackage

/// The folder that is watched: finds files, remembers how long they have been quiet, and says which
/// may be taken. The scan is the truth, events only say where to look.
///
/// One task looks; many may take what they were given by `due`.
package final class Inbox: Sendable {
  package let path: FilePath
  let settings: Configuration.Inbox
  private let ignore: IgnoreList
  let settling: Settling
  /// The paths of outbox, archive, quarantine and spool.
  private let others: [FilePath]
  let watcher: FolderWatcher?
  private let isToBeWatched: Bool
  let state = Mutex(State())

  struct State {
    var root: Folder?
    /// Since when there is no folder at the path.
    var missingSince: ContinuousClock.Instant?
    /// Whether no other procd may take files out of it.
    var isHeld = false
    var files = WaitingFiles()
    /// Entries that are never taken, with the reason.
    var others: [FilePath: WaitReason] = [:]
    var polls = false
    /// Whether the folder at a path below the inbox is one document.
    var gathers: @Sendable (FilePath) -> Int? = { _ in nil }
    /// Which files belong together.
    var companions = CompanionRules()
    /// By the path that a companion would have: the file that stands here and takes it with it.
    var sources: [FilePath: FilePath] = [:]
    /// The other folders of procd, whatever way they are reached by.
    var ours: [FilePath: FileStatus] = [:]
    /// What other procds hold: their inboxes and spools.
    var held: [HeldFile] = []
    /// Where something is mounted below the inbox.
    var mounted: Set<FilePath> = []
    var heldUntil: Int64 = 0
    /// Files that the disk did not take when they were to be claimed, by device and inode.
    var unsynced: Set<[UInt64]> = []
  }

  /// A file that waits to be taken.
  struct Known: Sendable {
    var memory: Settling.Memory
    /// Looked at again from then on, milliseconds since 1970; never, while it is in somebody's hands.
    var next: Int64
    var reason: WaitReason
    /// How often the kernel reported something of it.
    var reports = 0
  }

  /// - Parameters:
  ///   - path: absolute.
  ///   - others: the folders that results and originals go to; never looked into, whatever they are called here.
  ///   - wake: called when something may have changed; nil where nobody waits for changes.
  package init(
    path: FilePath, settings: Configuration.Inbox, others: [FilePath] = [],
    wake: (@Sendable () -> Void)?
  ) {
    self.path = path
    self.settings = settings
    self.others = others
    ignore = IgnoreList(settings.ignore)
    settling = Settling(settings)
    isToBeWatched = settings.watch != .poll && wake != nil
    watcher = settings.watch == .poll ? nil : wake.flatMap { FolderWatcher(wake: $0) }
  }

  /// Says which folders below the inbox are one document each, and how many files it has at least; nil for others.
  package func gather(where gathers: @escaping @Sendable (FilePath) -> Int?) {
    state.withLock { $0.gathers = gathers }
  }

  /// Says which files belong together.
  package func pair(_ rules: CompanionRules) {
    state.withLock { state in
      state.companions = rules
      state.sources = [:]
      for path in state.files.all.keys { state.knowPartners(of: path) }
    }
  }

  /// Looks which folders are procd's others by now: results must not come back, by whatever link or mount.
  private func findOurs() {
    // Of one that does not answer, what was known before stays.
    let silent = FolderProbe.shared.silent(of: others)
    for place in others where !silent.contains(place) {
      let found = try? Folder.open(place).status()
      state.withLock { $0.ours[place] = found }
    }
  }

  /// How old the knowledge of what other procds hold may be, in milliseconds.
  private static let heldFor: Int64 = 1000

  /// Finds out what other procds hold by now, unless that was done a moment ago.
  ///
  /// - Returns: whether a folder that was another procd's is no longer held by it.
  private func findHeld(at now: Int64) -> Bool {
    let isOld = state.withLock { state in
      defer { if now >= state.heldUntil { state.heldUntil = now + Self.heldFor } }
      return now >= state.heldUntil
    }
    guard isOld else { return false }
    let held = HeldFile.all(byProcessesNamed: "procd"), mounted = Mount.points(below: path)
    return state.withLock { state in
      (state.held, state.mounted) = (held, mounted)
      return state.others.values.contains { reason in
        guard case .foreign(let process) = reason else { return false }
        return !held.contains { $0.process == process }
      }
    }
  }

  /// The other procd whose inbox or spool a folder is; nil where it is none's.
  private func holder(of status: FileStatus) -> Int32? {
    state.withLock { $0.held.first { $0.isSameFile(as: status) } }?.process
  }

  /// Whether it is another folder of procd's.
  func isOurs(_ status: FileStatus) -> Bool {
    state.withLock { $0.ours.values.contains { $0.isSameFile(as: status) } }
  }

  private func gathers(_ path: FilePath) -> Bool { state.withLock { $0.gathers }(path) != nil }

  /// How many files a folder that is one document has at least.
  func leastFiles(of path: FilePath) -> Int { state.withLock { $0.gathers }(path) ?? 1 }

  /// Opens the inbox and keeps every other procd from taking files out of it, by whatever path or mount that
  /// reaches it.
  package func hold() throws(FileError) -> Folder {
    state.withLock { $0.isHeld = true }
    return try open()
  }

  /// Locks the inbox, which is a matter among procds: a stranger who has locked it, as flock(1) does, hinders
  /// nobody, and where the file system knows no such locks there are none.
  private static func keepOthersOut(of folder: Folder) throws(FileError) {
    guard !folder.lock(), errno == EWOULDBLOCK else { return }
    let holder = folder.lockHolder()
    let name = holder.flatMap(processName)
    guard name?.hasPrefix("procd") ?? true else { return }
    let who = holder.map { " (process \($0))" } ?? ""
    throw FileError(
      "take files from", folder.path, .wouldBlock,
      reason:
        "another procd\(who) takes them, with a spool of its own; stop it, or give each an inbox of its own"
    )
  }

  /// Opens the inbox, making it where it is missing.
  package func open() throws(FileError) -> Folder {
    let (isHeld, before) = state.withLock { ($0.isHeld, $0.root) }
    let folder = try Folder.make(path, like: before)
    if isHeld {
      // Its lock would be in the way of another one on the same folder.
      if let before, try before.status().isSameFile(as: folder.status()) { return before }
      try Self.keepOthersOut(of: folder)
    }
    state.withLock { state in
      state.root = folder
      state.missingSince = nil
      state.polls =
        settings.watch == .poll || watcher == nil
        || (settings.watch == .auto && !EventSafety.isSafe(folder.fileSystemType()))
    }
    return folder
  }

  /// The inbox as it was opened last, opened anew where it was removed or replaced meanwhile.
  ///
  /// - Throws: where there is none; somebody may be about to put another one there, so it is made only after a while.
  package func root() throws(FileError) -> Folder {
    guard let root = state.withLock({ $0.root }) else { return try open() }
    let standing: Folder
    do throws(FileError) { standing = try Folder.open(path) } catch {
      guard error.errno == .noSuchFileOrDirectory else { throw error }
      let isNew = state.withLock { state in
        let since = state.missingSince ?? .now
        state.missingSince = since
        return since.duration(to: .now) < Self.longestMissing
      }
      if isNew { throw error }
      return try open()
    }
    state.withLock { $0.missingSince = nil }
    if let old = try? root.status(), let new = try? standing.status(), old.isSameFile(as: new) {
      return root
    }
    return try open()
  }

  private static let longestMissing = Duration.seconds(10)

  /// Whether the folder that is watched is no longer the one at the path. No event tells of its removal
  /// while it is held open.
  package var wasReplaced: Bool {
    guard let root = state.withLock({ $0.root }) else { return true }
    return (try? root.isAtItsPath()) != true
  }

  /// Whether something stands at a path below it.
  package func knows(_ path: FilePath) -> Bool {
    state.withLock { $0.files[path] != nil || $0.others[path] != nil }
  }

  /// Whether events cannot be trusted here and the folder is looked at again and again instead.
  package var polls: Bool { state.withLock { $0.polls } || lacksWatches }
  /// Whether an event comes if a file is closed after writing: of one with several names, it may be reported for another.
  func reportsClosing(of candidate: Candidate) -> Bool {
    watcher != nil && !polls && candidate.members.allSatisfy { $0.status.links == 1 }
  }
  /// Whether the kernel refused to watch some of the folders.
  package var lacksWatches: Bool { watcher?.isIncomplete == true }
  /// Whether it was to be watched, and the kernel gave nothing to do that with.
  package var lacksWatcher: Bool { isToBeWatched && watcher == nil }
  package var overflows: Int { watcher?.overflows ?? 0 }

  /// Milliseconds between two looks at everything.
  package var rescanInterval: Int { polls ? min(settings.poll, settings.rescan) : settings.rescan }

  // MARK: - Looking

  /// One walk through the inbox or a part of it.
  private struct Survey {
    let now: Int64
    /// Whether the kernel reported that something happened to what is looked at.
    var isReported = true
    /// What was found there.
    var seen: Set<FilePath> = []
  }

  /// Looks at everything.
  package func scan(at now: Int64) throws(FileError) {
    try scan(Survey(now: now, isReported: false))
  }

  private func scan(_ survey: Survey) throws(FileError) {
    var survey = survey
    let root = try root()
    findOurs()
    _ = findHeld(at: survey.now)
    _ = watcher?.takeHints()
    // A tree deeper than paths may be long is walked by descriptors, which are open for one way down at a time.
    var waiting = list(root, at: "", recursive: true, &survey).map { ($0, root) }
    while let (path, parent) = waiting.popLast() {
      guard let folder = enter(path, in: parent, &survey) else { continue }
      waiting += list(folder, at: path, recursive: true, &survey).map { ($0, folder) }
    }
    state.withLock { state in
      state.files.keep(survey.seen)
      state.sources = state.sources.filter { survey.seen.contains($0.value) }
      state.others = state.others.filter { survey.seen.contains($0.key) }
    }
  }

  /// How many hints are followed before the main loop goes on with its other work.
  static let mostHintsAtOnce = 256

  /// Looks where events report that something happened, at some places at a time: the rest is for the next call.
  ///
  /// - Returns: whether there was something to look at.
  package func followHints(at now: Int64) throws(FileError) -> Bool {
    guard let watcher else { return false }
    let hints = watcher.takeHints(atMost: Self.mostHintsAtOnce)
    if hints.isEmpty { return false }
    if findHeld(at: now) || hints.contains(.everything) {
      try scan(Survey(now: now))
      return true
    }
    let root = try root()
    // Hints of one folder often follow each other.
    var open: (path: FilePath, folder: Folder?)?
    var documents: Set<FilePath> = []
    for hint in hints {
      // Of one document all files are looked at together, however many of them changed.
      let document = gathered(around: hint.path), path = document ?? hint.path
      if document != nil, !documents.insert(path).inserted { continue }
      let place = path.removingLastComponent()
      if open?.path != place { open = (place, looked(into: place, below: root)) }
      guard let parent = open?.folder else { continue }
      if document == nil, case .folder(_, let recursive) = hint {
        look(intoFolder: path, in: parent, recursive: recursive, now)
      } else {
        look(atEntry: path, in: parent, now)
      }
    }
    return true
  }

  /// A folder of the inbox; nil where it is not looked into, or is gone.
  private func looked(into path: FilePath, below root: Folder) -> Folder? {
    guard settings.recursive || path.isEmpty,
      !path.components.contains(where: { isIgnored($0, isFolder: true) != nil })
    else { return nil }
    guard let folder = try? root.folder(path, .guarded) else { return nil }
    guard state.withLock({ !$0.held.isEmpty }) else { return folder }
    var above = path
    while !above.isEmpty {
      guard let status = try? root.folder(above, .guarded).status(), holder(of: status) == nil
      else { return nil }
      above.removeLastComponent()
    }
    return folder
  }

  /// Looks at one entry of a folder.
  private func look(atEntry path: FilePath, in folder: Folder, _ now: Int64) {
    var survey = Survey(now: now)
    _ = consider(path, in: folder, recursive: false, &survey)
    if survey.seen.isEmpty { state.withLock { ($0.files[path], $0.others[path]) = (nil, nil) } }
  }

  /// Looks at all entries of a folder. The folders in it get their turn later.
  private func look(
    intoFolder path: FilePath, in parent: Folder, recursive: Bool, _ now: Int64
  ) {
    var survey = Survey(now: now)
    guard path.isEmpty || consider(path, in: parent, recursive: true, &survey),
      let folder = path.isEmpty ? parent : enter(path, in: parent, &survey)
    else { return }
    for path in list(folder, at: path, recursive: recursive, &survey) {
      watcher?.look(into: path)
    }
    state.withLock { state in
      for gone in state.files.paths(in: path).subtracting(survey.seen) { state.files[gone] = nil }
    }
  }

  /// The pattern by which a path below the inbox is left alone: that of its name, or of a folder on the
  /// way to it.
  package func ignoringPattern(of path: FilePath) -> String? {
    let names = Array(path.components)
    for (index, name) in names.enumerated() {
      let pattern = ignore.pattern(for: name.string, isFolder: index < names.count - 1)
      if let pattern { return pattern }
    }
    return nil
  }

  private func isIgnored(_ name: FilePath.Component, isFolder: Bool) -> String? {
    ignore.pattern(for: name.string, isFolder: isFolder)
  }

  /// Watches a folder, then looks at each of its entries.
  ///
  /// - Returns: the folders in it that are to be looked into.
  private func list(
    _ folder: Folder, at path: FilePath, recursive: Bool, _ survey: inout Survey
  ) -> [FilePath] {
    _ = watcher?.watch(folder, at: path)
    guard let names = try? folder.names() else {
      note(.unreadable, at: path, &survey)
      return []
    }
    return names.flatMap(\.components).map { path.appending($0) }.filter {
      consider($0, in: folder, recursive: recursive, &survey)
    }
  }

  /// Opens a folder that is to be looked into.
  private func enter(_ path: FilePath, in parent: Folder, _ survey: inout Survey) -> Folder? {
    guard let name = path.lastComponent else { return nil }
    do throws(FileError) { return try parent.folder(FilePath(name: name), .guarded) } catch {
      note(error.errno == .improperLink ? .otherMount : .unreadable, at: path, &survey)
      return nil
    }
  }

  /// Returns whether something is mounted at an entry and does not answer: a look at it might never return.
  func isSilentMount(_ entry: FilePath) -> Bool {
    state.withLock { $0.mounted.contains(entry) }
      && !FolderProbe.shared.answers(path.appending(entry.components))
  }

  /// Looks at one entry of a folder.
  ///
  /// - Returns: whether it is a folder that is to be looked into.
  private func consider(
    _ entry: FilePath, in folder: Folder, recursive: Bool, _ survey: inout Survey
  ) -> Bool {
    guard let component = entry.lastComponent else { return false }
    let name = FilePath(name: component)
    if isSilentMount(entry) {
      note(.otherMount, at: entry, &survey)
      return false
    }
    guard let status = try? folder.status(name) else { return false }
    if entry.components.count == 1, Folder.isOwnName(name) {
      // Our own folder inside a foreign inbox is nothing to tell.
      if !folder.isOurs(name) { note(.ignored("\(Folder.ownPrefix)*"), at: entry, &survey) }
      return false
    }
    if let pattern = isIgnored(component, isFolder: status.kind == .folder) {
      note(.ignored(pattern), at: entry, &survey)
      return false
    }
    switch status.kind {
    case .folder where isOurs(status):
      note(.ours, at: entry, &survey)
    case .folder where holder(of: status) != nil:
      note(.foreign(holder(of: status) ?? 0), at: entry, &survey)
    case .folder where settings.recursive && gathers(entry):
      offer(entry, in: folder, &survey)
    case .folder:
      return settings.recursive && recursive
    case .regular:
      remember(entry, status, &survey)
    case .link: note(.link, at: entry, &survey)
    case .other: note(.notRegular("fifo, socket or device"), at: entry, &survey)
    }
    return false
  }

  /// The folder that is one document and that a path is in, or is.
  private func gathered(around path: FilePath) -> FilePath? {
    var folder = path
    while !folder.isEmpty {
      if gathers(folder) { return folder }
      folder.removeLastComponent()
    }
    return nil
  }

  /// What is in a folder that is one document.
  func gather(_ folder: Folder) throws(GatheredFolder.Obstacle) -> GatheredFolder {
    try GatheredFolder(folder, ignoring: ignore)
  }

  /// Why a folder cannot be taken as one document; nil where it can, or is empty.
  package func obstacle(in folder: Folder) -> WaitReason? {
    do throws(GatheredFolder.Obstacle) { _ = try gather(folder) } catch { return error.reason }
    return nil
  }

  /// Remembers a folder that is one document, with what is in it.
  private func offer(_ entry: FilePath, in parent: Folder, _ survey: inout Survey) {
    guard let folder = enter(entry, in: parent, &survey) else { return }
    _ = watcher?.watch(folder, at: entry)
    let content: GatheredFolder
    do throws(GatheredFolder.Obstacle) { content = try gather(folder) } catch {
      if let reason = error.reason { note(reason, at: entry, &survey) }
      return
    }
    remember(entry, content.status, &survey)
  }

  private func remember(_ entry: FilePath, _ status: FileStatus, _ survey: inout Survey) {
    survey.seen.insert(entry)
    let now = survey.now, isReported = survey.isReported
    state.withLock { state in
      state.others[entry] = nil
      guard let before = state.files[entry] else {
        let memory = Settling.Memory(status, at: now)
        state.files[entry] = Known(
          memory: memory, next: settling.quietFrom(memory), reason: .settling)
        state.knowPartners(of: entry)
        return
      }
      state.files[entry]?.memory.look(status, at: now)
      if isReported || state.files[entry]?.memory != before.memory {
        state.lookSoon(at: entry, settling)
        // It may be what the file that takes it along waits for.
        if let source = state.sources[entry] { state.lookSoon(at: source, settling) }
      }
    }
  }

  private func note(_ reason: WaitReason, at path: FilePath, _ survey: inout Survey) {
    survey.seen.insert(path)
    state.withLock { state in
      state.others[path] = reason
      state.files[path] = nil
    }
  }
}

extension Inbox.State {
  /// Has a file looked at as soon as it is quiet, if it waits for what somebody else does to it.
  fileprivate mutating func lookSoon(at path: FilePath, _ settling: Settling) {
    guard var known = files[path] else { return }
    known.reports += 1
    if known.reason.isForWriter, known.next != .max {
      known.next = min(known.next, settling.quietFrom(known.memory))
    }
    files[path] = known
  }
}
