import Pipelines
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import Notices

@Suite struct NoticeQueueTests {
  private let place = TemporaryFolder()

  private func queue() throws -> NoticeQueue { try NoticeQueue(path: place("notices.sqlite")) }

  private func target(
    _ id: String, _ events: Set<Notice.Event>, every: Int = 1000, series: [String] = []
  ) -> NotifyTarget {
    NotifyTarget(id: id, events: events, series: series, every: every, way: .log)
  }

  private func notice(
    _ id: String, _ event: Notice.Event = .quarantined, series: String? = nil
  ) -> Notice {
    Notice(id: id, event: event, time: 5, series: series, subject: "subject of \(id)")
  }

  private func message(_ next: NoticeQueue.Next) throws -> NoticeMessage {
    guard case .send(let message) = next else {
      throw TestFailure("nothing is to be sent: \(next)")
    }
    return message
  }

  private struct TestFailure: Error {
    var text: String
    init(_ text: String) { self.text = text }
  }

  @Test(arguments: [TargetState.statement, Notice.latest])
  func `no question goes through all that was told`(statement: String) throws {
    withExtendedLifetime(try queue()) {}
    let plan = try queryPlan(of: statement, in: place("notices.sqlite"))
    // There are as many targets as the configuration has.
    #expect(
      plan.allSatisfy { !$0.hasPrefix("SCAN") || $0 == "SCAN target" }
        && !plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
  }

  @Test func `news is collected, then frozen until it is acknowledged`() throws {
    let queue = try queue(), all = target("t", [.quarantined])
    #expect(try queue.add([notice("a"), notice("b")], for: [all], at: 100))
    #expect(try queue.next(for: all, at: 500, flushes: false) == .wait(until: 1100))
    let first = try message(queue.next(for: all, at: 1100, flushes: false))
    #expect(first.notices.map(\.id) == ["a", "b"])
    #expect(first.subject == "procd: 2 quarantined")
    // What comes later waits for the next message, and a second try is the same.
    try queue.add([notice("c")], for: [all], at: 1200)
    try queue.ended(first, .later(reason: "not now", seconds: nil), for: all, at: 1300)
    #expect(try queue.next(for: all, at: 1400, flushes: true) == .wait(until: 3300))
    let other = try NoticeQueue(path: place("notices.sqlite"))
    var again = try message(other.next(for: all, at: 3300, flushes: false))
    #expect(again.attempts == 1)
    again.attempts = 0
    #expect(again == first)
    try queue.ended(first, .delivered, for: all, at: 3400)
    let second = try message(queue.next(for: all, at: 9000, flushes: false))
    #expect(second.notices.map(\.id) == ["c"])
    try queue.ended(second, .delivered, for: all, at: 9000)
    #expect(try queue.next(for: all, at: 99_999, flushes: true) == .nothing)
    #expect(try queue.add([notice("a"), notice("c")], for: [all], at: 100_000) == false)
    #expect(try queue.next(for: all, at: 999_999, flushes: true) == .nothing)
  }

  @Test func `news of a number goes at once and alone, to whoever wants its list`() throws {
    let queue = try queue()
    let berlin = target("berlin", [.number, .done], series: ["berlin"])
    let rome = target("rome", [.number], series: ["rome"])
    try queue.add(
      [
        notice("done", .done), notice("n1", .number, series: "berlin"),
        notice("n2", .number, series: "berlin"),
      ], for: [berlin, rome], at: 0)
    #expect(try queue.next(for: rome, at: 0, flushes: true) == .nothing)
    for id in ["n1", "n2"] {
      let next = try message(queue.next(for: berlin, at: 0, flushes: false))
      #expect(next.notices.map(\.id) == [id])
      try queue.ended(next, .delivered, for: berlin, at: 0)
    }
    #expect(try queue.next(for: berlin, at: 0, flushes: false) == .wait(until: 1000))
  }

  @Test func `what is refused for good is given up and counted`() throws {
    let queue = try queue(), all = target("t", [.done], every: 0)
    try queue.add([notice("a", .done)], for: [all], at: 0)
    let first = try message(queue.next(for: all, at: 0, flushes: false))
    #expect(
      try queue.ended(first, .refused(reason: "no such hook", isFinal: true), for: all, at: 0))
    let state = try #require(try NoticeQueue.states(path: place("notices.sqlite"))?.first)
    #expect(state.dropped == 1 && state.pending == 0 && state.reason == "no such hook")
    #expect(try queue.next(for: all, at: 1_000_000, flushes: false) == .nothing)
  }

  @Test func `a refusal that may pass is tried a number of times`() throws {
    let queue = try queue(), all = target("t", [.done], every: 0)
    try queue.add([notice("a", .done)], for: [all], at: 0)
    var now: Int64 = 0, tries = 0
    while tries < 50 {
      switch try queue.next(for: all, at: now, flushes: false) {
      case .nothing: now = .max
      case .wait(let until):
        #expect(until > now)
        now = until
        continue
      case .send(let message):
        tries += 1
        try queue.ended(message, .refused(reason: "no", isFinal: false), for: all, at: now)
        continue
      }
      break
    }
    #expect(tries == 10)
  }

  @Test func `what was told long ago is forgotten, what waits is not`() throws {
    let queue = try queue(), all = target("t", [.done], every: 0)
    try queue.add([notice("old", .done)], for: [all], at: 0)
    let old = try message(queue.next(for: all, at: 0, flushes: false))
    try queue.ended(old, .delivered, for: all, at: 0)
    try queue.add([notice("waits", .done)], for: [all], at: 10)
    try queue.forget(before: 1000)
    #expect(try queue.add([notice("old", .done)], for: [all], at: 2000))
    #expect(try queue.add([notice("waits", .done)], for: [all], at: 2000) == false)
  }

  @Test func `waits grow up to a limit, and longer when the target asks for it`() {
    #expect((1...4).map { Retrying.wait(after: $0, asked: nil) } == [2000, 4000, 8000, 16_000])
    #expect(Retrying.wait(after: 1000, asked: nil) == 3_600_000)
    #expect(Retrying.wait(after: 1, asked: 90) == 90_000)
    #expect(Retrying.wait(after: 1, asked: .max) == 86_400_000)
    #expect(Retrying.wait(after: 1, asked: -5) == 2000)
    #expect(
      Retrying.isGivenUp(.later(reason: "", seconds: nil), attempts: 999, made: 0, at: 1000)
        == false)
    #expect(
      Retrying.isGivenUp(
        .later(reason: "", seconds: nil), attempts: 1, made: 0, at: 8 * 86_400_000))
  }
}
