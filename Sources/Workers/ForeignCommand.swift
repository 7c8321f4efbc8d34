internal import CLinux
internal import Files
internal import Glibc
package import Pipelines
package import PluginKit
internal import Synchronization
package import SystemPackage

/// One call of a foreign plugin's command: confined as its steps are, on the standard input, output
/// and error of whoever called it.
package struct ForeignCommand: Sendable {
  package var foreign: PluginCatalog.Foreign
  package var name: String
  package var arguments: [String]
  /// Files that it may read, absolute.
  package var readableFiles: [String]
  /// A folder of its own, where it starts.
  package var workFolder: FilePath
  package var stateFolder: String?
  /// Whether the text of pictures and scans has been recognized, as far as that could be.
  package var isRecognized = false
  package var limits = StepLimits()
  /// Seconds of processor time that each of its processes may take.
  package var processorSeconds = 600
  package var isolationRequired = false

  package init(
    _ foreign: PluginCatalog.Foreign, name: String, arguments: [String], readableFiles: [String],
    workFolder: FilePath
  ) {
    self.foreign = foreign
    self.name = name
    self.arguments = arguments
    self.readableFiles = readableFiles
    self.workFolder = workFolder
  }

  /// Why it could not be started, or was ended.
  package struct Failure: Error {
    package var message: String
    /// Whether it needed more than it may have.
    package var isLimit = false
  }

  /// Runs it to its end. A signal that asks this process to end ends the command with all that it
  /// started.
  ///
  /// - Returns: its exit status; 128 and the number of the signal that ended it or this process.
  /// - Throws: ``Failure`` also if it needed more than it may have.
  package func run(_ setup: WorkerSetup) throws(Failure) -> Int32 {
    let work: Folder
    do throws(FileError) { work = try Folder.open(workFolder) } catch {
      throw Failure(message: "\(error)")
    }
    var how = clinux_spawn(
      standard_input: 0, standard_output: 1, standard_error: 2,
      working_folder: work.descriptor, parent_death_signal: SIGTERM, stays_in_group: 1,
      mark: setup.mark?.value ?? 0)
    Ending.listen()
    let process = unsafe withCStrings(setup.launching(foreign, spec(setup), arguments: arguments)) {
      words in
      unsafe withCStrings(environment(setup)) { environment in
        unsafe clinux_spawn_process(words, environment, &how)
      }
    }
    guard process > 0 else {
      throw Failure(message: "procd-worker could not be started: \(Errno(rawValue: errno))")
    }
    Ending.passOn(to: process)
    awaitEnd(of: process)
    // Before it is reaped: afterwards the number may be another's.
    Ending.passOn(to: 0)
    var status: Int32 = 0, cpu: Int64 = 0, peak: Int64 = 0
    while unsafe clinux_wait(process, 0, &status, &cpu, &peak) < 0, errno == EINTR {}
    if let signal = Ending.signal { return 128 + signal }
    let signal = clinux_termination_signal(status)
    let end = signal > 0 ? 128 + signal : clinux_exit_status(status)
    // The kernel ends it with the second at the limit, with the first only if it catches the other.
    if end == 128 + SIGXCPU || end == 128 + SIGKILL && cpu >= Int64(processorSeconds) * 1_000_000 {
      throw Failure(
        message:
          "it needed more than \(processorSeconds) s of processor time and was ended [limit.cpu]; raise \"timeout\" in"
          + " defaults if that is wanted", isLimit: true)
    }
    // What an allocation that fails does to a program: it aborts, or traps.
    if [SIGABRT, SIGILL, SIGTRAP, SIGSEGV].contains(end - 128),
      peak >= Int64(limits.memory / 10 * 6)
    {
      throw Failure(
        message:
          "it needed more than the \(limits.memory >> 20) MiB of memory that a step may have [limit.memory]; raise"
          + " \"memory\" in defaults.limits if that is wanted", isLimit: true)
    }
    return end
  }

  private func spec(_ setup: WorkerSetup) -> LaunchSpec {
    var spec = LaunchSpec(of: foreign, workFolder: workFolder.string, setup)
    spec.readableFiles += readableFiles
    if let stateFolder { spec.writableFolders.append(stateFolder) }
    spec.memory = limits.memory
    spec.output = limits.output
    spec.processorSeconds = processorSeconds
    spec.required = isolationRequired
    spec.isCommand = true
    return spec
  }

  private func environment(_ setup: WorkerSetup) -> [String] {
    setup.environment + [
      "PROCD_COMMAND=\(name)", "PROCD_WORK=\(workFolder.string)", "TMPDIR=\(workFolder.string)",
    ] + (stateFolder.map { ["PROCD_STATE=\($0)"] } ?? [])
      + (isRecognized ? ["PROCD_RECOGNIZED=1"] : [])
  }

  /// Waits without reaping, so that the process keeps its number.
  private func awaitEnd(of process: Int32) {
    let handle = clinux_pidfd_open(process)
    guard handle >= 0 else { return }
    defer { close(handle) }
    var polled = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&polled, 1, -1) < 0, errno == EINTR {}
  }
}

/// Signals that ask this process to end are passed on to the launcher, which ends all that the
/// command started; this process lives on to clear up.
private enum Ending {
  private static let process = Atomic<Int32>(0)
  private static let received = Atomic<Int32>(0)

  static var signal: Int32? {
    let number = received.load(ordering: .sequentiallyConsistent)
    return number > 0 ? number : nil
  }

  static func listen() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGTERM, SIGINT, SIGHUP, SIGQUIT] {
      unsafe sigaddset(&signals, number)
      _ = Glibc.signal(number) { number in
        Ending.received.store(number, ordering: .sequentiallyConsistent)
        Ending.tell()
      }
    }
    // Whoever started this process may have left them blocked.
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// - Parameter launcher: 0 for nobody.
  static func passOn(to launcher: Int32) {
    process.store(launcher, ordering: .sequentiallyConsistent)
    // One that came before the launcher was there.
    if signal != nil { tell() }
  }

  private static func tell() {
    let launcher = process.load(ordering: .sequentiallyConsistent)
    if launcher > 0 { kill(launcher, SIGTERM) }
  }
}
