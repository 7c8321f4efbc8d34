/// Decides whose password is checked next: one of each visitor in turn, so that the many tries of one do not keep out
/// another. A visitor is a browser that was logged in before, or else an address.
package struct LoginOrder: Sendable {
  private var waiting: [(id: Int, visitor: String)] = []
  /// Visitors whose password was checked, the latest last.
  private var served: [String] = []
  private let most: Int

  /// Visitors that are remembered.
  private static let mostServed = 100

  /// - Parameter most: how many may wait.
  package init(most: Int) { self.most = most }

  /// Takes in a try.
  ///
  /// - Returns: the try to refuse because of it, or nil: the latest of the visitor that has the most.
  package mutating func add(_ id: Int, of visitor: String) -> Int? {
    waiting.append((id, visitor))
    guard waiting.count > most else { return nil }
    let counts = waiting.reduce(into: [:]) { $0[$1.visitor, default: 0] += 1 }
    let largest = counts.values.max()
    guard let index = waiting.lastIndex(where: { counts[$0.visitor] == largest }) else {
      return nil
    }
    return waiting.remove(at: index).id
  }

  /// Removes and returns the next try, or nil if none waits: the oldest of the visitor that was served longest ago.
  package mutating func next() -> Int? {
    let turns = waiting.map { served.lastIndex(of: $0.visitor) ?? -1 }
    guard let earliest = turns.min(), let index = turns.firstIndex(of: earliest) else { return nil }
    let (id, visitor) = waiting.remove(at: index)
    served.removeAll { $0 == visitor }
    served.append(visitor)
    served = served.suffix(Self.mostServed)
    return id
  }

  /// Forgets a try whose visitor has gone.
  package mutating func remove(_ id: Int) { waiting.removeAll { $0.id == id } }
}
