import FoundationEssentials
import Pipelines

/// Addresses as they are written, and where redirects lead.
enum Addresses {
  static func url(_ text: String) throws(NetAnswer.Failure) -> URL {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased() else {
      throw NetAnswer.Failure("net.url", "\"\(text.prefix(200))\" is no address")
    }
    guard scheme == "http" || scheme == "https" else {
      throw NetAnswer.Failure(
        "net.url", "addresses of \(scheme) are not fetched, only http and https")
    }
    guard url.user() == nil, url.password() == nil else {
      throw NetAnswer.Failure("net.url", "addresses with a name or password are not used")
    }
    return url
  }

  /// - Parameter location: as the server gave it; may be relative.
  static func redirect(to location: String?, from url: URL) throws(NetAnswer.Failure) -> URL {
    guard let location, let target = URL(string: location, relativeTo: url)?.absoluteURL else {
      throw NetAnswer.Failure("net.redirects", "the address leads on to nowhere")
    }
    let next = try Self.url(target.absoluteString)
    if url.scheme?.lowercased() == "https", next.scheme?.lowercased() == "http" {
      throw NetAnswer.Failure(
        "net.redirects", "the address leads from a safe connection to an unsafe one")
    }
    return next
  }
}
