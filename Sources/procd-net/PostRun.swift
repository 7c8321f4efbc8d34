import Crypto
import FoundationEssentials
import Glibc
import Pipelines

/// Posts one message.
struct PostRun {
  let request: NetRequest.Post

  func run() throws(NetAnswer.Failure) -> NetAnswer {
    let address = try Address(request.url)
    guard address.isWeb else {
      throw NetAnswer.Failure("net.url", "messages are posted by http and https")
    }
    let fields = [
      ("User-Agent", "procd/0.1"), ("Content-Type", request.type), ("Idempotency-Key", request.key),
    ]
    let exchange = try Exchange(address, request.bounds, for: nil)
    try exchange.run(
      fields + Signature.fields(of: request, at: time(nil)), message: request.body)
    if (200...299).contains(exchange.status) { return .accepted }
    if (300...399).contains(exchange.status) {
      throw NetAnswer.Failure(
        "net.redirects", "\(address.host) sends messages on to another address; name that one")
    }
    throw exchange.failureOfStatus
  }
}

/// How messages are signed: as Standard Webhooks has it, so that receivers need no code of ours.
enum Signature {
  /// `webhook-id`, `webhook-timestamp`, and with a secret `webhook-signature`: `v1,` and the base64 of
  /// HMAC-SHA256 over id, timestamp and body joined by dots.
  ///
  /// - Parameter now: seconds since 1970.
  static func fields(of request: NetRequest.Post, at now: Int) -> [(String, String)] {
    var fields = [("webhook-id", request.key), ("webhook-timestamp", "\(now)")]
    if let secret = request.secret {
      let signed = Array("\(request.key).\(now).\(request.body)".utf8)
      let code = HMAC<SHA256>.authenticationCode(for: signed, using: key(secret))
      fields.append(("webhook-signature", "v1,\(Data(code).base64EncodedString())"))
    }
    return fields
  }

  /// `whsec_` and base64 are the bytes that they stand for, any other text is itself; blanks and line
  /// ends around it, as files of secrets have them, are left out.
  private static func key(_ secret: String) -> SymmetricKey {
    let text = String(
      secret.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    if text.hasPrefix("whsec_"), let bytes = Data(base64Encoded: String(text.dropFirst(6))) {
      return SymmetricKey(data: bytes)
    }
    return SymmetricKey(data: Array(text.utf8))
  }
}
