internal import PluginKit

extension Configuration {
  /// Other machines that take part, by way of a NATS server.
  package struct Fleet: Sendable, Equatable {
    package var servers: [String]
    /// Paths as written: the key that all machines share, the login at the broker, an authority's certificates.
    package var key: String
    package var credentials: String?
    package var authority: String?
    /// Which steps travel; nil for those whose plugins say that they may.
    package var steps: [String]?
    /// Whether this machine's own slots do such steps as well.
    package var local: Bool
    package var replicas: Int
    /// What the broker may keep of files on their way.
    package var bytes: Int
    /// How long a helper may give no sign, in milliseconds.
    package var patience: Int

    /// As ``ConfigurationShape`` has it where nothing more is said.
    package init(servers: [String], bytes: Int = 1 << 30, patience: Int = 30_000) {
      (self.servers, self.bytes, self.patience) = (servers, bytes, patience)
      (key, local, replicas) = ("", true, 1)
    }

    /// Whether nobody on the way to the broker can listen.
    package var isEncrypted: Bool { servers.allSatisfy { $0.hasPrefix("tls://") } }
  }
}

extension MeaningReader {
  mutating func fleet(_ node: JSONNode?) -> Configuration.Fleet? {
    guard let node, !isFaulty(node) else { return nil }
    let set = Options(checked: ConfigurationShape.fleet.filled(node.value))
    let servers = set.strings("servers")
    for server in servers {
      let isKnown = server.wholeMatch(of: /(nats|tls):\/\/[^\/@\s]+/) != nil
      if !isKnown {
        complain(
          "url.server", "\"\(server)\" is no address of a NATS server",
          at: node["servers"]?.range ?? node.range,
          hint: server.contains("@")
            ? "leave out the login; \"credentials\" names its file"
            : "write nats://HOST:4222, or tls://HOST:4222")
      }
    }
    if Set(servers.map { $0.hasPrefix("tls://") }).count > 1 {
      complain(
        "url.server", "some servers are asked with TLS and others without",
        at: node["servers"]?.range ?? node.range, hint: "write tls:// for all, or for none")
    }
    let steps = set["steps"] == nil ? nil : set.strings("steps")
    for name in steps ?? [] {
      guard let entry = catalog?[name] else {
        if !mayLackPlugins {
          let near = nearestName(to: name, among: catalog?.stepNames ?? [])
          complain(
            "step.stays", "no plugin offers the step \"\(name)\"",
            at: node["steps"]?.range ?? node.range,
            hint: near.map { "did you mean \"\($0)\"?" } ?? "`procd plugins` lists them")
        }
        continue
      }
      if entry.step.state {
        complain(
          "step.stays", "\(name) keeps a folder between jobs, so it stays on this machine",
          at: node["steps"]?.range ?? node.range, hint: "leave it out")
      }
    }
    let patience = time(node["patience"], 30_000)
    if patience < 1000 {
      complain(
        "value.patience", "a helper cannot give a sign in so short a time",
        at: node["patience"]?.range ?? node.range, hint: "write 1s or more; 30s suits most")
    }
    var fleet = Configuration.Fleet(
      servers: servers, bytes: Quantity.bytes(set.string("bytes") ?? "") ?? 1 << 30,
      patience: patience)
    (fleet.key, fleet.steps) = (set.string("key") ?? "", steps)
    (fleet.credentials, fleet.authority) = (set.string("credentials"), set.string("authority"))
    (fleet.local, fleet.replicas) = (set.flag("local"), set.integer("replicas") ?? 1)
    return fleet
  }
}
