internal import JobLedger
internal import Synchronization

/// Where attempts are written down: before a step runs and after it has ended.
protocol AttemptBook: Sendable {
  func start(job: String, pipeline: String, step: String, alone: Bool) async throws -> Int64
  func end(_ attempt: Int64, class name: String, code: String?, charged: Bool) async throws
  func charged(job: String, pipeline: String, step: String) async throws -> Int
  /// How often the job's process, or the daemon itself, vanished while the job ran alone.
  func vanishedAlone(job: String) async throws -> Int
}

/// Attempts in the ledger, so that a crash is known for one afterwards.
struct LedgerAttempts: AttemptBook {
  let ledger: Ledger

  func start(job: String, pipeline: String, step: String, alone: Bool) async throws -> Int64 {
    try await ledger.startAttempt(
      job: job, step: step, pipeline: pipeline, alone: alone, at: wallTime())
  }
  func end(_ attempt: Int64, class name: String, code: String?, charged: Bool) async throws {
    try await ledger.endAttempt(attempt, class: name, code: code, charged: charged, at: wallTime())
  }
  func charged(job: String, pipeline: String, step: String) async throws -> Int {
    try await ledger.chargedAttempts(job: job, pipeline: pipeline, step: step)
  }
  func vanishedAlone(job: String) async throws -> Int {
    try await ledger.vanishedAlone(job: job)
  }
}

/// Attempts of a run without a ledger.
final class MemoryAttempts: AttemptBook {
  private struct State {
    var keys: [Int64: String] = [:]
    var charged: [String: Int] = [:]
  }
  private let state = Mutex(State())

  func start(job: String, pipeline: String, step: String, alone: Bool) async throws -> Int64 {
    state.withLock { state in
      let id = Int64(state.keys.count + 1)
      state.keys[id] = "\(job) \(pipeline) \(step)"
      return id
    }
  }
  func end(_ attempt: Int64, class name: String, code: String?, charged: Bool) async throws {
    guard charged else { return }
    state.withLock { state in
      if let key = state.keys[attempt] { state.charged[key, default: 0] += 1 }
    }
  }
  func charged(job: String, pipeline: String, step: String) async throws -> Int {
    state.withLock { $0.charged["\(job) \(pipeline) \(step)"] ?? 0 }
  }
  func vanishedAlone(job: String) async throws -> Int { 0 }
}
