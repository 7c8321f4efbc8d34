internal import Glibc

/// Processes of an earlier daemon that outlived it.
package enum Leftovers {
  /// Kills every process that has the mark, this one apart, and waits until they are gone (at most some
  /// seconds: a process in the kernel's hands cannot be hurried).
  ///
  /// - Returns: how many there were.
  @discardableResult
  package static func end(_ mark: SpoolMark) -> Int {
    var count = 0
    for _ in 0..<50 {
      let found = mark.processes()
      if found.isEmpty { break }
      count = max(count, found.count)
      for process in found { kill(process, SIGKILL) }
      usleep(100_000)
    }
    return count
  }
}
