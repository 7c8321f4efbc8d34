import Files
import Synchronization

/// Runs the program's tasks on its first thread. The usual threads of tasks come with a monitor that
/// reads `/proc`, which the confinement does not allow.
final class MainThread: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let signal = ThreadSignal()

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    jobs.withLock { $0.append(unowned) }
    signal.wake()
  }

  /// Works until the process ends.
  func serve() -> Never {
    let executor = unsafe asUnownedTaskExecutor()
    while true {
      let seen = signal.generation
      if let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        unsafe job.runSynchronously(on: executor)
      } else {
        _ = signal.wait(since: seen, seconds: nil)
      }
    }
  }
}
