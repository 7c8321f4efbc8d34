import Testing

@testable import Conveyor

/// Places on other machines.
struct SeatTests {
  private func waits(_ permits: Permits, _ count: Int) async {
    while await permits.count < count { await Task.yield() }
  }

  @Test func `what travels goes elsewhere once this machine is full`() async {
    let permits = Permits(1)
    await permits.setAway(2, keepsLocal: true)
    #expect(await permits.take(job: "a", priority: 0, travels: true) == .here)
    #expect(await permits.take(job: "a", priority: 0, travels: true) == .away)
    #expect(await permits.take(job: "b", priority: 0, travels: true) == .away)
    #expect(await permits.places == 3)
  }

  @Test func `what stays waits for this machine alone`() async {
    let permits = Permits(1)
    await permits.setAway(5, keepsLocal: true)
    #expect(await permits.take(job: "a", priority: 0) == .here)
    let waiting = Task { await permits.take(job: "b", priority: 0) }
    await waits(permits, 1)
    #expect(await permits.take(job: "c", priority: 0, travels: true) == .away)
    await permits.give(job: "c", .away, milliseconds: 1)
    #expect(await permits.count == 1)
    await permits.give(job: "a", milliseconds: 1)
    #expect(await waiting.value == .here)
  }

  @Test func `this machine can be left to the rest of the work`() async {
    let permits = Permits(2)
    await permits.setAway(1, keepsLocal: false)
    #expect(await permits.take(job: "a", priority: 0, travels: true) == .away)
    let waiting = Task { await permits.take(job: "b", priority: 0, travels: true) }
    await waits(permits, 1)
    // All other machines are gone: then it is done here.
    await permits.setAway(0, keepsLocal: false)
    #expect(await waiting.value == .here)
    #expect(await permits.take(job: "c", priority: 0, travels: true) == .here)
  }

  @Test func `places that went are not given again`() async {
    let permits = Permits(1)
    await permits.setAway(2, keepsLocal: true)
    _ = await permits.take(job: "a", priority: 0)
    for job in ["b", "c"] { _ = await permits.take(job: job, priority: 0, travels: true) }
    await permits.setAway(1, keepsLocal: true)
    let waiting = Task { await permits.take(job: "d", priority: 0, travels: true) }
    await waits(permits, 1)
    await permits.give(job: "b", .away, milliseconds: 1)
    #expect(await permits.count == 1)
    await permits.give(job: "c", .away, milliseconds: 1)
    #expect(await waiting.value == .away)
  }
}
