import CCurl
import Glibc
import Pipelines

/// What went wrong on the way, in sentences.
enum Failures {
  /// - Parameters:
  ///   - text: what libcurl says of it.
  ///   - handle: of the transfer.
  static func failure(
    _ result: CURLcode, _ text: String, of handle: UnsafeMutableRawPointer, _ address: Address,
    hostKey: String? = nil
  ) -> NetAnswer.Failure {
    let host = address.host
    switch result {
    case CURLE_PEER_FAILED_VERIFICATION where address.scheme == .sftp:
      return otherKey(text, host, expected: hostKey)
    case CURLE_LOGIN_DENIED where address.scheme == .imaps && text.contains("Select"),
      CURLE_REMOTE_ACCESS_DENIED where address.scheme == .imaps:
      return NetAnswer.Failure("net.missing", "\(host) has no mailbox \(address.path.dropFirst())")
    case CURLE_LOGIN_DENIED, CURLE_REMOTE_ACCESS_DENIED:
      let user = address.user.map { " for \($0)" } ?? ""
      return NetAnswer.Failure("net.refused", "\(host) refuses access\(user)")
    case CURLE_REMOTE_FILE_NOT_FOUND, CURLE_FTP_COULDNT_RETR_FILE:
      return NetAnswer.Failure("net.missing", "\(host) has nothing at \(address.path)")
    case CURLE_USE_SSL_FAILED:
      return noTLS(host, "the server offers none; ftps begins with it, ftpes asks for it")
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST:
      let code = Int32(clamping: unsafe ccurl_number(handle, CURLINFO_OS_ERRNO))
      let reason = code == 0 ? text : unsafe String(cString: strerror(code)).lowercased()
      return NetAnswer.Failure(
        "net.connect", "\(host) cannot be reached: \(reason)", isPassing: true)
    case CURLE_OPERATION_TIMEDOUT where unsafe ccurl_connect_time(handle) == 0:
      return NetAnswer.Failure("net.connect", "\(host) does not answer", isPassing: true)
    case CURLE_OPERATION_TIMEDOUT: return silent(host)
    case CURLE_PEER_FAILED_VERIFICATION:
      // Of which host it is was looked at last.
      let isVerified = unsafe ccurl_number(handle, CURLINFO_SSL_VERIFYRESULT) == 0
      return noTLS(
        host, "its certificate " + (isVerified ? "is of another name" : "cannot be verified"))
    case CURLE_SSL_CACERT_BADFILE:
      return noTLS(host, "the certificates of authorities cannot be read")
    case CURLE_SSL_CONNECT_ERROR where text.contains("wrong version number"):
      return noTLS(host, "what answers there speaks no TLS")
    // OpenSSL has words of its own, but for a connection that ended; TLS 1.3 refuses when it is asked.
    case CURLE_SSL_CONNECT_ERROR where text.contains("SSL routines"),
      CURLE_RECV_ERROR where text.contains("SSL routines") && text.contains(" alert "),
      CURLE_SSL_CIPHER:
      return noTLS(host, String(text.prefix(200)))
    case CURLE_SSL_CONNECT_ERROR, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR,
      CURLE_PARTIAL_FILE:
      return NetAnswer.Failure("net.broken", "\(host) closed the connection", isPassing: true)
    case CURLE_SSH:
      return NetAnswer.Failure(
        "net.server", "\(host) has trouble: \(text.prefix(200))", isPassing: true)
    default: return noServer(address)
    }
  }

  /// The sentence of libcurl has the hash of the key that the server showed.
  private static func otherKey(
    _ text: String, _ host: String, expected: String?
  ) -> NetAnswer.Failure {
    let shown = text.firstRange(of: "Remote ").map {
      "SHA256:"
        + text[$0.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "+" || $0 == "/" }
    }
    guard let shown else {
      return NetAnswer.Failure("net.hostkey", "\(host) shows no key that procd can compare")
    }
    return NetAnswer.Failure(
      "net.hostkey",
      expected == nil
        ? "the key of \(host) is not in the configuration; it shows \(shown):"
          + " compare that with what its owner says (ssh-keygen -lf prints one for each type of key), then write"
          + " \"hostKey\": \"\(shown)\""
        : "\(host) shows another key than the one that is expected: \(shown);"
          + " a server has one of each type: ask its owner whether this is one of them, or was changed"
    )
  }

  private static func noTLS(_ host: String, _ why: String) -> NetAnswer.Failure {
    NetAnswer.Failure("net.tls", "no safe connection to \(host): \(why)")
  }

  static func silent(_ host: String) -> NetAnswer.Failure {
    NetAnswer.Failure("net.timeout", "\(host) fell silent", isPassing: true)
  }

  static func noServer(_ address: Address) -> NetAnswer.Failure {
    let kind = address.isWeb ? "a web server" : "a server of \(address.scheme.rawValue)"
    return NetAnswer.Failure("net.http", "\(address.host) does not answer as \(kind) does")
  }

  static func refused(_ host: String) -> NetAnswer.Failure {
    NetAnswer.Failure(
      "net.private",
      "\(host) lies in a private network, on this machine or in no network;"
        + " \"private\": true allows that")
  }

  /// What a status says that is no success.
  static func failure(
    forStatus status: Int, host: String, retryAfter: Int?
  ) -> NetAnswer.Failure {
    switch status {
    case 401, 403, 407:
      NetAnswer.Failure("net.refused", "\(host) refuses access (status \(status))")
    case 404, 410:
      NetAnswer.Failure("net.missing", "\(host) has nothing at this address (status \(status))")
    case 408, 425, 429, 500...:
      NetAnswer.Failure(
        "net.server", "\(host) cannot answer now (status \(status))", isPassing: true,
        retryAfter: retryAfter)
    default:
      NetAnswer.Failure("net.status", "\(host) answers with status \(status)")
    }
  }

  /// Seconds to wait, of a field that gives them or a date.
  static func retryAfter(_ field: String?, now: Int) -> Int? {
    guard let field else { return nil }
    if let seconds = Int(field) { return max(0, seconds) }
    return HeaderFields.seconds(ofDate: field).map { max(0, $0 - now) }
  }
}
