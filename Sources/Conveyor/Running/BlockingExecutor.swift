package import Files
internal import Synchronization

/// Runs tasks whose file calls block, on threads of its own. A thread is added whenever all are busy, so a task never
/// waits for one that is stuck in a file system whose server is gone.
package final class BlockingExecutor: TaskExecutor {
  private struct State {
    var tasks: [UnownedJob] = []
    var threads = 0
    var idle = 0
  }
  private let state = Mutex(State())
  private let most: Int
  /// Counts the tasks, so that each wakes one thread and no more.
  private let waiting = ThreadSemaphore()

  /// - Parameter most: how many threads there may be; it starts with one.
  package init(most: Int) throws(FileError) {
    self.most = most
    try addThread()
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let isShort = state.withLock { state in
      state.tasks.append(unowned)
      return state.tasks.count > state.idle && state.threads < most
    }
    // Without another one, the task waits for those there are.
    if isShort { try? addThread() }
    waiting.post()
  }

  private func addThread() throws(FileError) {
    state.withLock { state in
      state.threads += 1
      state.idle += 1
    }
    do throws(FileError) { try startThread { [self] in serve() } } catch {
      state.withLock { state in
        state.threads -= 1
        state.idle -= 1
      }
      throw error
    }
  }

  private func serve() {
    let executor = unsafe asUnownedTaskExecutor()
    while true {
      waiting.wait()
      let task = state.withLock { state -> UnownedJob? in
        guard !state.tasks.isEmpty else { return nil }
        state.idle -= 1
        return state.tasks.removeFirst()
      }
      guard let task else { continue }
      unsafe task.runSynchronously(on: executor)
      state.withLock { $0.idle += 1 }
    }
  }
}
