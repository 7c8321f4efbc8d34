internal import JobLedger
internal import Pipelines
internal import Synchronization

/// What a daemon counts of its own life: made of the events that it tells anyway, and of the turns of
/// its main loop. Nothing here is read by the work itself.
final class Tally: Sendable {
  struct Counts: Sendable {
    var outcomes: [OutcomeCount.Key: Int] = [:]
    var attempts: [String: Int] = [:]
    var putOff = 0
    var busy = 0
    var isReady = false
  }
  private let counts = Mutex(Counts())
  private let turned = Mutex<SuspendingClock.Instant?>(nil)
  let started = wallTime()

  var now: Counts { counts.withLock { $0 } }

  func take(_ event: ConveyorEvent) {
    switch event {
    case .ready: counts.withLock { $0.isReady = true }
    case .working: counts.withLock { $0.busy += 1 }
    case .rested: counts.withLock { $0.busy -= 1 }
    case .waits: counts.withLock { $0.putOff += 1 }
    case .finished(let report):
      let key = OutcomeCount.Key(pipeline: report.pipeline ?? "", outcome: report.outcome)
      counts.withLock { $0.outcomes[key, default: 0] += 1 }
    default: break
    }
  }

  func ended(attempt result: String) { counts.withLock { $0.attempts[result, default: 0] += 1 } }

  /// Puts what the ledger has of earlier runs below what is counted from now on.
  func add(_ earlier: [OutcomeCount]) {
    counts.withLock { counts in
      for count in earlier { counts.outcomes[count.key, default: 0] += count.number }
    }
  }

  func add(attempts earlier: [String: Int]) {
    counts.withLock { $0.attempts.merge(earlier, uniquingKeysWith: +) }
  }

  /// The main loop has gone round once more.
  func turn() { turned.withLock { $0 = .now } }

  /// Milliseconds since the main loop last went round, without the time that the machine slept; nil
  /// before the first time.
  var sinceTurn: Int? {
    turned.withLock { $0 }.map { turn in
      let (seconds, fraction) = turn.duration(to: .now).components
      return Int(clamping: seconds) * 1000 + Int(fraction / 1_000_000_000_000_000)
    }
  }
}
