internal import Files
internal import Glibc
internal import Intake
internal import Pipelines
internal import PluginKit
package import SystemPackage

/// The folders: there, writable, on which mounts; what their file systems can do.
struct FolderChecks {
  private let active: ActiveConfiguration
  init(_ doctor: Doctor) { active = doctor.active }

  private static let trialFailed = "chown or chmod it for the user of procd"

  func checks() -> [HealthCheck] {
    let spool = try? Folder.open(active.spool)
    var checks: [HealthCheck] = []
    let places =
      [("spool", active.spool), ("inbox", active.inbox)]
      + Place.allCases.map { ($0.rawValue, active.folder($0)) }
    for (name, path) in places {
      guard let folder = open(path, name, &checks) else { continue }
      do throws(FileError) {
        let trial = try FolderTrial(in: folder, reaching: nil)
        checks.append(HealthCheck(.ok, "folder.\(name)", "\(path.printable) can be written"))
        checks += abilities(trial, name)
        if let spool, name != "spool" { checks.append(try mount(spool, folder, name)) }
        if name == "inbox" { checks.append(lease(trial, folder)) }
        checks += space(folder, name)
        checks += try folder.foreignUnderOwnNames().map { HealthCheck(.warning, "own.\(name)", $0) }
        if name == "spool", let stranger = try strangersEntry(in: folder) {
          checks.append(
            HealthCheck(
              .problem, "owner.spool",
              "\(stranger.printable) in it belongs to another user, so procd may fail to use it",
              cure: "chown -R all in \(path.printable) to the user of procd"))
        }
        if name == "spool", try folder.status().mode & 0o077 != 0 {
          checks.append(
            HealthCheck(
              .warning, "mode.spool", "other users can read the spool; the next start closes it",
              cure: "chmod 700 \(path.printable)"))
        }
      } catch {
        checks.append(
          HealthCheck(
            .problem, "folder.\(name)", "user \(getuid()) cannot write to it: \(error)",
            cure: error.errno == .readOnlyFileSystem
              ? "its file system is mounted read-only: dmesg may say why; mount it for writing again"
              : error.isDiskFull ? "free space on that disk" : Self.trialFailed))
      }
    }
    return checks
  }

  /// An entry of the spool that another user made: a command that somebody else ran, root most likely.
  private func strangersEntry(in spool: Folder) throws(FileError) -> FilePath? {
    let owner = try spool.status().owner
    var waiting: [(FilePath, Folder)] = [("", spool)]
    while let (path, folder) = waiting.popLast() {
      for name in try folder.names() {
        guard let status = try folder.status(name) else { continue }
        let entry = path.appending(name.components)
        if status.owner != owner, path.isEmpty || path == "state" { return entry }
        if path.isEmpty, name == "state", let state = try? spool.folder(name) {
          waiting.append((name, state))
        }
      }
    }
    return nil
  }

  /// Opens a place; one that is missing is made by procd, if its parent allows it.
  private func open(_ path: FilePath, _ name: String, _ checks: inout [HealthCheck]) -> Folder? {
    do throws(FileError) { return try Folder.open(path) } catch {
      guard error.errno == .noSuchFileOrDirectory else {
        checks.append(
          HealthCheck(.problem, "folder.\(name)", "\(error)", cure: Self.trialFailed))
        return nil
      }
    }
    var parent = path.removingLastComponent()
    while !parent.isEmpty, !parent.allows(F_OK), parent != "/" {
      parent = parent.removingLastComponent()
    }
    let canBeMade = parent.allows(W_OK | X_OK)
    checks.append(
      canBeMade
        ? HealthCheck(
          .ok, "folder.\(name)", "\(path.printable) is not there yet; the first start makes it")
        : HealthCheck(
          .problem, "folder.\(name)",
          "\(path.printable) is missing and user \(getuid()) cannot make it in"
            + " \(parent.printable)",
          cure: "make it, or give write permission on \(parent.printable)"))
    return nil
  }

  private func abilities(_ trial: FolderTrial, _ name: String) -> [HealthCheck] {
    var checks: [HealthCheck] = []
    if !trial.renamesWithoutReplacing {
      checks.append(
        HealthCheck(
          .warning, "rename.\(name)",
          "its file system has no rename that replaces nothing; a link and an unlink stand in, which is"
            + " slower and as safe", cure: "a local file system such as ext4, xfs or btrfs"))
    }
    if !trial.syncs {
      checks.append(
        HealthCheck(
          .problem, "sync.\(name)",
          "its file system refuses fsync: a power cut would lose what procd takes for kept",
          cure: "a local file system such as ext4, xfs or btrfs"))
    }
    return checks
  }

