/// Decides whose password is checked next: one of each visitor in turn, so that the many tries of one do not keep out
/// another, and browsers before addresses, of which a stranger may have thousands.
package struct LoginOrder: Sendable {
  package enum Visitor: Sendable, Hashable {
    /// A browser that was logged in before, by its number: its cookie is signed.
    case browser(String)
    case address(String)

    fileprivate var isBrowser: Bool {
      if case .browser = self { true } else { false }
    }
  }
  private var waiting: [(id: Int, visitor: Visitor)] = []
  /// Visitors whose password was checked, the latest last.
  private var served: [Visitor] = []
  private let most: Int

  /// Visitors that are remembered.
  private static let mostServed = 100

  /// - Parameter most: how many may wait.
  package init(most: Int) { self.most = most }

  /// Takes in a try.
  ///
  /// - Returns: the try to refuse because of it, or nil if there is room. It is the latest of the visitor with the most
  ///   tries; between an address and a browser with as many, the address's.
  package mutating func add(_ id: Int, of visitor: Visitor) -> Int? {
    waiting.append((id, visitor))
    guard waiting.count > most else { return nil }
    let counts = waiting.reduce(into: [:]) { $0[$1.visitor, default: 0] += 1 }
    let largest = counts.values.max()
    let crowd = waiting.indices.filter { counts[waiting[$0].visitor] == largest }
    guard let index = crowd.last(where: { !waiting[$0].visitor.isBrowser }) ?? crowd.last else {
      return nil
    }
    return waiting.remove(at: index).id
  }

  /// Removes and returns the next try, or nil if none waits: the oldest of the visitor that was served longest ago.
  package mutating func next() -> Int? {
    let turns = waiting.map { _, visitor in
      (visitor.isBrowser ? 0 : 1, served.lastIndex(of: visitor) ?? -1)
    }
    guard let index = turns.indices.min(by: { turns[$0] < turns[$1] }) else { return nil }
    let (id, visitor) = waiting.remove(at: index)
    served.removeAll { $0 == visitor }
    served.append(visitor)
    served = served.suffix(Self.mostServed)
    return id
  }

  /// Forgets a try whose visitor has gone.
  package mutating func remove(_ id: Int) { waiting.removeAll { $0.id == id } }
}
