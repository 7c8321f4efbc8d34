internal import Files
internal import Glibc
internal import Pipelines
internal import SystemPackage

extension Claims {
  private func needsCopy(_ content: GatheredFolder, _ arrival: Arrival) -> Bool {
    arrival.completeness != .lease || content.status.needsCopy
      || content.members.contains { $0.status.needsCopy }
  }

  /// Hashes the files of a claimed folder, after copying them where needed.
  ///
  /// - Returns: nil when one of them changed meanwhile.
  func secureFolder(_ claim: Claim) throws(FileError) -> ClaimedFile? {
    let place = try holder(claim.job).folder(FilePath(claim.job))
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
    guard let after = try? inbox.gather(original),
      GatheredFolder.isSame(after.members, before.members)
    else { return nil }
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
    let place = try holder(job).folder(FilePath(job))
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
