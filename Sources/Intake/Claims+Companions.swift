internal import Files
internal import Glibc
internal import Pipelines
internal import SystemPackage

// A file and what came with it are taken into one folder of ours, `claimed/JOB/source/`, and stay together
// from then on: one rename archives them.
extension Claims {
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
