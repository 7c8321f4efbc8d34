package import Files
internal import Glibc
package import Intake
package import Outbox
internal import Pipelines
package import SystemPackage

/// The folders of a running daemon, opened and locked.
package struct Spool: Sendable {
  package let folder: Folder
  let openPlaces: OpenPlaces
  package var places: Places { openPlaces.now }
  package let claims: Claims
  package let state: Folder

  /// Why the folders cannot be used.
  package enum Failure: Error, Sendable {
    /// Another procd holds them; its process identifier where it could be read.
    case held(by: String?)
    case file(FileError)
  }

  package static let ledgerName = FilePath("ledger.sqlite")
  private static let pidName = FilePath("daemon.pid")
  static let requestBell = FilePath("requests")
  /// The socket by which it is asked how it goes.
  static let pulseName = FilePath("pulse")

  /// Makes the daemon's own folder where it is missing.
  package static func make(_ spool: FilePath) throws(FileError) {
    _ = try Folder.make(spool, mode: 0o700)
  }

  /// Tells a running daemon that the ledger holds requests. Where that fails it finds them at its
  /// next start.
  package static func ringForRequests(in spool: FilePath) {
    guard let folder = try? Folder.open(spool) else { return }
    _ = try? folder.creating(requestBell)
  }

  /// Makes and opens all folders. Claims and seals stay on the mounts of inbox and outbox, so that
  /// claiming and publishing are renames; whether that is the spool's mount is tried, because two
  /// bind mounts of one file system look the same and still refuse.
  package static func open(
    _ active: ActiveConfiguration, wake: (@Sendable () -> Void)?
  ) throws(Failure) -> Spool {
    let folder: Folder
    do throws(FileError) { folder = try Folder.make(active.spool, mode: 0o700) } catch {
      throw .file(error)
    }
    guard lock(folder) else {
      throw .held(by: holder(of: folder))
    }
    do throws(FileError) { return try Spool(folder, active, wake: wake) } catch {
      throw .file(error)
    }
  }

  /// Takes the lock of the spool. A child that a killed daemon had just forked holds it until it has
  /// ended too, which takes a moment.
  private static func lock(_ folder: Folder) -> Bool {
    for _ in 0..<40 {
      if folder.lock() { return true }
      if let holder = holder(of: folder).flatMap(Int32.init), kill(holder, 0) == 0 || errno != ESRCH
      {
        return false
      }
      usleep(50_000)
    }
    return false
  }

  /// The process that said last that it holds the spool.
  static func holder(of folder: Folder) -> String? {
    guard let text = try? folder.reading(pidName).readAll(limit: 100) else { return nil }
    return String(decoding: text, as: UTF8.self).filter(\.isNumber)
  }

  private init(
    _ folder: Folder, _ active: ActiveConfiguration, wake: (@Sendable () -> Void)?
  ) throws(FileError) {
    self.folder = folder
    try folder.writeDurably(Array("\(getpid())\n".utf8), as: Self.pidName)
    let inbox = active.inboxFolder(wake: wake)
    let inboxFolder = try inbox.open()
    let outbox = try Folder.make(active.folder(.outbox))
    func inside(_ name: FilePath) throws(FileError) -> Folder {
      try folder.makeFolder(name, mode: 0o700)
      return try folder.folder(name)
    }
    let places = Places(
      outbox: outbox, archive: try Folder.make(active.folder(.archive)),
      quarantine: try Folder.make(active.folder(.quarantine)),
      seals: try Self.own("seal", of: folder, orIn: outbox), work: try inside("work"),
      trash: try inside("trash"))
    openPlaces = try OpenPlaces(
      places, at: Dictionary(uniqueKeysWithValues: Place.allCases.map { ($0, active.folder($0)) }),
      sealsInOutbox: places.seals.path.starts(with: outbox.path))
    state = try inside("state")
    claims = Claims(
      inbox: inbox, folder: try Self.own("claimed", of: folder, orIn: inboxFolder))
  }

  /// A folder of ours from which a rename reaches `target`: in the spool where that works, else in
  /// `.procd/` of the target itself.
  private static func own(
    _ name: FilePath, of spool: Folder, orIn target: Folder
  ) throws(FileError) -> Folder {
    let trial = FilePath(".procd-trial")
    try spool.makeFolder(trial, mode: 0o700)
    // One that an earlier start left there would stand in the way and look like another mount.
    try target.removeEmptyFolder(trial)
    let result = try spool.rename(trial, to: target, as: trial)
    try spool.removeEmptyFolder(trial)
    try target.removeEmptyFolder(trial)
    switch result {
    case .otherMount: break
    case .done:
      try spool.makeFolder(name, mode: 0o700)
      return try spool.folder(name)
    // Anything else says nothing of mounts, and claims made elsewhere would not be found again.
    case .taken, .missing:
      throw FileError("rename", target.path.appending(trial.components), .fileExists)
    }
    return try own(name, in: target)
  }

  /// A folder of ours in `.procd/` of a place.
  static func own(_ name: FilePath, in target: Folder) throws(FileError) -> Folder {
    try target.makeFolder(".procd", mode: 0o700)
    let own = try target.folder(".procd")
    try own.makeFolder(name, mode: 0o700)
    return try own.folder(name)
  }
}
