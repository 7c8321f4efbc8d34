package import PluginKit

/// What `procd-web` is told first: where it listens, and who may come in.
package struct PageSetup: Sendable, Equatable {
  /// HOST and port, or the path of a local socket.
  package var host: String?
  package var port: Int
  package var socket: String?
  /// Names by which it is asked for besides its own.
  package var hosts: [String]
  /// Whether a proxy with TLS stands before it.
  package var behindProxy: Bool
  /// 64 hexadecimal digits: what the link of `procd web open` has, and what sessions are signed with.
  package var token: String
  /// As ``PasswordHash`` writes it; nil for none.
  package var password: String?
  /// Sessions that were ended while an earlier server ran.
  package var ended = EndedSessions()
  /// The largest upload, in bytes.
  package var uploads: Int
  package var version: String

  package static let cookieName = "procd"

  package init(
    host: String?, port: Int, socket: String?, hosts: [String], behindProxy: Bool, token: String,
    password: String?, ended: EndedSessions = EndedSessions(), uploads: Int, version: String
  ) {
    (self.host, self.port, self.socket, self.hosts) = (host, port, socket, hosts)
    (self.behindProxy, self.token, self.password) = (behindProxy, token, password)
    self.ended = ended
    (self.uploads, self.version) = (uploads, version)
  }

  package var json: JSON {
    [
      "host": host.map { .string($0) }, "port": .integer(port),
      "socket": socket.map { .string($0) }, "hosts": .array(hosts.map { .string($0) }),
      "behindProxy": .bool(behindProxy), "token": .string(token),
      "password": password.map { .string($0) }, "ended": ended.json, "uploads": .integer(uploads),
      "version": .string(version),
    ]
  }

  package init?(_ json: JSON) {
    guard let port = json["port"]?.integerValue, let token = json["token"]?.stringValue,
      token.utf8.count == 64, let uploads = json["uploads"]?.integerValue,
      let version = json["version"]?.stringValue,
      let ended = json["ended"].flatMap(EndedSessions.init)
    else { return nil }
    self.init(
      host: json["host"]?.stringValue, port: port, socket: json["socket"]?.stringValue,
      hosts: json["hosts"]?.arrayValue?.compactMap(\.stringValue) ?? [],
      behindProxy: json["behindProxy"]?.boolValue ?? false, token: token,
      password: json["password"]?.stringValue, ended: ended, uploads: uploads, version: version)
  }
}
