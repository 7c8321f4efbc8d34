import Files
import Foundation
import Pipelines
import PluginKit
import Synchronization
import SystemPackage
import TestSupport
import Testing
import Workers

@testable import Fleet

/// A helper that has the key and answers nonsense: what it says is refused, the file is done at home, and after three
/// times nothing is taken from it. With a real broker.
@Suite(.serialized)
struct NonsenseTests {
  /// A broker for one test.
  private final class Broker: Sendable {
    let process: Programs.Running
    let place: ScratchFolder
    let connection: FleetConnection

    init() throws {
      let server = try #require(Programs.find("nats-server"), "nats-server is not installed")
      place = try ScratchFolder(for: "broker")
      let port = try #require(Programs.freePort())
      process = try Programs.start(
        server, ["-js", "-a", "127.0.0.1", "-p", "\(port)", "-sd", place.path.string],
        in: place.path)
      connection = FleetConnection(
        servers: ["nats://127.0.0.1:\(port)"], credentials: nil, authority: nil, name: "test")
    }

    deinit {
      process.signal(SIGKILL)
      _ = process.wait()
      place.remove()
    }
  }

  private static let build = StepBuild(
    step: "test.step", version: "1", program: "p", libraries: "", data: [:], processor: "x")

  /// A keeper, and one who has its key.
  private final class Bench: Sendable {
    let key: FleetKey
    let keeper: FleetSlots
    let link: FleetLink
    let place: ScratchFolder
    let serving: Task<Void, Never>

    init(
      _ broker: Broker, patience: Int = 600_000,
      act: @escaping @Sendable (TravelingOrder, FleetLink, FleetKey) async -> Void
    ) throws {
      place = try ScratchFolder(for: "poison")
      try place.folder.creating("key").write(Array(FleetKey.make().utf8).span)
      try place.folder.creating("input").write(Array("an input".utf8).span)
      let key = try FleetKey(file: place.path.appending("key"))
      self.key = key
      let setup = FleetLink.Setup(
        programs: Programs.folder.string, connection: broker.connection)
      keeper = try FleetSlots(
        Configuration.Fleet(servers: broker.connection.servers, bytes: 1 << 26, patience: patience),
        setup: setup, key: key, name: "keeper", version: "1")
      let mail = AsyncStream<(FleetFrame.Heard, Frame)>.makeStream()
      let link = try FleetLink(setup) { mail.continuation.yield(($0, $1)) }
      self.link = link
      serving = Task { [keeper] in
        async let keeping: Void = keeper.serve(
          builds: { [NonsenseTests.build] }, changed: { _ in }, troubled: { _ in })
        for await (what, frame) in mail.stream {
          switch what {
          case .state where frame.head["connected"] == true:
            link.tell(.want, ["count": 9])
            Task {
              // The keeper makes what it is taken from.
              while (try? await link.ask(.take, NonsenseTests.build.consumer(key.site))) == nil {
                try? await Task.sleep(for: .milliseconds(50))
              }
            }
          case .taken:
            link.tell(.drop, ["handle": frame.head["handle"]])
            if let order = key.open(frame.body, as: "order").flatMap({ TravelingOrder($0) }) {
              Task { await act(order, link, key) }
            }
          default: break
          }
        }
        await keeping
      }
    }

    /// A run whose step may give ten files of a thousand bytes together.
    func run() async throws -> RunOutcome {
      let work = FilePath("work.\(FleetKey.random())")
      try place.folder.makeFolder(work)
      try place.folder.folder(work).makeFolder("out")
      let run = StepRun(
        id: "run", step: "test.step", job: "job", attempt: 1,
        inputs: [
          "source": [
            StepInput(path: place.path.appending("input"), mime: "text/plain", bytes: 8)
          ]
        ], sourceName: "input", options: Options(checked: [:]),
        workFolder: place.path.appending(work.components).string)
      while !keeper.view.machines.isEmpty || keeper.view.trouble != nil {
        try await Task.sleep(for: .milliseconds(20))
      }
      return await keeper.run(
        StepOrder(
          run: run, program: .worker("none"), timeout: 5000, stall: 5000, outputFiles: 10,
          outputBytes: 1000))
    }

