import Synchronization
import Testing

@testable import Conveyor

@Suite struct WaitingTests {
  /// Notes who is inside, and whether a suspect ever was inside with somebody else.
  private final class Room: Sendable {
    private struct State {
      var together = 0
      var alone = 0
      var broken = false
      var visits = 0
    }
    private let state = Mutex(State())
    func enter(alone: Bool) {
      state.withLock { state in
        if alone { state.alone += 1 } else { state.together += 1 }
        if state.alone > 1 || state.alone == 1 && state.together > 0 { state.broken = true }
        state.visits += 1
      }
    }
    func leave(alone: Bool) {
      state.withLock { state in
        if alone { state.alone -= 1 } else { state.together -= 1 }
      }
    }
    var result: (broken: Bool, visits: Int) { state.withLock { ($0.broken, $0.visits) } }
  }

  @Test func `a suspect is inside alone, and everybody gets in`() async {
    let gate = Gate(), room = Room()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        group.addTask {
          let alone = index % 7 == 0
          await gate.enter(alone: alone)
          room.enter(alone: alone)
          await Task.yield()
          room.leave(alone: alone)
          await gate.leave(alone: alone)
        }
      }
    }
    #expect(!room.result.broken)
    #expect(room.result.visits == 200)
  }

  /// Counts how many are at it, and the most there were.
  private final class Counter: Sendable {
    private let state = Mutex([0, 0])
    func start() {
      state.withLock { state in
        state[0] += 1
        state[1] = max(state[0], state[1])
      }
    }
    func end() { state.withLock { $0[0] -= 1 } }
    var now: Int { state.withLock { $0[0] } }
    var most: Int { state.withLock { $0[1] } }
  }

  @Test func `no more steps run at once than there are permits`() async {
    let permits = Permits(3)
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<100 {
        group.addTask {
          await permits.take(job: "\(index % 7)", priority: index % 3)
          counter.start()
          await Task.yield()
          counter.end()
          await permits.give()
        }
      }
    }
    #expect(counter.most <= 3)
    #expect(counter.now == 0)
  }

  private final class Served: Sendable {
    let jobs = Mutex<[String]>([])
  }

  @Test func `a short file behind long ones waits for one page of each`() async {
    let permits = Permits(1)
    let served = Served()
    await permits.take(job: "first", priority: 0)
    await withTaskGroup(of: Void.self) { group in
      let jobs =
        Array(repeating: "long", count: 40) + Array(repeating: "other", count: 40)
        + ["short", "late"]
      for (index, job) in jobs.enumerated() {
        group.addTask {
          await permits.take(job: job, priority: 0)
          served.jobs.withLock { $0.append(job) }
          await permits.give()
        }
        while await permits.count <= index { await Task.yield() }
      }
      await permits.give()
    }
    let order = served.jobs.withLock { $0 }
    #expect(order.prefix(6) == ["long", "other", "short", "late", "long", "other"])
    #expect(order.count == 82)
  }

  @Test func `a bell that was rung before the wait is heard`() async {
    let bell = Bell()
    bell.ring()
    await bell.wait(milliseconds: 60_000)
  }

  @Test func `a twin waits until the other has ended, and not for one that never ran`() async {
    let twins = Twins()
    await twins.wait(for: "never started")
    await twins.started("a")
    let waiter = Task { await twins.wait(for: "a") }
    await Task.yield()
    await twins.ended("a")
    await waiter.value
  }
}
