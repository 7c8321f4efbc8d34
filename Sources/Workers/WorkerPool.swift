package import Files
internal import Glibc
package import Pipelines
internal import PluginKit
internal import Synchronization

/// Where the worker programs are and what they are started with.
package struct WorkerSetup: Sendable {
  /// The folder of our programs.
  package var programs: String
  /// Of our processes; nil where no daemon will look for those that are left.
  package var mark: SpoolMark?
  /// Tests lower the Landlock version; nil for what the kernel has.
  package var landlockCeiling: Int?
  /// Hears each line that goes to a foreign plugin or comes from it.
  package var overhear: (@Sendable (_ said: PluginTalk, _ line: [UInt8]) -> Void)?

  package init(programs: String, mark: SpoolMark? = nil, landlockCeiling: Int? = nil) {
    self.programs = programs
    self.mark = mark
    self.landlockCeiling = landlockCeiling
  }

  /// What built-in plugins have in addition. Their processes fork for each step: what is resolved in the
  /// parent is not resolved in every child, and memory in large pages costs a child fewer faults
  /// (60 receipts: a third of the system time).
  static let forking = ["LD_BIND_NOW=1", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1"]

  private static let programFolders = "/usr/local/bin:/usr/bin:/bin"

  /// Why a foreign plugin cannot be started, in a sentence; nil where nothing is known to be in the way.
  package func obstacle(to foreign: PluginCatalog.Foreign) -> String? {
    command(of: foreign).first.flatMap { StartObstacle.of($0, in: Self.programFolders) }
  }

  var environment: [String] {
    [
      // Parallelism is processes: OpenMP in each of them costs four times the time of one page.
      "OMP_THREAD_LIMIT=1", "MALLOC_ARENA_MAX=2", "LC_ALL=C.UTF-8",
      "PATH=\(Self.programFolders)",
      "HOME=/nonexistent",
    ]
  }
}

/// The plugin processes: as many busy at once as there are slots.
package final class WorkerPool: StepSlots {
  private let queue = OrderQueue()
  private let slots: [WorkerSlot]
  private let busyThreads = Atomic<Int>(0)
  private let threadEnded = ThreadSignal()

  /// - Throws: where not every slot can have its thread.
  package init(_ setup: WorkerSetup, slots count: Int) throws(FileError) {
    clinuxIgnoreBrokenPipes()
    let queue = queue
    slots = (0..<max(1, count)).map { _ in WorkerSlot(setup) }
    do throws(FileError) {
      for slot in slots {
        try startThread { [self] in
          slot.serve(queue)
          busyThreads.subtract(1, ordering: .sequentiallyConsistent)
          threadEnded.wake()
        }
        busyThreads.add(1, ordering: .sequentiallyConsistent)
      }
    } catch {
      drain()
      throw error
    }
  }

  /// Runs a step when a slot is free.
  package func run(_ order: StepOrder) async -> RunOutcome {
    await withCheckedContinuation { continuation in
      let added = queue.add(order) { continuation.resume(returning: $0) }
      if !added { continuation.resume(returning: Self.stopping) }
    }
  }

  package static let stopping = RunOutcome(
    ending: .handedBack,
    result: .failure(PluginFailure(.cancelled, "host.stopping", "procd is stopping")))

  /// Takes no further orders and gives back those that wait; running ones go on.
  package func drain() {
    for waiting in queue.close() { waiting.finish(Self.stopping) }
  }

  /// Stops everything and waits, at most some seconds, until all processes are gone and reaped.
  package func end() {
    stopNow()
    for _ in 0..<10 {
      let seen = threadEnded.generation
      if busyThreads.load(ordering: .sequentiallyConsistent) == 0 { return }
      _ = threadEnded.wait(since: seen, seconds: 1)
    }
  }

  /// Stops what still runs; each run then ends as handed back.
  package func stopNow() {
    drain()
    for slot in slots { slot.interrupt() }
  }
}

/// A worker that ends while we write to it must not end us.
private func clinuxIgnoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
