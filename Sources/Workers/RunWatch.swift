internal import CLinux
internal import Glibc
internal import PluginKit

/// Watches one run: reads what its process says, keeps deadline, silence and output limits, and
/// turns the end into an outcome.
struct RunWatch {
  enum End {
    /// The trusted parent said that the step's process is gone.
    case exit(Message.ProcessEnd)
    /// The process itself is gone or must be killed.
    case gone
  }

  private let order: StepOrder
  private let process: ChildProcess
  private let wake: Int32
  private let deadline: Int
  private var lastSign: Int
  /// Why we stopped it, once we did.
  private var stopped: PluginFailure?
  private var handedBack = false
  private var stoppedAt = 0
  /// When a program that lives for one run said that it is done.
  private var doneAt: Int?
  private var done: Result<StepOutput, PluginFailure>?
  private var artifacts: [Artifact] = []
  private(set) var isolation: JSON?
  private(set) var notes: [String] = []
  private var errorsOpen = true
  private let outOfMemoryKills = OutOfMemory.kills
  private var lastCount = 0
  /// What lay in the lasting folder before. Who comes later is not to blame that it is full.
  private let keptBefore: OutputCount.Amount
  /// A foreign plugin lives for one job: its input is closed once it has answered.
  private let closesInputWhenDone: Bool

  /// Whether the plugin has still to say hello; nobody waits long for that.
  private var awaitsHello: Bool

  /// How long a plugin may take to say its first word, which needs nothing but its start.
  private static let longestToHello = 30_000
  /// How long a cancelled run may take to go before its process group is killed.
  private static let patience = 5000

  init(
    _ order: StepOrder, process: ChildProcess, wake: Int32, closesInputWhenDone: Bool = false,
    awaitsHello: Bool = false
  ) {
    self.awaitsHello = awaitsHello
    self.order = order
    self.closesInputWhenDone = closesInputWhenDone
    self.process = process
    self.wake = wake
    keptBefore = order.stateFolder.map { OutputCount.amount(in: $0) } ?? OutputCount.Amount()
    let now = milliseconds()
    deadline = now + order.timeout
    lastSign = now
  }

  /// Reads until the run is over. `stop` is called once when a limit is reached.
  mutating func untilExit(stop: (String) -> Void) -> End {
    while true {
      let now = milliseconds()
      if let doneAt {
        if now - doneAt > Self.patience { linger(); return .gone }
      } else if stopped == nil {
        let patience = awaitsHello ? min(order.stall, Self.longestToHello) : order.stall
        let waiting = min(deadline, lastSign + patience) - now
        if waiting <= 0 { limitReached(now); stop(stopped?.code ?? "") }
      } else if now - stoppedAt > Self.patience {
        return .gone
      }
      var polled = [
        pollfd(fd: process.output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errorsOpen ? process.errors : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: handedBack ? -1 : wake, events: Int16(POLLIN), revents: 0),
      ]
      _ = unsafe poll(&polled, 3, 500)
      if polled[1].revents != 0, !process.readErrors() { errorsOpen = false }
      if polled[2].revents != 0, !handedBack {
        handedBack = true
        stopped = PluginFailure(.cancelled, "host.stopping", "procd is stopping")
        stoppedAt = milliseconds()
        stop("stopping")
      }
      if stopped == nil, let failure = outputLimit(now) {
        stopped = failure
        stoppedAt = now
        stop(failure.code)
      }
      guard polled[0].revents != 0 else { continue }
      switch process.readMessages() {
      case .end: return .gone
      case .messages(let messages):
        for message in messages {
          if let end = take(message) { return end }
        }
      }
    }
  }

  private mutating func limitReached(_ now: Int) {
    stoppedAt = now
    stopped =
      now >= deadline
      ? PluginFailure(
        .internal, "limit.time", "the step did not finish within \(order.timeout / 1000) s",
        hint: "raise \"timeout\" of the step if such files are wanted") : silence(now)
  }

  private func silence(_ now: Int) -> PluginFailure {
    guard awaitsHello else {
      return PluginFailure(
        .internal, "limit.stall", "the step was silent for \(order.stall / 1000) s",
        hint: "raise \"stall\" in defaults if such files are wanted")
    }
    return PluginFailure(
      .internal, "limit.stall",
      "the plugin has said nothing for \((now - lastSign) / 1000) s, not even hello",
      hint: "it may keep its lines in a buffer: flush standard output after each one, in Python by"
        + " print(..., flush=True)")
  }

