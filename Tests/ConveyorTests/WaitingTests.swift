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
          await permits.give(job: "\(index % 7)", milliseconds: index)
        }
      }
    }
    #expect(counter.most <= 3)
    #expect(counter.now == 0)
  }

  private final class Served: Sendable {
    let jobs = Mutex<[String]>([])
  }

  private enum Work {
    /// All wait at once.
    case pages(Int)
    /// One after the other.
    case steps(Int)
    /// One after the other, each a job of its own.
    case files(Int)
  }

  /// Has jobs wait behind a first one, each for runs of so many milliseconds; answers in which order they were served.
  private func served(
    _ jobs: [(job: String, work: Work, milliseconds: Int)]
  ) async -> [String] {
    let permits = Permits(1, pause: .seconds(60))
    let served = Served()
    @Sendable func run(_ job: String, _ milliseconds: Int) async {
      await permits.take(job: job, priority: 0)
      served.jobs.withLock { $0.append(job) }
      await permits.give(job: job, milliseconds: milliseconds)
    }
    await permits.take(job: "first", priority: 0)
    await withTaskGroup(of: Void.self) { group in
      var waiting = 0
      for (job, work, milliseconds) in jobs {
        switch work {
        case .pages(let count):
          for _ in 0..<count { group.addTask { await run(job, milliseconds) } }
          waiting += count
        case .steps(let count):
          group.addTask {
            for _ in 0..<count { await run(job, milliseconds) }
            await permits.ended(job: job)
          }
          waiting += 1
        case .files(let count):
          group.addTask { for file in 0..<count { await run("\(job) \(file)", milliseconds) } }
          waiting += 1
        }
        while await permits.count < waiting { await Task.yield() }
      }
      await permits.give(job: "first", milliseconds: 1)
    }
    return served.jobs.withLock { $0 }
  }

  @Test func `a short file behind long ones waits for one page of each, once for all its steps`()
    async
  {
    let order = await served([
      ("long", .pages(40), 3000), ("other", .pages(40), 3000), ("short", .steps(3), 5),
      ("late", .steps(3), 5),
    ])
    #expect(order.prefix(2) == ["long", "other"])
    #expect(order[2..<8].sorted() == ["late", "late", "late", "short", "short", "short"])
    #expect(order[8...].prefix(2).sorted() == ["long", "other"])
    #expect(order.count == 86)
  }

  @Test func `a permit that is kept for a next step which does not come goes to the others`() async
  {
    let permits = Permits(1, pause: .milliseconds(5))
    await permits.take(job: "long", priority: 0)
    await permits.give(job: "long", milliseconds: 3000)
    await permits.take(job: "long", priority: 0)
    let short = Task { _ = await permits.take(job: "short", priority: 0) }
    while await permits.count < 1 { await Task.yield() }
    let page = Task { _ = await permits.take(job: "long", priority: 0) }
    while await permits.count < 2 { await Task.yield() }
    await permits.give(job: "long", milliseconds: 3000)
    await short.value
    await permits.give(job: "short", milliseconds: 5)
    await page.value
    #expect(await permits.count == 0)
  }

  @Test func `time is shared, not runs`() async {
    let order = await served([("slow", .pages(20), 400), ("quick", .pages(60), 100)])
    for count in stride(from: 5, to: 75, by: 5) {
      let slow = order.prefix(count).count { $0 == "slow" }
      #expect((slow * 5 - count).magnitude <= 5, "\(slow) of \(count)")
    }
  }

  @Test func `a flood of short files leaves a long one its share`() async {
    let flood = (0..<4).map { ("flood \($0)", Work.files(50), 100) }
    let order = await served([("long", .pages(20), 100)] + flood)
    let last = order.lastIndex(of: "long") ?? 0
    #expect((60...140).contains(last), "\(last) of \(order.count)")
  }

  @Test func `a wakeup that was rung before the wait is heard`() async {
    let wakeup = Wakeup()
    wakeup.signal()
    await wakeup.wait(milliseconds: 60_000)
  }

  @Test func `a twin waits until the other has ended, and not for one that never ran`() async {
    let runningJobs = RunningJobs()
    await runningJobs.wait(for: "never started")
    await runningJobs.started("a")
    let waiter = Task { await runningJobs.wait(for: "a") }
    await Task.yield()
    await runningJobs.ended("a")
    await waiter.value
  }
}
