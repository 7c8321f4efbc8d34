internal import Files
internal import Glibc
internal import Pipelines
internal import SystemPackage

extension Claims {
  /// Whether nobody writes to the files of a folder any more, held so by leases.
  struct Guard {
    var files: [OpenFile] = []
    /// How the files were found complete.
    var completeness = Arrival.Completeness.lease

    func stillHolds() -> Bool { completeness == .quiet || files.allSatisfy { $0.holdsLease() } }

    func drop() {
      for file in files { file.dropLease() }
    }
  }

  /// Tries to take a folder whose files are one document: by one rename, like a file.
  ///
  /// - Parameter now: milliseconds since 1970.
  /// - Throws: where the spool cannot be written; the folder then stands untouched in the inbox.
  func takeFolder(
    _ path: FilePath, _ known: Inbox.Known, at now: Int64
  ) throws(FileError) -> ClaimResult {
    guard let last = path.lastComponent else { return .gone }
    var look = Look(inbox: inbox, path: path, known: known, now: now)
    let parent: Folder
    let gathered: Folder
    do throws(FileError) {
      parent = try inbox.root().folder(path.removingLastComponent(), .guarded)
      gathered = try parent.folder(FilePath(name: last), .guarded)
    } catch { return look.notOpened(error) }
    let content: GatheredFolder
    do throws(GatheredFolder.Obstacle) { content = try inbox.gather(gathered) } catch {
      switch error {
      case .empty: return look.gone()
      case .notOnlyFiles(let name): return look.blocked(.notOnlyFiles(name))
      case .file(let error):
        return look.blocked(error.errno == .permissionDenied ? .unreadable : .failed("\(error)"))
      }
    }
    look.known.memory.look(content.status, at: now)
    let quiet = inbox.settling.quietFrom(look.known.memory)
    guard quiet <= now else { return look.wait(.settling, until: quiet) }

    let held: Guard
    switch try hold(content.members.map(\.name), in: gathered) {
    case .writer: return look.wait(.beingWritten, until: now + inbox.settling.settle)
    case .unreadable: return look.blocked(.unreadable)
    case .changed: return look.changed()
    case .held(let all): held = all
    }
    defer { held.drop() }
    if held.completeness == .quiet {
      look.known.memory.unleasedSince = look.known.memory.unleasedSince ?? now
      let quiet = inbox.settling.quietUnleasedFrom(look.known.memory)
      guard quiet <= now else { return look.wait(.settlingUnleased, until: quiet) }
    }
    let synced = look.sync(held.files)
    if synced.failure?.errno == .readOnlyFileSystem { return look.blocked(.notRenamable) }
    do throws(FileError) { try gathered.sync() } catch {
      guard error.errno == .readOnlyFileSystem else { throw error }
      return look.blocked(.notRenamable)
    }

    let arrival = Arrival(
      path: path, device: content.status.device, inode: content.status.inode,
      size: content.status.size, modifiedSeconds: content.status.modified.seconds,
      modifiedNanoseconds: content.status.modified.nanoseconds, arrived: now,
      completeness: held.completeness, isFolder: true, isSynced: synced.isDone)
    let job = JobIdentifiers.make(at: now)
    let claimed: Folder
    switch try move(FilePath(name: last), of: parent, into: job, arrival) {
    case .moved(let folder): claimed = folder
    case .gone: return look.gone()
    case .blocked(let reason): return look.blocked(reason)
    }
    // Something may have been added or swapped before the rename, and a file that was open for writing
    // breaks its lease.
    let moved = try? inbox.gather(claimed.folder(Self.sourceName))
    try makeDurable(claimed, parent, job, arrival)
    guard let moved, moved.isSame(as: content), held.stillHolds() else {
      try giveBack(job: job, arrival)
      return look.gone()
    }
    inbox.forget(path)
    return .claimed(
      Claim(
        job: job, arrival: arrival, needsCopy: needsCopy(content, arrival),
        syncFailure: synced.failure))
  }

  enum Held {
    case held(Guard)
    case writer
    case unreadable
    case changed
  }