  private mutating func linger() {
    guard case .success? = done else { return }
    done = .failure(Self.lingers)
  }

  private static let lingers = PluginFailure(
    .internal, "step.lingers", "the step did not exit after it was done",
    hint: "end the program when its input ends")

  private mutating func outputLimit(_ now: Int) -> PluginFailure? {
    guard now - lastCount > 500 else { return nil }
    lastCount = now
    let folder = order.run.workFolder
    let most = "\(order.outputBytes) bytes or \(order.outputFiles) files"
    if !folder.isEmpty, isOverLimits(folder) {
      return PluginFailure(
        .input, "limit.output", "the step wrote more than \(most)",
        hint: "raise \"output\" or \"files\" in defaults.limits if such results are wanted")
    }
    guard let state = order.stateFolder else { return nil }
    // What a step keeps from run to run has the same bound.
    var kept = OutputCount(
      files: max(order.outputFiles, keptBefore.files),
      bytes: max(order.outputBytes, keptBefore.bytes))
    guard kept.isExceeded(by: state) else { return nil }
    return PluginFailure(
      .internal, "limit.state", "what the step keeps in \(state) is more than \(most)",
      hint: "remove what nobody needs there, or raise \"output\" or \"files\" in defaults.limits")
  }

  private func isOverLimits(_ folder: String) -> Bool {
    var (files, bytes) = (order.outputFiles, order.outputBytes)
    if closesInputWhenDone {
      // A foreign step has copies of its inputs in its folder, which are no output.
      for input in order.run.inputs.values.joined() {
        (files, bytes) = (files + 1, bytes &+ input.bytes)
      }
    }
    var count = OutputCount(files: files, bytes: bytes)
    if count.isExceeded(by: folder) { return true }
    return closesInputWhenDone
      && count.isExceeded(byUnnamedFilesOf: process.identifier)
  }

  private mutating func take(_ message: Result<Message, MessageError>) -> End? {
    let id = order.run.id
    // That it was begun is said by its launcher.
    if case .success(.begun) = message {} else { awaitsHello = false }
    switch message {
    case .failure(let error):
      done = .failure(
        PluginFailure(
          .internal, "plugin.protocol", "the step broke the protocol: \(error.message)"))
      return .gone
    case .success(.begun(id, let isolation)):
      if self.isolation == nil { self.isolation = isolation }
      lastSign = milliseconds()
    case .success(.progress(id, let done, let total, let unit)):
      lastSign = milliseconds()
      order.progress?(done, total, unit)
    case .success(.log(id, _, let code, let text, let page)):
      lastSign = milliseconds()
      if notes.count < 100 {
        let place = page.map { "page \($0): " } ?? ""
        notes.append("\(place)\(text.prefix(1000))\(code.isEmpty ? "" : " [\(code.prefix(100))]")")
      }
    case .success(.artifact(id, let artifact)):
      lastSign = milliseconds()
      guard artifact.role.utf8.count + artifact.path.utf8.count + artifact.mime.utf8.count <= 4096
      else {
        done = .failure(
          PluginFailure(
            .internal, "plugin.protocol",
            "the step broke the protocol: it named an artifact by more than 4096 bytes"))
        return .gone
      }
      // One more than may be, so that collecting them finds too many. After `done` none counts.
      if done == nil, artifacts.count <= order.outputFiles { artifacts.append(artifact) }
    case .success(.done(id, let result)):
      lastSign = milliseconds()
      if done == nil { done = asked(result) }
      if closesInputWhenDone {
        process.closeInput()
        doneAt = doneAt ?? milliseconds()
      }
    case .success(.exit(id, let end)) where !closesInputWhenDone: return .exit(end)
    case .success(let message) where closesInputWhenDone && message.run.map { $0 != id } ?? false:
      done = .failure(
        PluginFailure(
          .internal, "plugin.protocol",
          "the step broke the protocol: it answered with the id \"\(message.run?.prefix(100) ?? "")\", and"
            + " was asked with \"\(id)\""))
      return .gone
    case .success(.pluginHello(let hello)) where hello.protocolNumber != 1:
      done = .failure(
        PluginFailure(
          .options, "plugin.version",
          "the plugin speaks procd/\(hello.protocolNumber), this procd speaks procd/1"))
      return .gone
    case .success: break
    }
    return nil
  }

