import CCurl
import Pipelines

/// An address as libcurl reads it: what is judged here is what is asked for.
struct Address: Sendable, Equatable {
  /// As libcurl is given it, without a user.
  let text: String
  let scheme: SourceScheme
  /// Whose files they are, for all but the web; decoded.
  let user: String?
  /// As it is looked up: in ASCII, without the brackets of IPv6.
  let host: String
  let port: String
  let path: String

  var isWeb: Bool { scheme.isWeb }
  /// Whether nobody on the way can read or change what is sent.
  var isSafe: Bool { scheme != .http }

  init(_ text: String) throws(NetAnswer.Failure) { try self.init(text, from: nil) }

  /// Where an answer leads.
  ///
  /// - Parameter location: as the server gave it; may be relative.
  func redirect(to location: String?) throws(NetAnswer.Failure) -> Address {
    guard let location else {
      throw NetAnswer.Failure("net.redirects", "the address leads on to nowhere")
    }
    let next = try Address(location, from: self)
    if isSafe, !next.isSafe {
      throw NetAnswer.Failure(
        "net.redirects", "the address leads from a safe connection to an unsafe one")
    }
    return next
  }

  private init(_ text: String, from base: Address?) throws(NetAnswer.Failure) {
    guard let parts = unsafe curl_url() else { throw Self.wrong(text) }
    defer { unsafe curl_url_cleanup(parts) }
    let meant = SourceScheme(url: text)
    // To libcurl a connection that becomes safe after its first words is one of ftp.
    let text = meant == .ftpes ? "ftp" + text.dropFirst("ftpes".count) : text
    if let base { _ = unsafe curl_url_set(parts, CURLUPART_URL, base.text, 0) }
    // Blanks and letters that must be encoded are often not.
    let encoded = text.split(separator: " ", omittingEmptySubsequences: false)
      .joined(separator: "%20")
    let lenient = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)
    guard unsafe curl_url_set(parts, CURLUPART_URL, encoded, lenient) == CURLUE_OK,
      let scheme = unsafe Self.part(CURLUPART_SCHEME, of: parts)?.lowercased()
    else { throw Self.wrong(text) }
    guard let scheme = meant == .ftpes ? meant : SourceScheme(rawValue: scheme) else {
      throw NetAnswer.Failure(
        "net.url", "addresses of \(scheme) are not fetched, only \(SourceScheme.list)")
    }
    self.scheme = scheme
    user = unsafe Self.part(CURLUPART_USER, of: parts, CURLU_URLDECODE)
    guard !scheme.isWeb || user == nil, unsafe Self.part(CURLUPART_PASSWORD, of: parts) == nil
    else {
      throw NetAnswer.Failure("net.url", "addresses with a name or password are not used")
    }
    _ = unsafe curl_url_set(parts, CURLUPART_USER, nil, 0)
    guard let whole = unsafe Self.part(CURLUPART_URL, of: parts),
      let host = unsafe Self.part(CURLUPART_HOST, of: parts, CURLU_PUNYCODE), !host.isEmpty,
      let port = unsafe Self.part(CURLUPART_PORT, of: parts, CURLU_DEFAULT_PORT)
    else { throw Self.wrong(text) }
    self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    (self.text, self.port) = (whole, port)
    path = unsafe Self.part(CURLUPART_PATH, of: parts) ?? "/"
  }

  /// What the file is called, as far as the address tells.
  var fileName: String? {
    path.split(separator: "/").last.flatMap(HeaderFields.percentDecoded)
  }

  private static func part(
    _ part: CURLUPart, of parts: OpaquePointer, _ flags: Int32 = 0
  ) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(parts, part, &text, UInt32(flags)) == CURLUE_OK,
      let text = unsafe text
    else { return nil }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }

  private static func wrong(_ text: String) -> NetAnswer.Failure {
    NetAnswer.Failure("net.url", "\"\(text.prefix(200))\" is no address")
  }
}
