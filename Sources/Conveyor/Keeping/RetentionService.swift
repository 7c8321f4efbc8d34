internal import JobLedger
internal import Outbox
internal import Pipelines

/// Removes archived originals and deleted documents whose time is over while procd runs.
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
      let configuration = conveyor.active.configuration
      let times = configuration.keepTimes + [configuration.keepDeleted].compactMap(\.self)
      // A short time is kept to within a tenth.
      let pause = min(Self.interval, max(1000, (times.min() ?? Self.interval) / 10))
      try? await Task.sleep(for: .milliseconds(pause))
    }
  }

  /// - Returns: what stood in the way.
  func round() async -> String? {
    let trouble = purge()
    return await retire() ?? trouble
  }

  /// Removes deleted documents whose time is over.
  private func purge() -> String? {
    let active = conveyor.active
    guard let keep = active.configuration.keepDeleted, active.answer(.outbox, .archive, .quarantine)
    else { return nil }
    do {
      let count = try Deletion(active, conveyor.ledger).purge(before: wallTime() - Int64(keep))
      if count > 0 {
        conveyor.emit(
          .notice("\(count) deleted document\(count == 1 ? "" : "s") removed: their time was over"))
      }
      return nil
    } catch { return "deleted documents could not be removed: \(error)" }
  }

  private func retire() async -> String? {
    let active = conveyor.active
    guard !active.configuration.keepTimes.isEmpty, active.answer(.archive) else { return nil }
    var count = 0
    do {
      try await Retention(active, conveyor.ledger.reader)
        .run(at: wallTime(), writing: conveyor.ledger) { retired in
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
    let configuration = conveyor.active.configuration
    guard configuration.keepTimes.contains(0), conveyor.active.answer(.archive) else { return }
    let retention = Retention(conveyor.active, conveyor.ledger.reader)
    do {
      guard let row = try conveyor.ledger.reader.job(job), row.outcome != .quarantined,
        configuration.keepTime(ofRule: row.pipeline).milliseconds == 0, !retention.holdsMore(row)
      else { return }
      try await retention.letGo(row, at: wallTime(), conveyor.ledger)
    } catch {
      // The next round looks at it again.
      conveyor.emit(.trouble("an archived original could not be let go: \(error)"))
    }
  }
}
