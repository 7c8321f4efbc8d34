package import Files
package import Pipelines
internal import Synchronization
package import SystemPackage

/// The folder that is watched: finds files, remembers how long they have been quiet, and says which
/// may be taken. The scan is the truth, events only say where to look.
///
/// Used by one task at a time.
package final class Inbox: Sendable {
  package let path: FilePath
  private let settings: Configuration.Inbox
  private let ignore: IgnoreList
  let settling: Settling
  private let watcher: FolderWatcher?
  private let state = Mutex(State())

  private struct State {
    var root: Folder?
    var files: [FilePath: Known] = [:]
    /// Entries that are never taken, with the reason.
    var others: [FilePath: WaitReason] = [:]
    var polls = false
    /// Whether the folder at a path below the inbox is one document.
    var gathers: @Sendable (FilePath) -> Bool = { _ in false }
  }

  /// A file that waits to be taken.
  struct Known: Sendable {
    var memory: Settling.Memory
    /// Looked at again from then on, milliseconds since 1970.
    var next: Int64
    var reason: WaitReason
  }

  /// - Parameters:
  ///   - path: absolute.
  ///   - wake: called when something may have changed; nil where nobody waits for changes.
  package init(
    path: FilePath, settings: Configuration.Inbox,
    wake: (@Sendable () -> Void)?
  ) {
    self.path = path
    self.settings = settings
    ignore = IgnoreList(settings.ignore)
    settling = Settling(settings)
    watcher = settings.watch == .poll ? nil : wake.flatMap { FolderWatcher(wake: $0) }
  }

  /// Says which folders below the inbox are one document each.
  package func gather(where gathers: @escaping @Sendable (FilePath) -> Bool) {
    state.withLock { $0.gathers = gathers }
  }

  private func gathers(_ path: FilePath) -> Bool { state.withLock { $0.gathers }(path) }

  /// Opens the inbox, making it where it is missing.
  package func open() throws(FileError) -> Folder {
    let folder = try Folder.make(path)
    state.withLock { state in
      state.root = folder
      state.polls =
        settings.watch == .poll || watcher == nil
        || (settings.watch == .auto && !EventSafety.isSafe(folder.fileSystemType()))
    }
    return folder
  }

  /// The inbox as it was opened last, opened anew where it was removed or replaced meanwhile.
  package func root() throws(FileError) -> Folder {
    if let root = state.withLock({ $0.root }), let standing = try? Folder.open(path),
      let old = try? root.status(), let new = try? standing.status(), old.isSameFile(as: new)
    {
      return root
    }
    return try open()
  }

  /// Whether events cannot be trusted here and the folder is looked at again and again instead.
  package var polls: Bool { state.withLock { $0.polls } || watcher?.isIncomplete == true }
  package var overflows: Int { watcher?.overflows ?? 0 }

  /// Milliseconds between two looks at everything.
  package var rescanInterval: Int { polls ? min(settings.poll, settings.rescan) : settings.rescan }

  // MARK: - Looking

  /// Looks at everything.
  package func scan(at now: Int64) throws(FileError) {
    let root = try root()
    _ = watcher?.takeHints()
    var seen: Set<FilePath> = []
    look(at: "", in: root, recursive: true, now, &seen)
    state.withLock { state in
      state.files = state.files.filter { seen.contains($0.key) }
      state.others = state.others.filter { seen.contains($0.key) }
    }
  }

  /// Looks where events say that something happened. True where there was something to look at.
  package func followHints(at now: Int64) throws(FileError) -> Bool {
    guard let hints = watcher?.takeHints(), !hints.isEmpty else { return false }
    if hints.contains(.everything) {
      try scan(at: now)
      return true
    }
    let root = try root()
    for case .folder(var path, var recursive) in hints {
      if let folder = gathered(around: path) {
        path = folder.removingLastComponent()
        recursive = true
      }
      guard settings.recursive || path.isEmpty else { continue }
      guard !path.components.contains(where: { isIgnored($0, isFolder: true) != nil }),
        let folder = try? root.folder(path, .guarded)
      else { continue }
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
        guard let component = name.lastComponent else { continue }
        let entry = path.appending(component)
        guard let status = try? folder.status(name) else { continue }
        if let pattern = isIgnored(component, isFolder: status.kind == .folder) {
          // Our own folder inside a foreign inbox is nothing to tell.
          if name.string != ".procd" { note(.ignored(pattern), at: entry, &seen) }
          continue
        }
        switch status.kind {
        case .folder where settings.recursive && gathers(entry):
          offer(entry, in: folder, name, now, &seen)
        case .folder:
          guard settings.recursive, recursive else { continue }
          do throws(FileError) { waiting.append((entry, try folder.folder(name, .guarded))) } catch
          {
            note(error.errno == .improperLink ? .otherMount : .unreadable, at: entry, &seen)
          }
        case .regular:
          seen.insert(entry)
          remember(entry, status, at: now)
        case .link: note(.notRegular("symbolic link"), at: entry, &seen)
        case .other: note(.notRegular("fifo, socket or device"), at: entry, &seen)
        }
      }
    }
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
      switch error {
      // Nothing has come yet.
      case .empty: break
      case .notOnlyFiles(let name): note(.notOnlyFiles(name), at: entry, &seen)
      case .file: note(.unreadable, at: entry, &seen)
      }
      return
    }
    seen.insert(entry)
    remember(entry, content.status, at: now)
  }

  private func remember(_ entry: FilePath, _ status: FileStatus, at now: Int64) {
    state.withLock { state in
      state.others[entry] = nil
      if state.files[entry] == nil {
        let memory = Settling.Memory(status, at: now)
        state.files[entry] = Known(
          memory: memory, next: settling.quietFrom(memory), reason: .settling)
      } else {
        state.files[entry]?.memory.look(status, at: now)
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

  // MARK: - What to take

  /// Files whose time has come, the oldest first.
  package func due(at now: Int64, limit: Int) -> [FilePath] {
    let due = state.withLock { $0.files.filter { $0.value.next <= now } }
    return due.sorted {
      ($0.value.memory.status.modified, $0.key.string)
        < ($1.value.memory.status.modified, $1.key.string)
    }.prefix(limit).map(\.key)
  }

  /// When the next file's time comes; nil where none waits.
  package var nextTime: Int64? { state.withLock { $0.files.values.map(\.next).min() } }

  /// Every entry that is not taken yet, with the reason, by path.
  package var waiting: [(path: FilePath, reason: WaitReason)] {
    let all = state.withLock { state in
      state.files.map { ($0.key, $0.value.reason) } + state.others.map { ($0.key, $0.value) }
    }
    return all.sorted { $0.0.string < $1.0.string }
  }

  /// The same, judged anew without taking anything: for `status`, which remembers no earlier looks.
  package func judged(at now: Int64) -> [(path: FilePath, reason: WaitReason)] {
    waiting.map { path, reason in
      guard reason == .settling, let known = known(path), settling.quietFrom(known.memory) <= now,
        let root = try? root(), let last = path.lastComponent
      else { return (path, reason) }
      guard known.memory.status.kind != .folder else { return (path, .due) }
      do throws(FileError) {
        let parent = try root.folder(path.removingLastComponent(), .guarded)
        let file = try parent.reading(FilePath(name: last), .guarded)
        guard EventSafety.isSafe(parent.fileSystemType()) else { return (path, .settlingUnleased) }
        switch file.takeLease() {
        case .held:
          file.dropLease()
          return (path, .due)
        case .writerPresent: return (path, .beingWritten)
        case .unavailable: return (path, .settlingUnleased)
        }
      } catch {
        return (path, error.errno == .permissionDenied ? .unreadable : .failed("\(error)"))
      }
    }
  }

  /// How many files stand in the inbox that may be taken some time.
  package var count: Int { state.withLock { $0.files.count } }

  /// Whether a run that drains the inbox has something to wait for.
  package var isDrained: Bool {
    state.withLock { state in !state.files.contains { $0.value.reason.willPass } }
  }

  /// Puts a file aside that could not be taken, to be looked at again from then on.
  package func postpone(_ path: FilePath, _ reason: WaitReason, until next: Int64) {
    state.withLock { state in
      state.files[path]?.reason = reason
      state.files[path]?.next = next
    }
  }

  /// Files that a run that drains the inbox leaves there although they should be taken.
  package var left: [(path: FilePath, reason: WaitReason)] {
    waiting.filter { entry in
      switch entry.reason {
      case .ignored, .notRegular: false
      default: true
      }
    }
  }

  /// Forgets a file that was taken or went away.
  func forget(_ path: FilePath) { state.withLock { $0.files[path] = nil } }

  func known(_ path: FilePath) -> Known? { state.withLock { $0.files[path] } }

  func put(_ path: FilePath, _ known: Known) { state.withLock { $0.files[path] = known } }
}
