internal import CLinux
internal import Confinement
internal import Glibc

/// The life of a worker: a warm, single-threaded parent that forks for each job.
///
/// The parent loads what runs share and reads `run` lines; it never touches untrusted bytes, not
/// even the lines that a child writes, which it passes on unread. The child confines itself to its
/// job, runs the step, answers and exits. So models load once, limits are per job, and a hostile
/// file owns nothing that outlives it.
///
/// Each line of the child is passed on behind a mark (`Message.relayed`), which the child cannot leave out:
/// what has none is the parent's own word, and it alone says that a run has ended, after it has waited for the
/// child.
public final class WorkerLoop {
  private let types: [any Plugin.Type]
  private var plugins: [String: any Plugin] = [:]
  private var warmed: Set<String> = []
  private let output: Int32
  private var input = LineBuffer()
  private var waiting: [Message] = []
  private var ended = false

  /// - Parameter types: the plugins that this worker hosts.
  public init(hosting types: [any Plugin.Type]) {
    self.types = types
    // Libraries print to standard output; the protocol moves out of their way.
    output = fcntl(1, F_DUPFD_CLOEXEC, 10)
    dup2(2, 1)
    clinux_ignore_signal(SIGPIPE)
  }

  /// Serves until the host closes standard input or says bye.
  public func serve() {
    while let message = next() {
      switch message {
      case .hostHello:
        send(
          .pluginHello(
            Message.PluginHello(protocolNumber: 1, plugins: types.map { $0.manifest })))
      case .run(let request): run(request)
      case .bye: return
      default: break
      }
    }
  }

  private func send(_ message: Message) { writeAll(message.line, to: output) }

  /// The next message of the host; waits for it. Nil at the end.
  private func next() -> Message? {
    while waiting.isEmpty, !ended { readInput() }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }

  private func readInput() {
    guard let bytes = readSome(0), !bytes.isEmpty else {
      ended = true
      return
    }
    for piece in input.append(bytes) {
      // A line of the host that cannot be read can only be a fault of the host: nothing to answer.
      if case .line(let line) = piece, let message = try? Message(line: line) {
        waiting.append(message)
      }
    }
  }

  private func run(_ request: RunRequest) {
    let id = request.run.id
    let plugin: any Plugin
    do throws(PluginFailure) { plugin = try prepare(request) } catch {
      send(.done(id: id, .failure(error)))
      send(.exit(id: id, .init(status: 0, signal: 0, cpuMilliseconds: 0, peakMemory: 0)))
      return
    }
    var pipes: [Int32] = [-1, -1]
    guard unsafe clinux_pipe(&pipes) == 0 else { return failToStart(id) }
    let parent = getpid()
    let child = clinux_fork()
    if child == 0 {
      // Without these a parent killed between fork and prctl would leave an orphan.
      clinux_set_parent_death_signal(SIGKILL)
      if getppid() != parent { _exit(1) }
      // Nothing that the parent has open is the step's, whatever library opened it.
      close(0)
      let answers = dup2(pipes[1], 3)
      clinux_close_from(4)
      StepChild(plugin: plugin, request: request, output: answers).runAndExit()
    }
    close(pipes[1])
    guard child > 0 else {
      close(pipes[0])
      return failToStart(id)
    }
    relay(from: pipes[0], of: child, id: id)
    close(pipes[0])
    let lingered = !awaitEnd(of: child)
    if lingered { kill(child, SIGKILL) }
    var status: Int32 = 0, cpu: Int64 = 0, peak: Int64 = 0
    while unsafe clinux_wait(child, 0, &status, &cpu, &peak) < 0, errno == EINTR {}
    send(
      .exit(
        id: id,
        .init(
          status: clinux_exited(status) != 0 ? Int(clinux_exit_status(status)) : 0,
          signal: Int(clinux_termination_signal(status)), cpuMilliseconds: Int(cpu / 1000),
          peakMemory: Int(peak), lingered: lingered)))
  }

  /// How long a child may take to end once it has nothing more to say, in milliseconds.
  private static let patience: Int32 = 5000

  /// Waits for a child that closed its end. One that does not go is to be killed: nothing of a run is there when
  /// the next one begins.
  private func awaitEnd(of child: Int32) -> Bool {
    let handle = clinux_pidfd_open(child)
    defer { if handle >= 0 { close(handle) } }
    var polled = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
    var result: Int32 = 0
    repeat { result = unsafe poll(&polled, 1, Self.patience) } while result < 0 && errno == EINTR
    return handle >= 0 && result > 0
  }

  private func failToStart(_ id: String) {
    let failure = PluginFailure(
      .transient, "worker.start",
      "a process for the step could not be started: \(unsafe String(cString: strerror(errno)))")
    send(.done(id: id, .failure(failure)))
    send(.exit(id: id, .init(status: 0, signal: 0, cpuMilliseconds: 0, peakMemory: 0)))
  }

  /// The plugin of a step, warmed for the run's options.
  private func prepare(_ request: RunRequest) throws(PluginFailure) -> any Plugin {
    let run = request.run
    guard let type = types.first(where: { $0.manifest.steps.contains { $0.name == run.step } })
    else { throw PluginFailure(.internal, "step.unknown", "this worker has no step \(run.step)") }
    let name = type.manifest.name
    let plugin = plugins[name] ?? type.init()
    plugins[name] = plugin
    let key = "\(run.step) \(String(decoding: run.options.json.line, as: UTF8.self))"
    if !warmed.contains(key) {
      try plugin.warm(step: run.step, options: run.options)
      let nowhere = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
      StepChild.rehearse(plugin, request, nowhere: nowhere)
      close(nowhere)
      warmed.insert(key)
    }
    return plugin
  }

  /// Passes the child's lines on, unread, until it closes its end; kills it when the host cancels
  /// or goes away.
  private func relay(from pipe: Int32, of child: Int32, id: String) {
    var buffer = LineBuffer()
    while true {
      var polled = [
        pollfd(fd: pipe, events: Int16(POLLIN), revents: 0),
        pollfd(fd: ended ? -1 : 0, events: Int16(POLLIN), revents: 0),
      ]
      guard unsafe poll(&polled, 2, -1) >= 0 else {
        if errno == EINTR { continue }
        kill(child, SIGKILL)
        return
      }
      if polled[1].revents != 0 {
        readInput()
        let cancelled = waiting.contains {
          if case .cancel(let wanted, _) = $0 { wanted == id } else { false }
        }
        if ended || cancelled { kill(child, SIGKILL) }
        waiting.removeAll { if case .cancel = $0 { true } else { false } }
      }
      if polled[0].revents != 0 {
        guard let bytes = readSome(pipe), !bytes.isEmpty else { return }
        for piece in buffer.append(bytes) {
          switch piece {
          case .line(let line):
            let relayed = [Message.relayed] + line + [0x0A]
            if !writeAll(relayed, to: output) { kill(child, SIGKILL) }
          case .tooLong:
            kill(child, SIGKILL)
            let failure = PluginFailure(
              .internal, "plugin.protocol", "the step wrote a line longer than 1 MiB")
            send(.done(id: id, .failure(failure)))
          }
        }
      }
    }
  }
}
