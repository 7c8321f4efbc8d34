import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Pipelines

/// What went wrong on the way, in sentences.
enum Failures {
  static func failure(for error: any Error, host: String) -> NetAnswer.Failure {
    if let failure = error as? NetAnswer.Failure { return failure }
    if let error = error as? HTTPClientError { return failure(for: error, host: host) }
    if isAboutCertificates(error) {
      return NetAnswer.Failure("net.tls", "no safe connection to \(host): \(brief(error))")
    }
    if error is HTTPParserError {
      return NetAnswer.Failure("net.http", "\(host) does not answer as a web server does")
    }
    if let error = error as? ChannelError, case .connectTimeout = error {
      return NetAnswer.Failure("net.connect", "\(host) does not answer", isPassing: true)
    }
    let reason: String
    switch error {
    case let error as IOError: reason = sentence(error.errnoCode)
    case let error as NIOConnectionError:
      let first = error.connectionErrors.first?.error as? IOError
      reason = first.map { sentence($0.errnoCode) } ?? brief(error)
    default: reason = brief(error)
    }
    return NetAnswer.Failure(
      "net.connect", "\(host) cannot be reached: \(reason)", isPassing: true)
  }

  private static func failure(for error: HTTPClientError, host: String) -> NetAnswer.Failure {
    if error == .connectTimeout {
      return NetAnswer.Failure("net.connect", "\(host) does not answer", isPassing: true)
    }
    if error == .readTimeout || error == .deadlineExceeded || error == .writeTimeout {
      return NetAnswer.Failure("net.timeout", "\(host) fell silent", isPassing: true)
    }
    if error == .remoteConnectionClosed || error == .cancelled {
      return NetAnswer.Failure("net.broken", "\(host) closed the connection", isPassing: true)
    }
    if error == .tlsHandshakeTimeout {
      return NetAnswer.Failure("net.timeout", "\(host) fell silent", isPassing: true)
    }
    return NetAnswer.Failure("net.http", "\(host): \(error.shortDescription)")
  }

  private static func isAboutCertificates(_ error: any Error) -> Bool {
    error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError
  }

  /// Errors of libraries can fill a page.
  private static func brief(_ error: any Error) -> String {
    let text = "\(error)"
    if text.contains("CERTIFICATE_VERIFY_FAILED") {
      return "its certificate cannot be verified"
    }
    if text.contains("failedToValidateHostname") { return "its certificate is of another name" }
    if text.contains("WRONG_VERSION_NUMBER") { return "what answers there speaks no TLS" }
    return String(text.prefix(200))
  }

  private static func sentence(_ errno: Int32) -> String {
    unsafe String(cString: strerror(errno)).lowercased()
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
