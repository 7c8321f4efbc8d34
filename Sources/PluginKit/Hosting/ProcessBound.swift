internal import CLinux
internal import Glibc

/// A bound that the kernel keeps for whoever forks faster than ``ProcessFamily`` counts: processes that all fork without
/// end would leave no processor time to count them, or to end them.
enum ProcessBound {
  /// Beyond what the user has now: processes that /proc shows as somebody else's, and those that start meanwhile.
  private static let spare = 256

  /// Keeps this process and all that it starts from having many more processes and threads than a family may have.
  /// The kernel counts all of the user's, also those in other namespaces, which cannot be seen: where there are such the
  /// bound would keep a program from starting anything, so it is left out. Root is never bound (setrlimit(2)).
  static func set(most: Int) {
    var before = rlimit()
    guard getuid() != 0,
      unsafe getrlimit(__rlimit_resource_t(UInt32(CLINUX_LIMIT_PROCESSES)), &before) == 0
    else { return }
    let now = tasks(of: getuid())
    guard set(now + spare / 4, hard: UInt64(before.rlim_max)), canFork() else {
      _ = clinux_set_limit(
        Int32(CLINUX_LIMIT_PROCESSES), UInt64(before.rlim_cur), UInt64(before.rlim_max))
      return
    }
    let bound = min(UInt64(now + 4 * most + spare), UInt64(before.rlim_cur))
    _ = clinux_set_limit(Int32(CLINUX_LIMIT_PROCESSES), bound, bound)
  }

  private static func set(_ soft: Int, hard: UInt64) -> Bool {
    clinux_set_limit(Int32(CLINUX_LIMIT_PROCESSES), min(UInt64(soft), hard), hard) == 0
  }

  private static func canFork() -> Bool {
    let child = clinux_fork()
    if child == 0 { _exit(0) }
    guard child > 0 else { return false }
    var status: Int32 = 0
    while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
    return true
  }

  /// How many threads the processes of a user have.
  private static func tasks(of user: uid_t) -> Int {
    ProcessFamily.numbers(in: "/proc").reduce(0) { count, process in
      var status = stat()
      guard unsafe stat("/proc/\(process)/task", &status) == 0, status.st_uid == user else {
        return count
      }
      // Each of its folders has a link to it, as have its name and its own dot.
      return count + max(1, Int(clamping: status.st_nlink) - 2)
    }
  }
}
