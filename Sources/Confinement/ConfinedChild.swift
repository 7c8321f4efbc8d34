internal import CLinux
internal import Glibc

/// A forked process that confines itself before it does anything else, and ends with its parent.
package enum ConfinedChild {
  /// Forks; call it while the process has a single thread.
  ///
  /// - Parameter body: what the child does, given what is in force or why nothing is; its answer is
  ///   the exit status. Nothing that the parent left in buffers is written twice.
  /// - Returns: the child's process identifier, nil where no process could be started.
  package static func start(
    _ confinement: Confinement,
    _ body: (Result<IsolationInForce, ConfinementError>) -> Int32
  ) -> Int32? {
    let parent = getpid()
    let child = clinux_fork()
    if child == 0 {
      clinux_set_parent_death_signal(SIGKILL)
      if getppid() != parent { _exit(1) }
      preferAsVictim()
      do throws(ConfinementError) {
        _exit(body(.success(try confinement.enforce())))
      } catch {
        _exit(body(.failure(error)))
      }
    }
    return child > 0 ? child : nil
  }

  /// How a child ended.
  package enum End: Sendable, Equatable {
    case status(Int32)
    case signal(Int32)
  }

  /// Waits for the end of a child.
  ///
  /// - Returns: how it ended, and the most memory that it had at once, in bytes.
  package static func wait(_ child: Int32) -> (end: End, peakMemory: UInt64) {
    var status: Int32 = 0, cpu: Int64 = 0, peak: Int64 = 0
    while unsafe clinux_wait(child, 0, &status, &cpu, &peak) < 0, errno == EINTR {}
    let signal = clinux_termination_signal(status)
    return (
      signal > 0 ? .signal(signal) : .status(clinux_exit_status(status)),
      UInt64(clamping: peak)
    )
  }

  /// The processor time that a child has used, in seconds; nil where it is gone.
  package static func processorSeconds(of child: Int32) -> UInt64? {
    var clock = clockid_t()
    var used = timespec()
    guard unsafe clock_getcpuclockid(child, &clock) == 0, unsafe clock_gettime(clock, &used) == 0
    else { return nil }
    return UInt64(clamping: used.tv_sec)
  }
}

/// When memory runs out the kernel should end what reads a file, never the daemon nor a launcher. Inherited by
/// all that the process starts.
package func preferAsVictim() {
  let descriptor = unsafe open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return }
  let most: StaticString = "1000"
  // Where it is refused the process is as likely a victim as others.
  _ = unsafe write(descriptor, most.utf8Start, most.utf8CodeUnitCount)
  close(descriptor)
}
