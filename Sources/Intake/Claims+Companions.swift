internal import Files
internal import Glibc
internal import Pipelines
internal import SystemPackage

// A file and what came with it are taken into one folder of ours, `claimed/JOB/source/`, and stay together
// from then on: one rename archives them.
extension Claims {
  /// Tries to take a file together with others of its folder.
  ///
  /// - Parameters:
  ///   - path: that of the file that the others came with.
  ///   - parent: the folder that they lie in.
  ///   - now: milliseconds since 1970.
  /// - Throws: where the spool cannot be written; the files then stand in the inbox.
  func takeTogether(
    _ path: FilePath, with companions: [FilePath], _ known: Inbox.Known, in parent: Folder,
    at now: Int64
  ) throws(FileError) -> ClaimResult {
    var look = Look(inbox: inbox, path: path, known: known, now: now)

    let name = path.lastComponent.map { FilePath(name: $0) } ?? path
    let names = [name] + companions
    var members: [GatheredFolder.Member] = [], lastChange = look.known.memory.lastChange
    for name in names {
      guard let status = try parent.status(name), status.kind == .regular else {
        return look.changed()
      }
      let seen = inbox.known(path.removingLastComponent().appending(name.components))?.memory
      var memory = seen ?? Settling.Memory(status, at: now)
      memory.look(status, at: now)
      lastChange = max(lastChange, memory.lastChange)
      members.append(GatheredFolder.Member(name: name, status: status))
    }
    let quiet = lastChange + inbox.settling.settle
    guard quiet <= now else { return look.wait(.settling, until: quiet) }

    let held: Guard
    switch try hold(names, in: parent) {
    case .writer: return look.wait(.beingWritten, until: now + inbox.settling.settle)
    case .unreadable: return look.blocked(.unreadable)
    case .changed: return look.changed()
    case .held(let all): held = all
    }
    defer { held.drop() }
    if held.completeness == .quiet {
      let since = look.known.memory.unleasedSince ?? now
      look.known.memory.unleasedSince = since
      let quiet = max(since, lastChange) + inbox.settling.settleUnleased
      guard quiet <= now else { return look.wait(.settlingUnleased, until: quiet) }
    }
    let synced = look.sync(held.files)
    if synced.failure?.errno == .readOnlyFileSystem { return look.blocked(.notRenamable) }

    let newest = members.map(\.status.modified).max() ?? members[0].status.modified
    let arrival = Arrival(
      path: path, device: members[0].status.device, inode: members[0].status.inode,
      size: members.reduce(0) { $0 + $1.status.size }, modifiedSeconds: newest.seconds,
      modifiedNanoseconds: newest.nanoseconds, arrived: now, completeness: held.completeness,
      companions: companions, isSynced: synced.isDone)
    let job = JobIdentifiers.make(at: now)
    switch try moveTogether(members, of: parent, into: job, arrival) {
    case .moved(let claimed): try makeDurable(claimed, parent, job, arrival)
    case .gone: return look.changed()
    case .blocked(let reason): return look.blocked(reason)
    }
    // A writer may have come before the rename, or another file under one of the names.
    let holder = try folder.folder(FilePath(job)).folder(Self.sourceName)
    var isSame = held.stillHolds()
    for member in members {
      let moved = try holder.status(member.name)
      isSame = isSame && moved?.isSameContent(as: member.status) ?? false
    }
    guard isSame else {
      try giveBack(job: job, arrival)
      inbox.forget(path)
      return .gone
    }
    for name in names {
      inbox.forget(path.removingLastComponent().appending(name.components))
    }
    let copies =
      arrival.completeness != .lease
      || members.contains { $0.status.mayBeWrittenByOthers }
    return .claimed(
      Claim(job: job, arrival: arrival, needsCopy: copies, syncFailure: synced.failure))
  }

  /// Renames files into the folder of a claim. The one that the others came with goes last: where it stands
  /// there, all of them do.
  private func moveTogether(
    _ members: [GatheredFolder.Member], of parent: Folder, into job: String, _ arrival: Arrival
  ) throws(FileError) -> Moved {
    let claimed = try makePlace(job, arrival)
    var outcome: Moved?
    do throws(FileError) {
      try claimed.makeFolder(Self.sourceName, mode: 0o700)
      // It goes to the archive: who might look into the folder of the inbox may look into it.
      let own = try claimed.reading(Self.sourceName), status = try parent.status()
      _ = own.setGroup(status.group)
      try own.setMode(status.mode & 0o777 | 0o700)
      let holder = try claimed.folder(Self.sourceName)
      for member in members.dropFirst() + members.prefix(1) where outcome == nil {
        switch try parent.rename(member.name, to: holder, as: member.name) {
        case .done: break
        case .missing, .taken: outcome = .gone
        case .otherMount: outcome = .blocked(.otherMount)
        }
      }
      if outcome == nil {
        try holder.sync()
        return .moved(claimed)
      }
    } catch {
      try giveBack(job: job, arrival)
      switch error.errno {
      case .permissionDenied, .notPermitted, .readOnlyFileSystem: return .blocked(.notRenamable)
      default: throw error
      }
    }
    try giveBack(job: job, arrival)
    return outcome ?? .gone
  }

