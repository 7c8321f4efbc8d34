internal import Glibc

/// Starts a thread of its own for what blocks: it must not hold up the threads that tasks share.
package func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let box = unsafe Unmanaged.passRetained(Box(body))
  let result = unsafe pthread_create(&thread, nil, { argument in
    guard let argument = unsafe argument else { return nil }
    unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
    return nil
  }, box.toOpaque())
  if result == 0 { pthread_detach(thread) } else { unsafe box.release() }
}
