internal import Files
internal import Pipelines
internal import Synchronization
internal import SystemPackage

/// Asks the sources of the configuration, each at its time.
struct FetchingService: Sendable {
  let conveyor: Conveyor

  /// How soon a changed configuration or clock is noticed, in milliseconds.
  private static let longestSleep: Int64 = 5000

  /// Asks until the task is cancelled.
  func serve() async {
    forgetRemoved()
    while !Task.isCancelled, !conveyor.isStopping {
      let isWell = await round()
      let now = wallTime()
      let next = conveyor.active.configuration.sources.map { due($0, now) }.min() ?? .max
      let pause = isWell ? max(250, min(Self.longestSleep, next - now)) : Self.longestSleep
      try? await Task.sleep(for: .milliseconds(pause))
    }
  }

  private func due(_ source: Source, _ now: Int64) -> Int64 {
    let place = SourceFolder.existing(source, spool: conveyor.active.spool)
    let state = (try? place?.state()) ?? nil
    return max(now, state?.about(source, at: now).next ?? now + Self.longestSleep)
  }

  /// Asks all sources that are due, side by side.
  ///
  /// - Returns: false where our own disk was in the way.
  @discardableResult
  func round() async -> Bool {
    let active = conveyor.active
    guard !active.configuration.sources.isEmpty, !conveyor.hasDiskTrouble,
      active.silentFolders(.sources).isEmpty
    else { return true }
    return await withTaskGroup(of: Bool.self) { group in
      for source in active.configuration.sources {
        group.addTask { await ask(source, active) }
      }
      return await group.reduce(true) { $0 && $1 }
    }
  }

  private func ask(_ source: Source, _ active: ActiveConfiguration) async -> Bool {
    let run = "fetch \(source.id)", isShown = Atomic<Bool>(false)
    let result = await SourceRound(active, conveyor.net, conveyor.lists).ask(
      source, onlyWhenDue: true, while: { !conveyor.isStopping },
      tell: { try conveyor.tell($0) },
      progress: { done, total in
        if !isShown.exchange(true, ordering: .relaxed) {
          conveyor.emit(
            .working(run: run, job: "", path: FilePath(source.id), step: "fetch"))
        }
        if let total {
          conveyor.emit(
            .progress(run: run, done: done >> 10, total: max(1, total >> 10), unit: "KiB"))
        }
      })
    if isShown.load(ordering: .relaxed) { conveyor.emit(.rested(run: run)) }
    say(result, source)
    if case .failed(let failure) = result.outcome, failure.code == "net.disk" { return false }
    return result.outcome != .busy
  }

  private func say(_ result: SourceRound.Result, _ source: Source) {
    for (name, bytes) in result.files {
      conveyor.emit(.notice("source \(source.id): \(name) came, \(bytes) bytes"))
    }
    if !result.files.isEmpty { conveyor.wakeup.signal() }
    switch result.outcome {
    case .failed(let failure):
      // Told when it begins; later tries stand in `status`.
      if result.failuresBefore == 0 || conveyor.isOnce {
        conveyor.emit(.trouble("source \(source.id): \(failure.message) [\(failure.code)]"))
      }
    case .unchanged where result.failuresBefore > 0, .received where result.failuresBefore > 0:
      conveyor.emit(.notice("source \(source.id) can be reached again"))
    case .received, .unchanged, .busy, .early, .stopped: break
    }
  }

  /// Removes what is kept of sources that the configuration no longer has.
  private func forgetRemoved() {
    let known = Set(conveyor.active.configuration.sources.map(\.id))
    guard let folder = try? conveyor.spool.folder.folder(SourceFolder.top),
      let names = try? folder.names()
    else { return }
    for name in names where !known.contains(name.string) { try? folder.removeTree(name) }
  }
}
