package import Files
internal import Glibc
internal import Outbox
package import Pipelines
internal import PluginKit
internal import Synchronization
internal import SystemPackage
package import Workers

/// A helper: takes orders of any keeper of its fleet, runs them, and answers. It promises nothing and keeps nothing.
package final class Helper: Sendable {
  package enum Event: Sendable {
    /// There is a broker; there is none, why.
    case connected
    case trouble(String)
    case began(order: String, step: String)
    case ended(order: String, outcome: String, milliseconds: Int)
    case dropped(String)
    case draining
  }

  struct State {
    var running: Set<String> = []
    var done = 0
    var isDraining = false
    var isConnected = false
    /// Consumers that orders are taken from, with what the broker gives a step between two signs.
    var taken: [String: Int] = [:]
    var neighbors = Neighbors()
    /// By SHA-256: inputs that are here already, and who uses them.
    var kept: [String: Kept] = [:]
    var notes: [String] = []
    /// Whether it takes nothing just now, for want of something of this machine's.
    var isPaused = false
    /// What was told last of the broker.
    var trouble: String?
  }

  struct Kept {
    var task: Task<FilePath, any Error>
    var users: Int
    var bytes: Int
    var since: Int
    /// Whether another order may need it.
    var isShared: Bool
  }

  let key: FleetKey
  let name: String
  let life = FleetKey.random()
  let slots: Int
  let version: String
  let scratch: Folder
  let pool: WorkerPool
  let catalog: PluginCatalog
  let builds: [StepBuild]
  let link: FleetLink
  private let mail: AsyncStream<(FleetFrame.Heard, Frame)>
  private let post: AsyncStream<(FleetFrame.Heard, Frame)>.Continuation
  let state = Mutex(State())
  let tell: @Sendable (Event) -> Void

  /// Inputs that are kept for other pages of the same file, at most so many bytes unless they are in use.
  static let mostKept = 2 << 30

  /// - Parameter scratch: a folder of its own, for inputs and what steps write.
  package init(
    key: FleetKey, name: String, version: String, setup: FleetLink.Setup, pool: WorkerPool,
    slots: Int, catalog: PluginCatalog, builds: [StepBuild], scratch: Folder,
    tell: @escaping @Sendable (Event) -> Void
  ) throws(FileError) {
    (self.key, self.name, self.version, self.slots) = (key, name, version, slots)
    (self.pool, self.catalog, self.builds, self.scratch) = (pool, catalog, builds, scratch)
    self.tell = tell
    for folder in ["in", "work"] { try scratch.makeFolder(FilePath(folder), mode: 0o700) }
    let (mail, post) = AsyncStream<(FleetFrame.Heard, Frame)>.makeStream()
    (self.mail, self.post) = (mail, post)
    link = try FleetLink(setup) { post.yield(($0, $1)) }
  }

  /// Works until it is drained.
  package func serve() async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.beat() }
      for await (what, frame) in mail {
        switch what {
        case .state where frame.head["connected"]?.boolValue == true:
          group.addTask { await self.connected() }
        case .state:
          state.withLock { $0.isConnected = false }
          trouble(frame.head["message"]?.stringValue ?? "there is no broker")
        case .lost: state.withLock { $0.taken = [:] }
        case .taken: group.addTask { await self.work(frame) }
        case .said: hear(frame)
        }
        if isOver { break }
      }
      group.cancelAll()
    }
    link.close()
    pool.end()
  }

  private var isOver: Bool { state.withLock { $0.isDraining && $0.running.isEmpty } }

  /// Takes nothing more; what runs is finished.
  package func drain() {
    let isNew = state.withLock { state in
      defer { state.isDraining = true }
      return !state.isDraining
    }
    if isNew {
      link.tell(.want, ["count": 0])
      tell(.draining)
      say()
    }
  }

  /// Gives back what runs.
  package func stopNow() {
    drain()
    pool.stopNow()
  }

  // MARK: - The broker

  private func connected() async {
    state.withLock { state in
      state.isConnected = true
      state.taken = [:]
    }
    link.tell(
      .want, ["count": .integer(state.withLock { $0.isDraining || $0.isPaused ? 0 : slots })])
    link.tell(.hear, ["subject": "procd.*.presence"])
    do throws(FleetFailure) {
      try await link.ask(.look, [:])
      trouble(nil)
    } catch { trouble(error.message) }
    say()
    // Who has work says so, and then it is taken.
    link.tell(
      .say, ["subject": .string(Presence.subject(key.site))],
      key.seal(Presence(.roll, name: name, life: life).json.line, as: Presence.purpose))
  }

  /// Takes the orders of a keeper that this machine can do.
  private func follow(_ keeper: Presence) async {
    let wanted = Set(keeper.builds.map(\.digest))
    for build in builds where wanted.contains(build.digest) {
      let isNew = state.withLock { state in
        guard state.isConnected, state.taken[build.digest] == nil else { return false }
        state.taken[build.digest] = Self.usualPatience
        return true
      }
      guard isNew else { continue }
      do throws(FleetFailure) {
        let answer = try await link.ask(.take, build.consumer(key.site))
        let patience = answer.head["patience"]?.integerValue ?? Self.usualPatience
        state.withLock { $0.taken[build.digest] = patience }
      } catch {
        // The keeper says again that it is there.
        state.withLock { $0.taken[build.digest] = nil }
      }
    }
  }

  static let usualPatience = 30_000

  /// Tells what is wrong with the broker, once, or that it is there.
  private func trouble(_ text: String?) {
    let isNew = state.withLock { state in
      defer { state.trouble = text ?? "" }
      return state.trouble != text ?? ""
    }
    if isNew { tell(text.map { .trouble($0) } ?? .connected) }
  }

  private func hear(_ frame: Frame) {
    let subject = frame.head["subject"]?.stringValue ?? "", now = milliseconds()
    guard let opened = key.open(frame.body, as: Presence.purpose), let presence = Presence(opened)
    else { return state.withLock { $0.neighbors.heardStranger(of: subject, at: now) } }
    switch presence.kind {
    case .roll where presence.life != life: say()
    case .roll: break
    case .drain where presence.name == name: drain()
    case .keeper:
      _ = state.withLock { $0.neighbors.heard(presence, at: now) }
      Task { await follow(presence) }
    case .helper, .drain: _ = state.withLock { $0.neighbors.heard(presence, at: now) }
    }
  }

  private func beat() async {
    var told = Set<String>()
    while !Task.isCancelled {
      say()
      for note in reasons where told.insert(note).inserted { tell(.trouble(note)) }
      try? await Task.sleep(for: .milliseconds(Presence.interval))
      // Nothing more is waited for, whether there ever was a broker or not.
      if isOver { return post.finish() }
    }
  }

  /// Why no work comes, as far as it is known here.
  private var reasons: [String] {
    state.withLock { state in
      let now = milliseconds()
      let keepers = state.neighbors.all(at: now).filter { $0.kind == .keeper }
      var own = Presence(.helper, name: name, life: life)
      own.builds = builds
      let reasons = keepers.flatMap { keeper in
        own.whyIdle(for: keeper.builds).map { ["no work of \(keeper.name) for this helper: \($0)"] }
          ?? own.partly(for: keeper.builds).map { "this helper \($0)" }
      }
      return reasons
        + (keepers.isEmpty && state.neighbors.hasStrangers(at: now)
          ? ["the machines at this broker have another key: give this one the same key file"] : [])
    }
  }

  func say() {
    var presence = Presence(.helper, name: name, life: life)
    state.withLock { state in
      (presence.busy, presence.done) = (state.running.count, state.done)
      presence.isDraining = state.isDraining
      presence.notes = state.notes
    }
    presence.slots = state.withLock { $0.isPaused } ? 0 : slots
    (presence.version, presence.builds) = (version, builds)
    presence.clock = Int(time(nil))
    link.tell(
      .say, ["subject": .string(Presence.subject(key.site))],
      key.seal(presence.json.line, as: Presence.purpose))
  }
}
