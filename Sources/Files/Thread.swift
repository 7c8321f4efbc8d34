internal import Glibc
internal import SystemPackage

/// Starts a thread of its own for what blocks: it must not hold up the threads that tasks share.
///
/// - Throws: where the user or the machine may have no more threads.
package func startThread(_ body: @escaping @Sendable () -> Void) throws(FileError) {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let box = unsafe Unmanaged.passRetained(Box(body))
  let result = unsafe pthread_create(
    &thread, nil,
    { argument in
      guard let argument = unsafe argument else { return nil }
      unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
  guard result == 0 else {
    unsafe box.release()
    throw FileError("start", "a thread", Errno(rawValue: result))
  }
  pthread_detach(thread)
}

/// A condition that threads wait for: pthread's, because blocking is the purpose here.
@safe package final class ThreadSignal: @unchecked Sendable {
  // Both are only used through pthread's own calls, which synchronise.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var count = 0

  package init() {
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
  package var generation: Int {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return count
  }

  package func wake() {
    unsafe pthread_mutex_lock(mutex)
    count += 1
    unsafe pthread_cond_broadcast(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Waits until woken after `generation` was read; false when the time is over first.
  package func wait(since generation: Int, seconds: Int?) -> Bool {
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

/// A counting semaphore that threads wait for.
@safe package final class ThreadSemaphore: @unchecked Sendable {
  // Only used through the C library's own calls, which synchronise.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  package init() { unsafe sem_init(semaphore, 0, 0) }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  package func post() { unsafe sem_post(semaphore) }

  /// Waits until there was a post for each wait.
  package func wait() { while unsafe sem_wait(semaphore) != 0 {} }
}
