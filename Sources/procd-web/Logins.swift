import NIOCore
import PageAPI
import Synchronization

/// Lets one password be checked at a time. Wrong ones slow down, but keep nobody out: after many, those that follow wait
/// longer for their turn, one of each visitor after the other.
final class Logins: Sendable {
  /// Nearly as many as there are connections: a try is refused only if one visitor fills most of them.
  private static let mostWaiting = 128
  /// Wrong passwords in a minute, after which the next one waits: 144,000 a day at most.
  private static let mostWrong = 10
  private static let pause = TimeAmount.milliseconds(500)

  private struct State {
    var serial = 0
    var order = LoginOrder(most: Logins.mostWaiting)
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    var isBusy = false
    var wrong: [NIODeadline] = []
  }
  private let state = Mutex(State())
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  /// Waits until it is this visitor's turn, and checks.
  ///
  /// - Returns: what the check returns, or nil if too many wait.
  func check(
    _ visitor: LoginOrder.Visitor, _ isRight: () async -> Bool?
  ) async -> Bool? {
    let isTurn = await withCheckedContinuation { continuation in
      let refused = state.withLock { state -> CheckedContinuation<Bool, Never>? in
        state.serial += 1
        state.waiting[state.serial] = continuation
        return state.order.add(state.serial, of: visitor)
          .flatMap { state.waiting.removeValue(forKey: $0) }
      }
      refused?.resume(returning: false)
      callNext()
    }
    guard isTurn else { return nil }
    let answer = await isRight()
    let pause = state.withLock { state -> TimeAmount in
      if answer == false { state.wrong.append(.now()) }
      state.wrong.removeAll { $0 + .minutes(1) < .now() }
      return state.wrong.count > Self.mostWrong ? Self.pause : .zero
    }
    // With a pause after a wrong one alone, the right one would be told from the rest by its time.
    loop.scheduleTask(in: pause) { [self] in
      state.withLock { $0.isBusy = false }
      callNext()
    }
    return answer
  }

  private func callNext() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard !state.isBusy, let id = state.order.next() else { return nil }
      state.isBusy = true
      return state.waiting.removeValue(forKey: id)
    }
    next?.resume(returning: true)
  }
}
