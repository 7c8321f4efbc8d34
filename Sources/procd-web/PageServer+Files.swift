import HTTPTypes
import HummingbirdCore
import NIOCore
import PageAPI
import PluginKit

extension PageServer {
  /// Kinds of files that may be shown by the browser itself; all else is only to be kept.
  private static let shown = [
    "image/png", "image/jpeg", "image/webp", "audio/", "text/plain",
  ]

  /// A file that the desk gives in pieces, each asked for when the one before is sent.
  func file(_ ask: Endpoint.Ask, _ head: JSON, _ request: Request) async -> Response {
    let range = request.headers[.range].flatMap(Self.range)
    let start = range?.lowerBound ?? 0
    let first = await link.ask(ask, head.setting("at", .integer(start)))
    guard first.status == 200 else { return Self.response(first) }
    let size = first.head["size"]?.integerValue ?? first.body.count
    let mime = first.head["type"]?.stringValue ?? "application/octet-stream"
    let isShown =
      ask == .picture || ask == .trialPicture
      || head["view"]?.boolValue == true && Self.shown.contains { mime.hasPrefix($0) }
    guard start < size || range == nil else {
      var response = Self.response(.failure(416, "web.range", "The file is not so long."))
      response.headers[.contentRange] = "bytes */\(size)"
      return response
    }
    let end = min(size, range?.upperBound ?? size)
    var headers: HTTPFields = [
      .contentType: mime.hasPrefix("text/")
        ? "text/plain; charset=utf-8"
        : isShown ? mime : "application/octet-stream",
      .acceptRanges: "bytes",
      // Whatever the file is, no script of it runs here.
      .contentSecurityPolicy: "default-src 'none'; sandbox",
      .contentDisposition: (isShown ? "inline" : "attachment")
        + Self.named(first.head["name"]?.stringValue ?? "file"),
    ]
    if ask == .picture { headers[.cacheControl] = "private, max-age=3600" }
    if range != nil { headers[.contentRange] = "bytes \(start)-\(max(start, end - 1))/\(size)" }
    let link = link, length = max(0, end - start)
    guard request.method != .head else { return Response(status: .ok, headers: headers) }
    return Response(
      status: range == nil ? .ok : .partialContent, headers: headers,
      body: .init(contentLength: length) { writer in
        var piece = first.body, sent = 0
        while sent < length {
          if piece.isEmpty {
            let next = await link.ask(ask, head.setting("at", .integer(start + sent)))
            guard next.status == 200, !next.body.isEmpty else { throw CancellationError() }
            piece = next.body
          }
          let part = piece.prefix(length - sent)
          try await writer.write(ByteBuffer(bytes: part))
          sent += part.count
          piece = []
        }
        try await writer.finish(nil)
      })
  }

  /// One range of bytes: `bytes=5-` or `bytes=5-9`; others are not looked at.
  private static func range(_ text: String) -> Range<Int>? {
    guard let match = text.wholeMatch(of: /bytes=([0-9]{1,15})-([0-9]{0,15})/),
      let start = Int(match.1)
    else { return nil }
    guard let last = Int(match.2) else { return start..<Int.max }
    return last >= start ? start..<(last + 1) : nil
  }

  /// The name for a download (RFC 6266), with everything that is no plain letter encoded.
  private static func named(_ name: String) -> String {
    let digits = Array("0123456789ABCDEF")
    var text = "; filename*=UTF-8''"
    for byte in name.utf8.prefix(600) {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return text
  }

  // MARK: - Uploads

  private static let piece = 128 << 10

  /// Gives a body to the desk, piece by piece; the next is read when the one before was written.
  func take(
    _ request: Request, _ head: JSON, for purpose: Endpoint.Purpose
  ) async -> Reply {
    if let length = request.headers[.contentLength].flatMap(Int.init), length > setup.uploads {
      return tooLarge
    }
    let begun = await link.ask(
      .uploadBegins, head.setting("purpose", .string(purpose.rawValue)))
    guard begun.status == 200, let handle = begun.head["handle"] else { return begun }
    let whose: JSON = ["handle": handle]
    func giveUp(_ reply: Reply) async -> Reply {
      _ = await link.ask(.uploadIsGivenUp, whose)
      return reply
    }
    var pending: [UInt8] = [], count = 0
    do {
      for try await buffer in request.body {
        count += buffer.readableBytes
        guard count <= setup.uploads else { return await giveUp(tooLarge) }
        pending += buffer.readableBytesView
        while pending.count >= Self.piece {
          let part = Array(pending.prefix(Self.piece))
          pending.removeFirst(Self.piece)
          let reply = await link.ask(.uploadGoesOn, whose, part)
          guard reply.status == 200 else { return await giveUp(reply) }
        }
      }
    } catch {
      return await giveUp(
        .failure(400, "web.cut", "The upload was cut off. Nothing was handed in."))
    }
    let length = request.headers[.contentLength].flatMap(Int.init)
    guard length == nil || length == count else {
      return await giveUp(
        .failure(400, "web.cut", "The upload was cut off. Nothing was handed in."))
    }
    if !pending.isEmpty {
      let reply = await link.ask(.uploadGoesOn, whose, pending)
      guard reply.status == 200 else { return await giveUp(reply) }
    }
    return await link.ask(
      .uploadEnds,
      whose.setting("anyway", head["anyway"] ?? false).setting("rule", head["rule"])
        .setting("crop", head["crop"]))
  }

  private var tooLarge: Reply {
    .failure(
      413, "web.size",
      "The file is larger than \(setup.uploads >> 20) MiB, which \"uploads\" in \"web\" allows.")
  }
}