  /// Moves what was taken together back to where it came from. Where something new stands under one of the
  /// names, all come back as a version of their own, so that they still belong together.
  func giveBackTogether(
    job: String, _ arrival: Arrival, from place: Folder, to parent: Folder
  ) throws(FileError) {
    guard try place.status(Self.sourceName)?.kind == .folder else { return try clear(job: job) }
    let holder = try place.folder(Self.sourceName)
    var versions: [String?] = [nil, job, "\(job)-1", "\(job)-2"]
    while let version = versions.first {
      versions.removeFirst()
      var left: [FilePath] = [], isFree = true
      for name in arrival.companions + [arrival.name] where try holder.exists(name) {
        left.append(name)
        if try parent.exists(versioned(name, of: arrival, version)) { isFree = false }
      }
      if left.isEmpty { break }
      // Some may have gone back before a crash; after the last version it no longer matters.
      guard isFree || versions.isEmpty else { continue }
      for name in left {
        _ = try holder.rename(name, to: parent, as: versioned(name, of: arrival, version))
      }
    }
    try parent.sync()
    try holder.sync()
    // Where every name was taken they stay, with their note, for the next start.
    guard try place.removeEmptyFolder(Self.sourceName) else { return }
    try place.sync()
    try clear(job: job)
  }

  /// The name of one of them with a version: all have it behind the name that they share.
  private func versioned(_ name: FilePath, of arrival: Arrival, _ version: String?) -> FilePath {
    guard let version else { return name }
    let stem = arrival.name.stemAndSuffix.stem, bytes = name.bytes
    let added = Array("~\(version)".utf8), rest = bytes.dropFirst(stem.count)
    guard bytes.starts(with: stem), bytes.count + added.count <= 255 else {
      return FilePath(name: versionName(name, job: version))
    }
    return FilePath(bytes: stem + added + rest)
  }

  /// The state of what was claimed, to be held against its arrival: of a folder that was claimed with its
  /// own times, of files that were taken together without those of the folder that holds them.
  func contentStatus(_ arrival: Arrival, in place: Folder) throws(FileError) -> FileStatus? {
    guard !arrival.companions.isEmpty else {
      guard arrival.isFolder else { return try place.status(Self.sourceName) }
      return (try? inbox.gather(place.folder(Self.sourceName)))?.status
    }
    guard try place.status(Self.sourceName)?.kind == .folder else { return nil }
    let holder = try place.folder(Self.sourceName)
    var whole: FileStatus?
    for name in arrival.companions + [arrival.name] {
      guard var status = try holder.status(name) else { return nil }
      status.size += whole?.size ?? 0
      status.modified = max(status.modified, whole?.modified ?? status.modified)
      whole = status
    }
    return whole
  }

  /// Whether all of what was taken together stands in a claim; what stands in the inbox too is one file.
  func isComplete(_ arrival: Arrival, in place: Folder) throws(FileError) -> Bool {
    let holder = try place.folder(Self.sourceName)
    var isComplete = true
    for name in arrival.companions + [arrival.name] {
      guard let status = try holder.status(name) else {
        isComplete = false
        continue
      }
      // Of each, also where another is missing: what goes back would stand twice, under two names.
      try unlinkTwin(of: status, arrival.folder.appending(name.components))
    }
    return isComplete
  }

  /// What was taken together, after it was hashed.
  func paired(_ claim: Claim, _ members: [ClaimedFile.Member]) -> ClaimedFile? {
    guard let file = members.first(where: { $0.name == claim.arrival.name }) else { return nil }
    let companions = claim.arrival.companions.compactMap { name in
      members.first { $0.name == name }
    }
    guard companions.count == claim.arrival.companions.count else { return nil }
    let listing = ([file] + companions).map(\.sha256).joined(separator: "\n")
    return ClaimedFile(
      job: claim.job, arrival: claim.arrival, source: file.source, isCopy: claim.needsCopy,
      bytes: file.bytes, sha256: file.sha256, companions: companions,
      identity: sha256(Array(listing.utf8)))
  }
}
