internal import Files
internal import Pipelines
internal import Synchronization
internal import SystemPackage

extension Inbox {
  /// Whether a file is taken alone, or what it is taken with.
  enum Pairing {
    case alone
    /// Together with files of these names in its folder.
    case with([FilePath])
    /// Something that belongs to it is not there; looked at again then.
    case waits(WaitReason, until: Int64)
  }

  /// Judges a file that has been quiet. What waits does so from when it last changed in the inbox, so a
  /// restart begins no wait anew.
  ///
  /// - Parameter parent: the folder that it lies in.
  func pairing(
    of path: FilePath, _ known: Known, in parent: Folder, at now: Int64
  ) throws(FileError) -> Pairing {
    let rules = state.withLock { $0.companions }
    if rules.isEmpty { return .alone }
    let change = known.memory.lastChange
    if let wait = rules.waitOfCompanion(path) {
      let until = change + Int64(wait)
      // While the file stands there that it goes with, that one decides.
      if wakeSource(of: path, at: now) {
        return .waits(
          .awaitsSource,
          until: max(until, now + 1000 + IntakeCheck.pause(since: change, at: now, settling)))
      }
      return until > now ? .waits(.awaitsSource, until: until) : .alone
    }
    let wanted = rules.wanted(by: path)
    let folder = path.removingLastComponent()
    var lacking: [String] = []
    for wanted in wanted {
      let (found, missing) = try wanted.found { name throws(FileError) in
        guard ignoringPattern(of: folder.appending(name.components)) == nil else { return false }
        return try parent.status(name)?.kind == .regular
      }
      if missing.isEmpty { return .with(found) }
      lacking += missing.joined().map(\.printable)
    }
    guard let wait = wanted.map(\.wait).max() else { return .alone }
    let until = change + Int64(wait)
    return until > now ? .waits(.lacksCompanion(lacking), until: until) : .alone
  }

  /// Has the file looked at that a companion goes with, where it stands here.
  private func wakeSource(of companion: FilePath, at now: Int64) -> Bool {
    state.withLock { state in
      guard let source = state.sources[companion], let known = state.files[source] else {
        return false
      }
      // One that is in somebody's hands is looked at just now.
      if known.next != .max, known.next > now, !known.reason.willPass {
        state.files[source]?.next = now
      }
      return true
    }
  }

  /// Looks again soon at a file whose companion has come since it was found to be lacking.
  func lookAgainWherePaired(_ path: FilePath, at now: Int64) {
    state.withLock { state in
      let folder = path.removingLastComponent()
      let isComplete = state.companions.wanted(by: path).contains { wanted in
        wanted.names.allSatisfy { entry in
          entry.contains { state.files[folder.appending($0.components)] != nil }
        }
      }
      guard isComplete, let known = state.files[path] else { return }
      state.files[path]?.next = min(known.next, now + settling.settle)
    }
  }
}

extension Inbox.State {
  /// Remembers which companions a file takes with it.
  mutating func knowPartners(of path: FilePath) {
    if companions.isEmpty { return }
    let folder = path.removingLastComponent()
    for wanted in companions.wanted(by: path) {
      for name in wanted.names.joined() { sources[folder.appending(name.components)] = path }
    }
  }
}
