package import PluginKit
internal import Workers

/// What a machine of a fleet says of itself, every few seconds, to whoever hears it; sealed.
package struct Presence: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case helper, keeper
    /// Asked by `procd fleet`: say at once who you are.
    case roll
    /// Told to a helper: take nothing more.
    case drain
  }

  package var kind: Kind
  /// Of the machine; of the one to be drained.
  package var name: String
  /// Another one after each start.
  package var life: String
  package var slots = 0
  package var busy = 0
  package var done = 0
  package var version = ""
  package var builds: [StepBuild] = []
  package var isDraining = false
  /// What it would like to be told of itself, such as messages that do not open.
  package var notes: [String] = []
  /// Seconds since 1970, to tell of clocks that differ; nothing depends on it.
  package var clock = 0

  static let purpose = "presence"
  package static func subject(_ site: String) -> String { "procd.\(site).presence" }
  /// How often, in milliseconds, and after which silence a machine counts as gone.
  package static let interval = 2000
  package static let silence = 10_000

  package init(_ kind: Kind, name: String, life: String) {
    (self.kind, self.name, self.life) = (kind, name, life)
  }

  package var json: JSON {
    [
      "kind": .string(kind.rawValue), "name": .string(name), "life": .string(life),
      "slots": .integer(slots), "busy": .integer(busy), "done": .integer(done),
      "version": .string(version), "builds": .array(builds.map(\.json)),
      "draining": .bool(isDraining), "notes": .array(notes.map { .string($0) }),
      "clock": .integer(clock),
    ]
  }

  /// A presence of every step that procd has is a tenth of this.
  static let longest = 256 << 10

  init?(_ bytes: [UInt8]) {
    guard let json = try? JSONReader.read(bytes).value,
      let kind = json["kind"]?.stringValue.flatMap(Kind.init),
      let name = json["name"]?.stringValue, name.utf8.count <= FleetLimits.name,
      let life = json["life"]?.stringValue, life.utf8.count <= FleetLimits.name
    else { return nil }
    self.init(kind, name: name, life: life)
    func count(_ name: String) -> Int { max(0, min(json[name]?.integerValue ?? 0, 1 << 40)) }
    (slots, busy, done) = (min(count("slots"), 4096), count("busy"), count("done"))
    version = String((json["version"]?.stringValue ?? "").prefix(FleetLimits.name))
    builds = (json["builds"]?.arrayValue ?? []).prefix(FleetLimits.builds).compactMap(
      StepBuild.init)
    isDraining = json["draining"]?.boolValue ?? false
    notes = (json["notes"]?.arrayValue ?? []).prefix(20)
      .compactMap { $0.stringValue.map { String($0.prefix(FleetLimits.text)) } }
    clock = count("clock")
  }
}

/// What one machine of a fleet may say. Whoever has the key may say anything, and some do when they are broken.
enum FleetLimits {
  /// Bytes of a name or a life.
  static let name = 200
  /// Letters of a sentence.
  static let text = 1000
  /// Steps of one machine; procd has thirty.
  static let builds = 200
  /// Machines of a fleet; beyond that new ones are not looked at until others have gone.
  static let machines = 500
  /// Lives of one name at once. Two machines may have one name, and one may have started again.
  static let lives = 8
  /// Signs of one order: so many, and so many more for each second. Helpers give two a second.
  static let signs = 1000, signsPerSecond = 20
  /// Bytes of a sign, sealed.
  static let sign = 4 << 10
  /// Helpers whose nonsense is counted.
  static let counted = 1000
  /// Bytes of what is said that wait to be read. It is said again; answers are not bounded by this.
  static let unread = 4 << 20
}

/// The machines that were heard of lately.
package struct Neighbors: Sendable {
  private var seen: [String: (presence: Presence, at: Int)] = [:]
  /// Sites whose messages do not open: machines with another key.
  private var strangers: [String: Int] = [:]

  package init() {}

  /// - Returns: false if it is another life of a name that has too many, as no machine has.
  @discardableResult
  mutating func heard(_ presence: Presence, at now: Int) -> Bool {
    // By its life: two machines may have one name.
    if seen[presence.life] == nil {
      seen = seen.filter { $1.at > now - Presence.silence }
      let lives = seen.values.count { $0.presence.name == presence.name }
      guard lives < FleetLimits.lives else { return false }
      guard seen.count < FleetLimits.machines else { return true }
    }
    seen[presence.life] = (presence, now)
    return true
  }

  mutating func heardStranger(of site: String, at now: Int) {
    if strangers.count > 100 { strangers = [:] }
    strangers[site] = now
  }

  package func all(at now: Int) -> [Presence] {
    seen.values.filter { $0.at > now - Presence.silence }.map(\.presence)
      .sorted { ($0.kind.rawValue, $0.name) < ($1.kind.rawValue, $1.name) }
  }

  package func helpers(at now: Int) -> [Presence] { all(at: now).filter { $0.kind == .helper } }

  /// Whether machines with another key are there.
  package func hasStrangers(at now: Int) -> Bool {
    strangers.values.contains { $0 > now - Presence.silence }
  }
}
