import Intake
import JobLedger
import PluginKit
import SystemPackage
import Testing

@testable import Conveyor
@testable import Pipelines

/// The way of a file as a table: where it stands and what happens there, and what is done next. Without a disk.
@Suite struct JourneyTests {
  private static let now: Int64 = 1_000_000_000

  private static func arrival(_ completeness: Arrival.Completeness = .lease) -> Arrival {
    Arrival(
      path: "in/a.pdf", device: 1, inode: 2, size: 3, modifiedSeconds: now / 1000,
      modifiedNanoseconds: 0, arrived: now, completeness: completeness)
  }
  private static func claimed(_ completeness: Arrival.Completeness = .lease) -> ClaimedFile {
    ClaimedFile(
      job: "j", arrival: arrival(completeness), source: "/spool/j/source", isCopy: false, bytes: 3,
      sha256: "aa")
  }
  private static func probed(
    _ facts: JSON = [:], _ completeness: Arrival.Completeness = .lease
  ) -> ProbedFile {
    ProbedFile(
      claimed: claimed(completeness), mime: "application/pdf", candidates: ["application/pdf"],
      facts: facts)
  }
  private static func pipeline(_ id: String = "a", series: String? = nil) -> Pipeline {
    Pipeline(
      id: id, match: .all([]), series: series, steps: [], emits: [], texts: [], canonical: [:],
      offset: 0)
  }
  private static let processed = Processed(emitted: [], steps: [], partial: false)
  private static let failure = PluginFailure(.input, "file.bad", "it is bad")

  /// A journey that has gone through some events, with the hop that it stands at.
  private static func after(
    _ events: [Journey.Event], once: Bool = false, duplicates: Configuration.Duplicates = .reuse,
    from start: Journey? = nil
  ) -> (journey: Journey, hops: [String]) {
    var journey = start ?? Journey(claim: Claim(job: "j", arrival: arrival(), needsCopy: false))
    journey.terms = Journey.Terms(
      isOnce: once, duplicates: duplicates, companions: CompanionRules())
    var hops = [journey.begin(at: now).name]
    for event in events { hops.append(journey.take(event, at: now).name) }
    return (journey, hops)
  }

  private static let toProbe: [Journey.Event] = [
    .done, .secured(claimed()), .identified(passedOver: []),
  ]
  private static let toReserve: [Journey.Event] =
    toProbe + [.probed(probed()), .routed(pipeline(), []), .done]
  private static let toRun: [Journey.Event] = toReserve + [.reservation(.granted)]

