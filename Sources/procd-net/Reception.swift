import Pipelines

/// Receives the body of an answer.
protocol BodyReceiver: AnyObject {
  /// - Returns: whether the body is wanted.
  func begin(_ head: Exchange) throws(NetAnswer.Failure) -> Bool
  func take(_ bytes: [UInt8]) throws(NetAnswer.Failure)
  /// What is to be said where the body broke off.
  var broken: NetAnswer.Failure { get }
}

/// Receives a file, and judges whether it is what was asked for.
final class Reception: BodyReceiver {
  private let request: NetRequest.Fetch
  private let download: PartialDownload
  private let rest: PartialDownload.Rest?
  private let address: Address

  /// Nil until a body is received.
  private var file: NetAnswer.Received?
  private var judge: ContentJudge?
  private var count = 0
  private var total: Int?
  private var isJudged = false
  private var told = ContinuousClock.now

  init(
    _ request: NetRequest.Fetch, _ download: PartialDownload, rest: PartialDownload.Rest?,
    address: Address
  ) {
    (self.request, self.download, self.rest, self.address) = (request, download, rest, address)
  }

  // MARK: - The head

  func begin(_ head: Exchange) throws(NetAnswer.Failure) -> Bool {
    total = head["content-length"].flatMap { Int($0) }
    switch head.status {
    case 200: break
    case 206:
      guard let rest, let range = range(head, after: rest) else { return false }
      (count, total) = (rest.bytes, range.total)
    default: return false
    }
    for (field, usual) in [("content-encoding", "identity"), ("transfer-encoding", "chunked")] {
      let encoding = head[field]?.lowercased() ?? usual
      guard encoding == usual else {
        throw NetAnswer.Failure("net.encoding", "the server sends the file packed as \(encoding)")
      }
    }
    if let total, total > request.limit { throw tooLarge }
    var file = NetAnswer.Received(bytes: 0, url: address.text, isPDF: false)
    (file.etag, file.modified) = (head["etag"], head["last-modified"])
    file.modifiedSeconds = file.modified.flatMap(HeaderFields.seconds(ofDate:))
    file.type = head["content-type"]
    let called = head["content-disposition"].flatMap(HeaderFields.fileName(ofDisposition:))
    file.name = called ?? address.fileName
    if count == 0 {
      let strong = file.etag.flatMap { $0.hasPrefix("\"") ? $0 : nil }
      try download.begin(
        validator: strong ?? (file.etag == nil ? file.modified : nil), total: total)
    }
    self.file = file
    judge = ContentJudge(
      wasPDF: request.wasPDF, path: address.path, name: called, type: file.type)
    Program.say(.progress(done: count, total: total))
    return true
  }

  /// The range of an answer, where it continues exactly what is there.
  private func range(
    _ head: Exchange, after rest: PartialDownload.Rest
  ) -> HeaderFields.ContentRange? {
    guard let range = head["content-range"].flatMap(HeaderFields.contentRange),
      range.first == rest.bytes, let total = range.total, range.last == total - 1
    else { return nil }
    if rest.validator.hasPrefix("\""), let etag = head["etag"], etag != rest.validator {
      return nil
    }
    return range
  }

  // MARK: - The body

  func take(_ bytes: [UInt8]) throws(NetAnswer.Failure) {
    let start = count
    count += bytes.count
    guard count <= request.limit else { throw tooLarge }
    if let total, count > total { throw broken }
    try download.write(bytes, at: start)
    if !isJudged, count >= 1024 {
      isJudged = true
      try refuseOther()
    }
    if told.duration(to: .now) > .milliseconds(200) {
      told = .now
      Program.say(.progress(done: count, total: total))
    }
  }

  var broken: NetAnswer.Failure {
    let of = total.map { " of \($0)" } ?? ""
    return NetAnswer.Failure(
      "net.broken", "the download broke off after \(count)\(of) bytes", isPassing: true)
  }

  /// The body has come to its end.
  ///
  /// - Returns: the file; nil where none was received.
  func finish() throws(NetAnswer.Failure) -> NetAnswer.Received? {
    guard var file, let judge else { return nil }
    Program.say(.progress(done: count, total: total))
    if let total, count != total { throw broken }
    guard count > 0 else {
      download.discard()
      throw NetAnswer.Failure("net.empty", "the server sent an empty file")
    }
    try refuseOther()
    file.bytes = count
    file.isPDF = judge.isPDF(download.beginning(1024))
    // Where nobody says how long it is, a PDF's own end tells whether it came whole.
    if total == nil, file.isPDF, !ContentJudge.hasEndMark(download.ending(2048, before: count)) {
      throw broken
    }
    try download.finish()
    return file
  }

  private func refuseOther() throws(NetAnswer.Failure) {
    // Servers of files send no error pages.
    guard address.isWeb, let complaint = judge?.complaint(about: download.beginning(1024)) else {
      return
    }
    download.discard()
    throw NetAnswer.Failure("net.type", complaint)
  }

  private var tooLarge: NetAnswer.Failure {
    download.discard()
    return NetAnswer.Failure("net.large", "the file is larger than \(request.limit >> 20) MiB")
  }
}
