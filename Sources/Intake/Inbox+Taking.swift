internal import Files
internal import Pipelines
internal import Synchronization
package import SystemPackage

/// What may be taken, and what keeps the rest.
extension Inbox {
  /// Files whose time has come, the oldest first among those that were there when it was last looked
  /// for the oldest. Each is in the caller's hands until it is claimed, found to be gone, or postponed.
  package func due(at now: Int64, limit: Int) -> [FilePath] {
    state.withLock { state in
      var due: [FilePath] = []
      while due.count < limit, let path = state.files.takeDue(at: now) { due.append(path) }
      return due
    }
  }

  /// Judges anew all that waits for a time that was reckoned with the clock as it was.
  package func clockWasSetBack(to now: Int64) {
    state.withLock { state in
      for (path, known) in state.files.all where known.next != .max {
        state.files[path]?.next = min(known.next, now)
        state.files[path]?.memory.clockWasSetBack(to: now)
      }
    }
  }

  /// When the next file's time comes; nil where none waits.
  package var nextTime: Int64? {
    state.withLock { $0.files.nextTime() }
  }

  /// When the file that has been quiet longest changed last, milliseconds since 1970; nil where none waits.
  /// What waits for a file that is to come with it is not kept waiting by procd, and does not count.
  package var oldestChange: Int64? {
    state.withLock { state in
      state.files.all.values.filter { !$0.reason.isForPartner }.map(\.memory.lastChange).min()
    }
  }

  /// Every entry that is not taken yet, with the reason, by path.
  package var waiting: [(path: FilePath, reason: WaitReason)] {
    let all = state.withLock { state in
      state.files.all.map { ($0.key, $0.value.reason) } + state.others.map { ($0.key, $0.value) }
    }
    return all.sorted { $0.0.string < $1.0.string }
  }

  /// What stays until somebody does something about it. What is to be left alone, and what waits for another file, is
  /// not among it.
  package var stuck: [FilePath: WaitReason] {
    state.withLock { state in
      state.others.filter(\.value.needsSomebody).merging(
        state.files.all.lazy.filter(\.value.reason.needsSomebody).map { ($0.key, $0.value.reason) }
      ) { _, known in known }
    }
  }

  /// What stays until whoever writes it is done, as the last look found.
  package var unfinished: [FilePath: WaitReason] {
    state.withLock { state in
      state.files.all.compactMapValues {
        [.beingWritten, .lacksEnd].contains($0.reason) ? $0.reason : nil
      }
    }
  }

  /// The same, judged anew without taking anything: for `status`, which remembers no earlier looks.
  package func judged(at now: Int64) -> [(path: FilePath, reason: WaitReason)] {
    waiting.map { path, reason in
      guard reason == .settling, let known = known(path), settling.quietFrom(known.memory) <= now,
        let root = try? root(), let last = path.lastComponent
      else { return (path, reason) }
      guard known.memory.status.kind != .folder else {
        let members: Int
        do { members = try gather(root.folder(path, .guarded)).members.count } catch {
          return (
            path, (error as? GatheredFolder.Obstacle).map { $0.reason ?? reason } ?? .unreadable
          )
        }
        let isOver = known.memory.lastChange + Settling.longestForBacks <= now
        return (path, members < leastFiles(of: path) && !isOver ? .lacksBacks : .due)
      }
      do throws(FileError) {
        let parent = try root.folder(path.removingLastComponent(), .guarded)
        if let missing = missingRight(FilePath(name: last), in: parent) { return (path, missing) }
        let file = try parent.reading(FilePath(name: last), .guarded)
        if case .waits(let reason, _) = try pairing(of: path, known, in: parent, at: now) {
          return (path, reason)
        }
        guard EventSafety.isSafe(parent.fileSystemType()) else { return (path, .settlingUnleased) }
        switch file.takeLease() {
        case .held:
          defer { file.dropLease() }
          let until = settling.endMarkUntil(change: known.memory.lastChange, .lease)
          guard until > now else { return (path, .due) }
          let stands = try EndMark.stands(in: file, size: known.memory.status.size)
          return (path, stands == false ? .lacksEnd : .due)
        case .writerPresent: return (path, .beingWritten)
        case .unavailable: return (path, .settlingUnleased)
        }
      } catch {
        return (path, error.errno == .permissionDenied ? .unreadable : .failed("\(error)"))
      }
    }
  }

  /// How many files stand in the inbox that may be taken some time.
  package var count: Int { state.withLock { $0.files.all.count } }

  /// Whether a run that drains the inbox has something to wait for.
  package var isDrained: Bool {
    state.withLock { state in !state.files.all.contains { $0.value.reason.willPass } }
  }

  /// Puts a file aside that could not be taken, to be looked at again from then on.
  package func postpone(_ path: FilePath, _ reason: WaitReason, until next: Int64) {
    state.withLock { state in
      state.files[path]?.reason = reason
      state.files[path]?.next = next
    }
  }

  /// Remembers that the disk did not take a file, whatever becomes of its name.
  func noteUnsynced(_ status: FileStatus) {
    state.withLock { state in
      // Where a file system refuses every sync they must not fill the memory; nearly all have left by then.
      if state.unsynced.count >= 50_000 { state.unsynced.removeAll() }
      state.unsynced.insert([status.device, status.inode])
    }
  }

  func isUnsynced(_ status: FileStatus) -> Bool {
    state.withLock { $0.unsynced.contains([status.device, status.inode]) }
  }

  /// Everything that a run that drains the inbox leaves there, except for what nobody expects it to take.
  package var left: [(path: FilePath, reason: WaitReason)] {
    waiting.filter { !$0.reason.isNoInput || $0.reason.isNeverTaken }
  }

  /// Forgets a file that was taken, given back or went away. The event for what stands under its name by
  /// now may have come before, so it is looked at once more.
  func forget(_ path: FilePath) {
    state.withLock { state in
      state.files[path] = nil
      for wanted in state.companions.wanted(by: path) {
        for name in wanted.names.joined() {
          let companion = path.removingLastComponent().appending(name.components)
          if state.sources[companion] == path { state.sources[companion] = nil }
        }
      }
    }
    watcher?.look(at: path)
  }

  func known(_ path: FilePath) -> Known? { state.withLock { $0.files[path] } }

  /// Remembers a file after a look at it.
  func put(_ path: FilePath, _ known: Known, at now: Int64) {
    state.withLock { state in
      var known = known
      if let reports = state.files[path]?.reports, reports != known.reports {
        // What it waits for may have come during the look.
        if known.reason.isForWriter { known.next = min(known.next, now + settling.settle) }
        known.reports = reports
      }
      state.files[path] = known
    }
  }
}
