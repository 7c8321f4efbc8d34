internal import Files
internal import Synchronization

/// Orders on their way to a slot, in the order in which they came: whoever gives them has a permit already. Threads wait
/// on it without spinning.
final class OrderQueue: Sendable {
  struct Waiting: Sendable {
    var order: StepOrder
    var finish: @Sendable (RunOutcome) -> Void
  }

  private struct State {
    var waiting: [Waiting] = []
    var closed = false
  }

  private let state = Mutex(State())
  private let signal = ThreadSignal()

  /// False where the queue is closed already.
  func add(_ order: StepOrder, finish: @escaping @Sendable (RunOutcome) -> Void) -> Bool {
    let added = state.withLock { state in
      guard !state.closed else { return false }
      state.waiting.append(Waiting(order: order, finish: finish))
      return true
    }
    signal.wake()
    return added
  }

  /// The next order; waits for one. Nil when the queue is closed; `idle` is called once when nothing
  /// came for so many seconds.
  func next(idleAfter seconds: Int, idle: () -> Void) -> Waiting? {
    var told = false
    while true {
      let seen = signal.generation
      let (taken, closed) = state.withLock { state -> (Waiting?, Bool) in
        (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.closed)
      }
      if let taken { return taken }
      if closed { return nil }
      if !signal.wait(since: seen, seconds: told ? nil : seconds) {
        told = true
        idle()
      }
    }
  }

  /// Takes no further orders and gives back those that wait.
  func close() -> [Waiting] {
    let rest = state.withLock { state in
      state.closed = true
      defer { state.waiting = [] }
      return state.waiting
    }
    signal.wake()
    return rest
  }
}
