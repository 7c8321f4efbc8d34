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
  /// What was found at the start that people should know of.
  let notices: [String]

  /// Why the folders cannot be used.
  package enum Failure: Error, Sendable {
    /// Another procd holds them; its process identifier where it could be read.
    case held(by: String?)
    case file(FileError)
  }

  package static let ledgerName = FilePath("ledger.sqlite")
  private static let pidName = FilePath("daemon.pid")
  /// The configuration that a running procd goes by, as it was written.
  static let runningName = FilePath("running.json")
  static let requestBell = FilePath("requests")
  /// The socket that wakes it to look for that file.
  static let bellName = FilePath("bell")
  /// The socket by which it is asked how it goes.
  static let pulseName = FilePath("pulse")

  /// Makes the daemon's own folder where it is missing.
  package static func make(_ spool: FilePath) throws(FileError) {
    _ = try Folder.make(spool, mode: 0o700)
  }

  /// Tells a running daemon that the ledger holds requests. Where that fails it finds them at its
  /// next turn or start.
  package static func ringForRequests(in spool: FilePath) {
    guard let folder = try? Folder.open(spool) else { return }
    _ = try? folder.creating(requestBell)
    _ = try? folder.ask(bellName, patience: 200)
  }

  /// Makes and opens all folders. Claims and seals stay on the mounts of inbox and outbox, so that
  /// claiming and publishing are renames; whether that is the spool's mount is tried, because two
  /// bind mounts of one file system look the same and still refuse.
  package static func open(
    _ active: ActiveConfiguration, wake: (@Sendable () -> Void)?
  ) throws(Failure) -> Spool {
    let folder: Folder
    var notices: [String] = []
    do throws(FileError) {
      folder = try Folder.make(active.spool, mode: 0o700)
      notices += try close(folder)
    } catch { throw .file(error) }
    guard lock(folder) else {
      throw .held(by: locker(of: folder))
    }
    do throws(FileError) { return try Spool(folder, active, notices, wake: wake) } catch {
      throw .file(error)
    }
  }

  /// What was taken away of it while it is in use; nil where all stands. Whoever looks for this procd would not find
  /// it, and nothing that it notes from now on would last. What cannot be looked at counts as there: whoever needs it
  /// next says why it cannot be used.
  func loss() -> String? {
    let what =
      (try? folder.isAtItsPath()) == false
      ? folder.path
      : (try? folder.exists(Self.ledgerName)) == false
        ? folder.path.appending(Self.ledgerName.string) : nil
    return what.map {
      // What cannot be opened is told as what is not there: either way procd ends.
      let isCovered = (try? Folder.open($0)) != nil
      let told =
        isCovered
        ? "another folder or disk took the place of \($0.printable)" : "\($0.printable) was removed"
      return
        "\(told) while procd ran: it ends, and begins a new one when it is started again; to keep what it"
        + " knew, stop it, put the old one back and start it"
    }
  }

  /// What of the ledger is gone or was emptied since an earlier procd wrote into the spool, as people read it. To be
  /// asked before the ledger is opened: SQLite makes its files anew without a word.
  static func lostLedger(_ folder: Folder, _ active: ActiveConfiguration) -> (
    what: String, cure: String
  )? {
    func size(_ ending: String) -> Int? {
      let name = FilePath(ledgerName.string + ending)
      return (try? folder.status(name))?.map { Int($0.size) }
    }
    let cure = "if there is a copy of all of ledger.sqlite*, stop procd and put that in their place"
    let anew = "procd begins with an empty history"
    /// Of a ledger that is gone or empty.
    func loss(_ what: String) -> (what: String, cure: String)? {
      if [runningName, Indexing.storeName].contains(where: { (try? folder.exists($0)) == true }) {
        return ("the spool was used before, and its ledger.sqlite is \(what): \(anew)", cure)
      }
      let marker = active.configuration.access(.archive).marker
      // What file systems and sharing programs put there is nobody's original.
      let foreign = IgnoreList(ConfigurationShape.shippedIgnores)
      let holds = try? Folder.open(active.folder(.archive)).holds { name in
        name != marker && foreign.pattern(for: name, isFolder: true) == nil
          && foreign.pattern(for: name, isFolder: false) == nil
      }
      guard holds == true else { return nil }
      return (
        "the archive holds files, and the spool has no ledger: \(anew)",
        "\(cure); if there was another spool, put that back: files that were in work are in it"
      )
    }
    guard let bytes = size("") else { return loss("gone") }
    let hasLog = size("-wal") ?? 0 > 0
    // A first page without tables: all that was written stands in the log. What does not begin as SQLite's files do is
    // damaged, and whoever opens it says so.
    if bytes == 0 || bytes <= firstPage && !hasLog && isDatabase(folder) { return loss("empty") }
    // SQLite removes the index of the log first, then the log.
    guard size("-shm") != nil, size("-wal") == nil else { return nil }
    return (
      "\(ledgerName)-wal was removed from the spool: procd does not know what it did last", cure
    )
  }

  /// Bytes of SQLite's pages.
  private static let firstPage = 4096

  /// Whether the ledger begins as all databases of SQLite do (Database File Format, 1.3.1).
  private static func isDatabase(_ folder: Folder) -> Bool {
    let bytes = try? folder.reading(ledgerName).readAll(limit: firstPage)
    return bytes?.starts(with: Array("SQLite format 3\0".utf8)) == true
  }

  /// The same as one sentence.
  static func lossTold(_ folder: Folder, _ active: ActiveConfiguration) -> String? {
    lostLedger(folder, active).map { "\($0.what); \($0.cure) [ledger.lost]" }
  }

  /// Closes the spool to all others: it holds names, texts and claims of everybody's files.
  ///
  /// - Returns: what is to be told of it.
  private static func close(_ folder: Folder) throws(FileError) -> [String] {
    let status = try folder.status()
    guard status.mode & 0o077 != 0 else { return [] }
    let was = String(status.mode, radix: 8)
    if try folder.closeToOthers() {
      return [
        "the spool \(folder.path.printable) could be read by others (mode \(was)); it is closed now"
      ]
    }
    // A file system without modes: who may write is what counts.
    guard status.mode & 0o022 != 0 else { return [] }
    throw FileError(
      "use", folder.path, .permissionDenied,
      reason:
        "others may write into it (mode \(was)) and its file system keeps no modes; put the spool"
        + " on one that does, or mount it for the user of procd alone")
  }

  /// Who holds the lock of the spool, as people read it: another procd, or a process of somebody's.
  private static func locker(of folder: Folder) -> String? {
    guard let process = folder.lockHolder() else { return holder(of: folder) }
    return processName(process).map { "\(process), \($0)" } ?? "\(process)"
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
    _ folder: Folder, _ active: ActiveConfiguration, _ notices: [String],
    wake: (@Sendable () -> Void)?
  ) throws(FileError) {
    self.folder = folder
    if let overlap = try active.overlap() {
      throw FileError("use", active.inbox, .invalidArgument, reason: overlap)
    }
    try folder.writeDurably(Array("\(getpid())\n".utf8), as: Self.pidName)
    let inbox = active.inboxFolder(wake: wake)
    let inboxFolder = try inbox.hold()
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
    // Who only starts finds out with the first file otherwise, and then in a folder of the spool.
    for place in Place.allCases where !places[place].path.allows(R_OK | W_OK | X_OK) {
      throw FileError("use", places[place].path, Errno(rawValue: errno))
    }
    openPlaces = OpenPlaces(
      places, at: Dictionary(uniqueKeysWithValues: Place.allCases.map { ($0, active.folder($0)) }),
      sealsInOutbox: places.seals.path.starts(with: outbox.path), try Mounts(active))
    state = try inside("state")
    let claimed = try Self.own("claimed", of: folder, orIn: inboxFolder)
    if claimed.path.starts(with: inboxFolder.path), let refused = try Self.openToSwaps(inboxFolder)
    {
      throw refused
    }
    // Where inbox or spool were on other mounts before, claims may stand in the other of the two.
    var former: [Folder] = []
    for own in [folder, try inboxFolder.own()] {
      guard let other = try own?.standing("claimed"),
        try !other.status().isSameFile(as: claimed.status()), try !other.names().isEmpty
      else { continue }
      former.append(other)
    }
    claims = Claims(inbox: inbox, folder: claimed, former: former)
    var told = notices
    for place in [inboxFolder] + Place.allCases.map({ places[$0] }) {
      told += try place.foreignUnderOwnNames()
    }
    self.notices = told
  }

  /// Why procd would not start with these folders, because others could exchange what it works on; nil where it would.
  package static func refusal(_ active: ActiveConfiguration) throws(FileError) -> String? {
    guard let inbox = try Folder.standing(active.inbox),
      let spool = try Folder.standing(active.spool),
      try inbox.status().device != spool.status().device
    else { return nil }
    return try openToSwaps(inbox)?.reason
  }

  /// Claims that lie in the inbox are procd's only while nobody else can put another folder in their place.
  ///
  /// - Returns: why they cannot be kept in this one; nil where they can.
  static func openToSwaps(_ inbox: Folder) throws(FileError) -> FileError? {
    guard let place = try inbox.renamableByOthers() else { return nil }
    return FileError(
      "keep claimed files in", inbox.path, .permissionDenied,
      reason:
        "the inbox is on another mount than the spool, so procd keeps its files there, but others may"
        + " rename what is in \(place.printable) and so exchange them; put the spool on the mount of the inbox,"
        + " or give \(place.printable) to the user of procd and chmod +t it")
  }

  /// A folder of ours from which a rename reaches `target`: in the spool where that works, else in
  /// our own folder of the target itself.
  private static func own(
    _ name: FilePath, of spool: Folder, orIn target: Folder
  ) throws(FileError) -> Folder {
    // Those of starts that were cut off.
    for folder in [spool, target] { try folder.removeLeftTrials() }
    guard try spool.reaches(target) else { return try own(name, in: target) }
    try spool.makeFolder(name, mode: 0o700)
    return try spool.folder(name)
  }

  /// A folder of ours in the own folder of a place.
  static func own(_ name: FilePath, in target: Folder) throws(FileError) -> Folder {
    let own = try target.makeOwn()
    try own.makeFolder(name, mode: 0o700)
    return try own.folder(name)
  }
}