    func end() {
      keeper.stopNow()
      link.close()
      serving.cancel()
      place.remove()
    }
  }

  private enum Act: String, CaseIterable {
    case wrongHash, missingPiece, otherKey, manyFiles, large, overflow, unreadable
    /// What is no answer at all: the order waits until it comes home.
    case silence, garbage, otherPurpose, otherOrder, cut
  }

  private static func file(_ link: FleetLink, _ key: FleetKey, sealedBy: FleetKey? = nil) async
    -> FleetBytes
  {
    let name = FleetKey.random(), bytes = Array("a result".utf8)
    _ = try? await link.ask(
      .put, ["subject": .string("procd.\(key.site).bytes.\(name).0")],
      (sealedBy ?? key).seal(bytes, as: "bytes \(name) 0"))
    return FleetBytes(.kept(name: name), bytes: bytes.count, sha256: sha256(bytes))
  }

  /// - Returns: whether anything was said that the broker has.
  @discardableResult
  private static func answer(
    _ act: Act?, _ order: TravelingOrder, _ link: FleetLink, _ key: FleetKey, helper: String = "bad"
  ) async -> Bool {
    var answer = TravelingAnswer(
      order: order.name, helper: helper, life: "l",
      outcome: RunOutcome(ending: .answered, result: .success(StepOutput())))
    func add(_ bytes: FleetBytes) {
      answer.files.append(
        TravelingAnswer.File(
          role: "sum", mime: "text/plain", fileExtension: "../x", bytes: bytes))
    }
    var purpose = TravelingAnswer.purpose(order.keeper)
    switch act {
    case nil: add(await file(link, key))
    case .wrongHash:
      var bytes = await file(link, key)
      bytes.sha256 = String(repeating: "0", count: 64)
      add(bytes)
    case .missingPiece:
      add(
        FleetBytes(
          .kept(name: FleetKey.random()), bytes: 3, sha256: String(repeating: "0", count: 64)))
    case .otherKey:
      let scratch = try? ScratchFolder(for: "other")
      defer { scratch?.remove() }
      try? scratch?.folder.creating("key").write(Array(FleetKey.make().utf8).span)
      if let path = scratch?.path.appending("key"), let other = try? FleetKey(file: path) {
        add(await file(link, key, sealedBy: other))
      }
    case .manyFiles:
      let bytes = await file(link, key)
      for _ in 0..<11 { add(bytes) }
    case .large:
      add(
        FleetBytes(
          .kept(name: FleetKey.random()), bytes: 1 << 40,
          sha256: String(repeating: "0", count: 64)))
    case .overflow:
      for _ in 0..<3 {
        add(
          FleetBytes(
            .kept(name: FleetKey.random()), bytes: .max,
            sha256: String(repeating: "0", count: 64)))
      }
    case .silence: return false
    case .otherPurpose: purpose = TravelingAnswer.purpose("0123456789abcdef")
    case .otherOrder: answer.order = FleetKey.random()
    case .garbage, .cut, .unreadable: break
    }
    var body = key.seal(answer.bytes, as: purpose)
    if act == .unreadable {
      body = key.seal(FleetLetter.bytes(answer.json.setting("done", .null), []), as: purpose)
    }
    if act == .garbage { body = [UInt8](repeating: 0x41, count: 100_000) }
    if act == .cut { body.removeLast(20) }
    let told = try? await link.ask(
      .put, ["subject": .string("procd.\(key.site).answers.\(order.keeper)")], body)
    return told != nil
  }

