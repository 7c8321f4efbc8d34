import AsyncHTTPClient
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import Pipelines

/// Fetches one file: asks whether there is a newer one, follows redirects, goes on where an earlier
/// download broke off, and judges whether what came is what was asked for.
struct FetchRun {
  let request: NetRequest.Fetch
  let download: PartialDownload

  func run() async throws(NetAnswer.Failure) -> NetAnswer {
    var rest = download.rest()
    while true {
      let (response, url) = try await answer(rest)
      switch Int(response.status.code) {
      case 304:
        download.discard()
        return .unchanged
      case 200: return try await receive(response, from: url, at: 0)
      case 206:
        if let rest, let range = range(of: response, after: rest) {
          return try await receive(response, from: url, at: rest.bytes, total: range.total)
        }
        // A part that was not asked for, or of another file.
        guard rest != nil else { throw failure(response, url) }
        download.discard()
        rest = nil
      case 416 where rest != nil:
        download.discard()
        rest = nil
      default: throw failure(response, url)
      }
    }
  }

  // MARK: - Asking

  /// The first answer that is no redirect, and the address that gave it.
  private func answer(
    _ rest: PartialDownload.Rest?
  ) async throws(NetAnswer.Failure) -> (HTTPClientResponse, URL) {
    var url = try Addresses.url(request.url)
    for _ in 0...max(0, request.redirects) {
      let response = try await Server(bounds: request.bounds).answer(
        to: question(url, rest), at: url)
      guard [301, 302, 303, 307, 308].contains(response.status.code) else {
        return (response, url)
      }
      url = try Addresses.redirect(to: response.headers.first(name: "location"), from: url)
    }
    throw NetAnswer.Failure(
      "net.redirects", "the address leads on more than \(request.redirects) times")
  }

  private func question(_ url: URL, _ rest: PartialDownload.Rest?) -> HTTPClientRequest {
    var question = HTTPClientRequest(url: url.absoluteString)
    question.headers.add(name: "User-Agent", value: "procd/0.1")
    question.headers.add(name: "Accept", value: "*/*")
    question.headers.add(name: "Accept-Encoding", value: "identity")
    if let etag = request.etag { question.headers.add(name: "If-None-Match", value: etag) }
    if let modified = request.modified {
      question.headers.add(name: "If-Modified-Since", value: modified)
    }
    if let rest {
      question.headers.add(name: "Range", value: "bytes=\(rest.bytes)-")
      question.headers.add(name: "If-Range", value: rest.validator)
    }
    return question
  }

  /// The range of an answer, where it continues exactly what is there.
  private func range(
    of response: HTTPClientResponse, after rest: PartialDownload.Rest
  ) -> HeaderFields.ContentRange? {
    guard
      let range = response.headers.first(name: "content-range").flatMap(HeaderFields.contentRange),
      range.first == rest.bytes, let total = range.total, range.last == total - 1
    else { return nil }
    if rest.validator.hasPrefix("\""), let etag = response.headers.first(name: "etag"),
      etag != rest.validator
    {
      return nil
    }
    return range
  }

  private func failure(_ response: HTTPClientResponse, _ url: URL) -> NetAnswer.Failure {
    Failures.failure(
      forStatus: Int(response.status.code), host: url.host() ?? "the server",
      retryAfter: Failures.retryAfter(
        response.headers.first(name: "retry-after"), now: time(nil)))
  }

  // MARK: - Receiving

