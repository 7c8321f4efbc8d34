internal import Glibc
internal import Synchronization

/// Orders that wait for a slot, by priority and then by age. Threads wait on it without spinning.
final class OrderQueue: Sendable {
  struct Waiting: Sendable {
    var order: StepOrder
    var finish: @Sendable (RunOutcome) -> Void
    var serial: Int
  }

  private struct State {
    var waiting: [Waiting] = []
    var serial = 0
    var closed = false
  }

  private let state = Mutex(State())
  private let signal = ThreadSignal()

  /// False where the queue is closed already.
  func add(_ order: StepOrder, finish: @escaping @Sendable (RunOutcome) -> Void) -> Bool {
    let added = state.withLock { state in
      guard !state.closed else { return false }
      state.serial += 1
      state.waiting.append(Waiting(order: order, finish: finish, serial: state.serial))
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
        let best = state.waiting.indices.min {
          let left = state.waiting[$0], right = state.waiting[$1]
          return (left.order.priority, left.serial) < (right.order.priority, right.serial)
        }
        return (best.map { state.waiting.remove(at: $0) }, state.closed)
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

/// A condition that threads wait for: pthread's, because blocking is the purpose here.
@safe final class ThreadSignal: @unchecked Sendable {
  // Both are only used through pthread's own calls, which synchronise.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var count = 0

  init() {
    unsafe pthread_mutex_init(mutex, nil)
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// How often it was woken; hand it to `wait` so that no wake between is missed.
  var generation: Int {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return count
  }

  func wake() {
    unsafe pthread_mutex_lock(mutex)
    count += 1
    unsafe pthread_cond_broadcast(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Waits until woken after `generation` was read; false when the time is over first.
  func wait(since generation: Int, seconds: Int?) -> Bool {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    guard let seconds else {
      while count == generation { unsafe pthread_cond_wait(condition, mutex) }
      return true
    }
    var until = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &until)
    until.tv_sec += seconds
    while count == generation {
      if unsafe pthread_cond_timedwait(condition, mutex, &until) == ETIMEDOUT { return false }
    }
    return true
  }
}