  @Test func `an answer that is right is taken, once`() async throws {
    let broker = try Broker()
    let bench = try Bench(broker) { order, link, key in
      await Self.answer(nil, order, link, key)
      await Self.answer(nil, order, link, key)
    }
    defer { bench.end() }
    let outcome = try await bench.run()
    guard case .success(let output) = outcome.result else {
      Testing.Issue.record("\(outcome)")
      return
    }
    #expect(outcome.machine == "bad")
    // Whatever the helper calls it, it lies in the folder for results.
    #expect(output.artifacts.map(\.path) == ["out/0.x"])
    while bench.keeper.view.dropped == 0 { try await Task.sleep(for: .milliseconds(20)) }
    #expect(bench.keeper.view.dropped == 1)
  }

  /// All at once, each with a key and so a site of its own.
  @Test func `nonsense sends the order home`() async throws {
    let broker = try Broker()
    try await withThrowingTaskGroup { group in
      for act in Act.allCases { group.addTask { try await Self.refused(act, broker) } }
      try await group.waitForAll()
    }
  }

  private static func refused(_ act: Act, _ broker: Broker) async throws {
    let isNone = [.silence, .garbage, .otherPurpose, .otherOrder, .cut].contains(act)
    // What is no answer is waited for, in vain.
    let said = Mutex(0)
    let bench = try Bench(broker, patience: isNone ? 1000 : 600_000) { order, link, key in
      if await answer(act, order, link, key) { said.withLock { $0 += 1 } }
    }
    defer { bench.end() }
    var runs = 0
    repeat {
      let outcome = try await bench.run()
      #expect(outcome.ending == .returned, "\(act): \(outcome)")
      runs += 1
      // On a busy machine an order may be home again before anybody has taken it: nobody answers that one.
    } while isNone && act != .silence && said.withLock { $0 } == 0
    if isNone, act != .silence {
      while bench.keeper.view.dropped == 0 { try await Task.sleep(for: .milliseconds(20)) }
    }
    let view = bench.keeper.view
    // One that is not acknowledged in time comes again, and is dropped again.
    #expect((view.dropped > 0) == (isNone && act != .silence), "\(act)")
    #expect(view.out == 0 && view.returned == runs, "\(act)")
  }

  @Test func `one that floods the keeper is left aside, and others go on`() async throws {
    let broker = try Broker()
    let bench = try Bench(broker) { order, link, key in await Self.answer(nil, order, link, key) }
    defer { bench.end() }
    guard case .success = try await bench.run().result else {
      Testing.Issue.record("the first is answered")
      return
    }
    var mad = Presence(.helper, name: "mad", life: "0")
    (mad.slots, mad.builds) = (8, [Self.build])
    for life in 0..<20_000 {
      mad.life = "\(life)"
      bench.link.tell(
        .say, ["subject": .string(Presence.subject(bench.key.site))],
        bench.key.seal(mad.json.line, as: Presence.purpose))
    }
    while !bench.keeper.view.machines.contains(where: {
      $0.presence.name == "mad" && $0.reason != nil
    }) {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(bench.keeper.view.machines.count <= 8 && bench.keeper.view.slots == 0)
    #expect(bench.keeper.view.lines.count { $0.hasPrefix("mad gets no work") } > 0)
    // Answers are not lost in the flood.
    while !bench.keeper.view.machines.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    guard case .success = try await bench.run().result else {
      Testing.Issue.record("the next is answered")
      return
    }
  }

  @Test func `after three times nothing is taken from it`() async throws {
    let broker = try Broker()
    let count = Mutex(0)
    let bench = try Bench(broker) { order, link, key in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number > 3 {
        let sign = Sign(order: order.name, helper: "bad", life: "l").json.line
        link.tell(
          .say, ["subject": .string("procd.\(key.site).signs.\(order.keeper)")],
          key.seal(sign, as: Sign.purpose(order.keeper)))
      }
      await Self.answer(number <= 3 ? .wrongHash : nil, order, link, key)
    }
    defer { bench.end() }
    for _ in 0..<4 { #expect(try await bench.run().ending == .returned) }
    while bench.keeper.view.dropped == 0 { try await Task.sleep(for: .milliseconds(20)) }
  }
}
