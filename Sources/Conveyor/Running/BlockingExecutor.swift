internal import Files
internal import Synchronization

/// Threads for journeys: their file calls block, and must not hold up the few threads that all
/// other tasks share.
final class BlockingExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  /// Counts the jobs, so that each wakes one thread and no more.
  private let waiting = ThreadSemaphore()

  init(threads: Int) throws(FileError) {
    for _ in 0..<threads { try startThread { [self] in serve() } }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    jobs.withLock { $0.append(unowned) }
    waiting.post()
  }

  private func serve() {
    let executor = unsafe asUnownedTaskExecutor()
    while true {
      waiting.wait()
      if let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        unsafe job.runSynchronously(on: executor)
      }
    }
  }
}
