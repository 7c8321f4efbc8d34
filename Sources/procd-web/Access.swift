import Crypto
import Glibc
import HTTPTypes
import HummingbirdCore
import PageAPI
import Synchronization

/// Who may come in: by the token of the link, or by the password, and then by a cookie.
final class Access: Sendable {
  let setup: PageSetup
  private let hosts: Set<String>
  private let key: SymmetricKey
  private let ended: Mutex<EndedSessions>

  /// Seconds that a session lasts, and that a browser is known by.
  private static let lifetime = 30 * 86_400, memory = 400 * 86_400

  init(_ setup: PageSetup) {
    self.setup = setup
    key = SymmetricKey(data: Array(setup.token.utf8))
    ended = Mutex(setup.ended)
    var hosts = Set(setup.hosts.map { $0.lowercased() })
    for name in ["localhost", "127.0.0.1", "[::1]", setup.host.map(Self.bracketed)].compactMap(
      \.self)
    {
      if setup.socket == nil { hosts.insert("\(name.lowercased()):\(setup.port)") }
      if setup.socket != nil || setup.port == 80 { hosts.insert(name.lowercased()) }
    }
    self.hosts = hosts
  }

  static func bracketed(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

  /// The cookie's name: browsers do not keep ports apart.
  var cookieName: String { "\(PageSetup.cookieName)-\(setup.port)" }

  /// The cookie by which a browser is known that was logged in before. It opens nothing.
  private var browserName: String { "\(PageSetup.cookieName)-browser-\(setup.port)" }

  /// Where a browser says that a request comes from.
  private static let siteField = HTTPField.Name("Sec-Fetch-Site")
  private static let forwardedField = HTTPField.Name("X-Forwarded-For")
  private static let hostField = HTTPField.Name("Host")

  /// Why a request is not looked at: it was sent here under another's name, or by another's page.
  func refusal(_ head: HTTPRequest) -> Reply? {
    // The first is the authority.
    guard Self.hostField.map({ head.headerFields[$0] }) == .some(nil) else {
      return .failure(400, "web.host", "The request has more than one name of the page.")
    }
    guard let host = head.authority?.lowercased(), hosts.contains(host) else {
      return .failure(
        403, "web.host",
        "This is no name of the page. Open it by the link of `procd web open`, or add the name to"
          + " \"hosts\" in \"web\".")
    }
    if let site = Self.siteField.flatMap({ head.headerFields[$0] }),
      !["same-origin", "none"].contains(site),
      head.method != .get || head.path?.hasPrefix("/api/") ?? false
    {
      return .failure(403, "web.origin", "The request came from another page.")
    }
    guard head.method != .get, head.method != .head else { return nil }
    if let origin = head.headerFields[.origin]?.lowercased() {
      guard ["http://\(host)", "https://\(host)"].contains(origin) else {
        return .failure(
          403, "web.origin",
          "The request came from another page. If a proxy shows this one at another address or port, it must pass on"
            + " the Host that it got, with the port, and that name must be among \"hosts\" in \"web\"."
        )
      }
    }
    return nil
  }

  // MARK: - Sessions

  /// The values of a cookie: browsers send one for each path.
  private static func cookies(_ name: String, _ head: HTTPRequest) -> [Substring] {
    let start = name + "="
    let pairs: [Substring] = head.headerFields[values: .cookie].flatMap { $0.split(separator: ";") }
    let trimmed = pairs.map { $0.drop { $0 == " " } }
    return trimmed.filter { $0.hasPrefix(start) }.map { $0.dropFirst(start.count) }
  }

  func isSession(_ head: HTTPRequest) -> Bool { session(head) != nil }

  /// The session of a request, or nil if it has none that lasts.
  func session(_ head: HTTPRequest) -> EndedSessions.Session? {
    for value in Self.cookies(cookieName, head) {
      let parts = value.split(separator: ".")
      guard parts.count == 3, let end = Int(parts[0]), end > Self.now else { continue }
      let session = EndedSessions.Session(end: end, id: String(parts[1]))
      if PasswordHash.isSame(signature(session), String(parts[2])),
        !ended.withLock({ $0.contains(session) })
      {
        return session
      }
    }
    return nil
  }

  private func signature(_ session: EndedSessions.Session) -> String {
    // Another password ends the sessions of the one before.
    sign("session \(session.end) \(session.id) \(setup.password ?? "")")
  }

  private func sign(_ text: String) -> String {
    let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
    return code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private static var now: Int { time(nil) }

  /// Adds a session to an answer.
  func begin(_ response: Response) -> Response {
    let session = EndedSessions.Session(
      end: Self.now + Self.lifetime, id: String(PasswordHash.makeToken().prefix(32)))
    var response = response
    response.headers.append(
      cookie(
        cookieName, "\(session.end).\(session.id).\(signature(session))", for: Self.lifetime))
    response.headers.append(
      cookie(browserName, "\(session.id).\(sign("browser \(session.id)"))", for: Self.memory))
    return response
  }

  /// Ends a session, and takes it from the browser.
  func end(_ session: EndedSessions.Session) -> Response {
    ended.withLock { $0.add(session, now: Self.now) }
    var response = Response(status: .noContent)
    response.headers.append(cookie(cookieName, "", for: 0))
    return response
  }

  private func cookie(_ name: String, _ value: String, for seconds: Int) -> HTTPField {
    HTTPField(
      name: .setCookie,
      value: "\(name)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(seconds)"
        + (setup.behindProxy ? "; Secure" : ""))
  }

  func isToken(_ text: String) -> Bool { PasswordHash.isSame(text, setup.token) }

  /// Who gives a password: a browser that was logged in before, or else an address, which a proxy tells last.
  func visitor(_ head: HTTPRequest, from address: String) -> LoginOrder.Visitor {
    for value in Self.cookies(browserName, head) {
      let parts = value.split(separator: ".")
      if parts.count == 2, PasswordHash.isSame(sign("browser \(parts[0])"), String(parts[1])) {
        return .browser(String(parts[0]))
      }
    }
    guard setup.behindProxy,
      let forwarded = Self.forwardedField.flatMap({ head.headerFields[values: $0].last }),
      let last = forwarded.split(separator: ",").last
    else { return .address(address) }
    return .address(Connections.network(String(last.drop { $0 == " " })))
  }
}
