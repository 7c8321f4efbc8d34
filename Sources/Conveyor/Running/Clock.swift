internal import Glibc

/// Milliseconds since 1970, as files, ledger and reports count.
package func wallTime() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}

/// Notices that somebody set the clock back: times that were reckoned before then lie too far ahead.
struct ClockGuard {
  private let start = ContinuousClock.now
  private let first: Int64
  private var lead: Int64 = 0

  init(at now: Int64) { first = now }

  /// - Parameter now: the wall time, in milliseconds.
  /// - Returns: whether the clock lost more than two seconds since it was asked last.
  mutating func wasSetBack(at now: Int64) -> Bool {
    wasSetBack(at: now, elapsed: ContinuousClock.now - start)
  }

  mutating func wasSetBack(at now: Int64, elapsed: Duration) -> Bool {
    let (seconds, fraction) = elapsed.components
    let ahead = now - first - seconds * 1000 - fraction / 1_000_000_000_000_000
    defer { lead = ahead }
    return ahead < lead - 2000
  }
}

/// How many processors this process may use.
package func coreCount() -> Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

/// The mode bits that this process leaves out of new files.
func currentMask() -> UInt32 {
  let mask = umask(0)
  umask(mask)
  return mask
}
