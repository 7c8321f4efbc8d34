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
    var files: [FilePath: Known] = [:]
    /// Files whose time had come when it was filled, the oldest last.
    var queue: [FilePath] = []
    /// No file outside the queue has its time before this.
    var earliest = Int64.max
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
    var ours: [FileStatus] = []
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
      for path in state.files.keys { state.knowPartners(of: path) }
    }
  }

  /// Looks which folders are procd's others by now: results must not come back, by whatever link or mount.
  private func findOurs() {
    let found = others.compactMap { try? Folder.open($0).status() }
    state.withLock { $0.ours = found }
  }

  /// How old the knowledge of what other procds hold may be, in milliseconds.
  private static let heldFor: Int64 = 1000

  /// Looks what other procds hold by now.
  private func findHeld(at now: Int64) {
    let isOld = state.withLock { state in
      defer { if now >= state.heldUntil { state.heldUntil = now + Self.heldFor } }
      return now >= state.heldUntil
    }
    guard isOld else { return }
    let held = HeldFile.all(byProcessesNamed: "procd"), mounted = Mount.points(below: path)
    state.withLock { ($0.held, $0.mounted) = (held, mounted) }
  }

  /// Whether a folder that was another procd's is nobody's any more.
  private var isLeftByAnother: Bool {
    state.withLock { state in
      state.others.values.contains { reason in
        guard case .foreign(let process) = reason else { return false }
        return !state.held.contains { $0.process == process }
      }
    }
  }

  /// The other procd whose inbox or spool a folder is; nil where it is none's.
  private func holder(of status: FileStatus) -> Int32? {
    state.withLock { $0.held.first { $0.isSameFile(as: status) } }?.process
  }

  /// Whether it is another folder of procd's.
  func isOurs(_ status: FileStatus) -> Bool {
    state.withLock { $0.ours.contains { $0.isSameFile(as: status) } }
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
  /// Whether the kernel refused to watch some of the folders.
  package var lacksWatches: Bool { watcher?.isIncomplete == true }
  /// Whether it was to be watched, and the kernel gave nothing to do that with.
  package var lacksWatcher: Bool { isToBeWatched && watcher == nil }
  package var overflows: Int { watcher?.overflows ?? 0 }

  /// Milliseconds between two looks at everything.
  package var rescanInterval: Int { polls ? min(settings.poll, settings.rescan) : settings.rescan }

  // MARK: - Looking

  /// Looks at everything.
  package func scan(at now: Int64) throws(FileError) {
    let root = try root()
    findOurs()
    findHeld(at: now)
    _ = watcher?.takeHints()
    var seen: Set<FilePath> = []
    look(at: "", in: root, recursive: true, now, &seen)
    state.withLock { state in
      state.files = state.files.filter { seen.contains($0.key) }
      state.sources = state.sources.filter { seen.contains($0.value) }
      state.others = state.others.filter { seen.contains($0.key) }
    }
  }

  /// Looks where events say that something happened. True where there was something to look at.
  package func followHints(at now: Int64) throws(FileError) -> Bool {
    guard let hints = watcher?.takeHints(), !hints.isEmpty else { return false }
    findHeld(at: now)
    if hints.contains(.everything) || isLeftByAnother {
      try scan(at: now)
      return true
    }
    let root = try root()
    for hint in hints {
      guard case .folder(var path, var recursive) = whole(hint, hints) else {
        if case .file(let path) = hint { look(atFile: path, in: root, now) }
        continue
      }
      if let folder = gathered(around: path) {
        path = folder.removingLastComponent()
        recursive = true
      }
      guard let folder = looked(into: path, below: root) else { continue }
      var seen: Set<FilePath> = []
      look(at: path, in: folder, recursive: recursive, now, &seen)
      state.withLock { state in
        state.files = state.files.filter {
          $0.key.removingLastComponent() != path || seen.contains($0.key)
        }
      }
    }
    return true
  }

  /// The hint, or that for the folder of its file where that is one document.
  private func whole(_ hint: Hint, _ hints: Set<Hint>) -> Hint {
    guard case .file(let path) = hint, let folder = gathered(around: path) else { return hint }
    return .folder(folder, recursive: true)
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

  /// Looks at one file.
  private func look(atFile path: FilePath, in root: Folder, _ now: Int64) {
    let place = path.removingLastComponent()
    guard let name = path.lastComponent, let folder = looked(into: place, below: root) else {
      return
    }
    var seen: Set<FilePath> = []
    _ = consider(FilePath(name: name), in: folder, at: place, recursive: false, now, &seen)
    if seen.isEmpty { state.withLock { ($0.files[path], $0.others[path]) = (nil, nil) } }
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

  /// Watches, then lists a folder, and what is below it. A tree deeper than paths may be long is
  /// walked by descriptors, so it has no end that hurts.
  private func look(
    at path: FilePath, in folder: Folder, recursive: Bool, _ now: Int64,
    _ seen: inout Set<FilePath>
  ) {
    var waiting = [(path, folder)]
    while let (path, folder) = waiting.popLast() {
      _ = watcher?.watch(folder, at: path)
      guard let names = try? folder.names() else {
        note(.unreadable, at: path, &seen)
        continue
      }
      for name in names {
        if let below = consider(name, in: folder, at: path, recursive: recursive, now, &seen) {
          waiting.append(below)
        }
      }
    }
  }

  /// Looks at one entry of a folder.
  ///
  /// - Returns: the folder to be looked into, where it is one.
  private func consider(
    _ name: FilePath, in folder: Folder, at path: FilePath, recursive: Bool, _ now: Int64,
    _ seen: inout Set<FilePath>
  ) -> (FilePath, Folder)? {
    guard let component = name.lastComponent else { return nil }
    let entry = path.appending(component)
    if state.withLock({ $0.mounted.contains(entry) }),
      !FolderProbe.shared.answers(self.path.appending(entry.components))
    {
      note(.otherMount, at: entry, &seen)
      return nil
    }
    guard let status = try? folder.status(name) else { return nil }
    if path.isEmpty, Folder.isOwnName(name) {
      // Our own folder inside a foreign inbox is nothing to tell.
      if !folder.isOurs(name) { note(.ignored("\(Folder.ownPrefix)*"), at: entry, &seen) }
      return nil
    }
    if let pattern = isIgnored(component, isFolder: status.kind == .folder) {
      note(.ignored(pattern), at: entry, &seen)
      return nil
    }
    switch status.kind {
    case .folder where isOurs(status):
      note(.ours, at: entry, &seen)
    case .folder where holder(of: status) != nil:
      note(.foreign(holder(of: status) ?? 0), at: entry, &seen)
    case .folder where settings.recursive && gathers(entry):
      offer(entry, in: folder, name, now, &seen)
    case .folder:
      guard settings.recursive, recursive else { return nil }
      do throws(FileError) { return (entry, try folder.folder(name, .guarded)) } catch {
        note(error.errno == .improperLink ? .otherMount : .unreadable, at: entry, &seen)
      }
    case .regular:
      seen.insert(entry)
      remember(entry, status, at: now)
    case .link: note(.link, at: entry, &seen)
    case .other: note(.notRegular("fifo, socket or device"), at: entry, &seen)
    }
    return nil
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
  private func offer(
    _ entry: FilePath, in parent: Folder, _ name: FilePath, _ now: Int64,
    _ seen: inout Set<FilePath>
  ) {
    let folder: Folder
    do throws(FileError) { folder = try parent.folder(name, .guarded) } catch {
      note(error.errno == .improperLink ? .otherMount : .unreadable, at: entry, &seen)
      return
    }
    _ = watcher?.watch(folder, at: entry)
    let content: GatheredFolder
    do throws(GatheredFolder.Obstacle) { content = try gather(folder) } catch {
      if let reason = error.reason { note(reason, at: entry, &seen) }
      return
    }
    seen.insert(entry)
    remember(entry, content.status, at: now)
  }

  private func remember(_ entry: FilePath, _ status: FileStatus, at now: Int64) {
    state.withLock { state in
      state.others[entry] = nil
      if state.files[entry] == nil {
        let memory = Settling.Memory(status, at: now), quiet = settling.quietFrom(memory)
        state.files[entry] = Known(memory: memory, next: quiet, reason: .settling)
        state.earliest = min(state.earliest, quiet)
        state.knowPartners(of: entry)
      } else {
        let before = state.files[entry]?.memory
        state.files[entry]?.memory.look(status, at: now)
        // What it waited for may have come.
        if let known = state.files[entry], known.reason == .lacksBacks, known.memory != before {
          state.files[entry]?.next = settling.quietFrom(known.memory)
          state.earliest = min(state.earliest, settling.quietFrom(known.memory))
        }
      }
    }
  }

  private func note(_ reason: WaitReason, at path: FilePath, _ seen: inout Set<FilePath>) {
    seen.insert(path)
    state.withLock { state in
      state.others[path] = reason
      state.files[path] = nil
    }
  }
}
