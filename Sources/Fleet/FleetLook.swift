package import Files
internal import Pipelines
internal import PluginKit
internal import Synchronization
internal import Workers

/// Looks at a fleet from outside: what the broker allows, and who is there.
package struct FleetLook: Sendable {
  package var machines: [Presence] = []
  /// Whether machines with another key are at the broker.
  package var hasStrangers = false
  /// Why the broker is of no use; nil where it is.
  package var failure: FleetFailure?
  /// Bytes of the largest message; microseconds there and back; bytes that may be kept, -1 without limit.
  package var payload = 0
  package var roundTrip = 0
  package var store = 0

  private struct State {
    var neighbors = Neighbors()
    var failure: FleetFailure?
    var isConnected = false
  }

  /// - Parameters:
  ///   - message: said to all; who asks who is there, where it is nil.
  ///   - wait: how long to listen, in milliseconds.
  package static func look(
    _ setup: FleetLink.Setup, _ key: FleetKey, saying message: Presence? = nil,
    wait: Int = 1500
  ) async throws(FileError) -> FleetLook {
    let state = Mutex(State())
    let link = try FleetLink(setup) { what, frame in
      switch what {
      case .state:
        state.withLock { state in
          state.isConnected = frame.head["connected"]?.boolValue == true
          if !state.isConnected {
            state.failure = FleetFailure(
              frame.head["code"]?.stringValue ?? "fleet.unreachable",
              frame.head["message"]?.stringValue ?? "there is no broker")
          }
        }
      case .said:
        let opened = key.open(frame.body, as: Presence.purpose).flatMap { Presence($0) }
        state.withLock { state in
          if let opened {
            state.neighbors.heard(opened, at: milliseconds())
          } else {
            state.neighbors.heardStranger(
              of: frame.head["subject"]?.stringValue ?? "", at: milliseconds())
          }
        }
      case .taken, .lost: break
      }
    }
    defer { link.close() }
    var look = FleetLook()
    // A connection that is refused is known at once, one that is dropped after five seconds.
    let start = milliseconds()
    while !state.withLock({ $0.isConnected }) {
      if let failure = state.withLock({ $0.failure }) {
        look.failure = failure
        return look
      }
      guard milliseconds() - start < 8000 else {
        look.failure = FleetFailure("fleet.unreachable", "no broker answers there")
        return look
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
    do throws(FleetFailure) {
      let head = try await link.ask(.look, [:]).head
      look.payload = head["payload"]?.integerValue ?? 0
      look.roundTrip = head["roundTrip"]?.integerValue ?? 0
      look.store = head["store"]?.integerValue ?? 0
      if look.payload < FleetSlots.leastPayload { throw FleetSlots.smallPayload }
    } catch { look.failure = error }
    link.tell(.hear, ["subject": "procd.*.presence"])
    let said = message ?? Presence(.roll, name: "", life: FleetKey.random())
    link.tell(
      .say, ["subject": .string(Presence.subject(key.site))],
      key.seal(said.json.line, as: Presence.purpose))
    try? await Task.sleep(for: .milliseconds(wait))
    state.withLock { state in
      look.machines = state.neighbors.all(at: milliseconds()).filter {
        $0.kind == .helper || $0.kind == .keeper
      }
      look.hasStrangers = state.neighbors.hasStrangers(at: milliseconds())
    }
    return look
  }
}
