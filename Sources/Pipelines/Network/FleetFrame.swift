package import PluginKit

/// What procd and `procd-fleet` tell each other: what the `t` of a frame's head may be. The bodies are sealed: nobody on
/// the way can read them.
package enum FleetFrame {
  /// What is answered, by a frame with the same `n` and `ok` or `code`, `message`.
  package enum Ask: String, Sendable {
    /// Makes the streams of a site: `replicas`, `bytes`.
    case streams
    /// Makes a consumer: `stream`, `name`, `filter`, `patience`, `deliveries`.
    case consumer
    /// Takes from a consumer that is there: `stream`, `name`, `filter`. Answers its `patience`.
    case take
    /// Keeps the body under `subject` until it is purged; `id` makes it once. Answers `sequence`.
    case put
    /// Answers the body that was kept last under `subject` of `stream`.
    case get
    /// Lets what is kept under `subject` of `stream` go, all of it or `through` a number.
    case purge
    /// Lets one message go: `stream`, `sequence`.
    case remove
    /// What the broker allows.
    case look
  }

  /// What is answered by nothing.
  package enum Tell: String, Sendable {
    /// So many messages may be held at once, taken and not ended: `count`.
    case want
    /// The message is still worked on: `handle`.
    case working
    /// The message was done, or is nobody's any longer: `handle`. Where that is lost, it comes again.
    case done, drop
    /// Hears what is said under `subject`.
    case hear
    /// Says the body under `subject` to whoever hears it now.
    case say
  }

  /// What comes unasked.
  package enum Heard: String, Sendable {
    /// Whether there is a broker: `connected`, and `code`, `message` where there is none.
    case state
    /// A message of a consumer: `handle`, `subject`, `deliveries`, `sequence`.
    case taken
    /// What somebody said: `subject`.
    case said
    /// A consumer is gone, or cannot be asked: `message`.
    case lost
  }
}

/// How a broker is reached; the first frame that `procd-fleet` reads.
package struct FleetConnection: Sendable, Equatable {
  /// `nats://` or `tls://`, with a port where it is not 4222.
  package var servers: [String]
  /// Files, absolute: a user's credentials, and certificates of an authority of one's own.
  package var credentials: String?
  package var authority: String?
  /// By which the broker's log knows the connection.
  package var name: String

  package init(servers: [String], credentials: String?, authority: String?, name: String) {
    (self.servers, self.credentials, self.authority, self.name) = (
      servers, credentials, authority, name
    )
  }

  /// Whether nobody on the way can listen.
  package var isEncrypted: Bool { servers.allSatisfy { $0.hasPrefix("tls://") } }

  package var json: JSON {
    [
      "servers": .array(servers.map { .string($0) }),
      "credentials": credentials.map { .string($0) },
      "authority": authority.map { .string($0) }, "name": .string(name),
    ]
  }

  package init?(_ json: JSON) {
    guard let servers = json["servers"]?.arrayValue?.compactMap(\.stringValue), !servers.isEmpty
    else { return nil }
    self.init(
      servers: servers, credentials: json["credentials"]?.stringValue,
      authority: json["authority"]?.stringValue, name: json["name"]?.stringValue ?? "procd")
  }
}
