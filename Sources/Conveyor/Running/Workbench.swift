internal import Files
internal import Glibc
internal import JobLedger
internal import Outbox
package import Pipelines
package import PluginKit
internal import Synchronization
package import SystemPackage
internal import Workers

/// Processes files outside of a daemon: no inbox, no ledger, no lock. `convert` and `explain` work
/// here.
package final class Workbench: Sendable {
  private let pool: WorkerPool
  private let permits: Permits
  let places: Places
  let executor: BlockingExecutor
  let base: Folder
  let staging: FilePath
  /// Locked while the bench stands.
  private let stage: Folder
  package let active: ActiveConfiguration
  package let slots: Int

  /// - Parameters:
  ///   - folder: where the staging folder `.procd` is made; on the mount of the results.
  ///   - slots: how many steps run at once; nil for one per core.
  ///   - overhear: hears each line that goes to a foreign plugin or comes from it.
  package init(
    _ active: ActiveConfiguration, installation: Installation, in folder: FilePath, slots: Int?,
    landlockCeiling: Int? = nil,
    overhear: (@Sendable (PluginTalk, [UInt8]) -> Void)? = nil
  ) throws(WorkbenchFailure) {
    self.active = active
    self.slots = slots ?? active.configuration.workers ?? coreCount()
    // Steps are told of their files in JSON.
    guard String(validating: folder) != nil else {
      throw WorkbenchFailure(
        message: "\(folder.printable) is no name in UTF-8; name another folder for the results")
    }
    do throws(FileError) {
      base = try Folder.make(folder)
      let own = try base.makeOwn()
      staging = FilePath(Self.stagingStart + JobIdentifiers.make(at: wallTime()))
      Self.removeLeftovers(in: own)
      try own.makeFolder(staging, mode: 0o700)
      let stage = try own.folder(staging)
      _ = stage.lock()
      self.stage = stage
      for name in ["work", "seal", "trash"] { try stage.makeFolder(FilePath(name), mode: 0o700) }
      places = Places(
        outbox: base, archive: base, quarantine: base, seals: try stage.folder("seal"),
        work: try stage.folder("work"), trash: try stage.folder("trash"))
      var setup = WorkerSetup(
        programs: installation.programs.string, landlockCeiling: landlockCeiling)
      setup.overhear = overhear
      pool = try WorkerPool(setup, slots: self.slots)
      executor = try BlockingExecutor(most: self.slots + 2)
    } catch { throw WorkbenchFailure(error) }
    permits = Permits(self.slots)
  }

  private static let stagingStart = "convert-"

  /// Removes the staging folders of runs that were killed: nobody holds their locks any more. What
  /// cannot be removed is in nobody's way.
  private static func removeLeftovers(in own: Folder) {
    // A daemon may have claims or seals in the same folder: nothing but ours is touched.
    for name in (try? own.names()) ?? [] where name.string.hasPrefix(stagingStart) {
      // A run that is just starting has its folder before its lock, for a moment.
      guard let folder = try? own.folder(name), let status = try? folder.status(),
        wallTime() - status.modified.milliseconds > 5000, folder.lock()
      else { continue }
      try? own.removeTree(name)
    }
  }

  private let stopped = Atomic<Bool>(false)
  /// Whether no further file is to be begun.
  package var isStopping: Bool { stopped.load(ordering: .relaxed) }

  /// Ends the steps that run at once.
  package func stop() {
    stopped.store(true, ordering: .relaxed)
    pool.stopNow()
  }

  /// Ends the workers and removes the staging folder.
  package func close() {
    pool.end()
    guard let own = try? base.own(), let name = own.path.lastComponent else { return }
    // What cannot be removed now is in nobody's way: the folder is ours alone.
    try? own.removeTree(staging)
    _ = try? base.removeEmptyFolder(FilePath(name: name))
  }

  /// The folder that the bench was made in.
  package var folder: FilePath { base.path }

  var processor: FileProcessor {
    FileProcessor(
      runner: StepRunner(
        active: active, pool: pool, permits: permits, collector: collector,
        book: MemoryAttempts(), stateFolder: nil, fencesSignals: false, watcher: { _ in }))
  }

  var collector: Collector {
    Collector(
      places: places, limit: active.configuration.defaults.limits.output,
      files: active.configuration.defaults.files)
  }

  func claimed(_ file: FilePath, as path: FilePath) throws(FileError) -> ClaimedFile {
    let folder = try Folder.open(file.removingLastComponent())
    guard let last = file.lastComponent else {
      throw FileError("open", file, .noSuchFileOrDirectory)
    }
    let open = try folder.following(FilePath(name: last))
    let status = try open.status()
    if status.kind == .folder { return try claimed(folder: file, as: path) }
    guard status.kind == .regular else { throw FileError("open", file, .invalidArgument) }
    let digest = try open.digest()
    let job = JobIdentifiers.make(at: wallTime())
    let arrival = Arrival(
      path: path, device: status.device, inode: status.inode, size: status.size,
      modifiedSeconds: status.modified.seconds, modifiedNanoseconds: status.modified.nanoseconds,
      arrived: wallTime(), completeness: .quiet)
    return ClaimedFile(
      job: job, arrival: arrival, source: try Self.withoutLink(file, in: folder), isCopy: false,
      bytes: digest.bytes, sha256: digest.sha256, companions: try companions(path, in: folder))
  }

  /// A folder that is one document; its files are counted only.
  func claimed(folder: FilePath, as path: FilePath) throws(FileError) -> ClaimedFile {
    let names = try Folder.open(folder).names()
      .filter { !$0.string.hasPrefix(".") }
    let members = names.map {
      ClaimedFile.Member(name: $0, source: folder.appending($0.components), bytes: 1, sha256: "")
    }
    let arrival = Arrival(
      path: path, device: 0, inode: 0, size: members.count, modifiedSeconds: 0,
      modifiedNanoseconds: 0, arrived: wallTime(), completeness: .quiet, isFolder: true)
    return ClaimedFile(
      job: JobIdentifiers.make(at: wallTime()), arrival: arrival, source: folder, isCopy: false,
      bytes: members.count, sha256: "", members: members)
  }

  /// What lies beside a file and would be taken with it.
  private func companions(
    _ path: FilePath, in folder: Folder
  ) throws(FileError) -> [ClaimedFile.Member] {
    for wanted in active.companionRules.wanted(by: path) {
      let (found, lacking) = try wanted.found { name throws(FileError) in
        try folder.status(name)?.kind == .regular
      }
      guard lacking.isEmpty else { continue }
      var members: [ClaimedFile.Member] = []
      for name in found {
        let digest = try folder.reading(name).digest()
        members.append(
          ClaimedFile.Member(
            name: name, source: folder.path.appending(name.components), bytes: digest.bytes,
            sha256: digest.sha256))
      }
      return members
    }
    return []
  }

  /// Where a link leads to: steps follow none.
  private static func withoutLink(
    _ file: FilePath, in folder: Folder
  ) throws(FileError) -> FilePath {
    guard let name = file.lastComponent,
      try folder.status(FilePath(name: name))?.kind == .link
    else { return file }
    let resolved = unsafe file.withPlatformString { unsafe realpath($0, nil) }
    guard let resolved = unsafe resolved else {
      throw FileError("resolve", file, Errno(rawValue: errno))
    }
    defer { unsafe free(resolved) }
    return unsafe FilePath(platformString: resolved)
  }
}

/// Why a file could not be processed on a workbench.
package struct WorkbenchFailure: Error, Sendable {
  package var failure: PluginFailure

  package init(_ failure: PluginFailure) { self.failure = failure }

  init(message: String) { self.init(PluginFailure(.internal, "file.access", message)) }

  init(_ error: any Error) {
    switch error {
    case let error as WorkbenchFailure: self = error
    case let error as ProcessingFailed: self.init(error.failure)
    case Interruption.wait(_, let failure), Interruption.unable(let failure): self.init(failure)
    case Interruption.vanished:
      self.init(
        PluginFailure(
          .internal, "step.killed", "the step's process was killed by something outside procd"))
    case Interruption.handedBack:
      self.init(PluginFailure(.cancelled, "host.stopping", "procd was stopped"))
    case let error as FileError: self.init(error)
    default: self.init(message: "\(error)")
    }
  }

  /// Where the disk takes no more, the place of a file of ours says nothing to anybody.
  init(_ error: FileError) {
    if error.isDiskFull {
      self.init(.writing("the result", errno: error.errno.rawValue))
    } else {
      self.init(message: "\(error)")
    }
  }
}
