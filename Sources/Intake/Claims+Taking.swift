package import Files
internal import Glibc
internal import Pipelines
internal import PluginKit
package import SystemPackage

extension Claims {
  /// Tries to take a file, with what came with it, or a folder that is one document.
  ///
  /// - Parameters:
  ///   - now: milliseconds since 1970.
  ///   - job: the identifier that it gets; one of now where it is left out.
  /// - Throws: where the spool cannot be written; all of it then stands untouched in the inbox.
  package func take(
    _ path: FilePath, at now: Int64, job: String? = nil
  ) throws(FileError) -> ClaimResult {
    guard let known = inbox.known(path), let last = path.lastComponent else { return .gone }
    var check = IntakeCheck(inbox: inbox, path: path, known: known, now: now)
    var candidate: Candidate
    switch seen(FilePath(name: last), check) {
    case .ends(let result): return result
    case .goesOn(let seen): candidate = seen
    }
    check.known.memory.look(candidate.status, at: now)
    var lastChange = check.known.memory.lastChange
    guard lastChange + inbox.settling.quiet(of: candidate.status) <= now else {
      return check.settles(since: lastChange)
    }
    if candidate.kind == .folder, candidate.members.count < inbox.leastFiles(of: path) {
      let until = lastChange + Settling.longestForBacks
      if until > now { return check.wait(.lacksBacks, until: until) }
    }

    switch try together(candidate, check, &lastChange) {
    case .ends(let result): return result
    case .goesOn(let all): candidate = all
    }
    let held: Guard
    switch hold(candidate, check) {
    case .ends(let result): return result
    case .goesOn(let all): held = all
    }
    defer { held.drop() }
    if held.completeness == .quiet {
      check.known.memory.unleasedSince = check.known.memory.unleasedSince ?? now
      let quiet = inbox.settling.quietUnleasedFrom(check.known.memory, change: lastChange)
      guard quiet <= now else { return check.wait(.settlingUnleased, until: quiet) }
    }
    let until = inbox.settling.endMarkUntil(change: lastChange, held.completeness)
    if until > now, try !held.hasEnds() {
      // The rest may come at any moment.
      return check.waitForWriter(
        .lacksEnd, isReported: inbox.reportsClosing(of: candidate), until: until)
    }
    // The producer may never have synced; what is claimed must not come back empty after a power cut.
    let synced = check.sync(held.files)
    if synced.failure?.errno == .readOnlyFileSystem { return check.blocked(.notRenamable) }
    if candidate.kind == .folder {
      do throws(FileError) { try candidate.holder.sync() } catch {
        guard error.errno == .readOnlyFileSystem else { throw error }
        return check.blocked(.notRenamable)
      }
    }

    let arrival = Arrival(
      path: path, device: candidate.status.device, inode: candidate.status.inode,
      size: candidate.status.size, modifiedSeconds: candidate.status.modified.seconds,
      modifiedNanoseconds: candidate.status.modified.nanoseconds, arrived: now,
      completeness: held.completeness, isFolder: candidate.kind == .folder,
      companions: candidate.companions, isSynced: synced.isDone)
    let job = job ?? JobIdentifiers.make(at: now)
    let claimed: Folder
    switch try move(candidate, into: job, arrival) {
    case .moved(let folder): claimed = folder
    case .gone: return candidate.kind == .set ? check.changed() : check.gone()
    case .blocked(let reason): return check.blocked(reason)
    }
    let isSame = try made(candidate, durableIn: claimed, job, arrival)
    // The rename does not stop a writer.
    guard isSame, held.stillHolds() else {
      try giveBack(job: job, arrival)
      return check.gone()
    }
    inbox.forget(path)
    for name in candidate.companions {
      inbox.forget(path.removingLastComponent().appending(name.components))
    }
    return .claimed(
      Claim(
        job: job, arrival: arrival,
        needsCopy: held.completeness != .lease || candidate.needsCopy,
        syncFailure: synced.failure))
  }

  /// A look that goes on, or how it ends.
  private enum Course<Value> {
    case goesOn(Value)
    case ends(ClaimResult)
  }

  private func seen(_ name: FilePath, _ check: IntakeCheck) -> Course<Candidate> {
    do throws(FileError) {
      let parent = try inbox.root().folder(check.path.removingLastComponent(), .guarded)
      guard check.known.memory.status.kind == .folder else {
        guard let status = try parent.status(name), status.kind == .regular else {
          return .ends(check.gone())
        }
        return .goesOn(Candidate(file: name, status, in: parent))
      }
      let folder = try parent.folder(name, .guarded)
      do throws(GatheredFolder.Obstacle) {
        return .goesOn(
          Candidate(folder: name, folder, try inbox.gather(folder), in: parent))
      } catch {
        return .ends(error.reason.map(check.blocked) ?? check.gone())
      }
    } catch { return .ends(check.notOpened(error)) }
  }

  /// What was looked at with what is to come with it.
  ///
  /// - Parameter change: the latest one, of all of them afterwards.
  private func together(
    _ candidate: Candidate, _ check: IntakeCheck, _ change: inout Int64
  ) throws(FileError) -> Course<Candidate> {
    guard candidate.kind == .file else { return .goesOn(candidate) }
    let path = check.path, now = check.now
    switch try inbox.pairing(of: path, check.known, in: candidate.parent, at: now) {
    case .alone: return .goesOn(candidate)
    case .waits(let reason, let until):
      defer { inbox.lookAgainWherePaired(path, at: now) }
      return .ends(check.wait(reason, until: until))
    case .with(let names):
      var companions: [GatheredFolder.Member] = []
      for name in names {
        guard let status = try candidate.parent.status(name), status.kind == .regular else {
          return .ends(check.changed())
        }
        let seen = inbox.known(path.removingLastComponent().appending(name.components))?.memory
        var memory = seen ?? Settling.Memory(status, at: now)
        memory.look(status, at: now)
        change = max(change, memory.lastChange)
        companions.append(GatheredFolder.Member(name: name, status: status))
      }
      let isQuiet = change + inbox.settling.settle <= now
      return isQuiet
        ? .goesOn(Candidate(candidate, with: companions)) : .ends(check.settles(since: change))
    }
  }

