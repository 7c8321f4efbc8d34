internal import Files
internal import Finding
internal import Intake
package import JobLedger
internal import Outbox
internal import Pipelines
internal import PluginKit
package import SystemPackage

/// Deletes documents and restores them.
///
/// Deleting renames each file of a document (results, original, reports and notes) into `.procd/deleted/JOB` of its
/// outbox, archive or quarantine. `RetentionService` removes it after the time `keepDeleted`. A file that was changed
/// since procd wrote it is not moved.
package struct Deletion: Sendable {
  private let active: ActiveConfiguration
  private let ledger: Ledger
  private static let folderName: FilePath = "deleted"

  package init(_ active: ActiveConfiguration, _ ledger: Ledger) {
    (self.active, self.ledger) = (active, ledger)
  }

  /// Why a document was not deleted or not brought back, or not all of it; a sentence without a full stop.
  package struct Refusal: Error, Sendable {
    package var reason: String
    package init(reason: String) { self.reason = reason }
  }

  /// Deletes a document.
  ///
  /// - Parameter now: milliseconds since 1970.
  /// - Returns: the files that were changed or cannot be moved, which stay.
  package func delete(_ row: JobRow, at now: Int64) async throws -> [FilePath] {
    var standing: [(file: StoredFile, folder: Folder, name: FilePath)] = [], stays: [FilePath] = []
    for file in try files(of: row) {
      guard let (folder, name) = try place(of: file) else { continue }
      if try isOurs(file, name, in: folder, row) {
        standing.append((file, folder, name))
      } else {
        stays.append(file.path)
      }
    }
    guard !standing.isEmpty else {
      throw Refusal(reason: "nothing of it is where procd put it")
    }
    let targets = try standing.map { file, _, _ in
      try Folder.open(active.folder(file.place)).makeOwn()
        .makeFolders(Self.path(of: file, job: row.id), mode: 0o700)
    }
    // Before anything moves: whatever happens in between, it can be deleted again or brought back.
    try await ledger.letGo(jobs: [row.id], at: now)
    for ((file, folder, name), target) in zip(standing, targets) {
      switch try folder.rename(name, to: target, as: name) {
      case .done:
        try target.sync()
        try folder.sync()
      case .missing: break
      case .taken, .otherMount: stays.append(file.path)
      }
    }
    return stays
  }

  /// Restores a deleted document.
  package func restore(_ row: JobRow) async throws {
    let lock = try await lockOfDeletion()
    defer { withExtendedLifetime(lock) {} }
    guard try Self.isDeleted(row, in: active) else {
      throw Refusal(reason: "it is not among the deleted documents")
    }
    var stays: [String] = []
    for file in try files(of: row) {
      let root = try Folder.open(active.folder(file.place))
      guard let last = file.path.lastComponent, let own = try root.own(),
        let folder = try own.standing(Self.path(of: file, job: row.id)),
        try folder.exists(FilePath(name: last))
      else { continue }
      let target = try root.makeFolders(file.path.removingLastComponent())
      switch try folder.rename(FilePath(name: last), to: target, as: FilePath(name: last)) {
      case .done:
        try target.sync()
        try folder.sync()
      case .missing: break
      case .taken:
        stays.append("\(file.path.printable) is there again, so the deleted one stays deleted")
      case .otherMount: stays.append("\(file.path.printable) lies on another mount")
      }
    }
    // Folders with a file in them stay: the configuration may name another folder than when it was deleted.
    for folder in try Self.folders(of: active) where try !folder.removeEmptyTree(FilePath(row.id)) {
      stays.append("some of its files stay in \(folder.path.appending(row.id).printable)")
    }
    guard stays.isEmpty else { throw Refusal(reason: stays.joined(separator: "; ")) }
    try await ledger.takenBack(jobs: [row.id])
    try forgetText(of: row)
  }

  /// The folders with deleted documents in outbox, archive and quarantine.
  private static func folders(of active: ActiveConfiguration) throws -> [Folder] {
    try Place.allCases.compactMap { place in
      try Folder.standing(active.folder(place))?.own()?.standing(folderName)
    }
  }

  /// Whether a document was deleted and can be brought back.
  package static func isDeleted(_ row: JobRow, in active: ActiveConfiguration) throws -> Bool {
    guard row.letGo != nil else { return false }
    return try folders(of: active).contains { try $0.exists(FilePath(row.id)) }
  }

  /// The deleted documents that can be brought back, the last deleted first.
  package static func deleted(
    in active: ActiveConfiguration, _ reader: LedgerReader
  ) throws -> [JobRow] {
    let jobs = Set(try folders(of: active).flatMap { try $0.names().map(\.string) })
    return try jobs.compactMap { try reader.job($0) }.filter { $0.letGo != nil }
      .sorted { ($0.letGo ?? 0, $0.id) > ($1.letGo ?? 0, $1.id) }
  }

  /// Removes deleted documents whose time is over.
  ///
  /// - Parameter time: those that were deleted before it go, milliseconds since 1970.
  /// - Returns: how many went.
  func purge(before time: Int64) throws -> Int {
    // If a document is being restored, the next purge removes what is over.
    let lock = try folderOfLock()
    guard lock.lock() else { return 0 }
    defer { withExtendedLifetime(lock) {} }
    let over = try Self.deleted(in: active, ledger.reader).filter { ($0.letGo ?? .max) < time }
    for folder in try Self.folders(of: active) {
      for row in over { try folder.removeTree(FilePath(row.id)) }
    }
    return over.count
  }

  private func folderOfLock() throws -> Folder {
    try Folder.make(active.spool.appending("deletion"))
  }

  /// Returns the folder whose lock keeps restoring and purging apart, locked.
  private func lockOfDeletion() async throws -> Folder {
    let folder = try folderOfLock()
    for _ in 0..<50 {
      if folder.lock() { return folder }
      try await Task.sleep(for: .milliseconds(100))
    }
    throw Refusal(
      reason: "deleted documents are being removed just now; bring it back in a moment")
  }

  /// Has the text of a restored document indexed again, because the search drops the text of deleted ones.
  private func forgetText(of row: JobRow) throws {
    let store = Indexing.store(of: active)
    guard let name = store.lastComponent, let spool = try Folder.standing(active.spool),
      try spool.exists(FilePath(name: name))
    else { return }
    try FindStore(path: store).remove(jobs: [row.id])
    Spool.ringForRequests(in: active.spool)
  }

  // MARK: - The files of a document

  private struct StoredFile {
    enum Kind { case original, report, result, results, note }
    var kind: Kind
    var place: Place
    /// Relative to the place.
    var path: FilePath
  }

  /// The original first, the report last, as a document appears.
  private func files(of row: JobRow) throws(Refusal) -> [StoredFile] {
    guard row.state == .done, let publication = row.publication.flatMap(Publication.init),
      let original = active.original(of: row)
    else { throw Refusal(reason: "it is still in work") }
    let items = publication.items + [publication.originalReport].compactMap(\.self)
    return [StoredFile(kind: .original, place: original.place, path: original.path)]
      + items.map { item in
        let kind: StoredFile.Kind =
          switch item.sealed {
          case Sealer.reportName, Sealer.reportCopyName: .report
          case Sealer.folderName: .results
          default: item.place == .outbox ? .result : .note
          }
        return StoredFile(kind: kind, place: item.place, path: item.path)
      }
  }

  private static func path(of file: StoredFile, job: String) -> FilePath {
    folderName.appending(job).appending(file.path.removingLastComponent().components)
  }

  /// The folder of a file and its name in it, or nil if it does not exist.
  private func place(of file: StoredFile) throws -> (Folder, FilePath)? {
    guard let last = file.path.lastComponent,
      let folder = try Folder.standing(active.folder(file.place))?
        .standing(file.path.removingLastComponent()),
      try folder.exists(FilePath(name: last))
    else { return nil }
    return (folder, FilePath(name: last))
  }

  /// Whether a file is unchanged since procd wrote it for this job.
  private func isOurs(
    _ file: StoredFile, _ name: FilePath, in folder: Folder, _ row: JobRow
  ) throws -> Bool {
    guard let status = try folder.status(name) else { return false }
    let artifacts = (row.report?["artifacts"]?.arrayValue ?? []).compactMap(ArtifactReport.init)
    switch file.kind {
    case .original:
      let ignore = IgnoreList(active.configuration.inbox.ignore)
      return try ArchivedContent(row, name, in: folder, ignoring: ignore).isUnchanged(status)
        && !ledger.reader.hasSuccessor(row, at: active.original(in: file.place, at: file.path))
    case .report:
      guard status.kind == .regular else { return false }
      let text = try folder.reading(name).readAll(limit: 64 << 20)
      return (try? JSONReader.read(text).value) == row.report
    case .note: return status.kind == .regular
    case .result:
      // Results of one job are in one folder, so that their last names tell them apart.
      guard
        let artifact = artifacts.first(where: {
          FilePath($0.path).lastComponent == name.lastComponent
        })
      else { return false }
      return try folder.holds(name, bytes: artifact.bytes, sha256: artifact.sha256)
    case .results:
      guard status.kind == .folder else { return false }
      let results = try folder.folder(name)
      return try artifacts.allSatisfy { artifact in
        let path = FilePath(artifact.path)
        guard let inner = path.lastComponent,
          let below = try results.standing(path.removingLastComponent()),
          try below.exists(FilePath(name: inner))
        else { return true }
        return try below.holds(
          FilePath(name: inner), bytes: artifact.bytes, sha256: artifact.sha256)
      }
    }
  }
}

extension Folder {
  /// Removes a folder and the folders below it if there is no file in them.
  ///
  /// - Returns: whether it is gone.
  fileprivate func removeEmptyTree(_ name: FilePath) throws -> Bool {
    guard let folder = try standing(name) else { return true }
    for entry in try folder.names() {
      guard try folder.status(entry)?.kind == .folder, try folder.removeEmptyTree(entry) else {
        return false
      }
    }
    return try removeEmptyFolder(name)
  }
}
