package import Files
internal import Glibc
package import Pipelines
package import PluginKit
internal import Synchronization
internal import SystemPackage
internal import Workers

/// The keeper's side of a fleet: slots whose processes are on other machines, and may be lost at any moment.
package final class FleetSlots: StepSlots {
  struct State {
    var book: OrderBook
    var neighbors = Neighbors()
    var builds: [String: StepBuild] = [:]
    /// Why there is no broker; nil where there is one.
    var trouble: FleetFailure? = FleetFailure("fleet.starting", "the fleet is being looked for")
    /// By SHA-256: files that are at the broker, and who reads them.
    var lent: [String: Lent] = [:]
    var isClosed = false
    var capacity = 0
    /// When that was counted, and when this keeper said that it is there, because it was asked.
    var countedAt = 0, saidAt = 0
    /// What the broker keeps of this keeper, by step: orders; under no name: answers.
    var kept: [String: Kept] = [:]
    /// When the broker made what keeps the orders: where that is another time, it has begun anew, and counts from one.
    var made = 0
    var changed: @Sendable (Int) -> Void = { _ in }
    var troubled: @Sendable (String?) -> Void = { _ in }
    /// How many orders were sent, and how many came home undone.
    var sent = 0
    var returned = 0
  }

  /// Messages as the broker counts them.
  struct Kept {
    /// Those that are still needed.
    var out: Set<Int> = []
    var last = 0
    var cleared = 0

    mutating func ended(_ sequence: Int) {
      out.remove(sequence)
      last = max(last, sequence)
    }

    /// Up to which all can go; nil where they are gone.
    var through: Int? {
      let through = out.min().map { $0 - 1 } ?? last
      return through > cleared ? through : nil
    }
  }

  struct Lent {
    var task: Task<FleetBytes, any Error>
    var readers: Int
    var since: Int
  }

  let settings: Configuration.Fleet
  let key: FleetKey
  let state: Mutex<State>
  let link: FleetLink
  private let mail: AsyncStream<Mail>
  /// Bytes of what was said and is not read yet.
  private let unread = UnreadBytes()
  /// This keeper in this life: what it does not remember was asked by another.
  let keeper = FleetKey.random()
  private let name: String
  private let version: String

  private struct Mail: Sendable {
    var what: FleetFrame.Heard
    var frame: Frame
  }

  /// - Throws: `FleetFailure` where the key is none; `FileError` where no thread can be had.
  package init(
    _ settings: Configuration.Fleet, setup: FleetLink.Setup, key: FleetKey, name: String,
    version: String
  ) throws(FileError) {
    (self.settings, self.key, self.name, self.version) = (settings, key, name, version)
    state = Mutex(State(book: OrderBook(patience: settings.patience)))
    let (mail, post) = AsyncStream<Mail>.makeStream()
    self.mail = mail
    let unread = unread
    link = try FleetLink(setup) { what, frame in
      // A flood is not kept until it can be read.
      if what == .said, !unread.add(frame.body.count) { return }
      post.yield(Mail(what: what, frame: frame))
    }
  }

  /// Serves until closed.
  ///
  /// - Parameters:
  ///   - builds: finds out what the steps of this machine are.
  ///   - changed: told how many orders may be out, whenever that changes.
  ///   - troubled: told when there is trouble, and with nil when it is over.
  package func serve(
    builds: @escaping @Sendable () async -> [StepBuild],
    changed: @escaping @Sendable (_ capacity: Int) -> Void,
    troubled: @escaping @Sendable (String?) -> Void
  ) async {
    let found = await builds()
    state.withLock { state in
      (state.changed, state.troubled) = (changed, troubled)
      state.builds = Dictionary(
        found.map { ($0.step, $0) }, uniquingKeysWith: { first, _ in first })
    }
    await withDiscardingTaskGroup { group in
      group.addTask { await self.beat() }
      for await letter in mail {
        switch letter.what {
        // Asks of its own, while others go on.
        case .state where letter.frame.head["connected"]?.boolValue == true:
          group.addTask { await self.connected() }
        case .lost: group.addTask { await self.connected() }
        case .taken:
          take(letter.frame)
        default:
          hear(letter)
          if letter.what == .said { unread.took(letter.frame.body.count) }
        }
        if state.withLock({ $0.isClosed }) { break }
      }
      group.cancelAll()
    }
  }

  /// Whether a step may run elsewhere.
  package func takes(_ entry: PluginCatalog.Entry, _ options: Options, bytes: Int) -> Bool {
    guard state.withLock({ $0.builds[entry.step.name] != nil }), bytes <= Self.mostBytes else {
      return false
    }
    return settings.isEncrypted
      || !entry.step.options.fields.contains { field in
        if case .secret = field.shape { options.json[field.key] != nil } else { false }
      }
  }

  /// Larger inputs of one order stay at home: they would cost more than they give.
  private static let mostBytes = 512 << 20

  /// Whether the keeper's own slots do such steps as well.
  package var keepsLocal: Bool { settings.local }

  // MARK: - What is heard

  /// Makes what a fleet needs at the broker; again after each loss.
  private func connected() async {
    do throws(FleetFailure) {
      let look = try await link.ask(.look, [:]).head
      if let payload = look["payload"]?.integerValue, payload < Self.leastPayload {
        throw Self.smallPayload
      }
      let streams = try await link.ask(
        .streams,
        [
          "site": .string(key.site), "replicas": .integer(settings.replicas),
          "bytes": .integer(settings.bytes),
        ])
      found(streams.head["made"]?.integerValue ?? 0)
      let answers: JSON = [
        "stream": .string("procd-\(key.site)-answers"), "name": .string("keeper-\(keeper)"),
        "filter": .string("procd.\(key.site).answers.\(keeper)"),
        "patience": .integer(settings.patience), "deliveries": 5,
      ]
      _ = try await link.ask(.consumer, answers)
      _ = try await link.ask(.take, answers)
      for build in state.withLock({ Array($0.builds.values) }) {
        // What two helpers were lost with comes home.
        _ = try await link.ask(
          .consumer,
          build.consumer(key.site).setting("patience", .integer(settings.patience))
            .setting("deliveries", 2))
      }
      link.tell(.hear, ["subject": .string("procd.\(key.site).signs.\(keeper)")])
      link.tell(.hear, ["subject": "procd.*.presence"])
      link.tell(.want, ["count": 256])
      tell(nil)
      say(Presence(.roll, name: name, life: keeper))
    } catch {
      tell(error)
      try? await Task.sleep(for: .seconds(2))
      // The link says again when there is a broker; where there is one, it is asked again.
      if error.code != FleetFailure.noProgram.code, error.code != "fleet.unreachable",
        !state.withLock({ $0.isClosed })
      {
        await connected()
      }
    }
  }

  /// Takes notice of a broker that has begun anew.
  private func found(_ made: Int) {
    let ends = state.withLock { state in
      guard state.made != made else { return [() -> Void]() }
      state.kept = [:]
      defer { state.made = made }
      return state.made == 0 ? [] : state.book.lost()
    }
    for end in ends { end() }
  }

  /// A piece, sealed, with its head.
  static let leastPayload = 768 << 10
  static let smallPayload = FleetFailure(
    "fleet.payload", "the broker takes no messages of 768 KiB: set its max_payload to 1MB")

  private func tell(_ trouble: FleetFailure?) {
    let (isNew, troubled) = state.withLock { state in
      defer { state.trouble = trouble }
      return (state.trouble != trouble, state.troubled)
    }
    if isNew { troubled(trouble.map { "\($0.message) (\(servers))" }) }
    recount()
  }

  private var servers: String { settings.servers.joined(separator: ", ") }

  private func hear(_ letter: Mail) {
    let now = milliseconds(), head = letter.frame.head
    let subject = head["subject"]?.stringValue ?? ""
    switch letter.what {
    case .state:
      tell(
        FleetFailure(
          head["code"]?.stringValue ?? "fleet.unreachable",
          head["message"]?.stringValue ?? "there is no broker"))
    case .said where subject.hasSuffix(".presence"):
      guard letter.frame.body.count <= Presence.longest else { return }
      if let opened = key.open(letter.frame.body, as: Presence.purpose),
        let presence = Presence(opened)
      {
        heard(presence, at: now)
      } else {
        state.withLock { $0.neighbors.heardStranger(of: subject, at: now) }
      }
    case .said:
      let isSign = letter.frame.body.count <= FleetLimits.sign
      let sign =
        isSign ? key.open(letter.frame.body, as: Sign.purpose(keeper)).flatMap { Sign($0) } : nil
      state.withLock { state in
        if let sign { return state.book.heard(sign, at: now) }
        state.book.drop()
        return nil
      }?()
    case .taken, .lost: break
    }
  }

  private func heard(_ presence: Presence, at now: Int) {
    let (isAsked, isDue) = state.withLock { state in
      if !state.neighbors.heard(presence, at: now) { state.book.shun(presence.name) }
      let isAsked =
        presence.kind == .roll && presence.life != keeper && now - state.saidAt >= Self.often
      if isAsked { state.saidAt = now }
      // What is not counted now is counted with the next beat.
      return (isAsked, now - state.countedAt >= Self.often)
    }
    if isAsked { say(own) }
    if isDue { recount() }
  }

  /// How often others can have this keeper do something, in milliseconds.
  private static let often = 100

  private func take(_ frame: Frame) {
    let opened = key.open(frame.body, as: TravelingAnswer.purpose(keeper))
    let answer = opened.flatMap { TravelingAnswer($0) }
    let sender = answer == nil ? opened.flatMap { TravelingAnswer.sender($0) } : nil
    state.withLock { state in
      state.kept["", default: Kept()].last = frame.head["sequence"]?.integerValue ?? 0
      if let answer { return state.book.heard(answer, at: milliseconds()) }
      if let sender, let end = state.book.unreadable(sender.order, of: sender.helper) { return end }
      state.book.drop()
      return nil
    }?()
    // From here on it is ours, or nobody's. Not dropped: of that the broker would tell everybody.
    link.tell(.done, ["handle": frame.head["handle"]])
  }

  /// Says who is there, and looks what waits too long.
  private func beat() async {
    let pause = min(Presence.interval, max(100, settings.patience / 10))
    var nextSaid = 0
    while !Task.isCancelled, !state.withLock({ $0.isClosed }) {
      let now = milliseconds()
      if now >= nextSaid {
        say(own)
        nextSaid = now + Presence.interval
      }
      recount()
      let ends = state.withLock { state in
        let able = Self.able(state, at: now)
        return state.book.turn(at: now, isConnected: state.trouble == nil) { build in
          able.contains { $0.builds.contains { $0.digest == build } }
        }
      }
      for end in ends { end() }
      await clearLent(at: now)
      await clearKept()
      try? await Task.sleep(for: .milliseconds(pause))
    }
  }

  private var own: Presence {
    var presence = Presence(.keeper, name: name, life: keeper)
    state.withLock { state in
      presence.busy = state.book.count
      presence.builds = state.builds.values.sorted { $0.step < $1.step }
    }
    presence.version = version
    presence.clock = Int(time(nil))
    return presence
  }

  private func say(_ presence: Presence) {
    link.tell(
      .say, ["subject": .string(Presence.subject(key.site))],
      key.seal(presence.json.line, as: Presence.purpose))
  }

  /// The helpers that can do something for this keeper.
  private static func able(_ state: State, at now: Int) -> [Presence] {
    let builds = Set(state.builds.values.map(\.digest))
    return state.neighbors.helpers(at: now).filter { helper in
      !helper.isDraining && !state.book.isShunned(helper.name)
        && helper.builds.contains { builds.contains($0.digest) }
    }
  }

  /// Twice as many orders are out as there are slots, so that none waits for the way.
  private func recount() {
    let (capacity, changed) = state.withLock { state -> (Int?, @Sendable (Int) -> Void) in
      state.countedAt = milliseconds()
      let slots =
        state.trouble == nil && !state.isClosed
        ? Self.able(state, at: milliseconds()).reduce(0) { $0 + $1.slots } : 0
      guard slots * 2 != state.capacity else { return (nil, state.changed) }
      state.capacity = slots * 2
      return (state.capacity, state.changed)
    }
    if let capacity { changed(capacity) }
  }

  // MARK: - The end

  /// Ends all orders that are out; each ends as handed back.
  package func stopNow() {
    let ends = state.withLock { state in
      state.isClosed = true
      return state.book.endAll(.home("procd is stopping"))
    }
    for end in ends { end() }
    link.close()
  }
}

/// Counts what was said and is not read yet.
private final class UnreadBytes: Sendable {
  private let bytes = Mutex(0)
  /// What a message takes besides its body.
  private static let least = 500

  /// - Returns: whether there is room for it.
  func add(_ size: Int) -> Bool {
    bytes.withLock { bytes in
      guard bytes + size <= FleetLimits.unread else { return false }
      bytes += size + Self.least
      return true
    }
  }

  func took(_ size: Int) { bytes.withLock { $0 -= size + Self.least } }
}