  private func receive(
    _ response: HTTPClientResponse, from url: URL, at start: Int, total: Int? = nil
  ) async throws(NetAnswer.Failure) -> NetAnswer {
    let headers = response.headers
    let encoding = headers.first(name: "content-encoding")?.lowercased() ?? "identity"
    guard encoding == "identity" else {
      throw NetAnswer.Failure("net.encoding", "the server sends the file packed as \(encoding)")
    }
    let length = headers.first(name: "content-length").flatMap { Int($0) }
    let total = total ?? length
    if let total, total > request.limit { throw tooLarge }
    let etag = headers.first(name: "etag")
    let modified = headers.first(name: "last-modified")
    if start == 0 {
      let strong = etag.flatMap { $0.hasPrefix("\"") ? $0 : nil }
      try download.begin(validator: strong ?? (etag == nil ? modified : nil), total: total)
    }
    let name = headers.first(name: "content-disposition")
      .flatMap(HeaderFields.fileName(ofDisposition:))
    let type = headers.first(name: "content-type")
    let judge = ContentJudge(
      wantsPDF: request.wantsPDF, path: url.path(), name: name, type: type)
    let count = try await receive(response.body, at: start, of: total, judge, url)
    if let total, count != total { throw broken(count, total) }
    try judgeWhole(judge, count: count, isLengthKnown: total != nil)
    try download.finish()
    var file = NetAnswer.Received(
      bytes: count, url: url.absoluteString, isPDF: judge.isPDF(download.beginning(1024)))
    (file.name, file.type, file.etag, file.modified) = (
      name ?? lastName(of: url), type, etag, modified
    )
    file.modifiedSeconds = modified.flatMap(HeaderFields.seconds(ofDate:))
    return .received(file)
  }

  private func receive(
    _ body: HTTPClientResponse.Body, at start: Int, of total: Int?, _ judge: ContentJudge,
    _ url: URL
  ) async throws(NetAnswer.Failure) -> Int {
    var count = start, told = ContinuousClock.now, isJudged = false
    Program.say(.progress(done: count, total: total))
    do {
      for try await buffer in body {
        let bytes = Array(buffer.readableBytesView)
        guard count + bytes.count <= request.limit else { throw tooLarge }
        if let total, count + bytes.count > total { throw broken(count + bytes.count, total) }
        try download.write(bytes, at: count)
        count += bytes.count
        if !isJudged, count >= 1024 {
          try refuseOther(judge)
          isJudged = true
        }
        if told.duration(to: .now) > .milliseconds(200) {
          told = .now
          Program.say(.progress(done: count, total: total))
        }
      }
    } catch let failure as NetAnswer.Failure {
      throw failure
    } catch {
      let failure = Failures.failure(for: error, host: url.host() ?? "the server")
      throw failure.code == "net.timeout" ? failure : broken(count, total)
    }
    Program.say(.progress(done: count, total: total))
    return count
  }

  private func judgeWhole(
    _ judge: ContentJudge, count: Int, isLengthKnown: Bool
  ) throws(NetAnswer.Failure) {
    guard count > 0 else {
      download.discard()
      throw NetAnswer.Failure("net.empty", "the server sent an empty file")
    }
    try refuseOther(judge)
    // Where nobody says how long it is, a PDF's own end tells whether it came whole.
    if !isLengthKnown, judge.isPDF(download.beginning(1024)),
      !ContentJudge.hasEndMark(download.ending(2048, before: count))
    {
      throw broken(count, nil)
    }
  }

  private func refuseOther(_ judge: ContentJudge) throws(NetAnswer.Failure) {
    guard let complaint = judge.complaint(about: download.beginning(1024)) else { return }
    download.discard()
    throw NetAnswer.Failure("net.type", complaint)
  }

  private var tooLarge: NetAnswer.Failure {
    download.discard()
    return NetAnswer.Failure("net.large", "the file is larger than \(request.limit >> 20) MiB")
  }

  private func broken(_ count: Int, _ total: Int?) -> NetAnswer.Failure {
    let of = total.map { " of \($0)" } ?? ""
    return NetAnswer.Failure(
      "net.broken", "the download broke off after \(count)\(of) bytes", isPassing: true)
  }

  private func lastName(of url: URL) -> String? {
    url.path(percentEncoded: true).split(separator: "/").last
      .flatMap(HeaderFields.percentDecoded)
  }
}
