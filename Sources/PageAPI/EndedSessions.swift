package import PluginKit

/// The sessions that were ended before their time. Only so many are remembered: beyond that, all sessions that began
/// before the oldest remembered one are over.
package struct EndedSessions: Sendable, Equatable {
  /// A session, as its cookie has it.
  package struct Session: Sendable, Hashable {
    /// Seconds since 1970 until which it lasts.
    package var end: Int
    /// 32 hexadecimal digits.
    package var id: String

    package init(end: Int, id: String) { (self.end, self.id) = (end, id) }
  }

  private var sessions: Set<Session> = []
  /// Sessions that last no longer than this are over.
  private var floor = 0

  private static let most = 1000

  package init() {}

  package mutating func add(_ session: Session, now: Int) {
    sessions.insert(session)
    sessions = sessions.filter { $0.end > max(now, floor) }
    while sessions.count > Self.most, let oldest = sessions.map(\.end).min() {
      floor = oldest
      sessions = sessions.filter { $0.end > floor }
    }
  }

  package func contains(_ session: Session) -> Bool {
    session.end <= floor || sessions.contains(session)
  }

  package var json: JSON {
    let list = sessions.sorted { ($0.end, $0.id) < ($1.end, $1.id) }
      .map { JSON.array([.integer($0.end), .string($0.id)]) }
    return ["floor": .integer(floor), "sessions": .array(list)]
  }

  package init?(_ json: JSON) {
    guard let floor = json["floor"]?.integerValue, let list = json["sessions"]?.arrayValue,
      list.count <= Self.most
    else { return nil }
    self.floor = floor
    for entry in list {
      guard let end = entry.arrayValue?.first?.integerValue,
        let id = entry.arrayValue?.last?.stringValue
      else { return nil }
      sessions.insert(Session(end: end, id: id))
    }
  }
}
