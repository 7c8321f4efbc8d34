import Synchronization
import Workers

/// Lets a few in at a time; whoever waits too long is told to come again.
final class Turnstile: Sendable {
  private let inside = Mutex(0)
  private let most: Int

  /// Milliseconds that one waits.
  static let patience = 20_000

  init(_ most: Int) { self.most = most }

  /// Returns when there is room; who comes in says when he leaves.
  func pass() async throws {
    let begin = milliseconds()
    while !inside.withLock({ inside in
      guard inside < most else { return false }
      inside += 1
      return true
    }) {
      guard milliseconds() - begin < Self.patience else {
        throw PageRefusal(503, "web.busy", "Other requests come first. Try it again in a moment.")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  func leave() { inside.withLock { $0 -= 1 } }
}
