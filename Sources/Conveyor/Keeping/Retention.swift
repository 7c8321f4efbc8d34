internal import Files
internal import Intake
package import JobLedger
internal import Outbox
internal import Pipelines
internal import PluginKit
package import SystemPackage

/// Lets archived originals go when their time is over: `keep` of the archive, or of the rule that took the file.
///
/// Only what the ledger knows goes, and only while it is what was archived: a file that somebody changed
/// or put there stays.
package struct Retention: Sendable {
  let active: ActiveConfiguration
  let reader: LedgerReader
  /// What lies in the folder of a document without being part of it.
  private let ignore: IgnoreList

  package init(_ active: ActiveConfiguration, _ reader: LedgerReader) {
    self.active = active
    self.reader = reader
    ignore = IgnoreList(active.configuration.inbox.ignore)
  }

  /// What became of an original whose time is over.
  package struct RetiredOriginal: Sendable {
    package enum Fate: Sendable, Equatable {
      case removed
      /// Somebody took it before.
      case wasGone
      /// It is not what was archived, or the original of a newer job lies there.
      case isAnother
    }
    package var job: JobRow
    /// Relative to the archive.
    package var path: FilePath
    package var fate: Fate
  }

  /// Goes through all whose time is over.
  ///
  /// - Parameters:
  ///   - keep: milliseconds from the end of the job, whatever the configuration says; nil for what that says. Where it
  ///     says that none is kept, those of which only part could be read stay.
  ///   - now: milliseconds since 1970.
  ///   - ledger: where it is written down; nil to look only.
  ///   - tell: gets each, before it is durable.
  package func run(
    keep: Int? = nil, at now: Int64, writing ledger: Ledger?,
    tell: (RetiredOriginal) -> Void
  ) async throws {
    // One that is empty may be a disk that is not there: nothing is to be removed, nor written down.
    guard let archive = try Folder.standing(active.folder(.archive)), try !archive.names().isEmpty
    else { return }
    guard ledger == nil || archive.lock() else {
      throw FileError("lock", archive.path, .resourceTemporarilyUnavailable)
    }
    var trouble: FileError?
    for rule in Set(try reader.outcomes().map(\.key.pipeline)).sorted() {
      guard let time = keep ?? active.configuration.keepTime(ofRule: rule).milliseconds else {
        continue
      }
      let sparesPartial = keep == nil && time == 0
      var position: LedgerReader.Position?
      repeat {
        let (rows, next) = try reader.archived(
          ofRule: rule, before: now - Int64(time) + 1, after: position)
        var retiredJobs: [String] = [], touched: [FilePath: Folder] = [:]
        for row in rows where !Task.isCancelled && !(sparesPartial && holdsMore(row)) {
          do {
            let found = try retire(row, archive, removing: ledger != nil, &touched)
            guard let retired = found else { continue }
            tell(retired)
            retiredJobs.append(row.id)
          } catch let error as FileError {
            // One that cannot be read or removed holds up no other.
            trouble = trouble ?? error
          }
        }
        // Before the ledger forgets them: a file that came back after a power cut would stay for ever.
        for folder in touched.values { try folder.sync() }
        if let ledger, !retiredJobs.isEmpty { try await ledger.letGo(jobs: retiredJobs, at: now) }
        position = next
      } while position != nil && !Task.isCancelled
    }
    if let trouble { throw trouble }
  }

  /// Lets one go at once, where the ledger has it and nothing of it is on its way.
  func letGo(_ row: JobRow, at now: Int64, _ ledger: Ledger) async throws {
    guard let archive = try Folder.standing(active.folder(.archive)) else { return }
    var touched: [FilePath: Folder] = [:]
    guard try retire(row, archive, removing: true, &touched) != nil else { return }
    for folder in touched.values { try folder.sync() }
    try await ledger.letGo(jobs: [row.id], at: now)
  }

  /// Whether an original holds something that its results do not: only part of it could be read, or nothing was found.
  func holdsMore(_ row: JobRow) -> Bool {
    guard let report = row.report else { return false }
    let results = (report["artifacts"]?.arrayValue ?? []).compactMap { $0["role"]?.stringValue }
    if results.contains(EmittedResult.sourceRole) { return false }
    guard let twin = report["reusedFrom"]?.stringValue else { return row.isPartial }
    // Where the job whose results it shares is forgotten, nobody knows.
    return ((try? reader.job(twin)) ?? nil)?.isPartial ?? true
  }

  /// - Returns: nil where it does not lie in this archive.
  private func retire(
    _ row: JobRow, _ archive: Folder, removing: Bool, _ touched: inout [FilePath: Folder]
  ) throws -> RetiredOriginal? {
    guard let original = active.original(of: row), original.place == .archive,
      let last = original.path.lastComponent
    else { return nil }
    let folderPath = original.path.removingLastComponent(), name = FilePath(name: last)
    // What was put into an archive elsewhere, and was not moved here with it, may still lie there.
    let mayLieElsewhere = original != row.original
    func retired(_ fate: RetiredOriginal.Fate) -> RetiredOriginal? {
      fate != .removed && mayLieElsewhere
        ? nil : RetiredOriginal(job: row, path: original.path, fate: fate)
    }
    guard let folder = try touched[folderPath] ?? archive.standing(folderPath) else {
      return retired(.wasGone)
    }
    if removing { touched[folderPath] = folder }
    guard let status = try folder.status(name) else {
      if removing { try removeReport(row, from: archive, &touched) }
      return retired(.wasGone)
    }
    let content = ArchivedContent(row, name, in: folder, ignoring: ignore)
    // Asked last: while it was read, another may have been put in its place.
    guard try content.isUnchanged(status), try folder.status(name) == status,
      try !reader.hasSuccessor(row, at: original)
    else { return retired(.isAnother) }
    guard removing else { return retired(.removed) }
    // The report first: without its original nobody would look for it.
    try removeReport(row, from: archive, &touched)
    try content.remove(status)
    return retired(.removed)
  }

  /// Removes the copy of the report that lies beside it.
  private func removeReport(
    _ row: JobRow, from archive: Folder, _ touched: inout [FilePath: Folder]
  ) throws {
    guard let item = row.publication.flatMap(Publication.init)?.originalReport,
      item.place == .archive, let last = item.path.lastComponent
    else { return }
    let folderPath = item.path.removingLastComponent(), name = FilePath(name: last)
    guard let folder = try touched[folderPath] ?? archive.standing(folderPath),
      try folder.status(name)?.kind == .regular
    else { return }
    let text = try folder.reading(name).readAll(limit: 64 << 20)
    guard (try? JSONReader.read(text).value) == row.report else { return }
    touched[folderPath] = folder
    try folder.remove(name)
  }
}