  /// What a step answered. Only where it was asked to stop may it say that it did: else its file would
  /// never come to an end.
  private func asked(
    _ result: Result<StepOutput, PluginFailure>
  ) -> Result<StepOutput, PluginFailure> {
    guard case .failure(let failure) = result, failure.class == .cancelled, !handedBack else {
      return result
    }
    return .failure(
      PluginFailure(
        .internal, "plugin.protocol",
        "the step broke the protocol: it said it was cancelled, but nobody had cancelled it"))
  }

  /// The outcome, now that it is known how the process ended.
  func ended(byProcess end: Message.ProcessEnd) -> RunOutcome {
    var (ending, result): (RunOutcome.Ending, Result<StepOutput, PluginFailure>)
    if handedBack, done == nil {
      (ending, result) = (.handedBack, WorkerPool.stopping.result)
    } else if let stopped {
      // Several runs of a plugin may write to the folder that it keeps.
      ending = stopped.code == "limit.state" ? .sharedLimit : .failed
      result = .failure(stopped)
    } else if case .success(var output)? = done, end.signal == 0, end.status == 0 {
      output.artifacts = artifacts
      (ending, result) = (.answered, .success(output))
    } else if case .failure(let failure)? = done {
      (ending, result) = (
        failure.code == "plugin.protocol" ? .failed : .answered, .failure(failure)
      )
    } else if end.lingered {
      (ending, result) = (.failed, .failure(Self.lingers))
    } else {
      (ending, result) = crash(end)
    }
    return RunOutcome(
      ending: ending, result: result, isolation: isolation, notes: notes,
      cpuMilliseconds: end.cpuMilliseconds, peakMemory: end.peakMemory)
  }

  /// Whether a program that failed says that it got no more memory. What it asked for is refused before it is used, so
  /// its peak may be far below the limit.
  private static func tellsOfMemory(_ line: String) -> Bool {
    ["memoryerror", "bad_alloc", "out of memory", "cannot allocate memory", "memory exhausted"]
      .contains { line.lowercased().contains($0) }
  }

  /// The largest resident size of this process so far, in bytes.
  private static var ownPeakMemory: Int {
    var usage = rusage()
    return unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0
      ? Int(usage.ru_maxrss) << 10 : 0
  }

  private func crash(
    _ end: Message.ProcessEnd
  ) -> (RunOutcome.Ending, Result<StepOutput, PluginFailure>) {
    let failure: PluginFailure
    switch Int32(end.signal) {
    case SIGKILL where end.cpuMilliseconds < order.timeout:
      if OutOfMemory.kills > outOfMemoryKills {
        return (
          .sharedLimit,
          .failure(
            PluginFailure(
              .input, "limit.memory", "the machine ran out of memory while the step ran",
              hint: "give the machine more memory, or lower \"memory\" in defaults.limits"))
        )
      }
      return (
        .vanished,
        .failure(
          PluginFailure(
            .internal, "step.killed", "the step's process was killed by something outside procd"))
      )
    case SIGKILL: fallthrough
    case SIGXCPU:
      failure = PluginFailure(
        .input, "limit.cpu", "the step used more processor time than it is allowed",
        hint: "raise \"timeout\" of the step if such files are wanted")
    case SIGSYS:
      failure = PluginFailure(.internal, "isolation.call", "the step tried a forbidden system call")
    case 0 where end.status == 0:
      failure = PluginFailure(.internal, "step.silent", "the step ended without an answer")
    default:
      let limit = order.run.limits.memory
      // A new program inherits the largest size of the process that started it (getrusage(2)).
      let inherited = Self.ownPeakMemory
      if end.peakMemory > max(limit / 10 * 6, inherited)
        || process.lastErrorLine.map(Self.tellsOfMemory) ?? false
      {
        failure = PluginFailure(
          .input, "limit.memory",
          "the step needed more than the \(limit >> 20) MiB of memory that a step may have",
          hint: "raise \"memory\" in defaults.limits if such files are wanted")
      } else {
        // A shell between tells of a signal by a status.
        let signal = end.signal > 0 ? end.signal : max(0, end.status - 128)
        let name = unsafe clinux_signal_name(Int32(signal)).map { unsafe String(cString: $0) }
        let how = name.map { "signal SIG\($0)" } ?? "status \(end.status)"
        failure = PluginFailure(
          .internal, "step.crashed",
          "the step crashed (\(how))"
            + (process.lastErrorLine.map { ": \($0)" } ?? ""))
      }
    }
    return (.failed, .failure(failure))
  }
}
