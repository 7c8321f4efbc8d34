internal import Synchronization

/// Something to wait for: signaled from any thread, waited for by one task, with a time limit.
final class Wakeup: Sendable {
  private struct State {
    var signaled = false
    var continuation: CheckedContinuation<Void, Never>?
  }
  private let state = Mutex(State())

  func signal() {
    let continuation = state.withLock { state in
      state.signaled = true
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume()
  }

  /// Waits until signaled since the last wait ended, or until so many milliseconds are over.
  func wait(milliseconds: Int) async {
    let timer = Task {
      try? await Task.sleep(for: .milliseconds(max(0, milliseconds)))
      if !Task.isCancelled { signal() }
    }
    await withCheckedContinuation { continuation in
      let now = state.withLock { state in
        if state.signaled { return true }
        state.continuation = continuation
        return false
      }
      if now { continuation.resume() }
    }
    timer.cancel()
    state.withLock { $0.signaled = false }
  }
}

/// Lets journeys pass side by side, and suspects only alone. A suspect that has waited long lets
/// nobody new in, so that it gets its turn.
actor Gate {
  private var inside = 0
  private var aloneInside = false
  private var waitingTogether: [CheckedContinuation<Void, Never>] = []
  private var waitingAlone: [CheckedContinuation<Void, Never>] = []
  private var oldestAlone: ContinuousClock.Instant?
  private static let patience = Duration.seconds(60)

  func enter(alone: Bool) async {
    if alone {
      if inside == 0, !aloneInside, waitingTogether.isEmpty {
        aloneInside = true
        return
      }
      oldestAlone = oldestAlone ?? .now
      await withCheckedContinuation { waitingAlone.append($0) }
    } else {
      let yields = oldestAlone.map { .now - $0 > Self.patience } ?? false
      if !aloneInside, !yields {
        inside += 1
        return
      }
      await withCheckedContinuation { waitingTogether.append($0) }
    }
  }

  func leave(alone: Bool) {
    if alone { aloneInside = false } else { inside -= 1 }
    let yields = oldestAlone.map { .now - $0 > Self.patience } ?? false
    if !aloneInside, !waitingTogether.isEmpty, !(yields && inside == 0 && !waitingAlone.isEmpty) {
      inside += waitingTogether.count
      let admitted = waitingTogether
      waitingTogether = []
      for continuation in admitted { continuation.resume() }
    }
    if inside == 0, !aloneInside, !waitingAlone.isEmpty {
      aloneInside = true
      let next = waitingAlone.removeFirst()
      oldestAlone = waitingAlone.isEmpty ? nil : .now
      next.resume()
    }
  }
}

/// Lets a job wait until another has ended: one that computes the same, or is about to get the same name.
actor RunningJobs {
  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
  private var running: Set<String> = []

  func started(_ job: String) { running.insert(job) }

  func runs(_ job: String) -> Bool { running.contains(job) }

  /// Returns when the job has ended, at once where it does not run.
  func wait(for job: String) async {
    guard running.contains(job) else { return }
    await withCheckedContinuation { waiting[job, default: []].append($0) }
  }

  func ended(_ job: String) {
    running.remove(job)
    for continuation in waiting.removeValue(forKey: job) ?? [] { continuation.resume() }
  }
}

/// When something was first seen.
final class StopTime: Sendable {
  private let time = Mutex<Int64?>(nil)

  func first(_ now: Int64) -> Int64 {
    time.withLock { time in
      time = time ?? now
      return time ?? now
    }
  }
}