  @Test func `the whole way of a file`() {
    let hops = Self.after(Self.toRun + [.processed(Self.processed), .done]).hops
    #expect(
      hops == [
        "record", "secure", "identify", "probe", "route", "adopt", "reserve", "run", "publish",
        "leave ended",
      ])
  }

  @Test
  func
    `a run that drains the inbox waits five seconds for the name of a job that does not run, a daemon longer`()
  {
    for isOnce in [true, false] {
      var journey = Self.after(Self.toRun + [.processed(Self.processed)], once: isOnce).journey
      var hops: [String] = []
      for after: Int64 in [0, 4000, 6000] {
        hops.append(journey.take(.nameHeld(by: "k"), at: Self.now + after).name)
        if after < 6000 { _ = journey.take(.done, at: Self.now + after) }
      }
      let last =
        isOnce
        ? "leave deferred job k is to be published under the same name before" : "awaitName k"
      #expect(hops == ["awaitName k", "awaitName k", last])
    }
  }

  @Test func `a name is waited for as long as its job runs`() {
    var journey = Self.after(Self.toRun + [.processed(Self.processed)], once: true).journey
    for after: Int64 in [0, 60_000, 120_000] {
      let hop = journey.take(.nameHeld(by: "k", runs: true), at: Self.now + after)
      #expect(hop.name == "awaitName k")
      _ = journey.take(.done, at: Self.now + after)
    }
  }

  /// What happens, all events to it, and the last two hops.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var events: [Journey.Event]
    var last: [String]

    init(_ what: String, _ events: [Journey.Event], _ last: [String]) {
      (testDescription, self.events, self.last) = (what, events, last)
    }
  }

  @Test(arguments: [
    Case("somebody still writes", [.done, .secured(nil), .done], ["giveBack", "leave ended"]),
    Case(
      "no rule takes it", toProbe + [.probed(probed()), .routed(nil, [])],
      ["route", "quarantine route.unmatched"]
    ),
    Case(
      "a step refuses it", toRun + [.refused(ProcessingFailed(failure: failure, steps: []))],
      ["run", "quarantine file.bad"]
    ),
    Case(
      "what a rule expected does not hold",
      toRun + [.unexpected(PassedOver(pipeline: "a", reason: "r")), .done],
      ["passOver", "route"]
    ),
    Case(
      "no rule is left after that",
      toRun + [.unexpected(PassedOver(pipeline: "a", reason: "r")), .done, .routed(nil, [])],
      ["route", "quarantine route.unmatched"]
    ),
    Case(
      "a twin is at it", toReserve + [.reservation(.inFlight(job: "k")), .done],
      ["awaitTwin k", "reserve"]
    ),
    Case(
      "a name is another's for now, and the results stand until it is free",
      toRun + [.processed(processed), .nameHeld(by: "k"), .done], ["awaitName k", "publish"]
    ),
    Case(
      "the machine stands in the way while a name is another's: nothing is kept of the results",
      toRun + [
        .processed(processed), .nameHeld(by: "k"), .fault("f"), .done,
        .discarded(isDecided: false),
      ],
      ["discard", "record"]
    ),
    Case(
      "a twin has done it",
      toReserve + [.reservation(.done(job: "k")), .processed(processed)], ["reuse", "publish"]
    ),
    Case(
      "the twin's results are gone", toReserve + [.reservation(.done(job: "k")), .done, .done],
      ["takeOver", "run"]
    ),
    Case(
      "its process was killed from outside", toRun + [.interrupted(.vanished), .done],
      ["suspect", "run"]
    ),
    Case(
      "a step wants to be tried again",
      toRun + [.interrupted(.wait(until: now + 90_000, failure)), .done, .done],
      ["sleep 90000", "run"]
    ),
    Case("procd stops", toRun + [.interrupted(.handedBack)], ["run", "leave handedBack"]),
    Case("the ledger failed", toRun + [.stopped(nil)], ["run", "leave handedBack"]),
    Case("no name is free", toRun + [.stopped("why")], ["run", "leave deferred why"]),
    Case(
      "the disk is full", toRun + [.diskFull("full"), .discarded(isDecided: false), .done],
      ["awaitDisk 20000", "run"]
    ),
    Case(
      "the disk is so full that nothing can be removed",
      toRun + [.diskFull("full"), .diskFull("full"), .done], ["holdUp 10000", "discard"]
    ),
    Case(
      "the disk is full while it is published",
      toRun + [
        .processed(processed), .diskFull("full"), .discarded(isDecided: true), .done, .done,
      ],
      ["finish", "leave ended"]
    ),
    Case(
      "the disk fails", toRun + [.fault("EIO"), .done, .discarded(isDecided: false)],
      ["discard", "record"]
    ),
    Case(
      "what was decided cannot be carried out",
      toRun + [
        .fault("EIO"), .done, .discarded(isDecided: true), .discarded(isDecided: false),
      ],
      ["finish", "record"]
    ),
  ])
  func transition(_ expected: Case) {
    #expect(Self.after(expected.events).hops.suffix(2) == expected.last[...])
  }

  @Test func `a run that ends by itself waits for nothing long`() {
    func last(_ events: [Journey.Event]) -> String? { Self.after(events, once: true).hops.last }
    let wait = Interruption.wait(until: Self.now + 30_001, Self.failure)
    #expect(last(Self.toRun + [.interrupted(wait), .done]) == "leave deferred")
    let short = Interruption.wait(until: Self.now + 30_000, Self.failure)
    #expect(last(Self.toRun + [.interrupted(short), .done]) == "sleep 30000")
    #expect(last(Self.toRun + [.fault("EIO"), .done]) == "leave deferred EIO")
    let full: [Journey.Event] = [.diskFull("full"), .discarded(isDecided: false), .done]
    #expect(last(Self.toRun + full) == "leave deferred")
  }

  @Test func `tries after a fault come ever later`() {
    var events: [Journey.Event] = []
    for _ in 0..<8 { events += [.fault("EIO"), .done, .discarded(isDecided: false)] }
    let waits = Self.after(events).hops.filter { $0.hasPrefix("holdUp") }
    let seconds = [10, 20, 40, 80, 160, 320, 640, 640]
    #expect(waits == seconds.map { "holdUp \($0 * 1000)" })
  }

  @Test func `what was done is kept over an interruption, and thrown away for a full disk`() {
    var progress = FileProcessor.Progress()
    progress.partial = true
    func kept(_ events: [Journey.Event]) -> Bool? {
      guard case .run(_, _, let progress) = Self.after(Self.toRun + events).journey.hop else {
        return nil
      }
      return progress.partial
    }
    #expect(kept([.interrupted(.vanished, progress), .done]) == true)
    #expect(
      kept([
        .interrupted(.vanished, progress), .done, .diskFull("full"),
        .discarded(isDecided: false), .done,
      ]) == false)
  }

  @Test func `duplicates are reported, or computed again, where that is wanted`() {
    let known: [Journey.Event] = Self.toReserve + [.reservation(.done(job: "k"))]
    #expect(Self.after(known, duplicates: .report).hops.last == "duplicate of k")
    #expect(Self.after(Self.toReserve, duplicates: .again).hops.last == "run")
  }

  @Test func `an edition is computed even where its bytes are known`() {
    let events: [Journey.Event] =
      Self.toProbe + [.probed(Self.probed()), .routed(Self.pipeline(series: "s"), []), .done]
    #expect(Self.after(events).hops.last == "run")
  }

  @Test func `a torn file goes to the quarantine unread`() {
    let claim = Claim(job: "j", arrival: Self.arrival(), needsCopy: false)
    let torn = Journey(resuming: claim, isTorn: true, nil)
    #expect(Self.after(Self.toProbe, from: torn).hops.last == "quarantine source.torn")
  }

  @Test func `without a ledger the way begins at the probe`() {
    #expect(Self.after([], from: Journey(alone: Self.claimed())).hops == ["probe"])
  }
}

extension Journey.Hop {
  /// The hop with what tells it from others of its kind.
  fileprivate var name: String {
    func after(_ until: Int64) -> String { String(until - 1_000_000_000) }
    return switch self {
    case .publish(.quarantine(let failure, _)): "quarantine \(failure.code)"
    case .publish(.duplicate(let job)): "duplicate of \(job)"
    case .leave(.deferred(let reason)): "leave deferred" + (reason.map { " \($0)" } ?? "")
    case .leave(let departure): "leave \(departure)"
    case .sleep(let until): "sleep \(after(until))"
    case .awaitTwin(let job): "awaitTwin \(job)"
    case .awaitName(let holder): "awaitName \(holder)"
    case .awaitDisk(_, let until): "awaitDisk" + (until.map { " \(after($0))" } ?? "")
    case .holdUp(_, let until): "holdUp" + (until.map { " \(after($0))" } ?? "")
    default: String("\(self)".prefix { $0 != "(" })
    }
  }
}
