import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Pipelines

/// One request to one server: finds its addresses, leaves out those that are not allowed, connects to
/// one of the rest, and to no other.
struct Server: Sendable {
  let bounds: NetRequest.Bounds

  /// More addresses of one host are not tried.
  private static let mostAddresses = 4

  /// A refused address is told from other failures by this.
  private struct AddressRefused: Error {}

  /// Sends a request and gives what answers it to the receiver.
  ///
  /// Waits on this thread: tasks would run on threads with a monitor that reads `/proc`, which the
  /// confinement does not allow.
  ///
  /// - Returns: the head of the answer.
  func exchange(
    _ request: HTTPClient.Request, _ receiver: any Receiver
  ) throws(NetAnswer.Failure) -> HTTPResponseHead {
    let host = try Self.host(of: request.url)
    let all = try Resolver.addresses(of: host)
    let allowed = bounds.allowsPrivate ? all : all.filter(\.isPublic)
    guard !allowed.isEmpty else { throw Self.refused(host) }
    var last: NetAnswer.Failure?
    for address in allowed.prefix(Self.mostAddresses) {
      let delegate = Exchange(receiver)
      do {
        try client(host: host, address: address).execute(request: request, delegate: delegate)
          .wait()
        if let head = delegate.head { return head }
      } catch {
        if let failure = delegate.failure { throw failure }
        let failure =
          error is AddressRefused ? Self.refused(host) : Failures.failure(for: error, host: host)
        if let head = delegate.head {
          if delegate.isEnough { return head }
          throw failure.code == "net.timeout" ? failure : receiver.broken
        }
        // Only what never reached a server is tried at the next address.
        guard failure.code == "net.connect" else { throw failure }
        last = failure
      }
    }
    throw last ?? Self.refused(host)
  }

  static func request(
    _ url: URL, _ method: HTTPMethod, _ headers: HTTPHeaders, body: HTTPClient.Body? = nil
  ) throws(NetAnswer.Failure) -> HTTPClient.Request {
    do {
      return try HTTPClient.Request(url: url, method: method, headers: headers, body: body)
    } catch {
      throw NetAnswer.Failure("net.url", "\(url.absoluteString) cannot be asked for")
    }
  }

  /// Clients live until the process ends: they must not be dropped while something is open.
  private func client(host: String, address: NetworkAddress) -> HTTPClient {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv12
    if let certificateFile { tls.trustRoots = .file(certificateFile) }
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: tls, redirectConfiguration: .disallow,
      timeout: .init(
        connect: .milliseconds(Int64(bounds.connect)), read: .milliseconds(Int64(bounds.idle))))
    configuration.httpVersion = .http1Only
    configuration.connectionPool.retryConnectionEstablishment = false
    // The name is not looked up a second time: the address that was judged is the one.
    configuration.dnsOverride = [host: address.text]
    let allowsPrivate = bounds.allowsPrivate
    configuration.http1_1ConnectionDebugInitializer = { channel in
      let reached = channel.remoteAddress.flatMap(NetworkAddress.init)
      if allowsPrivate || reached?.isPublic == true {
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      return channel.eventLoop.makeFailedFuture(AddressRefused())
    }
    let client = HTTPClient(
      eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup(numberOfThreads: 1)),
      configuration: configuration)
    _ = unsafe Unmanaged.passRetained(client)
    return client
  }

  /// The host as it is looked up: without the brackets of IPv6.
  static func host(of url: URL) throws(NetAnswer.Failure) -> String {
    guard let host = url.host(), !host.isEmpty else {
      throw NetAnswer.Failure("net.url", "\(url.absoluteString) names no host")
    }
    return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
  }

  private static func refused(_ host: String) -> NetAnswer.Failure {
    NetAnswer.Failure(
      "net.private",
      "\(host) lies in a private network, on this machine or in no network;"
        + " \"private\": true allows that")
  }
}

extension NetworkAddress {
  init?(_ address: SocketAddress) {
    switch address {
    case .v4(let address):
      self.init(
        bytes: unsafe withUnsafeBytes(of: address.address.sin_addr) { unsafe Array($0) })
    case .v6(let address):
      self.init(
        bytes: unsafe withUnsafeBytes(of: address.address.sin6_addr) { unsafe Array($0) })
    case .unixDomainSocket: return nil
    }
  }
}
