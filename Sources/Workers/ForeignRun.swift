internal import CLinux
internal import Files
internal import Glibc
internal import Pipelines
internal import PluginKit
internal import SystemPackage

/// One run of a foreign plugin or command step: a process of its own, started through
/// `procd-worker confine`, that lives for this run alone and works on throw-away copies.
struct ForeignRun {
  let setup: WorkerSetup
  let foreign: PluginCatalog.Foreign
  var order: StepOrder
  let wake: Int32

  func outcome() -> RunOutcome {
    do { return try started() } catch let error as FileError {
      let failure = PluginFailure(
        .transient, error.isDiskFull ? "disk.full" : "step.prepare",
        "the step's folder could not be prepared: \(error)")
      return RunOutcome(ending: .failed, result: .failure(failure))
    } catch {
      let failure = PluginFailure(
        .internal, "worker.start", "the step could not be started: \(error)")
      return RunOutcome(ending: .failed, result: .failure(failure))
    }
  }

  private func started() throws -> RunOutcome {
    let work = try Folder.open(FilePath(order.run.workFolder))
    var order = order
    order.run.inputs = try copies(into: work)
    // A command has no way to say that it lives: its time is all that limits it.
    if !foreign.speaksProtocol { order.stall = order.timeout }
    var spec = LaunchSpec(of: foreign, workFolder: order.run.workFolder, setup)
    if let state = order.stateFolder { spec.writableFolders.append(state) }
    spec.memory = order.run.addressSpace
    spec.output = order.outputBytes
    spec.processorSeconds = max(2, order.timeout / 1000 + 1)
    spec.processes = Self.mostProcesses
    spec.required = order.isolationRequired
    spec.speaksProtocol = foreign.speaksProtocol
    spec.runIdentifier = order.run.id

    let process = try ChildProcess(
      arguments: setup.launching(foreign, spec),
      environment: environment(order), folder: work.descriptor, deathSignal: SIGTERM,
      mark: setup.mark, overhear: setup.overhear)
    if foreign.speaksProtocol {
      process.send(.hostHello(host: "procd"))
      process.send(.run(RunRequest(run: order.run, stateFolder: order.stateFolder)))
    } else {
      process.closeInput()
    }
    var watch = RunWatch(
      order, process: process, wake: wake, closesInputWhenDone: true,
      awaitsHello: foreign.speaksProtocol)
    _ = watch.untilExit { _ in process.terminate() }
    // Asked first, the launcher ends whatever the plugin started; killed, it could not.
    if !process.hasEnded(within: 0) { process.terminate() }
    if !process.hasEnded(within: 5000) { process.kill() }
    while process.hasMoreErrors, process.readErrors() {}
    let end = process.wait()
    return foreign.speaksProtocol
      ? watch.ended(byProcess: end) : commandOutcome(watch, end, process, work)
  }

  /// No step needs as many; a step that forks without end does.
  private static let mostProcesses = 256

  /// The files that the step reads, copied below `in/`: what a tool does to them reaches nothing.
  private func copies(into work: Folder) throws -> [String: [StepInput]] {
    try work.makeFolder("in")
    let folder = try work.folder("in")
    var copies: [String: [StepInput]] = [:], serial = 0
    for (role, files) in order.run.inputs.sorted(by: { $0.key < $1.key }) {
      for file in files {
        let parent = try Folder.open(file.path.removingLastComponent())
        guard let last = file.path.lastComponent else { continue }
        let original = try parent.reading(FilePath(root: nil, [last]))
        let name = serial == 0 ? "\(role)\(suffix)" : "\(role)-\(serial)\(suffix)"
        serial += 1
        let copy = try folder.creating(FilePath(name))
        _ = try original.copy(to: copy)
        var input = file
        input.path = FilePath("\(order.run.workFolder)/in/\(name)")
        copies[role, default: []].append(input)
      }
    }
    return copies
  }

