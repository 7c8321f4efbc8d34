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
  private let places: Places
  private let executor: BlockingExecutor
  let base: Folder
  private let staging: FilePath
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
      executor = try BlockingExecutor(threads: self.slots + 2)
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

  private var processor: FileProcessor {
    FileProcessor(
      runner: StepRunner(
        active: active, pool: pool, permits: permits, collector: collector,
        book: MemoryAttempts(), stateFolder: nil, fencesSignals: false, watcher: { _ in }))
  }

  private var collector: Collector {
    Collector(
      places: places, limit: active.configuration.defaults.limits.output,
      files: active.configuration.defaults.files)
  }

  private func claimed(_ file: FilePath, as path: FilePath) throws(FileError) -> ClaimedFile {
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
  private func claimed(folder: FilePath, as path: FilePath) throws(FileError) -> ClaimedFile {
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

  // MARK: - Explaining

  package struct Explanation: Sendable {
    package var file: ProbedFile
    package var pipeline: Pipeline?
    package var trace: [RuleTrace]
    /// What would be written, relative to the outbox, the report last.
    package var writes: [FilePath]
    /// What must be emitted and comes from a step that will be skipped: the file goes to the quarantine.
    package var missing: [Reference]
  }

  /// Finds out which rule takes a file and why, without running its steps.
  ///
  /// - Parameter path: the path below the inbox that rules see.
  package func explain(_ file: FilePath, as path: FilePath) async throws(WorkbenchFailure)
    -> Explanation
  {
    do {
      return try await withTaskExecutorPreference(executor) {
        let probed = try await processor.probe(
          try claimed(file, as: path), describes: true, alone: true)
        let (pipeline, trace) = try await processor.route(probed, passedOver: [], alone: true)
        let (results, missing) = pipeline?.foreseen(of: probed) ?? ([], [])
        return Explanation(
          file: probed, pipeline: pipeline, trace: trace,
          writes: pipeline.map { preview(results, of: probed, $0) } ?? [], missing: missing)
      }
    } catch { throw WorkbenchFailure(error) }
  }

  private func preview(
    _ results: [EmittedResult], of file: ProbedFile, _ pipeline: Pipeline
  ) -> [FilePath] {
    var draft = Report(
      job: "{job}", outcome: .done, source: Report.Source(file.claimed, mime: file.mime),
      arrived: wallTime(), finished: wallTime(), completeness: .quiet)
    draft.pipeline = pipeline.id
    let naming = Naming(
      active: active, report: draft, claimed: file.claimed, places: places, isPreview: true)
    return naming.preview(results, to: pipeline.to)
  }

  // MARK: - Converting

  package struct Converted: Sendable {
    /// A result waiting in the staging folder.
    package struct Result: Sendable {
      package var role: String
      /// What follows the stem of its name.
      package var ending: String
      package var staged: FilePath
      package var mime: String
      package var bytes: Int

      private static func labeledEnding(_ artifact: CollectedArtifact) -> String? {
        guard let label = artifact.label?.replacing("/", with: "_") else { return nil }
        let ending = ".\(artifact.fileExtension)"
        let name = label.lowercased().hasSuffix(ending.lowercased()) ? label : label + ending
        return name.utf8.count <= 100 ? ".\(name)" : nil
      }

      /// The results of a file, with endings that tell them apart.
      static func list(_ artifacts: [CollectedArtifact]) -> [Result] {
        let usual = OutputName.endings(artifacts.map { ($0.role, $0.fileExtension) })
        // What has a name of its own, as what was attached to a mail, keeps it behind that of its source.
        let labeled = zip(artifacts, usual).map { labeledEnding($0) ?? $1 }
        let endings = Set(labeled).count == labeled.count ? labeled : usual
        return zip(artifacts, endings).map { artifact, ending in
          Result(
            role: artifact.role, ending: ending, staged: artifact.path, mime: artifact.mime,
            bytes: artifact.bytes)
        }
      }
    }
    package var job: String
    package var mime: String
    package var pipeline: String
    package var results: [Result]
    package var partial: Bool
    package var steps: [StepReport]
  }

  /// Runs a file through its pipeline; the results stay in the staging folder until they are placed
  /// or the workbench is closed.
  ///
  /// - Parameter role: where given, the source's own bytes stand in for a `pdf` of a PDF of which
  ///   every page has text already.
  package func convert(
    _ file: FilePath, as path: FilePath, role: String?
  ) async throws(WorkbenchFailure) -> Converted {
    do {
      return try await withTaskExecutorPreference(executor) {
        try await converted(try claimed(file, as: path), role: role)
      }
    } catch { throw WorkbenchFailure(error) }
  }

  /// Those of several files that can be joined, told by what they are. One that cannot be told is among them, so that
  /// joining says why.
  package func joinable(_ files: [FilePath]) async -> [FilePath] {
    let accepts = active.catalog[Pipeline.joiningUse]?.step.accepts ?? []
    return await withTaskExecutorPreference(executor) {
      var joinable: [FilePath] = []
      for file in files where !isStopping {
        let name = FilePath(name: file.lastComponent ?? "file")
        let types = try? await processor.probe(try claimed(file, as: name), alone: true).candidates
        let isTaken = types?.contains { type in
          accepts.contains { mediaType(type, matches: $0) }
        }
        if isTaken ?? true { joinable.append(file) }
      }
      return joinable
    }
  }

  /// Runs several files through a pipeline that takes folders, as if they lay in one in this order.
  ///
  /// - Parameter name: what the document is called.
  package func join(
    _ files: [FilePath], as name: FilePath, role: String?
  ) async throws(WorkbenchFailure) -> Converted {
    do {
      return try await withTaskExecutorPreference(executor) {
        var members: [ClaimedFile.Member] = []
        for file in files {
          let one = try claimed(file, as: FilePath(name: file.lastComponent ?? "file"))
          members.append(
            ClaimedFile.Member(
              name: one.arrival.name, source: one.source, bytes: one.bytes, sha256: one.sha256))
        }
        let bytes = members.reduce(0) { $0 + $1.bytes }
        let arrival = Arrival(
          path: name, device: 0, inode: 0, size: bytes, modifiedSeconds: 0, modifiedNanoseconds: 0,
          arrived: wallTime(), completeness: .quiet, isFolder: true)
        let whole = ClaimedFile(
          job: JobIdentifiers.make(at: wallTime()), arrival: arrival, source: FilePath(),
          isCopy: false, bytes: bytes, sha256: "", members: members)
        return try await converted(whole, role: role)
      }
    } catch { throw WorkbenchFailure(error) }
  }

  private func converted(_ claimed: ClaimedFile, role: String?) async throws -> Converted {
    do { return try await staged(claimed, role: role) } catch {
      discard(claimed.job)
      throw error
    }
  }

  /// Removes what is left of a job in the staging folder.
  package func discard(_ job: String) {
    // What stays there now goes with the staging folder.
    _ = try? Sealer(places: places).discard(job: job)
  }

  private func staged(_ claimed: ClaimedFile, role: String?) async throws -> Converted {
    var journey = Journey(alone: claimed)
    journey.terms.wanted = role
    var hop = journey.begin(at: wallTime())
    while true {
      switch hop {
      case .publish(.results(let processed, _)):
        return Converted(
          job: claimed.job, mime: journey.probed?.mime ?? "", pipeline: journey.pipeline?.id ?? "",
          results: Converted.Result.list(processed.emitted.map(\.artifact)),
          partial: processed.partial, steps: processed.steps)
      case .publish(.quarantine(let failure, let steps)):
        guard let probed = journey.probed, let pipeline = journey.pipeline,
          failure.code == "result.none", role == "pdf", probed.mime == "application/pdf"
        else { throw ProcessingFailed(failure: failure, steps: steps) }
        try checkReadable(probed)
        var own = try collector.keep(claimed, as: "pdf", mime: probed.mime)
        own.fileExtension = "pdf"
        return Converted(
          job: claimed.job, mime: probed.mime, pipeline: pipeline.id,
          results: Converted.Result.list([own]),
          partial: false, steps: steps)
      default: break
      }
      // What needs a ledger is done at once here.
      let event = try await processor.carryOut(hop, alone: true) ?? .done
      if case .interrupted(let interruption, _) = event { throw interruption }
      hop = journey.take(event, at: wallTime())
    }
  }

  /// A PDF that cannot be read is no result, even where no step had to read it.
  private func checkReadable(_ probed: ProbedFile) throws(WorkbenchFailure) {
    if probed.facts["locked"] == true {
      throw WorkbenchFailure(
        PluginFailure(
          .input, "pdf.password", "a password is needed to open this file",
          hint:
            "--password gives it, and --passwords a file of several"))
    }
    guard let pages = probed.facts["pages"]?.integerValue, pages > 0 else {
      throw WorkbenchFailure(
        PluginFailure(
          .input, "pdf.broken", "no pages could be found in this file",
          hint: "open it in a viewer; if it is broken there too, ask for a new copy"))
    }
  }

  /// Moves a staged result to its place below the results folder, over what stands there: a second run
  /// over the same inputs gives the same files, and one that is cut off leaves the old or the new one.
  ///
  /// - Parameters:
  ///   - inputs: files that are not to be replaced by what was made of them.
  ///   - isLast: whether all results of an input stand after this one. Until then the others are older
  ///     than any input, so that a run that is cut off between two makes them again.
  package func place(
    _ staged: FilePath, at path: FilePath, sparing inputs: [FilePath], replaces: Replacing = .all,
    origin: ResultOrigin? = nil, isLast: Bool
  ) throws(WorkbenchFailure) {
    var replacesInput = false, isTaken = false
    do throws(FileError) {
      guard let stagedName = staged.lastComponent, let name = path.lastComponent else { return }
      let folder = try Folder.open(staged.removingLastComponent())
      let target = try base.makeFolders(path.removingLastComponent())
      let file = try folder.reading(FilePath(name: stagedName))
      try file.setMode(0o666 & ~currentMask())
      if !isLast { try file.setModified(FileTime(seconds: 0, nanoseconds: 0)) }
      origin?.note(on: file)
      // Found empty after a power cut, it would count as done.
      try file.sync()
      if let standing = try target.status(FilePath(name: name)), standing.kind == .regular {
        replacesInput = inputs.contains { input in
          (try? Folder.open(input.removingLastComponent())).flatMap { parent in
            input.lastComponent.flatMap { try? parent.following(FilePath(name: $0)).status() }
          }?.isSameFile(as: standing) ?? false
        }
        if replaces != .all {
          let before = try target.reading(FilePath(name: name))
          // Where results cannot say what they were made of, any may be one.
          let isMute = ResultOrigin(of: file) == nil
          let isOwn =
            replaces == .own && ResultOrigin(of: before).map { $0.name == origin?.name } ?? isMute
          // What an earlier run made of the same file is the same.
          if !isOwn { isTaken = try file.digest().sha256 != before.digest().sha256 }
        }
      }
      if !replacesInput, !isTaken {
        try folder.rename(FilePath(name: stagedName), over: FilePath(name: name), in: target)
      }
    } catch { throw WorkbenchFailure(error) }
    guard !isTaken else {
      throw WorkbenchFailure(
        PluginFailure(
          .options, "result.exists", "\(path.printable) is there already, with other content",
          hint: "--overwrite replaces it, or -o names another folder"))
    }
    guard !replacesInput else {
      throw WorkbenchFailure(
        PluginFailure(
          .input, "file.input", "the result would replace the file that it was made of",
          hint: "name another folder with -o"))
    }
  }

  /// All results of an input stand: now they are newer than it.
  package func finish(_ paths: [FilePath]) throws(WorkbenchFailure) {
    let now = wallTime()
    let time = FileTime(seconds: now / 1000, nanoseconds: now % 1000 * 1_000_000)
    do throws(FileError) {
      for path in paths { try base.reading(path).setModified(time) }
    } catch { throw WorkbenchFailure(error) }
  }
}

/// Which files are replaced that stand where results go.
package enum Replacing: Sendable {
  /// None.
  case none
  /// Results of a file of the same name, and those of which nothing is known.
  case own
  case all
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
