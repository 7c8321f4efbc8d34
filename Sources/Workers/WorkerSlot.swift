internal import CLinux
internal import Glibc
internal import Pipelines
internal import PluginKit
internal import Synchronization

/// One place for a busy process: a thread that lives as long as the pool, starts its processes
/// itself, and runs one order at a time.
final class WorkerSlot: Sendable {
  private let setup: WorkerSetup
  /// Written to by `interrupt`; readable means stop.
  private let wake: (read: Int32, write: Int32)
  private let interrupted = Atomic<Bool>(false)

  init(_ setup: WorkerSetup) {
    self.setup = setup
    var pipe: [Int32] = [-1, -1]
    _ = unsafe clinux_pipe(&pipe)
    wake = (pipe[0], pipe[1])
  }

  func interrupt() {
    interrupted.store(true, ordering: .sequentiallyConsistent)
    writeAll([0], to: wake.write)
  }

  /// The thread's life.
  func serve(_ queue: OrderQueue) {
    var warm = WarmWorkers(setup: setup)
    while let waiting = queue.next(idleAfter: 300, idle: { warm.endAll() }) {
      if interrupted.load(ordering: .sequentiallyConsistent) {
        waiting.finish(WorkerPool.stopping)
        continue
      }
      let start = milliseconds()
      var outcome: RunOutcome
      switch waiting.order.program {
      case .worker(let name): outcome = runWarm(name, waiting.order, &warm)
      case .foreign(let foreign): outcome = runForeign(foreign, waiting.order)
      }
      outcome.wallMilliseconds = milliseconds() - start
      waiting.finish(outcome)
    }
    warm.endAll()
  }

  private func runWarm(
    _ name: String, _ order: StepOrder, _ warm: inout WarmWorkers
  ) -> RunOutcome {
    let process: ChildProcess
    do throws(SpawnError) { process = try warm.process(name) } catch {
      return RunOutcome(
        ending: .failed,
        result: .failure(
          PluginFailure(
            .transient, PluginFailure.workerStart, error.message, hint: "run procd check")))
    }
    let request = RunRequest(
      run: order.run, stateFolder: order.stateFolder, landlockCeiling: setup.landlockCeiling,
      isolationRequired: order.isolationRequired,
      processorSeconds: max(2, order.timeout / 1000 + 1))
    var watch = RunWatch(order, process: process, wake: wake.read)
    guard process.send(.run(request)) else {
      warm.discard(name)
      return watch.ended(byProcess: process.wait())
    }
    let ended = watch.untilExit { process.send(.cancel(id: order.run.id, reason: $0)) }
    switch ended {
    case .exit(let end):
      warm.used(name)
      return watch.ended(byProcess: end)
    case .gone:
      process.kill()
      let end = process.wait()
      warm.discard(name)
      return watch.ended(byProcess: end)
    }
  }

  private func runForeign(_ foreign: PluginCatalog.Foreign, _ order: StepOrder) -> RunOutcome {
    ForeignRun(setup: setup, foreign: foreign, order: order, wake: wake.read).outcome()
  }
}

/// The worker processes of one slot, by program; started when first needed, kept between jobs.
struct WarmWorkers {
  private struct Warm {
    var process: ChildProcess
    var jobs = 0
  }
  private var workers: [String: Warm] = [:]
  private let setup: WorkerSetup
  /// After so many jobs a worker is replaced, in case a library leaks in the parent.
  private static let mostJobs = 1000

  init(setup: WorkerSetup) { self.setup = setup }

  mutating func process(_ name: String) throws(SpawnError) -> ChildProcess {
    if let warm = workers[name] {
      if warm.jobs < Self.mostJobs { return warm.process }
      end(name)
    }
    let process = try ChildProcess(
      arguments: ["\(setup.programs)/\(name)"],
      environment: setup.environment + WorkerSetup.forking,
      deathSignal: SIGKILL, mark: setup.mark)
    workers[name] = Warm(process: process)
    return process
  }

  mutating func used(_ name: String) { workers[name]?.jobs += 1 }

  /// Forgets a process that is gone.
  mutating func discard(_ name: String) { workers[name] = nil }

  private mutating func end(_ name: String) {
    guard let warm = workers.removeValue(forKey: name) else { return }
    // It is idle: nothing is lost.
    warm.process.kill()
    _ = warm.process.wait()
  }

  mutating func endAll() { for name in workers.keys { end(name) } }
}

/// Milliseconds of a clock that never jumps.
package func milliseconds() -> Int {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}
