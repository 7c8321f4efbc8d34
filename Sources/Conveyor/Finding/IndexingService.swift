internal import Finding
internal import JobLedger
internal import Pipelines
internal import Synchronization

/// Fills the search index while procd runs. It has no part in delivery: one that fails, or is deleted, is told once and
/// made again.
struct IndexingService: Sendable {
  let conveyor: Conveyor

  /// Jobs that have ended and are not in the index yet.
  struct Pending: Sendable {
    var jobs: [String] = []
    /// Whether all that is missing is to be looked for.
    var all = true
    /// How many are being put in.
    var underway = 0

    /// How many documents are not found yet, as far as is known.
    var unread: Int { jobs.count + underway }
  }

  /// More than these, and they are looked for instead of being remembered.
  private static let most = 10_000
  /// Ends that come one after the other are put in together, in milliseconds.
  private static let pause = 1000
  private static let pauseAfterFailure = 60_000

  /// Remembers a job that has ended.
  static func note(_ job: String, in conveyor: Conveyor) {
    conveyor.pendingIndex.withLock { pending in
      if pending.jobs.count < most { pending.jobs.append(job) } else { pending.all = true }
    }
    conveyor.indexWakeup.signal()
  }

  /// Looks for all that is missing, at the next turn.
  static func noteAll(in conveyor: Conveyor) {
    conveyor.pendingIndex.withLock { $0.all = true }
    conveyor.indexWakeup.signal()
  }

  func serve() async {
    var indexing: Indexing?, told: String?
    // What an earlier run left.
    conveyor.indexWakeup.signal()
    while !conveyor.isStopping {
      await conveyor.indexWakeup.wait(milliseconds: 3_600_000)
      try? await Task.sleep(for: .milliseconds(Self.pause))
      guard !conveyor.isStopping, conveyor.active.configuration.isIndexed else {
        indexing = nil
        continue
      }
      let pending = conveyor.pendingIndex.withLock { pending in
        defer { pending = Pending(all: false, underway: pending.jobs.count) }
        return pending
      }
      do {
        let kept = indexing.flatMap { $0.isThere ? $0 : nil }
        let current = try kept ?? open()
        indexing = current
        // One that was deleted, or is new, lacks more than what has just ended.
        if pending.all || kept == nil {
          try await current.catchUp { done, total in
            conveyor.pendingIndex.withLock { $0.underway = total - done }
            return !conveyor.isStopping
          }
        } else {
          try await current.put(pending.jobs) { !conveyor.isStopping }
        }
        conveyor.pendingIndex.withLock { $0.underway = 0 }
        told = nil
      } catch {
        indexing = nil
        conveyor.pendingIndex.withLock { ($0.all, $0.underway) = (true, 0) }
        let trouble = "\(error); files are processed all the same"
        if told != trouble { conveyor.emit(.trouble(trouble)) }
        told = trouble
        if conveyor.isStopping { break }
        await conveyor.indexWakeup.wait(milliseconds: Self.pauseAfterFailure)
        conveyor.indexWakeup.signal()
      }
    }
  }

  private func open() throws -> Indexing {
    try Indexing(conveyor.active, conveyor.ledger.reader, .ofThisProgram())
  }
}
