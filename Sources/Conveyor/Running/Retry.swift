internal import Files
internal import Intake
internal import JobLedger
internal import Outbox
internal import Pipelines
internal import SystemPackage

/// Takes a quarantined file back into the inbox.
struct Retry: Sendable {
  let conveyor: Conveyor
  private static let mostOfOneName = 1000

  /// - Parameter path: relative to the quarantine folder.
  func takeBack(_ path: FilePath) throws {
    let quarantine = conveyor.spool.places.quarantine
    let original = conveyor.active.original(in: .quarantine, at: path)
    guard let row = try conveyor.ledger.reader.job(original: original),
      let last = path.lastComponent
    else {
      conveyor.emit(.trouble("\(path.printable) is not known to the ledger"))
      return
    }
    let folder = try quarantine.folder(path.removingLastComponent())
    let root = try conveyor.spool.claims.inbox.root()
    let target = try root.makeFolders(row.path.removingLastComponent())
    guard let name = row.path.lastComponent else { return }
    if row.mime != folderMediaType, try folder.status(FilePath(name: last))?.kind == .folder {
      let pair = try folder.folder(FilePath(name: last))
      return try takeBack(pair, called: FilePath(name: last), in: folder, to: target, row)
    }
    // Of files of one name, one alone can have it there.
    var used = FilePath(name: name), number = 1
    var outcome = try folder.rename(FilePath(name: last), to: target, as: used)
    while outcome == .taken, number < Self.mostOfOneName {
      number += 1
      used = OutputName(of: FilePath(name: name)).original(number)
      outcome = try folder.rename(FilePath(name: last), to: target, as: used)
    }
    switch outcome {
    case .done:
      if let status = try target.status(used) { conveyor.retries(status) }
      try finish(row, [target, folder])
    case .taken:
      conveyor.emit(.trouble("\(row.path.printable) is in the inbox again already"))
    case .missing: conveyor.emit(.trouble("\(path.printable) is not in the quarantine any more"))
    case .otherMount:
      conveyor.emit(
        .trouble("\(path.printable) lies on another mount; move it into the inbox by hand"))
    }
  }

  /// Takes back a file with what came with it, each to where it was.
  private func takeBack(
    _ pair: Folder, called title: FilePath, in folder: Folder, to target: Folder, _ row: JobRow
  ) throws {
    let main = row.path.lastComponent.map { FilePath(name: $0) } ?? title
    // The companions first: the file would wait for them.
    let names = try pair.names().sorted { $0 != main && ($1 == main || $0.string < $1.string) }
    if let taken = try names.first(where: { try target.exists($0) }) {
      conveyor.emit(
        .trouble("\(row.path.printable) is not tried again: \(taken.printable) stands in the inbox")
      )
      return
    }
    for name in names {
      guard try pair.rename(name, to: target, as: name) == .done else {
        conveyor.emit(
          .trouble("\(name.printable) of \(row.path.printable) stays in the quarantine"))
        continue
      }
      if name == main, let status = try target.status(name) { conveyor.retries(status) }
    }
    try pair.sync()
    try folder.removeEmptyFolder(title)
    try finish(row, [target, folder])
  }

  /// Makes the moves durable, and takes away what was noted beside the file.
  private func finish(_ row: JobRow, _ folders: [Folder]) throws {
    for folder in folders { try folder.sync() }
    try QuarantineNotes(quarantine: conveyor.spool.places.quarantine).forget(row)
    conveyor.emit(.notice("\(row.path.printable) is tried again"))
  }
}
