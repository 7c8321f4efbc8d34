import Glibc
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import PageAPI
import PluginKit
import ServiceLifecycle

/// The server: who comes in, the page's own files, and the API by its table of endpoints.
struct PageServer: Sendable {
  let setup: PageSetup
  let link: Link
  let access: Access
  let assets: Assets
  let connections = Connections()
  let logins: Logins
  let group: MultiThreadedEventLoopGroup

  init(_ setup: PageSetup, _ link: Link, _ group: MultiThreadedEventLoopGroup) {
    (self.setup, self.link, self.group) = (setup, link, group)
    access = Access(setup)
    assets = Assets()
    logins = Logins(group.next())
  }

  func run() async throws {
    let address: BindAddress =
      setup.socket.map { .unixDomainSocket(path: $0) }
      ?? .hostname(
        setup.host == "localhost" ? "127.0.0.1" : setup.host ?? "127.0.0.1", port: setup.port)
    // The server alone: what an application of the library has besides keeps timers that are not this thread's.
    let server = try HTTPServerBuilder { PageChannel(connections: connections, responder: $0) }
      .buildServer(
        configuration: .init(address: address), eventLoopGroup: group,
        logger: Logger(label: "procd-web") { _ in SwiftLogNoOpLogHandler() },
        responder: { request, writer, channel in
          let response = await answer(request, on: channel)
          try await writer.write(response: response.head, body: response.body)
        }, onServerRunning: { _ in Link.ready(to: link) })
    try await server.run()
  }

  /// Why it does not listen, for people.
  func words(_ error: any Error) -> String {
    let place = setup.socket ?? "\(Access.bracketed(setup.host ?? "127.0.0.1")):\(setup.port)"
    guard let error = error as? IOError else { return "\(place): \(error)" }
    return switch error.errnoCode {
    case EADDRINUSE:
      "\(place) is taken by another program; end that one, or name another port in \"web\""
    case EACCES: "\(place) may not be used by this user; ports below 1024 are root's"
    case EADDRNOTAVAIL: "\(place) is no address of this machine"
    default: unsafe "\(place): \(String(cString: strerror(error.errnoCode)))"
    }
  }

  private func answer(_ request: Request, on channel: any Channel) async -> Response {
    var response = await route(request, on: channel)
    for (name, value) in Self.always { response.headers[name] = value }
    if response.headers[.contentSecurityPolicy] == nil {
      response.headers[.contentSecurityPolicy] = Self.policy
    }
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    return response
  }

  /// What each answer says.
  private static let always: [(HTTPField.Name, String)] = [
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
  ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }

  /// What the page itself may do: its own scripts and styles, and nothing from elsewhere.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self';"
    + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

  private func route(_ request: Request, on channel: any Channel) async -> Response {
    if let refusal = access.refusal(request.head) { return Self.response(refusal) }
    let path = request.uri.path
    let method = request.method
    if method == .get || method == .head {
      if path == "/open" { return open(request) }
      if let asset = assets.response(path, request.headers) { return asset }
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    var isKnown = false
    for endpoint in Endpoint.all {
      guard let values = Self.match(endpoint, parts) else { continue }
      isKnown = true
      guard endpoint.method == (method == .post ? .post : .get), [.get, .post].contains(method)
      else { continue }
      if access.isSession(request.head) {
        connections.change(channel, to: .known)
      } else if !endpoint.isOpen {
        return Self.response(
          .failure(401, "web.session", "Open the page by the link of `procd web open`, or log in."))
      }
      return await carryOut(endpoint, values, request, on: channel)
    }
    guard isKnown else {
      return Self.response(.failure(404, "web.unknown", "There is nothing at this address."))
    }
    return Self.response(.failure(405, "web.method", "This address does not take that method."))
  }

  /// The values of the parameters in a path; nil where it is another's.
  private static func match(
    _ endpoint: Endpoint, _ parts: ArraySlice<Substring>
  ) -> [String: String]? {
    let wanted = endpoint.path.split(separator: "/")
    guard wanted.count == parts.count else { return nil }
    var values: [String: String] = [:]
    for (want, part) in zip(wanted, parts) {
      if want.hasPrefix("{") {
        guard !part.isEmpty, part.utf8.count <= 64,
          part.utf8.allSatisfy({ Self.isPlain($0) })
        else { return nil }
        values[String(want.dropFirst().dropLast())] = String(part)
      } else if want != part {
        return nil
      }
    }
    return values
  }

  /// Letters, digits and the dot of a file's ending.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E: true
    default: false
    }
  }

  /// Begins a session by the token of the link.
  private func open(_ request: Request) -> Response {
    let token = request.uri.queryParameters["token"].map(String.init) ?? ""
    guard access.isToken(token) else {
      return Self.response(
        .failure(
          401, "web.token", "This link is not, or no longer, the page's. `procd web open` gives it."
        ))
    }
    return access.begin(Response(status: .seeOther, headers: [.location: "/"]))
  }

  // MARK: - Answers

  static func response(_ reply: Reply) -> Response {
    guard reply.status >= 400 else {
      return Response(
        status: .init(code: reply.status), headers: [.contentType: "application/json"],
        body: .init(byteBuffer: ByteBuffer(bytes: reply.body)))
    }
    let json: JSON = [
      "code": reply.head["code"] ?? "web.failed",
      "message": reply.head["message"] ?? "The request could not be carried out.",
      "offer": reply.head["offer"],
    ]
    return Response(
      status: .init(code: reply.status), headers: [.contentType: "application/json"],
      body: .init(byteBuffer: ByteBuffer(bytes: json.line)))
  }
}
