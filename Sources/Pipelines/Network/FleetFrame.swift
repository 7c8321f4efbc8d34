package import PluginKit

/// What procd and `procd-fleet` tell each other: a head of JSON that says what it is, and bytes that nobody on the way
/// can read.
///
/// On the pipe: the lengths of head and body, four bytes each, the highest first, then head and body. What a head's
/// `t` may be stands in ``Ask``, ``Tell`` and ``Heard``.
package struct FleetFrame: Sendable, Equatable {
  package var head: JSON
  package var body: [UInt8]

  package init(_ head: JSON, _ body: [UInt8] = []) { (self.head, self.body) = (head, body) }

  /// The longest head and the longest body, in bytes. A body is a piece of a file or a message, sealed.
  package static let longestHead = 64 << 10
  package static let longestBody = 1 << 20

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

  /// As it goes over the pipe.
  package var bytes: [UInt8] {
    let text = head.line
    var bytes = Self.length(text.count) + Self.length(body.count)
    bytes.reserveCapacity(8 + text.count + body.count)
    bytes += text
    bytes += body
    return bytes
  }

  private static func length(_ count: Int) -> [UInt8] {
    let count = UInt32(clamping: count)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
  }
}

/// Cuts a stream of bytes into frames.
package struct FleetFrameBuffer: Sendable {
  /// The stream is none of frames, or one is longer than is accepted.
  package struct Broken: Error, Sendable { package var message: String }

  private var pending: [UInt8] = []

  package init() {}

  /// Takes what was read and gives the frames that are whole now.
  package mutating func append(_ bytes: [UInt8]) throws(Broken) -> [FleetFrame] {
    pending += bytes
    var frames: [FleetFrame] = [], start = 0
    while pending.count - start >= 8 {
      let head = length(at: start), body = length(at: start + 4)
      guard head <= FleetFrame.longestHead, body <= FleetFrame.longestBody else {
        throw Broken(message: "a frame is longer than is accepted")
      }
      guard pending.count - start >= 8 + head + body else { break }
      let middle = start + 8 + head
      do throws(JSONError) {
        let json = try JSONReader.read(Array(pending[(start + 8)..<middle])).value
        frames.append(FleetFrame(json, Array(pending[middle..<(middle + body)])))
      } catch {
        throw Broken(message: "the head of a frame is no JSON: \(error.message)")
      }
      start = middle + body
    }
    if start > 0 { pending.removeFirst(start) }
    return frames
  }

  private func length(at index: Int) -> Int {
    pending[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) }
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
