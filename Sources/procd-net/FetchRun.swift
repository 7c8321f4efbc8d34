import AsyncHTTPClient
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import Pipelines

/// Fetches one file: asks whether there is a newer one, follows redirects, goes on where an earlier
/// download broke off.
struct FetchRun {
  let request: NetRequest.Fetch
  let download: PartialDownload

  func run() throws(NetAnswer.Failure) -> NetAnswer {
    var rest = download.rest()
    while true {
      let (head, reception, url) = try answer(rest)
      switch Int(head.status.code) {
      case 200, 206:
        if let file = try reception.finish() { return .received(file) }
        // A part that was not asked for, or of another file.
        guard rest != nil else { throw failure(head, url) }
      case 304:
        download.discard()
        return .unchanged
      case 416 where rest != nil: break
      default: throw failure(head, url)
      }
      download.discard()
      rest = nil
    }
  }

  /// The first answer that is no redirect, what was received with it, and the address that gave it.
  private func answer(
    _ rest: PartialDownload.Rest?
  ) throws(NetAnswer.Failure) -> (HTTPResponseHead, Reception, URL) {
    let first = try Addresses.url(request.url)
    var url = first
    for _ in 0...max(0, request.redirects) {
      let reception = Reception(request, download, rest: rest, url: url)
      let question = try Server.request(url, .GET, headers(rest))
      var bounds = request.bounds
      if bounds.allowsOwnHost, url.host() == first.host() { bounds.allowsPrivate = true }
      let head = try Server(bounds: bounds).exchange(question, reception)
      guard [301, 302, 303, 307, 308].contains(head.status.code) else {
        return (head, reception, url)
      }
      url = try Addresses.redirect(to: head.headers.first(name: "location"), from: url)
    }
    throw NetAnswer.Failure(
      "net.redirects", "the address leads on more than \(request.redirects) times")
  }

  private func headers(_ rest: PartialDownload.Rest?) -> HTTPHeaders {
    var headers = HTTPHeaders([
      ("User-Agent", "procd/0.1"), ("Accept", "*/*"), ("Accept-Encoding", "identity"),
    ])
    if let etag = request.etag { headers.add(name: "If-None-Match", value: etag) }
    if let modified = request.modified {
      headers.add(name: "If-Modified-Since", value: modified)
    }
    if let rest {
      headers.add(name: "Range", value: "bytes=\(rest.bytes)-")
      headers.add(name: "If-Range", value: rest.validator)
    }
    return headers
  }

  private func failure(_ head: HTTPResponseHead, _ url: URL) -> NetAnswer.Failure {
    Failures.failure(
      forStatus: Int(head.status.code), host: url.host() ?? "the server",
      retryAfter: Failures.retryAfter(head.headers.first(name: "retry-after"), now: time(nil)))
  }
}
