package import Files
internal import Glibc
package import Pipelines
internal import PluginKit
package import SystemPackage

/// What became of a try to take a file.
package enum ClaimResult: Sendable {
  case claimed(Claim)
  /// Not yet, or not at all; the inbox remembers why and when to look again.
  case waits(WaitReason)
  case gone
}

/// A file that was renamed out of the inbox, not hashed yet.
package struct Claim: Sendable {
  package var job: String
  package var arrival: Arrival
  /// Whether the job must work on a private copy, because somebody could still write to the
  /// original, or the disk did not take it.
  package var needsCopy: Bool
  /// What the disk said when it was to keep the original; nil where it keeps it.
  package var syncFailure: FileError?

  package init(job: String, arrival: Arrival, needsCopy: Bool, syncFailure: FileError? = nil) {
    self.job = job
    self.arrival = arrival
    self.needsCopy = needsCopy || !arrival.isSynced
    self.syncFailure = syncFailure
  }
}

/// Takes files out of the inbox: `claimed/JOB/` holds `arrival.json`, the renamed `source`, and a
/// `copy` where the job needs one.
package struct Claims: Sendable {
  package static let sourceName = FilePath("source")
  package static let copyName = FilePath("copy")
  /// A folder that was let go.
  static let goneName = FilePath("gone")
  static let arrivalName = FilePath("arrival.json")

  package let inbox: Inbox
  /// On the mount of the inbox.
  package let folder: Folder
  /// Where claims of earlier starts may stand, when the inbox lay on another mount.
  private let former: [Folder]

  package init(inbox: Inbox, folder: Folder, former: [Folder] = []) {
    self.inbox = inbox
    self.folder = folder
    self.former = former
  }

  /// The folder that the claim of a job stands in.
  package func holder(_ job: String) throws(FileError) -> Folder {
    let name = FilePath(job)
    guard !former.isEmpty, try !folder.exists(name) else { return folder }
    for other in former where try other.exists(name) { return other }
    return folder
  }

  /// Whether somebody has written to a file since it was read; not known of what is no single file.
  package func wasWritten(_ file: ClaimedFile) throws(FileError) -> Bool {
    guard let modified = file.modified,
      let status = try holder(file.job).folder(FilePath(file.job)).status(Self.sourceName)
    else { return false }
    return status.size != file.bytes || status.modified.nanosecondsSince1970 != modified
  }

  /// All folders of claims.
  package var folders: [Folder] { [folder] + former }

  /// Hashes what the job works on, after copying it where needed. May be called again: a copy is
  /// made anew.
  ///
  /// - Returns: nil when the original changed meanwhile: it is still being written.
  package func secure(_ claim: Claim) throws(FileError) -> ClaimedFile? {
    guard !claim.arrival.isHeldInFolder else { return try secureFolder(claim) }
    let place = try holder(claim.job).folder(FilePath(claim.job))
    let original = try place.reading(Self.sourceName)
    let before = try original.status()
    var digest: ContentDigest
    if claim.needsCopy {
      try place.remove(Self.copyName)
      let copy = try place.creating(Self.copyName)
      digest = try original.copy(to: copy)
      // It is what the archive keeps: who might read the original may read it.
      _ = copy.setGroup(before.group)
      try copy.setMode(before.mode & 0o777 | 0o600)
      try copy.setModified(before.modified)
      try copy.sync()
      try place.sync()
    } else {
      digest = try original.digest()
    }
    let after = try original.status()
    guard after.isSameContent(as: before), digest.bytes == before.size else { return nil }
    let name = claim.needsCopy ? Self.copyName : Self.sourceName
    return ClaimedFile(
      job: claim.job, arrival: claim.arrival, source: place.path.appending(name.components),
      isCopy: claim.needsCopy, bytes: digest.bytes, sha256: digest.sha256,
      modified: before.modified.nanosecondsSince1970)
  }

  /// Moves a claimed original back to where it came from. Where something new stands under its
  /// name, it comes back as a version of its own.
  package func giveBack(job: String, _ arrival: Arrival) throws(FileError) {
    let place = try holder(job).folder(FilePath(job))
    let root = try inbox.root()
    let parent = try root.makeFolders(arrival.folder)
    try place.removeTree(Self.copyName)
    guard arrival.companions.isEmpty else {
      return try giveBackTogether(job: job, arrival, from: place, to: parent)
    }
    var name = arrival.name
    for attempt in 0..<3 {
      switch try place.rename(Self.sourceName, to: parent, as: name) {
      case .taken:
        name = FilePath(
          name: versionName(arrival.name, job: attempt == 0 ? job : "\(job)-\(attempt)"))
        continue
      case .done, .missing, .otherMount: break
      }
      break
    }
    try parent.sync()
    try place.sync()
    // Where every name was taken it stays, with its note, for the next start.
    guard try !place.exists(Self.sourceName) else { return }
    try clear(job: job)
  }

  func versionName(_ name: FilePath, job: String) -> FilePath.Component {
    let (whole, ending) = name.stemAndEnding
    let version = Array("~\(job)".utf8)
    var stem = whole.prefix(max(0, 255 - version.count - ending.count))
    // Not inside a character: its continuation bytes (10xxxxxx) go with its start.
    if stem.count < whole.count {
      while let last = stem.popLast(), last & 0xC0 == 0x80 {}
    }
    return FilePath(bytes: stem + version + ending).lastComponent ?? "version"
  }

  /// Lets the original of a copied claim go once the copy has been archived: removes it, or, where
  /// somebody has written to it since, gives it back as a new arrival.
  package func letGo(job: String) throws(FileError) {
    let name = FilePath(job), folder = try holder(job)
    guard try folder.exists(name) else { return }
    let place = try folder.folder(name)
    guard let status = try place.status(Self.sourceName) else { return }
    // Without its note nobody knows where it came from: it stays, and holds up nothing.
    guard let arrival = try note(in: place) else { return }
    // Between the look and the removal nobody opens it for writing; who had it open before may write still.
    let original = status.kind == .regular ? try place.reading(Self.sourceName) : nil
    let lease = original?.takeLease()
    defer { if lease == .held { original?.dropLease() } }
    let now = try contentStatus(arrival, in: place) ?? status
    let unchanged =
      now.size == arrival.size && now.modified.seconds == arrival.modifiedSeconds
      && now.modified.nanoseconds == arrival.modifiedNanoseconds
    if unchanged {
      // Under another name first: of a folder whose removal was cut off, what is left would go back to the
      // inbox.
      if arrival.isHeldInFolder {
        try place.removeTree(Self.goneName)
        _ = try place.rename(Self.sourceName, to: place, as: Self.goneName)
      } else {
        try place.removeTree(Self.sourceName)
      }
      // Before its note goes: a source without one could not be told from one that has a way to go.
      try place.sync()
    } else {
      try giveBack(job: job, arrival)
    }
  }

  /// Removes what is left of a claim once its original has gone where it belongs.
  package func clear(job: String) throws(FileError) {
    let name = FilePath(job), folder = try holder(job)
    guard try folder.exists(name) else { return }
    let place = try folder.folder(name)
    try place.removeTree(Self.copyName)
    try place.removeTree(Self.goneName)
    try place.remove(FilePath("\(Self.arrivalName.string).new"))
    try place.remove(Self.arrivalName)
    try folder.removeEmptyFolder(name)
    try folder.sync()
  }

  // MARK: - Recovery

  /// A claim as the folders show it after a start.
  package enum Found: Sendable {
    case claim(Claim)
    /// The size or time on the disk is not what was claimed: a power cut tore it.
    case torn(Claim)
    /// Not all of what belongs together was moved here.
    case incomplete(Claim)
    /// Only the note of the arrival is there: the file never left the inbox, or has gone on.
    case empty(job: String, Arrival?)
  }

  /// The jobs that have something in the folder of claims, in their order.
  package func jobs() throws(FileError) -> [String] {
    var jobs: Set<String> = []
    for folder in folders { jobs.formUnion(try folder.names().map(\.string)) }
    return jobs.sorted()
  }

  /// Whether the note of what arrived can be read.
  package func hasNote(_ job: String) -> Bool {
    ((try? note(in: holder(job).folder(FilePath(job)))) ?? nil) != nil
  }

  private func note(in place: Folder) throws(FileError) -> Arrival? {
    try place.record(Self.arrivalName, limit: 1 << 20, as: Arrival.init)
  }

  /// Returns what stands in the claim of a job, or nil if that is no folder.
  ///
  /// - Parameter recorded: what the ledger knows of the arrival of a file that nothing was decided about. If the note is
  ///   gone or damaged, it is written again from this and from the file as it is.
  /// - Throws: if the note is damaged, and the ledger does not know enough to do without it.
  package func found(_ job: String, recorded: Arrival? = nil) throws(FileError) -> Found? {
    let name = FilePath(job), folder = try holder(job)
    guard try folder.status(name)?.kind == .folder else { return nil }
    let place = try folder.folder(name)
    guard let source = try place.status(Self.sourceName) else {
      return .empty(job: job, (try? note(in: place)) ?? nil)
    }
    let arrival: Arrival?
    do throws(FileError) { arrival = try note(in: place) } catch {
      guard source.kind == .regular, recorded != nil else { throw error }
      arrival = nil
    }
    if source.kind == .folder {
      // The ledger does not know which of its files came with another.
      if arrival == nil, recorded != nil {
        throw FileError(
          "read", place.path.appending(Self.arrivalName.components), .noSuchFileOrDirectory)
      }
      return try foundFolder(source, job: job, arrival)
    }
    // A file without a note that the ledger does not know either can only be one that was put here by hand.
    let known =
      arrival
      ?? Arrival(
        path: recorded?.path ?? name, device: source.device, inode: source.inode, size: source.size,
        modifiedSeconds: source.modified.seconds,
        modifiedNanoseconds: source.modified.nanoseconds,
        arrived: recorded?.arrived ?? source.modified.milliseconds, completeness: .quiet)
    if arrival == nil, recorded != nil {
      try place.writeDurably(known.json.text, as: Self.arrivalName)
    }
    try unlinkTwin(of: source, known.path)
    let claim = Claim(
      job: job, arrival: known,
      needsCopy: known.completeness == .quiet || source.needsCopy)
    let whole =
      source.size == known.size && source.modified.seconds == known.modifiedSeconds
      && source.modified.nanoseconds == known.modifiedNanoseconds
    return whole || known.completeness == .quiet ? .claim(claim) : .torn(claim)
  }

  /// A crash between link and unlink leaves one file in two places: it is one.
  func unlinkTwin(of source: FileStatus, _ path: FilePath) throws(FileError) {
    guard source.links > 1, let root = try? inbox.root(), let last = path.lastComponent,
      let parent = try? root.folder(path.removingLastComponent(), .guarded),
      let twin = try parent.status(FilePath(name: last)), twin.isSameFile(as: source)
    else { return }
    try parent.remove(FilePath(name: last))
    try parent.sync()
  }
}
