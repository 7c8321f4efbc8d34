internal import CLinux
internal import Confinement
internal import Glibc
internal import SystemPackage

/// Starts a foreign program confined and stays as the reaper of all it starts: when the program
/// ends, or when this process is asked to end, nothing of it is left.
public enum Launcher {
  /// `confine SPEC -- PROGRAM ARGUMENTS…`
  ///
  /// Exit status: that of the program; 128 and the signal's number when a signal ended it.
  public static func run(_ arguments: [String]) -> Never {
    guard arguments.count >= 3, arguments[1] == "--", let spec = LaunchSpec(text: arguments[0])
    else { fail("procd-worker confine: the specification cannot be read", 64) }
    guard clinux_become_subreaper() == 0 else { fail("procd-worker confine: no reaper", 71) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in endingSignals + [SIGCHLD] { unsafe sigaddset(&signals, signal) }
    unsafe sigprocmask(SIG_BLOCK, &signals, nil)

    let isFenced = SignalScope.raise(landlockCeiling: spec.landlockCeiling)
    let parent = getpid(), host = getppid()
    let child = clinux_fork()
    if child == 0 {
      clinux_set_parent_death_signal(SIGKILL)
      if getppid() != parent { _exit(1) }
      unsafe sigprocmask(SIG_UNBLOCK, &signals, nil)
      become(Array(arguments[2...]), spec, watchers: [parent, host])
    }
    guard child > 0 else { fail("procd-worker confine: no process could be started", 71) }
    let family = ProcessFamily(isFenced: isFenced)
    exit(reap(child, signals, family, spec))
  }

  /// What a terminal or a host sends to end a program; the launcher outlives them to end the rest.
  private static let endingSignals = [SIGTERM, SIGINT, SIGHUP, SIGQUIT]

  /// Waits for the program, then ends what it left behind.
  private static func reap(
    _ child: Int32, _ signals: sigset_t, _ family: ProcessFamily, _ spec: LaunchSpec
  ) -> Int32 {
    var signals = signals
    var result: Int32?
    while true {
      var status: Int32 = 0, cpu: Int64 = 0, peak: Int64 = 0
      let process = unsafe clinux_wait(-1, WNOHANG, &status, &cpu, &peak)
      if process == child {
        let signal = clinux_termination_signal(status)
        // After a signal that was passed on, the kill that followed it tells nothing.
        result = result ?? (signal > 0 ? 128 + signal : clinux_exit_status(status))
      }
      if process > 0 { continue }
      if process < 0, errno == ECHILD { return result ?? 0 }
      if result != nil { family.end() }
      var pause = timespec(tv_sec: 0, tv_nsec: 200_000_000)
      let received = unsafe sigtimedwait(&signals, nil, &pause)
      if endingSignals.contains(received) {
        result = result ?? 128 + received
        family.end()
      } else if result == nil, let most = spec.processes, family.hasMore(than: most) {
        result = tooManyProcesses
        family.end()
        tellTooMany(most, spec)
      }
    }
  }

  private static let tooManyProcesses: Int32 = 71

  private static func tellTooMany(_ most: Int, _ spec: LaunchSpec) {
    let failure = PluginFailure(
      .input, "limit.processes",
      "the step had more than \(most) processes, or \(4 * most) threads, at once")
    writeAll(Message.done(id: spec.runIdentifier, .failure(failure)).line, to: 1)
  }

  /// Confines this process and becomes the program.
  private static func become(
    _ command: [String], _ spec: LaunchSpec, watchers: [Int32]
  ) -> Never {
    preferAsVictim()
    if let most = spec.processes { ProcessBound.set(most: most) }
    // Joined by the protocol where it is spoken; kept apart from it where it is not.
    let report = fcntl(1, F_DUPFD_CLOEXEC, 3)
    if !spec.speaksProtocol, !spec.isCommand { dup2(2, 1) }
    var confinement = Confinement(profile: .tool)
    confinement.executableFolders = spec.executableFolders
    confinement.readableFiles = spec.readableFiles.map { FilePath($0) }
    confinement.readableFolders = spec.readableFolders
    confinement.writableFolders = [spec.workFolder] + spec.writableFolders
    confinement.network = spec.network
    confinement.limits.memory = UInt64(clamping: spec.memory)
    confinement.limits.fileSize = UInt64(clamping: spec.output)
    confinement.limits.processorSeconds = spec.processorSeconds.map { UInt64(clamping: $0) }
    confinement.landlockCeiling = spec.landlockCeiling
    confinement.required = spec.required
    confinement.protectedProcesses = watchers
    do throws(ConfinementError) {
      let isolation = try confinement.enforce()
      if spec.isCommand {
        tellLack(isolation)
      } else {
        writeAll(Message.begun(id: spec.runIdentifier, isolation: isolation.json).line, to: report)
      }
    } catch {
      if spec.isCommand { fail("procd: \(error.message)", 71) }
      let failure = PluginFailure(.internal, "isolation.\(error.stage.rawValue)", error.message)
      writeAll(Message.done(id: spec.runIdentifier, .failure(failure)).line, to: report)
      _exit(70)
    }
    close(report)
    let copies = unsafe command.map { unsafe strdup($0) } + [nil]
    let program = command.first ?? ""
    if program.contains("/") {
      unsafe execv(program, copies)
    } else {
      unsafe execvp(program, copies)
    }
    let reason = unsafe String(cString: strerror(errno))
    let folders = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? ""
    let obstacle = StartObstacle.of(program, in: folders)
    fail(obstacle ?? "\(program) could not be started: \(reason)", 127)
  }

  /// A command has no report to say this in.
  private static func tellLack(_ isolation: IsolationInForce) {
    guard isolation.missing.contains("files") else { return }
    let text = "procd: this kernel has no Landlock: the command can reach all files that you can\n"
    writeAll(Array(text.utf8), to: 2)
  }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    writeAll(Array((message + "\n").utf8), to: 2)
    _exit(status)
  }
}
