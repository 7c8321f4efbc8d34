import Glibc
import NIOCore
import PageAPI
import Synchronization

/// The open connections, and which of them have shown a session.
final class Connections: Sendable {
  /// Below the limit of open files of a confined process, which is 256.
  private static let most = 200

  private struct State {
    var shares = ConnectionShares(most: Connections.most)
    var channels: [Int: any Channel] = [:]
  }
  private let state = Mutex(State())

  /// Takes in a connection, and closes another one if there are too many.
  func open(_ channel: any Channel) {
    let id = Self.id(channel)
    let victim = state.withLock { state in
      state.channels[id] = channel
      return state.shares.open(id, from: Self.address(channel)).flatMap { state.channels[$0] }
    }
    channel.closeFuture.whenComplete { [weak self] _ in
      self?.state.withLock { state in
        state.shares.close(id)
        state.channels[id] = nil
      }
    }
    victim?.close(promise: nil)
  }

  /// - Parameter standing: of its request.
  func change(_ channel: any Channel, to standing: ConnectionShares.Standing) {
    state.withLock { $0.shares.change(Self.id(channel), to: standing) }
  }

  func isKnown(_ channel: any Channel) -> Bool {
    state.withLock { $0.shares.standing(Self.id(channel)) == .known }
  }

  private static func id(_ channel: any Channel) -> Int {
    Int(bitPattern: ObjectIdentifier(channel))
  }

  /// The other end: its address, of IPv6 the network (64 bits), of which a machine has all addresses.
  static func address(_ channel: any Channel) -> String {
    guard let text = channel.remoteAddress?.ipAddress else { return "" }
    return network(text)
  }

  static func network(_ address: String) -> String {
    var bytes = in6_addr()
    guard unsafe inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
    return unsafe withUnsafeBytes(of: &bytes) { bytes in
      unsafe bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }
  }
}