  /// Whether nobody writes to files any more, held so by leases.
  private struct Guard {
    var files: [OpenFile] = []
    /// How the files were found complete.
    var completeness = Arrival.Completeness.lease

    /// Whether none of the files seems cut off. One that comes with others may be empty: it may just say that they are
    /// complete.
    func hasEnds() throws(FileError) -> Bool {
      for file in files {
        let size = try file.status().size
        if size == 0, files.count > 1 { continue }
        if try EndMark.stands(in: file, size: size) == false { return false }
      }
      return true
    }

    func stillHolds() -> Bool { completeness == .quiet || files.allSatisfy { $0.holdsLease() } }

    func drop() {
      for file in files { file.dropLease() }
    }
  }

  /// Opens the files that were looked at and takes leases on all of them.
  private func hold(_ candidate: Candidate, _ check: IntakeCheck) -> Course<Guard> {
    var held = Guard()
    let trusted = EventSafety.isSafe(candidate.holder.fileSystemType())
    for member in candidate.members {
      do throws(FileError) {
        let file = try candidate.holder.reading(member.name, .guarded)
        held.files.append(file)
        guard try file.status().isSameContent(as: member.status) else {
          held.drop()
          return .ends(check.changed())
        }
        switch trusted ? file.takeLease() : .unavailable {
        case .held: break
        case .unavailable: held.completeness = .quiet
        case .writerPresent:
          held.drop()
          return .ends(
            check.waitForWriter(
              .beingWritten, isReported: inbox.reportsClosing(of: candidate)))
        }
      } catch {
        held.drop()
        return .ends(
          candidate.kind == .file || error.errno == .permissionDenied
            ? check.notOpened(error) : check.changed())
      }
    }
    return .goesOn(held)
  }

  /// Makes the rename of a claim durable. Where that fails it goes back: left among the claims, nobody would look at it
  /// before the next start.
  ///
  /// - Returns: whether what was renamed is what was looked at: something may have been added or swapped before. Its own
  ///   change of ctime is no sign of that.
  private func made(
    _ candidate: Candidate, durableIn claimed: Folder, _ job: String, _ arrival: Arrival
  ) throws(FileError) -> Bool {
    do throws(FileError) {
      try claimed.sync()
      try candidate.parent.sync()
      return try candidate.isSame(claimed, inbox)
    } catch {
      _ = try? giveBack(job: job, arrival)
      throw error
    }
  }

  private enum Moved {
    case moved(Folder)
    case gone
    case blocked(WaitReason)
  }

  /// Renames what was looked at into a claim of its own, whose note of the arrival is durable before. Files that are
  /// taken together go into a folder, `claimed/JOB/source/`, the one that the others came with last: where it stands
  /// there, all of them do.
  private func move(
    _ candidate: Candidate, into job: String, _ arrival: Arrival
  ) throws(FileError) -> Moved {
    let claimed = try makePlace(job, arrival), parent = candidate.parent
    func undo() throws(FileError) {
      if candidate.kind == .set { try giveBack(job: job, arrival) } else { undoPlace(job) }
    }
    var outcome: Moved?
    do throws(FileError) {
      var (target, name): (Folder, FilePath?) = (claimed, Self.sourceName)
      var moving = [candidate.name]
      if candidate.kind == .set {
        try claimed.makeFolder(Self.sourceName, mode: 0o700)
        // It goes to the archive: who might look into the folder of the inbox may look into it.
        let own = try claimed.reading(Self.sourceName), status = try parent.status()
        _ = own.setGroup(status.group)
        try own.setMode(status.mode & 0o777 | 0o700)
        (target, name) = (try claimed.folder(Self.sourceName), nil)
        moving = candidate.companions + moving
      }
      for moved in moving where outcome == nil {
        switch try parent.rename(moved, to: target, as: name ?? moved) {
        case .done: break
        case .missing, .taken: outcome = .gone
        case .otherMount: outcome = .blocked(.otherMount)
        }
      }
      if outcome == nil {
        if candidate.kind == .set { try target.sync() }
        return .moved(claimed)
      }
    } catch {
      switch error.errno {
      case .permissionDenied, .notPermitted, .readOnlyFileSystem: outcome = .blocked(.notRenamable)
      default:
        try undo()
        throw error
      }
    }
    try undo()
    return outcome ?? .gone
  }

  /// Makes the folder of a claim, with the note of what arrives in it durable.
  private func makePlace(_ job: String, _ arrival: Arrival) throws(FileError) -> Folder {
    try folder.makeFolder(FilePath(job), mode: 0o700)
    do throws(FileError) {
      let claimed = try folder.folder(FilePath(job))
      try claimed.writeDurably(arrival.json.text, as: Self.arrivalName)
      return claimed
    } catch {
      undoPlace(job)
      throw error
    }
  }

  /// Removes the folder of a claim that came to nothing. What cannot be undone is cleared at the next
  /// start.
  private func undoPlace(_ job: String) {
    let place = FilePath(job)
    _ = try? folder.folder(place).remove(FilePath("\(Self.arrivalName.string).new"))
    _ = try? folder.folder(place).remove(Self.arrivalName)
    _ = try? folder.removeEmptyFolder(place)
  }
}
