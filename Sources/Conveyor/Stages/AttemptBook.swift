internal import JobLedger
internal import Synchronization

/// Where attempts are written down: before a step runs and after it has ended.
protocol AttemptBook: Sendable {
  /// - Returns: the attempt, and how many were charged before it.
  func start(
    job: String, pipeline: String, step: String, alone: Bool
  ) async throws -> (attempt: Int64, charged: Int)
  func end(_ attempt: Int64, class name: String, code: String?, charged: Bool) async throws
  /// How often the job's process, or the daemon itself, vanished while the job ran alone, and when it
  /// was seen last.
  func vanishedAlone(job: String) async throws -> Vanishings
  /// Whether those are counted: then only one run of a job that runs alone may be under way, or a kill counts against all.
  var countsVanishings: Bool { get }
}

/// Attempts in the ledger, so that a crash is known for one afterwards.
struct LedgerAttempts: AttemptBook {
  var countsVanishings: Bool { true }
  let ledger: Ledger
  let tally: Tally

  func start(
    job: String, pipeline: String, step: String, alone: Bool
  ) async throws -> (attempt: Int64, charged: Int) {
    try await ledger.startAttempt(
      job: job, step: step, pipeline: pipeline, alone: alone, at: wallTime())
  }
  func end(_ attempt: Int64, class name: String, code: String?, charged: Bool) async throws {
    // What is not charged decides nothing before the result it led to is decided.
    try await ledger.endAttempt(
      attempt, class: name, code: code, charged: charged, at: wallTime(),
      charged ? .now : .withNext)
    tally.ended(attempt: name)
  }
  func vanishedAlone(job: String) async throws -> Vanishings {
    try await ledger.vanishedAlone(job: job)
  }
}

/// Attempts of a run without a ledger.
final class MemoryAttempts: AttemptBook {
  var countsVanishings: Bool { false }
  private struct State {
    var keys: [Int64: String] = [:]
    var charged: [String: Int] = [:]
  }
  private let state = Mutex(State())

  func start(
    job: String, pipeline: String, step: String, alone: Bool
  ) async throws -> (attempt: Int64, charged: Int) {
    state.withLock { state in
      let id = Int64(state.keys.count + 1), key = "\(job) \(pipeline) \(step)"
      state.keys[id] = key
      return (id, state.charged[key] ?? 0)
    }
  }
  func end(_ attempt: Int64, class name: String, code: String?, charged: Bool) async throws {
    guard charged else { return }
    state.withLock { state in
      if let key = state.keys[attempt] { state.charged[key, default: 0] += 1 }
    }
  }
  func vanishedAlone(job: String) async throws -> Vanishings { Vanishings() }
}
