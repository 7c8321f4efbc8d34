internal import CLinux
internal import Glibc

/// A fence for signals around this process and all that it starts (Landlock from version 6 on). Who
/// stands in it can end everything it ever started by one call, however that hides: the kernel
/// signals all at once, and nothing can fork away meanwhile.
package enum SignalScope {
  /// Raises the fence. From now on this process can signal only itself and what it starts.
  ///
  /// - Returns: whether it stands; false where the kernel has none.
  package static func raise(landlockCeiling: Int?) -> Bool {
    let signals: UInt64 = 2
    guard Landlock(ceiling: landlockCeiling).version >= 6, clinux_set_no_new_privileges() == 0
    else { return false }
    let ruleset = clinux_landlock_create(0, 0, signals, 24)
    guard ruleset >= 0 else { return false }
    defer { close(ruleset) }
    guard clinux_landlock_restrict(ruleset) == 0 else { return false }
    // Without the fence the same call would end everything of this user: it must be seen to stand.
    return kill(getppid(), 0) != 0 && errno == EPERM
  }

  /// Ends all processes inside the fence but this one. Only where ``raise(landlockCeiling:)`` said
  /// that it stands.
  package static func endAll() { kill(-1, SIGKILL) }
}
