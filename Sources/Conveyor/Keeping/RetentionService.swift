internal import JobLedger
internal import Outbox
internal import Pipelines

/// Lets archived originals go while procd runs, where the configuration keeps them for a time only.
struct RetentionService: Sendable {
  let conveyor: Conveyor
  /// Milliseconds between two rounds, at most.
  private static let interval = 3_600_000

  /// Makes rounds until the task is cancelled.
  func serve() async {
    var trouble: String?
    while !Task.isCancelled {
      let now = await round()
      if let now, now != trouble { conveyor.emit(.trouble(now)) }
      trouble = now
      let keep = conveyor.active.configuration.archive.keep ?? Self.interval
      // A short time is kept to within a tenth.
      let pause = min(Self.interval, max(1000, keep / 10))
      try? await Task.sleep(for: .milliseconds(pause))
    }
  }

  /// - Returns: what stood in the way.
  func round() async -> String? {
    let active = conveyor.active
    guard let keep = active.configuration.archive.keep, active.answer(.archive) else { return nil }
    var count = 0
    do {
      try await Retention(active, conveyor.ledger.reader)
        .run(keep: keep, at: wallTime(), sparesPartial: keep == 0, writing: conveyor.ledger) {
          retired in
          if retired.fate == .removed { count += 1 }
        }
    } catch { return "archived originals could not be let go: \(error)" }
    if count > 0 {
      IndexingService.noteAll(in: conveyor)
      conveyor.emit(
        .notice("\(count) archived original\(count == 1 ? "" : "s") let go: their time was over"))
    }
    return nil
  }

  /// Lets the original of a job that was just released go where none is kept.
  func released(_ job: String) async {
    guard conveyor.active.configuration.archive.keep == 0, conveyor.active.answer(.archive) else {
      return
    }
    let retention = Retention(conveyor.active, conveyor.ledger.reader)
    do {
      guard let row = try conveyor.ledger.reader.job(job), row.outcome != .quarantined,
        !retention.holdsMore(row)
      else { return }
      try await retention.letGo(row, at: wallTime(), conveyor.ledger)
    } catch {
      // The next round looks at it again.
      conveyor.emit(.trouble("an archived original could not be let go: \(error)"))
    }
  }
}
