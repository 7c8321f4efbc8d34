import Pipelines
import Testing

@testable import Notices

/// What is told at once, and what is collected.
@Suite struct CollectingTests {
  @Test func `a pause and news of a number are told at once, other news is collected`() {
    let collecting = Collecting(every: 1000)
    func waiting(_ events: Notice.Event...) -> [Collecting.Waiting] {
      events.map { Collecting.Waiting(notice: $0.rawValue, event: $0, added: 0) }
    }
    #expect(
      collecting.next(waiting(.done, .quarantined), at: 1, flushes: false) == .wait(until: 1000))
    #expect(collecting.next(waiting(.done, .paused), at: 1, flushes: false) == .send(["paused"]))
    #expect(collecting.next(waiting(.done, .number), at: 1, flushes: false) == .send(["number"]))
    #expect(
      collecting.next(waiting(.done, .news), at: 1000, flushes: false) == .send(["done", "news"]))
    #expect(collecting.next([], at: 1, flushes: true) == .nothing)
  }
}
