internal import Files
internal import Synchronization

/// Threads for journeys: their file calls block, and must not hold up the few threads that all
/// other tasks share.
final class BlockingExecutor: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var closed = false
  }
  private let state = Mutex(State())
  private let signal = ThreadSignal()

  init(threads: Int) {
    for _ in 0..<threads {
      startThread { [self] in serve() }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    state.withLock { $0.jobs.append(unowned) }
    signal.wake()
  }

  private func serve() {
    let executor = unsafe asUnownedTaskExecutor()
    while true {
      let seen = signal.generation
      let job = state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
      if let job {
        unsafe job.runSynchronously(on: executor)
      } else {
        _ = signal.wait(since: seen, seconds: nil)
      }
    }
  }
}
