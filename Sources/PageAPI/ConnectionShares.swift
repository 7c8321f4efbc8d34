/// Decides which connection is closed when there are too many: one without a session, of the address that has the most
/// of those. So a crowd makes room for itself only, and nobody waits for a silent one to end.
package struct ConnectionShares: Sendable {
  package enum Standing: Int, Sendable {
    /// No request is being answered.
    case silent
    /// A request without a session is being received or answered.
    case asking
    /// A request with a session is being answered.
    case known
  }

  private struct Connection {
    var address: String
    var standing = Standing.silent
    /// Grows with each change of a standing: the smallest is the oldest.
    var serial: Int
  }
  private var connections: [Int: Connection] = [:]
  private var serial = 0
  private let most: Int

  package init(most: Int) { self.most = most }

  /// Takes in a connection.
  ///
  /// - Returns: the connection to close because of it, or nil; the new one itself if all others have sessions.
  package mutating func open(_ id: Int, from address: String) -> Int? {
    serial += 1
    connections[id] = Connection(address: address, serial: serial)
    guard connections.count > most else { return nil }
    var counts: [String: Int] = [:]
    for connection in connections.values where connection.standing != .known {
      counts[connection.address, default: 0] += 1
    }
    var victim: Int?, least = (Int.max, Int.max, Int.max)
    for (id, connection) in connections where connection.standing != .known {
      let key = (
        -(counts[connection.address] ?? 0), connection.standing.rawValue, connection.serial
      )
      if key < least { (victim, least) = (id, key) }
    }
    victim.map { connections[$0] = nil }
    return victim
  }

  package mutating func change(_ id: Int, to standing: Standing) {
    guard connections[id] != nil else { return }
    serial += 1
    connections[id]?.standing = standing
    connections[id]?.serial = serial
  }

  package mutating func close(_ id: Int) { connections[id] = nil }

  package func standing(_ id: Int) -> Standing? { connections[id]?.standing }
}