  /// The source's extension, where it is a plain one: some programs go by it.
  private var suffix: String {
    let parts = order.run.sourceName.split(separator: ".")
    guard parts.count > 1, let last = parts.last, last.count <= 8,
      last.utf8.allSatisfy({
        ($0 >= 0x30 && $0 <= 0x39) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A)
      })
    else { return "" }
    return ".\(last.lowercased())"
  }

  private func environment(_ order: StepOrder) -> [String] {
    let source = order.run.inputs["source"]?.first ?? order.run.inputs.values.first?.first
    return setup.environment + [
      "PROCD_INPUT=\(source?.path.string ?? "")", "PROCD_MIME=\(source?.mime ?? "")",
      "PROCD_SHA256=\(source?.sha256 ?? "")", "PROCD_WORK=\(order.run.workFolder)",
      "PROCD_STEP=\(order.run.step)", "PROCD_ATTEMPT=\(order.run.attempt)",
      "PROCD_JOB=\(order.run.job)", "TMPDIR=\(order.run.workFolder)",
      "PROCD_OPTIONS=\(String(decoding: order.run.options.json.line, as: UTF8.self))",
    ]
  }

  /// A command step speaks by its exit code: 0 done, 65 bad input, 75 try later, 78 wrong options.
  private func commandOutcome(
    _ watch: RunWatch, _ end: Message.ProcessEnd, _ process: ChildProcess, _ work: Folder
  ) -> RunOutcome {
    var outcome = watch.ended(byProcess: end)
    let wasStopped =
      if case .failure(let failure) = outcome.result {
        failure.code.hasPrefix("limit.") || outcome.ending == .handedBack
          || failure.code.hasPrefix("isolation.") || outcome.ending == .vanished
          || outcome.ending == .sharedLimit
      } else { false }
    if wasStopped { return outcome }
    let said = process.lastErrorLine
    func failed(_ kind: PluginFailure.Class, _ code: String, _ text: String) -> RunOutcome {
      outcome.ending = .answered
      outcome.result = .failure(PluginFailure(kind, code, said ?? text))
      return outcome
    }
    switch end.status {
    case 0:
      outcome.ending = .answered
      outcome.result = .success(StepOutput(artifacts: artifacts(in: work)))
      return outcome
    case 65:
      return failed(.input, "command.input", "the command refused the file and did not say why")
    case 75: return failed(.transient, "command.later", "the command asked to try again later")
    case 78: return failed(.options, "command.options", "the command refused its options")
    default:
      outcome.ending = .failed
      outcome.result = .failure(
        PluginFailure(
          .internal, "command.failed",
          "the command ended with status \(end.status)"
            // What a shell says of a program that a signal ended.
            + ((129...159).contains(end.status) ? " (signal \(end.status - 128))" : "")
            + (said.map { ": \($0)" } ?? ""),
          hint:
            "the plugin is at fault, or lacks what its confinement keeps from it, such as the network or a folder"
            + " (\"sandbox\" in plugin.json): procd plugins try runs it confined, its command by hand is not"
        ))
      return outcome
    }
  }

  /// Files in `out/` are artifacts, named by role: `words.json` has the role `words`.
  private func artifacts(in work: Folder) -> [Artifact] {
    guard let out = try? work.folder("out", .guarded), let names = try? out.names() else {
      return []
    }
    return names.map(\.string).sorted().map { name in
      let role = name.prefix { $0 != "." }
      return Artifact(
        role: String(role), path: "out/\(name)", mime: "application/octet-stream")
    }
  }
}

extension ChildProcess {
  /// Whether the process ends by itself in time; it is not waited for.
  func hasEnded(within milliseconds: Int) -> Bool {
    let handle = clinux_pidfd_open(identifier)
    guard handle >= 0 else { return false }
    defer { close(handle) }
    var polled = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, Int32(clamping: milliseconds)) > 0
  }

  /// Whether standard error holds something that was not read yet.
  var hasMoreErrors: Bool {
    var polled = pollfd(fd: errors, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 0) > 0 && polled.revents & Int16(POLLIN) != 0
  }
}
