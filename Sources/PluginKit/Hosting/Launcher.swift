internal import CLinux
internal import Confinement
internal import Glibc

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

    let parent = getpid()
    let child = clinux_fork()
    if child == 0 {
      clinux_set_parent_death_signal(SIGKILL)
      if getppid() != parent { _exit(1) }
      unsafe sigprocmask(SIG_UNBLOCK, &signals, nil)
      become(Array(arguments[2...]), spec)
    }
    guard child > 0 else { fail("procd-worker confine: no process could be started", 71) }
    exit(reap(child, signals))
  }

  /// What a terminal or a host sends to end a program; the launcher outlives them to end the rest.
  private static let endingSignals = [SIGTERM, SIGINT, SIGHUP, SIGQUIT]

  /// Waits for the program, then ends what it left behind.
  private static func reap(_ child: Int32, _ signals: sigset_t) -> Int32 {
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
      // Orphans become our children one generation at a time, so this ends.
      if result != nil { killChildren() }
      var received: Int32 = 0
      unsafe sigwait(&signals, &received)
      if endingSignals.contains(received) {
        result = result ?? 128 + received
        killChildren()
      }
    }
  }

  private static func killChildren() {
    guard let processes = unsafe opendir("/proc") else { return }
    defer { unsafe closedir(processes) }
    let own = getpid()
    while let entry = unsafe readdir(processes) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if let process = Int32(name), parent(of: process) == own { kill(process, SIGKILL) }
    }
  }

  private static func parent(of process: Int32) -> Int32? {
    let descriptor = unsafe open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let bytes = readSome(descriptor), let name = bytes.lastIndex(of: UInt8(ascii: ")")) else {
      return nil
    }
    let fields = bytes[(name + 1)...].split(separator: 0x20)
    return fields.count > 1 ? Int32(String(decoding: fields[1], as: UTF8.self)) : nil
  }

  /// Confines this process and becomes the program.
  private static func become(_ command: [String], _ spec: LaunchSpec) -> Never {
    // Joined by the protocol where it is spoken; kept apart from it where it is not.
    let report = fcntl(1, F_DUPFD_CLOEXEC, 3)
    if !spec.speaksProtocol, !spec.isCommand { dup2(2, 1) }
    var confinement = Confinement(profile: .tool)
    confinement.executableFolders = spec.executableFolders
    confinement.readableFiles = spec.readableFiles
    confinement.readableFolders = spec.readableFolders
    confinement.writableFolders = [spec.workFolder] + spec.writableFolders
    confinement.network = spec.network
    confinement.limits.memory = UInt64(clamping: spec.memory)
    confinement.limits.fileSize = UInt64(clamping: spec.output)
    confinement.limits.processorSeconds = spec.processorSeconds.map { UInt64(clamping: $0) }
    confinement.landlockCeiling = spec.landlockCeiling
    confinement.required = spec.required
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
    fail("\(program) could not be started: \(unsafe String(cString: strerror(errno)))", 127)
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
