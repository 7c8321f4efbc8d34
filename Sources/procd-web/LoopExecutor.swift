import NIOCore

/// Runs tasks on the thread of an event loop.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    loop.execute { unsafe unowned.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
