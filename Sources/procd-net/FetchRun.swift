import Glibc
import Pipelines

/// Fetches one file: asks whether there is a newer one, follows redirects, goes on where an earlier
/// download broke off.
struct FetchRun {
  let request: NetRequest.Fetch
  let download: PartialDownload

  func run() throws(NetAnswer.Failure) -> NetAnswer {
    var rest = download.rest()
    while true {
      let (exchange, reception) = try answer(rest)
      switch exchange.status {
      case 200, 206:
        if let file = try reception.finish() { return .received(file) }
        // A part that was not asked for, or of another file.
        guard rest != nil else { throw exchange.failureOfStatus }
      case 304:
        download.discard()
        return .unchanged
      case 416 where rest != nil: break
      default: throw exchange.failureOfStatus
      }
      download.discard()
      rest = nil
    }
  }

  /// The first answer that is no redirect, and what was received with it.
  private func answer(
    _ rest: PartialDownload.Rest?
  ) throws(NetAnswer.Failure) -> (Exchange, Reception) {
    let first = try Address(request.url)
    var address = first
    for _ in 0...max(0, request.redirects) {
      let reception = Reception(request, download, rest: rest, address: address)
      var bounds = request.bounds
      if bounds.allowsOwnHost, address.host == first.host { bounds.allowsPrivate = true }
      let exchange = try Exchange(address, bounds, for: reception)
      guard address.isWeb else {
        try exchange.run(
          FileQuestion(login: request.login, etag: request.etag, rest: rest))
        return (exchange, reception)
      }
      try exchange.run(fields(rest))
      guard [301, 302, 303, 307, 308].contains(exchange.status) else {
        return (exchange, reception)
      }
      address = try address.redirect(to: exchange["location"])
      guard address.isWeb else {
        throw NetAnswer.Failure("net.redirects", "the address leads away from the web")
      }
    }
    throw NetAnswer.Failure(
      "net.redirects", "the address leads on more than \(request.redirects) times")
  }

  private func fields(_ rest: PartialDownload.Rest?) -> [(String, String)] {
    var fields = [
      ("User-Agent", "procd/0.1"), ("Accept", "*/*"), ("Accept-Encoding", "identity"),
    ]
    if let etag = request.etag { fields.append(("If-None-Match", etag)) }
    if let modified = request.modified { fields.append(("If-Modified-Since", modified)) }
    if let rest {
      fields += [("Range", "bytes=\(rest.bytes)-"), ("If-Range", rest.validator)]
    }
    return fields
  }
}