/// An archived file, or a folder of files that were one document.
struct ArchivedContent {
  let row: JobRow
  let name: FilePath
  let folder: Folder
  /// What lies in a folder without being part of the document.
  let ignore: IgnoreList

  init(_ row: JobRow, _ name: FilePath, in folder: Folder, ignoring ignore: IgnoreList) {
    (self.row, self.name, self.folder, self.ignore) = (row, name, folder, ignore)
  }

  private func isIgnored(_ entry: FilePath) -> Bool {
    ignore.pattern(for: entry.string, isFolder: false) != nil
  }

  /// Whether it is what was archived; of a folder some files may have gone.
  func isUnchanged(_ status: FileStatus) throws -> Bool {
    switch status.kind {
    case .regular: return try folder.holds(name, bytes: row.size, sha256: row.sha256)
    case .link, .other: return false
    case .folder:
      let inner = try folder.folder(name), files = row.originalFiles
      return try inner.names().allSatisfy { entry in
        guard let file = files.first(where: { $0.name == entry }) else {
          return try isIgnored(entry) && inner.status(entry)?.kind == .regular
        }
        return try inner.holds(entry, bytes: file.bytes, sha256: file.sha256)
      }
    }
  }

  func remove(_ status: FileStatus) throws {
    guard status.kind == .folder else {
      try folder.remove(name)
      return
    }
    let inner = try folder.folder(name)
    for entry in try inner.names() where isIgnored(entry) { try inner.remove(entry) }
    for file in row.originalFiles { try inner.remove(file.name) }
    try folder.removeEmptyFolder(name)
  }
}

extension Folder {
  /// Whether a regular file of this name has this content.
  func holds(_ name: FilePath, bytes: Int, sha256: String?) throws -> Bool {
    let file = try reading(name)
    let status = try file.status()
    guard status.kind == .regular, status.size == bytes else { return false }
    return try file.digest().sha256 == sha256
  }
}

extension JobRow {
  /// Whether only part of its file could be read, or nothing was found in it: the rest is in the original alone.
  var isPartial: Bool {
    // Of results that another job made, its notes are those of the whole.
    let notes =
      (report?["notes"]?.arrayValue ?? [])
      + (report?["steps"]?.arrayValue ?? []).flatMap { $0["notes"]?.arrayValue ?? [] }
    return report?["partial"]?.boolValue == true
      || notes.contains { note in
        [
          "[text.none]", "[text.unread]", "[text.unknown]", "[tables.none]", "[ocr.blank]",
        ].contains { note.stringValue?.hasSuffix($0) == true }
      }
  }
}