  /// Opens files and takes leases on all of them.
  func hold(_ names: [FilePath], in folder: Folder) throws(FileError) -> Held {
    var held = Guard()
    let trusted = EventSafety.isSafe(folder.fileSystemType())
    for name in names {
      let file: OpenFile
      do throws(FileError) { file = try folder.reading(name, .guarded) } catch {
        held.drop()
        return error.errno == .permissionDenied ? .unreadable : .changed
      }
      held.files.append(file)
      guard trusted else {
        held.completeness = .quiet
        continue
      }
      switch file.takeLease() {
      case .held: break
      case .unavailable: held.completeness = .quiet
      case .writerPresent:
        held.drop()
        return .writer
      }
    }
    return .held(held)
  }

  func needsCopy(_ content: GatheredFolder, _ arrival: Arrival) -> Bool {
    arrival.completeness != .lease || content.status.mayBeWrittenByOthers
      || content.members.contains { $0.status.mayBeWrittenByOthers }
  }

  /// Hashes the files of a claimed folder, after copying them where needed.
  ///
  /// - Returns: nil when one of them changed meanwhile.
  func secureFolder(_ claim: Claim) throws(FileError) -> ClaimedFile? {
    let place = try folder.folder(FilePath(claim.job))
    let original = try place.folder(Self.sourceName)
    guard let before = try? inbox.gather(original) else { return nil }
    var target: Folder?
    if claim.needsCopy {
      try place.removeTree(Self.copyName)
      try place.makeFolder(Self.copyName, mode: 0o700)
      target = try place.folder(Self.copyName)
    }
    var members: [ClaimedFile.Member] = []
    var listing: [UInt8] = []
    for member in before.members {
      let file = try original.reading(member.name)
      var digest: ContentDigest
      if let target {
        let copy = try target.creating(member.name)
        digest = try file.copy(to: copy)
        // It is what the archive keeps: who might read the original may read it.
        _ = copy.setGroup(member.status.group)
        try copy.setMode(member.status.mode & 0o777 | 0o600)
        try copy.setModified(member.status.modified)
        try copy.sync()
      } else {
        digest = try file.digest()
      }
      guard digest.bytes == member.status.size else { return nil }
      members.append(
        ClaimedFile.Member(
          name: member.name, source: (target ?? original).path.appending(member.name.components),
          bytes: digest.bytes, sha256: digest.sha256))
      // Names count too: they are the order of the pages.
      listing += member.name.bytes + [0] + Array(digest.sha256.utf8) + [0x0A]
    }
    if let target {
      let own = try place.reading(Self.copyName)
      _ = own.setGroup(before.status.group)
      try own.setMode(before.status.mode & 0o777 | 0o700)
      try target.sync()
      try place.sync()
    }
    guard let after = try? inbox.gather(original), after.isSame(as: before) else { return nil }
    if !claim.arrival.companions.isEmpty { return paired(claim, members) }
    return ClaimedFile(
      job: claim.job, arrival: claim.arrival,
      source: place.path.appending((claim.needsCopy ? Self.copyName : Self.sourceName).components),
      isCopy: claim.needsCopy, bytes: members.reduce(0) { $0 + $1.bytes },
      sha256: sha256(listing), members: members)
  }

  /// A folder that was found among the claims after a start, as it stands now.
  func foundFolder(
    _ source: FileStatus, job: String, _ arrival: Arrival?
  ) throws(FileError) -> Found {
    let place = try folder.folder(FilePath(job))
    let content = try? inbox.gather(place.folder(Self.sourceName))
    let status = content?.status ?? source
    let known =
      arrival
      ?? Arrival(
        path: FilePath(job), device: status.device, inode: status.inode, size: status.size,
        modifiedSeconds: status.modified.seconds, modifiedNanoseconds: status.modified.nanoseconds,
        arrived: status.modified.milliseconds, completeness: .quiet, isFolder: true)
    let copies = content.map { needsCopy($0, known) } ?? true
    let claim = Claim(job: job, arrival: known, needsCopy: copies)
    if !known.companions.isEmpty, try !isComplete(known, in: place) { return .incomplete(claim) }
    // The folder's own time moves with what is renamed in it, so the files' sizes are what counts.
    let whole = content.map { $0.status.size == known.size } ?? false
    return whole || known.completeness == .quiet ? .claim(claim) : .torn(claim)
  }
}