  private func mount(
    _ spool: Folder, _ folder: Folder, _ name: String
  ) throws(FileError) -> HealthCheck {
    if try FolderTrial(in: spool, reaching: folder).reaches {
      return HealthCheck(.ok, "mount.\(name)", "on the mount of the spool: moving is one rename")
    }
    switch name {
    case "inbox", "outbox":
      if name == "inbox", let refused = try Spool.openToSwaps(folder) {
        return HealthCheck(
          .problem, "mount.inbox", refused.reason ?? "\(refused)", cure: nil)
      }
      return HealthCheck(
        .ok, "mount.\(name)",
        "on another mount than the spool; procd keeps what is on its way in a hidden folder .procd"
          + " there")
    default:
      return HealthCheck(
        .warning, "mount.\(name)",
        "on another mount than the spool: originals are copied there and compared, which is slower",
        cure: "put it on the mount of the spool")
    }
  }

  private func lease(_ trial: FolderTrial, _ inbox: Folder) -> HealthCheck {
    let wait = active.configuration.inbox.settleUnleased / 1000
    let cure = "AmbientCapabilities=CAP_LEASE in the unit, or a local file system for the inbox"
    guard EventSafety.isSafe(inbox.fileSystemType()) else {
      return HealthCheck(
        .warning, "lease",
        "the inbox' file system cannot be trusted with leases: files are taken after \(wait) s of"
          + " quiet", cure: cure)
    }
    guard trial.lease == .held else {
      return HealthCheck(
        .warning, "lease",
        "leases are refused: files are taken after \(wait) s of quiet", cure: cure)
    }
    if !ServiceRights.allowLeases(spool: active.spool) {
      return HealthCheck(
        .warning, "lease.others",
        "without CAP_LEASE files of other users are taken only after \(wait) s of quiet",
        cure: "AmbientCapabilities=CAP_LEASE in the unit")
    }
    return HealthCheck(
      .ok, "lease", "the kernel tells whether somebody still writes to a file in the inbox")
  }

  private func space(_ folder: Folder, _ name: String) -> [HealthCheck] {
    guard let space = FreeSpace(of: folder) else { return [] }
    var checks: [HealthCheck] = []
    let output = active.configuration.defaults.limits.output
    if space.bytes < 2 * Reserve.size {
      checks.append(
        HealthCheck(
          .problem, "space.\(name)",
          "\(space.bytes >> 10) KiB are free: intake pauses as soon as something cannot be written",
          cure: "free space on its disk"))
    } else if space.bytes < output {
      checks.append(
        HealthCheck(
          .warning, "space.\(name)",
          "\(space.bytes >> 20) MiB are free, less than one step may write (\(output >> 20) MiB)",
          cure: "free space on its disk, or lower \"output\" in defaults.limits"))
    }
    if let files = space.files, files < 10_000 {
      checks.append(
        HealthCheck(
          files < 100 ? .problem : .warning, "inodes.\(name)",
          "only \(files) more files can be created",
          cure: "remove files from its disk, or make a file system with more inodes"))
    }
    return checks
  }
}

/// Rights of the procd that runs with a spool, or of this process where none runs: a service may have rights that its
/// user's shell has not, and may lack others.
package enum ServiceRights {
  /// Whether it may take leases on files of others (CAP_LEASE, bit 28 of capabilities(7)).
  package static func allowLeases(spool: FilePath) -> Bool {
    func hasLease(_ process: String) -> Bool {
      value("CapEff:", of: process).flatMap { UInt64($0, radix: 16) }.map { $0 & 1 << 28 != 0 }
        ?? false
    }
    return getuid() == 0 || hasLease(own) || holder(of: spool).map(hasLease) ?? false
  }

  /// Whether programs that it starts get rights by their files (set-user-ID, set-group-ID).
  package static func areGivenToPrograms(spool: FilePath) -> Bool {
    value("NoNewPrivs:", of: holder(of: spool) ?? own) != "1"
  }

  /// This process: what is called `self` there is a link, and none is followed.
  private static var own: String { "\(getpid())" }

  private static func holder(of spool: FilePath) -> String? {
    guard let folder = try? Folder.open(spool), let holder = Spool.holder(of: folder),
      !folder.lock()
    else { return nil }
    return holder
  }

  /// What proc(5) says of a process in its status.
  private static func value(_ name: String, of process: String) -> String? {
    guard let proc = try? Folder.open("/proc").folder(FilePath(process)),
      let text = try? proc.reading("status").readAll(limit: 1 << 16)
    else { return nil }
    let line = String(decoding: text, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix(name) }
    return line.map { $0.dropFirst(name.count).filter { !$0.isWhitespace } }
  }
}
