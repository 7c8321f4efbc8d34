internal import Files
internal import JobLedger
internal import Outbox
internal import Pipelines
internal import PluginKit
internal import SystemPackage

/// Holds outbox, archive, quarantine and ledger against each other. Reads only; memory is bounded
/// whatever was processed: jobs are read some at a time, content is hashed in pieces, and what was
/// seen is kept in a temporary file.
package final class Verification {
  let active: ActiveConfiguration
  private let tell: (Difference) -> Void
  private(set) package var counts = VerifiedCounts()
  /// Results and reports that are not in the outbox any more.
  private var takenResults = 0
  /// When the last job ended of which results were taken, and the first of which some are there.
  private var lastTaken: Int64 = .min
  private var firstThere: Int64 = .max
  /// Paths that belong to a job, by place.
  private let known: PathIndex
  private var folders: [Place: Folder] = [:]
  /// Nothing can be said of what should stand there; told once for each.
  private var unreadable: Set<Place> = []

  /// Why nothing could be verified.
  package struct Failure: Error {
    package var message: String
  }

  /// - Parameter tell: gets each difference as it is found, and what was taken.
  package init(
    _ active: ActiveConfiguration, tell: @escaping (Difference) -> Void
  ) throws(Failure) {
    self.active = active
    self.tell = tell
    do throws(LedgerError) { known = try PathIndex() } catch {
      throw Failure(message: "no temporary file could be made: \(error)")
    }
  }

  /// - Parameter daemonRuns: whether a procd holds the spool; what it has in hand is no difference.
  package func run(daemonRuns: Bool) throws {
    for place in Place.allCases { open(place) }
    let path = active.spool.appending(Spool.ledgerName.components)
    guard let ledger = try Ledger.reading(path: path) else {
      throw Failure(message: "there is no ledger: nothing has been processed here yet")
    }
    if let damage = try ledger.damage() { throw LedgerError.damaged(damage) }
    let unfinished = try ledger.unfinished()
    for row in unfinished { try remember(row) }
    var position: LedgerReader.Position?
    repeat {
      let (rows, next) = try ledger.finished(after: position)
      for row in rows { try verify(row) }
      position = next
    } while position != nil
    if !daemonRuns {
      for name in try ledger.namesOfDoneJobs() {
        add(
          Difference(
            .reserved, name.place, name.path, job: name.job,
            "the name is still kept for a job that is done; the next start of procd releases it"))
      }
    }
    // Who takes results leaves their folder.
    if folders[.outbox] == nil, !unreadable.contains(.outbox), takenResults > 0 {
      add(
        Difference(
          .missing, "outbox", "",
          "the folder itself is not there, and \(takenResults) results and reports with it"))
    }
    for place in Place.allCases { try Walk(self, place).run() }
    SpoolCheck(self, Set(unfinished.map(\.id))).run(daemonRuns: daemonRuns)
    counts.note = note
  }

  private func open(_ place: Place) {
    let path = active.folder(place)
    if let lack = Mounts.missing(
      place.rawValue, path, marker: active.configuration.access(place).marker)
    {
      unreadable.insert(place)
      return add(
        Difference(
          .unreadable, place.rawValue, "", "\(lack): another disk may hide what belongs there"))
    }
    do throws(FileError) {
      folders[place] = try Folder.standing(path)
    } catch {
      unreadable.insert(place)
      add(Difference(.unreadable, place.rawValue, "", "\(error)"))
    }
  }

  /// What is to be known where all that is older than what is there was taken: a disk that was mounted over the outbox
  /// looks the same. Nil where nothing is.
  private var note: String? {
    let path = active.folder(.outbox)
    guard takenResults > 0, lastTaken < firstThere,
      active.configuration.access(.outbox).marker == nil,
      let own = try? Mount.chain(of: path),
      let parent = try? Mount.chain(of: path.removingLastComponent()),
      own.count > parent.count
    else { return nil }
    return
      "a disk is mounted at the outbox, \(path.printable), and nothing of the time before it is there: what was"
      + " published before it was mounted is hidden, and counts as taken away; \"marker\" of the outbox lets procd"
      + " tell disks apart"
  }

  func add(_ difference: Difference) {
    if difference.kind == .taken { counts.taken += 1 } else { counts.differences += 1 }
    tell(difference)
  }

  func isKnown(_ place: Place, _ path: FilePath) throws -> Bool {
    try known.contains(key(place, path))
  }

  /// Whether it was told already that a place cannot be read.
  func isUnreadable(_ place: String) -> Bool {
    Place(rawValue: place).map(unreadable.contains) ?? false
  }

  func folder(_ place: Place) -> Folder? { folders[place] }

  private func key(_ place: Place, _ path: FilePath) -> FilePath {
    FilePath(place.rawValue).appending(path.components)
  }

  /// False where a newer job has the path: what stands there is that one's.
  private func isNewest(_ item: Publication.Item) throws -> Bool {
    try known.add(key(item.place, item.path))
  }

  /// What a job that is not done yet has published already is not looked at, and no stranger.
  private func remember(_ row: JobRow) throws {
    if row.errorCode == JobRow.heldUp {
      add(
        Difference(
          .heldUp, "ledger", row.path, job: row.id,
          row.errorMessage ?? "something outside holds it up"))
    }
    guard let publication = row.publication.flatMap(Publication.init) else { return }
    for item in publication.items + [publication.original]
      + (publication.originalReport.map { [$0] } ?? [])
    {
      _ = try isNewest(item)
    }
  }

  private func verify(_ row: JobRow) throws {
    counts.jobs += 1
    guard let publication = row.publication.flatMap(Publication.init), let report = row.report
    else { return }
    // What stands in places that cannot be read is neither there nor gone.
    var original = publication.original
    original.path = active.original(of: row)?.path ?? original.path
    let originalStands =
      unreadable.contains(original.place) ? false : try verifyOriginal(original, row)
    for item in publication.items where try !unreadable.contains(item.place) && isNewest(item) {
      switch item.place {
      case .outbox: verifyResult(item, row, report)
      case .archive, .quarantine:
        verifyCompanion(item, row, report, originalStands: originalStands)
      }
    }
    if let item = publication.originalReport, !unreadable.contains(item.place),
      try isNewest(item)
    {
      verifyCompanion(item, row, report, originalStands: originalStands)
    }
  }

  // MARK: - Results

  private func verifyResult(_ item: Publication.Item, _ row: JobRow, _ report: JSON) {
    guard let kind = look(at: item, row) else { return }
    guard kind != .nothing else { return taken(item, row) }
    firstThere = min(firstThere, row.finished ?? .max)
    let artifacts = (report["artifacts"]?.arrayValue ?? []).compactMap(ArtifactReport.init)
    if item.sealed == Sealer.folderName {
      guard kind == .folder else { return changed(item, row, "a folder was published here") }
      for artifact in artifacts {
        var inner = item
        inner.path = item.path.appending(FilePath(artifact.path).components)
        verify(inner, row, bytes: artifact.bytes, sha256: artifact.sha256)
      }
      var inner = item
      inner.path = item.path.appending(Sealer.reportName.components)
      return verifyReport(inner, row, report)
    }
    if item.sealed == Sealer.reportName { return verifyReport(item, row, report) }
    // Results of one job are in one folder, so that their last names tell them apart.
    let name = item.path.lastComponent
    guard let artifact = artifacts.first(where: { FilePath($0.path).lastComponent == name })
    else { return }
    verify(item, row, bytes: artifact.bytes, sha256: artifact.sha256)
  }

  /// A published report: the same members, whatever the spacing.
  private func verifyReport(_ item: Publication.Item, _ row: JobRow, _ report: JSON) {
    guard let root = folders[item.place] else { return }
    guard let kind = look(at: item, row) else { return }
    guard kind != .nothing else { return taken(item, row) }
    do {
      let file = try root.reading(item.path)
      let text = try file.readAll(limit: 64 << 20)
      counts.files += 1
      counts.bytes += text.count
      guard (try? JSONReader.read(text).value) == report else {
        return changed(item, row, "the report is not the one that was published")
      }
    } catch { unreadable(item, row, error) }
  }

  /// A report or note beside an original.
  private func verifyCompanion(
    _ item: Publication.Item, _ row: JobRow, _ report: JSON, originalStands: Bool
  ) {
    guard let kind = look(at: item, row) else { return }
    guard kind != .nothing else {
      guard originalStands else { return }
      return add(
        Difference(
          .unreported, item.place.rawValue, item.path, job: row.id,
          "the original is there without it"))
    }
    if item.sealed == Sealer.reportName || item.sealed == Sealer.reportCopyName {
      verifyReport(item, row, report)
    }
  }

  // MARK: - Originals

  /// Whether it stands where it belongs.
  private func verifyOriginal(
    _ item: Publication.Item, _ row: JobRow
  ) throws -> Bool {
    guard try isNewest(item) else { return false }
    guard let kind = look(at: item, row) else { return false }
    guard kind != .nothing else {
      if row.letGo != nil {
        counts.letGo += 1
      } else if item.place == .quarantine {
        add(Difference(.taken, "quarantine", item.path, job: row.id, "it left the quarantine"))
      } else {
        add(
          Difference(
            .missing, item.place.rawValue, item.path, job: row.id, "the original is not there"))
      }
      return false
    }
    guard kind == .folder else {
      verify(item, row, bytes: row.size, sha256: row.sha256 ?? "")
      return true
    }
    for file in row.originalFiles {
      var inner = item
      inner.path = item.path.appending(file.name.components)
      if look(at: inner, row) == .nothing {
        add(
          Difference(
            .missing, item.place.rawValue, inner.path, job: row.id, "the original is not there"))
      } else {
        verify(inner, row, bytes: file.bytes, sha256: file.sha256)
      }
    }
    return true
  }

  // MARK: - One file

  private enum Entry { case nothing, regular, folder, other }

  /// What stands at a path; nil where that cannot be seen, which is told.
  private func look(at item: Publication.Item, _ row: JobRow) -> Entry? {
    guard let root = folders[item.place], let last = item.path.lastComponent else {
      return .nothing
    }
    do throws(FileError) {
      guard let parent = try root.standing(item.path.removingLastComponent()),
        let status = try parent.status(FilePath(root: nil, [last]))
      else { return .nothing }
      return switch status.kind {
      case .regular: .regular
      case .folder: .folder
      case .link, .other: .other
      }
    } catch {
      unreadable(item, row, error)
      return nil
    }
  }

  private func verify(_ item: Publication.Item, _ row: JobRow, bytes: Int, sha256: String) {
    guard let root = folders[item.place], let kind = look(at: item, row) else { return }
    guard kind != .nothing else { return taken(item, row) }
    guard kind == .regular else { return changed(item, row, "it is no regular file") }
    do {
      let file = try root.reading(item.path)
      let size = try file.status().size
      guard size == bytes else {
        return changed(item, row, "it has \(size) bytes instead of \(bytes)")
      }
      let digest = try file.digest()
      counts.files += 1
      counts.bytes += digest.bytes
      if digest.sha256 != sha256 { changed(item, row, "its content has another SHA-256") }
    } catch { unreadable(item, row, error) }
  }

  private func taken(_ item: Publication.Item, _ row: JobRow) {
    if item.place == .outbox {
      takenResults += 1
      lastTaken = max(lastTaken, row.finished ?? .min)
    }
    add(Difference(.taken, item.place.rawValue, item.path, job: row.id, "somebody took it"))
  }

  private func changed(_ item: Publication.Item, _ row: JobRow, _ message: String) {
    add(Difference(.changed, item.place.rawValue, item.path, job: row.id, message))
  }

  private func unreadable(_ item: Publication.Item, _ row: JobRow, _ error: any Error) {
    add(Difference(.unreadable, item.place.rawValue, item.path, job: row.id, "\(error)"))
  }
}
