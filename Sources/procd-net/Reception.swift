import FoundationEssentials
import NIOCore
import NIOHTTP1
import Pipelines
import Synchronization

/// Receives a file, and judges whether it is what was asked for.
final class Reception: Receiver {
  private let request: NetRequest.Fetch
  private let download: PartialDownload
  private let rest: PartialDownload.Rest?
  private let url: URL

  private struct State {
    /// Nil until a body is received.
    var file: NetAnswer.Received?
    var judge: ContentJudge?
    var count = 0
    var total: Int?
    var isJudged = false
    var told = ContinuousClock.now
  }
  private let state = Mutex(State())

  init(
    _ request: NetRequest.Fetch, _ download: PartialDownload, rest: PartialDownload.Rest?, url: URL
  ) {
    (self.request, self.download, self.rest, self.url) = (request, download, rest, url)
  }

  // MARK: - The head

  func begin(_ head: HTTPResponseHead) throws(NetAnswer.Failure) -> Bool {
    let headers = head.headers
    var start = 0
    var total = headers.first(name: "content-length").flatMap { Int($0) }
    switch head.status.code {
    case 200: break
    case 206:
      guard let rest, let range = range(headers, after: rest) else { return false }
      (start, total) = (rest.bytes, range.total)
    default: return false
    }
    let encoding = headers.first(name: "content-encoding")?.lowercased() ?? "identity"
    guard encoding == "identity" else {
      throw NetAnswer.Failure("net.encoding", "the server sends the file packed as \(encoding)")
    }
    if let total, total > request.limit { throw tooLarge }
    var file = NetAnswer.Received(bytes: 0, url: url.absoluteString, isPDF: false)
    (file.etag, file.modified) = (headers.first(name: "etag"), headers.first(name: "last-modified"))
    file.modifiedSeconds = file.modified.flatMap(HeaderFields.seconds(ofDate:))
    file.type = headers.first(name: "content-type")
    let called = headers.first(name: "content-disposition")
      .flatMap(HeaderFields.fileName(ofDisposition:))
    file.name = called ?? lastName
    if start == 0 {
      let strong = file.etag.flatMap { $0.hasPrefix("\"") ? $0 : nil }
      try download.begin(
        validator: strong ?? (file.etag == nil ? file.modified : nil), total: total)
    }
    let judge = ContentJudge(
      wasPDF: request.wasPDF, path: url.path(), name: called, type: file.type)
    let begun = State(file: file, judge: judge, count: start, total: total)
    state.withLock { $0 = begun }
    Program.say(.progress(done: start, total: total))
    return true
  }

  /// The range of an answer, where it continues exactly what is there.
  private func range(
    _ headers: HTTPHeaders, after rest: PartialDownload.Rest
  ) -> HeaderFields.ContentRange? {
    guard let range = headers.first(name: "content-range").flatMap(HeaderFields.contentRange),
      range.first == rest.bytes, let total = range.total, range.last == total - 1
    else { return nil }
    if rest.validator.hasPrefix("\""), let etag = headers.first(name: "etag"),
      etag != rest.validator
    {
      return nil
    }
    return range
  }

  private var lastName: String? {
    url.path(percentEncoded: true).split(separator: "/").last
      .flatMap(HeaderFields.percentDecoded)
  }

  // MARK: - The body

  func take(_ bytes: [UInt8]) throws(NetAnswer.Failure) {
    let (start, total) = state.withLock { ($0.count, $0.total) }
    let count = start + bytes.count
    guard count <= request.limit else { throw tooLarge }
    if let total, count > total { throw Self.broken(count, total) }
    try download.write(bytes, at: start)
    let (judge, isTold) = state.withLock { state in
      state.count = count
      let judge = state.isJudged || count < 1024 ? nil : state.judge
      if judge != nil { state.isJudged = true }
      let isTold = state.told.duration(to: .now) > .milliseconds(200)
      if isTold { state.told = .now }
      return (judge, isTold)
    }
    if let judge { try refuseOther(judge) }
    if isTold { Program.say(.progress(done: count, total: total)) }
  }

  var broken: NetAnswer.Failure { state.withLock { Self.broken($0.count, $0.total) } }

  /// The body has come to its end.
  ///
  /// - Returns: the file; nil where none was received.
  func finish() throws(NetAnswer.Failure) -> NetAnswer.Received? {
    let (file, judge, count, total) = state.withLock { ($0.file, $0.judge, $0.count, $0.total) }
    guard var file, let judge else { return nil }
    Program.say(.progress(done: count, total: total))
    if let total, count != total { throw Self.broken(count, total) }
    guard count > 0 else {
      download.discard()
      throw NetAnswer.Failure("net.empty", "the server sent an empty file")
    }
    try refuseOther(judge)
    file.bytes = count
    file.isPDF = judge.isPDF(download.beginning(1024))
    // Where nobody says how long it is, a PDF's own end tells whether it came whole.
    if total == nil, file.isPDF, !ContentJudge.hasEndMark(download.ending(2048, before: count)) {
      throw Self.broken(count, nil)
    }
    try download.finish()
    return file
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

  private static func broken(_ count: Int, _ total: Int?) -> NetAnswer.Failure {
    let of = total.map { " of \($0)" } ?? ""
    return NetAnswer.Failure(
      "net.broken", "the download broke off after \(count)\(of) bytes", isPassing: true)
  }
}
