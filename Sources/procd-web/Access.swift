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
  private let failures = Mutex<[Int]>([])
  private let verifying = Mutex(false)

  /// Seconds that a session lasts.
  private static let lifetime = 30 * 86_400
  /// Wrong passwords in a minute, from whomever: behind a proxy all look the same.
  private static let mostFailures = 10

  init(_ setup: PageSetup) {
    self.setup = setup
    key = SymmetricKey(data: Array(setup.token.utf8))
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

  /// Where a browser says that a request comes from.
  private static let siteField = HTTPField.Name("Sec-Fetch-Site")

  /// Why a request is not looked at: it was sent here under another's name, or by another's page.
  func refusal(_ head: HTTPRequest) -> Reply? {
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

  func isSession(_ head: HTTPRequest) -> Bool {
    let name = cookieName + "="
    for field in head.headerFields[values: .cookie] {
      for part in field.split(separator: ";") {
        let cookie = part.drop { $0 == " " }
        if cookie.hasPrefix(name), isValid(cookie.dropFirst(name.count)) { return true }
      }
    }
    return false
  }

  private func isValid(_ value: Substring) -> Bool {
    let parts = value.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let end = Int(parts[0]), end > Self.now else { return false }
    return PasswordHash.isSame(signature(end), String(parts[1]))
  }

  private func signature(_ end: Int) -> String {
    // Another password ends the sessions of the one before.
    let text = "session \(end) \(setup.password ?? "")"
    let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
    return code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private static var now: Int { time(nil) }

  /// The header that begins a session, or with false ends it.
  func cookie(_ begins: Bool) -> String {
    let end = Self.now + Self.lifetime
    return cookieName + "=" + (begins ? "\(end).\(signature(end))" : "")
      + "; Path=/; HttpOnly; SameSite=Strict; Max-Age=\(begins ? Self.lifetime : 0)"
      + (setup.behindProxy ? "; Secure" : "")
  }

  func isToken(_ text: String) -> Bool { PasswordHash.isSame(text, setup.token) }

  /// Checks a password. One after the other: each takes 32 MiB and a tenth of a second.
  func check(_ password: String) -> Reply? {
    guard let kept = setup.password else {
      return .failure(
        401, "web.password",
        "There is no password. `procd web open` gives a link that opens the page.")
    }
    let now = Self.now
    let mayTry = failures.withLock { failures in
      failures.removeAll { $0 <= now - 60 }
      return failures.count < Self.mostFailures
    }
    let isFree = verifying.withLock { isBusy in
      defer { isBusy = true }
      return !isBusy
    }
    defer { if isFree { verifying.withLock { $0 = false } } }
    guard mayTry, isFree else {
      return .failure(429, "web.tries", "Too many tries. Wait a minute, then try again.")
    }
    guard PasswordHash.matches(password, kept) else {
      failures.withLock { $0.append(now) }
      return .failure(401, "web.password", "That is not the password.")
    }
    return nil
  }
}
