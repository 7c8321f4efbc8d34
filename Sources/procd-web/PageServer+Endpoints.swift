import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOPosix
import PageAPI
import PluginKit

extension PageServer {
  func carryOut(
    _ endpoint: Endpoint, _ values: [String: String], _ request: Request,
    on channel: any Channel
  ) async -> Response {
    var head: JSON = [:]
    for (name, value) in values { head = head.setting(name, .string(value)) }
    switch Self.checked(endpoint.query, request) {
    case .success(let members): for (name, value) in members { head = head.setting(name, value) }
    case .failure(let refusal): return Self.response(refusal.reply)
    }
    switch endpoint.work {
    case .answer(let ask):
      guard !endpoint.body.isEmpty else { return Self.response(await link.ask(ask, head)) }
      switch await Self.body(endpoint, request) {
      case .success(let body): return Self.response(await link.ask(ask, head, body.line))
      case .failure(let refusal): return Self.response(refusal.reply)
      }
    case .file(let ask): return await file(ask, head, request)
    case .upload(let purpose): return Self.response(await take(request, head, for: purpose))
    case .own(let own): return await carryOut(own, endpoint, request, on: channel)
    }
  }

  private func carryOut(
    _ own: Endpoint.Own, _ endpoint: Endpoint, _ request: Request, on channel: any Channel
  ) async -> Response {
    switch own {
    case .events: return events(request)
    case .openAPI:
      return Self.response(
        Reply(status: 200, head: [:], body: OpenAPI.document(version: setup.version).line))
    case .loginState:
      return Self.response(
        Reply(
          status: 200, head: [:],
          body: JSON.object([.init("password", .bool(setup.password != nil))]).line))
    case .logout:
      guard let session = access.session(request.head) else { return Response(status: .noContent) }
      let response = access.end(session)
      link.tellAgain()
      // So that it is over for the next server, too.
      let kept = await link.ask(
        .logout, ["end": .integer(session.end), "id": .string(session.id)])
      return kept.status == 200 ? response : Self.response(kept)
    case .login:
      switch await Self.body(endpoint, request) {
      case .failure(let refusal): return Self.response(refusal.reply)
      case .success(let body): return await logIn(body, request, on: channel)
      }
    }
  }

  private func logIn(_ body: JSON, _ request: Request, on channel: any Channel) async -> Response {
    guard setup.password != nil else {
      return Self.response(
        .failure(
          401, "web.password",
          "There is no password. `procd web open` gives a link that opens the page."))
    }
    let visitor = access.visitor(request.head, from: Connections.address(channel))
    let link = link
    let isRight = await logins.check(visitor) {
      // A visitor who has gone costs nothing.
      guard channel.isActive else { return nil }
      return await link.ask(.login, [:], body.line).head["right"]?.boolValue
    }
    switch isRight {
    case true?: return access.begin(Response(status: .noContent))
    case false?:
      return Self.response(.failure(401, "web.password", "That is not the password."))
    case nil:
      return Self.response(
        .failure(429, "web.tries", "Too many passwords are tried at once. Try again in a moment."))
    }
  }

  struct Refusal: Error { var reply: Reply }

  private static func bad(_ message: String) -> Refusal {
    Refusal(reply: .failure(400, "web.request", message))
  }

  /// The parameters of a request, as they are declared.
  private static func checked(
    _ parameters: [Endpoint.Parameter], _ request: Request
  ) -> Result<[(String, JSON)], Refusal> {
    var members: [(String, JSON)] = []
    // Forms and URLSearchParams write a blank as a plus (application/x-www-form-urlencoded), and a plus as %2B.
    let query = (request.uri.query ?? "").replacing("+", with: "%20")
    let given = URI("?\(query)").queryParameters
    for parameter in parameters {
      guard let text = given[parameter.name[...]] else {
        if parameter.isRequired { return .failure(bad("\(parameter.name) is missing.")) }
        continue
      }
      guard let value = value(.string(String(text)), parameter.kind) else {
        return .failure(bad("\(parameter.name) cannot have this value."))
      }
      members.append((parameter.name, value))
    }
    return .success(members)
  }

  /// A value as its kind has it; nil where it is none.
  private static func value(_ json: JSON, _ kind: Endpoint.Parameter.Kind) -> JSON? {
    let text = json.stringValue
    switch kind {
    case .text(let length):
      guard let text, text.utf8.count <= length else { return nil }
      return json
    case .number(let range):
      guard let text, text.utf8.count <= 12, let number = Int(text), range.contains(number) else {
        return nil
      }
      return .integer(number)
    case .day:
      guard let text, text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil else { return nil }
      return json
    case .flag:
      if let flag = json.boolValue { return .bool(flag) }
      return switch text {
      case "1", "true": true
      case "0", "false": false
      default: nil
      }
    case .choice(let words): return words.contains(text ?? "") ? json : nil
    case .texts(let most):
      let entries = json.arrayValue ?? [.null]
      return entries.count <= most && entries.allSatisfy { $0.stringValue != nil } ? json : nil
    case .objects(let most):
      let entries = json.arrayValue ?? [.null]
      return entries.count <= most && entries.allSatisfy { $0.members != nil } ? json : nil
    }
  }

  /// Whoever has no session sends a password alone.
  private static let longestBody = 1 << 20, longestOfStrangers = 8 << 10

  /// The body of a request as JSON, as its endpoint declares it.
  private static func body(_ endpoint: Endpoint, _ request: Request) async -> Result<JSON, Refusal>
  {
    guard let type = request.headers[.contentType], type.hasPrefix("application/json") else {
      return .failure(
        Refusal(reply: .failure(415, "web.request", "The body has to be application/json.")))
    }
    guard
      let buffer = try? await request.body.collect(
        upTo: endpoint.isOpen ? longestOfStrangers : longestBody)
    else {
      return .failure(Refusal(reply: .failure(413, "web.request", "The body is too long.")))
    }
    guard let json = try? JSONReader.read(Array(buffer.readableBytesView)).value,
      case .object = json
    else { return .failure(bad("The body is no JSON object.")) }
    for member in endpoint.body {
      guard let given = json[member.name] else {
        if member.isRequired { return .failure(bad("\(member.name) is missing.")) }
        continue
      }
      guard value(given, member.kind) != nil else {
        return .failure(bad("\(member.name) cannot have this value."))
      }
    }
    return .success(json)
  }

  // MARK: - Events

  /// A stream that tells the newest state only: a slow reader gets fewer, not older ones.
  private func events(_ request: Request) -> Response {
    guard link.readers < 64 else {
      return Self.response(.failure(503, "web.busy", "Too many pages are open at once."))
    }
    let link = link, loop = group.next(), access = access, head = request.head
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream"],
      body: .init { writer in
        let (parts, post) = link.events()
        // So that a line that is gone is noticed, and no proxy ends it.
        let beat = loop.scheduleRepeatedTask(initialDelay: .seconds(15), delay: .seconds(15)) { _ in
          // What waits to be sent is replaced by this.
          post.yield(link.last)
        }
        defer { beat.cancel() }
        for await part in parts {
          guard access.isSession(head) else { break }
          var text = ByteBuffer()
          if part.isEmpty {
            text.writeString(": alive\n\n")
          } else {
            text.writeString("event: now\ndata: ")
            text.writeBytes(part)
            text.writeString("\n\n")
          }
          try await writer.write(text)
        }
        try await writer.finish(nil)
      })
  }
}
