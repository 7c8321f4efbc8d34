package import Confinement
internal import Glibc

/// The forked process of one run: confines itself, runs the step, answers, exits.
struct StepChild: StepHost {
  let plugin: any Plugin
  let request: RunRequest
  let output: Int32

  func runAndExit() -> Never {
    let answer: Result<StepOutput, PluginFailure>
    do throws(PluginFailure) {
      let isolation = try confine()
      begin(isolation)
      answer = .success(try plugin.run(request.run, self))
    } catch {
      answer = .failure(error)
    }
    end(answer)
    // Neither atexit handlers nor buffered output of the parent may run twice.
    _exit(0)
  }

  private func begin(_ isolation: IsolationInForce) {
    send(.begun(id: request.run.id, isolation: isolation.json))
  }

  private func end(_ answer: Result<StepOutput, PluginFailure>) {
    let id = request.run.id
    if case .success(let result) = answer {
      for artifact in result.artifacts { send(.artifact(id: id, artifact)) }
    }
    send(.done(id: id, answer))
  }

  /// Does in the parent, without effect, what a child does around its step: what the language's runtime
  /// looks up once for each type is found by then.
  ///
  /// - Parameter nowhere: a descriptor that swallows what is written to it.
  static func rehearse(_ plugin: any Plugin, _ request: RunRequest, nowhere: Int32) {
    let child = StepChild(plugin: plugin, request: request, output: nowhere)
    child.begin(IsolationInForce(profile: .sealed, landlock: 0, missing: []))
    child.progress(0, of: 1, unit: "")
    let artifact = Artifact(role: "", path: "", mime: "")
    child.end(.success(StepOutput(artifacts: [artifact], facts: ["": .integer(0)])))
    child.confinement.rehearse()
  }

  /// What this run may touch.
  private var confinement: Confinement {
    var confinement = Confinement(profile: .sealed)
    confinement.readableFiles = request.run.inputs.values.flatMap { $0.map(\.path) }
    let step = type(of: plugin).manifest.steps.first { $0.name == request.run.step }
    confinement.readableFolders = step?.dataFolders ?? []
    confinement.threads = request.run.inputs.values.joined().contains { input in
      step?.threadedTypes.contains { mediaType(input.mime, matches: $0) } == true
    }
    if !request.run.workFolder.isEmpty { confinement.writableFolders = [request.run.workFolder] }
    if let state = request.run.stateFolder { confinement.writableFolders.append(state) }
    confinement.limits.memory = UInt64(clamping: request.run.addressSpace)
    confinement.limits.fileSize = UInt64(clamping: request.run.limits.output)
    confinement.limits.processorSeconds = UInt64(clamping: request.processorSeconds)
    confinement.landlockCeiling = request.landlockCeiling
    confinement.required = request.isolationRequired
    return confinement
  }

  private func confine() throws(PluginFailure) -> IsolationInForce {
    preferAsVictim()
    do throws(ConfinementError) { return try confinement.enforce() } catch {
      throw PluginFailure(.internal, "isolation.\(error.stage.rawValue)", error.message)
    }
  }

  private func send(_ message: Message) { writeAll(message.line, to: output) }

  func progress(_ done: Int, of total: Int, unit: String) {
    send(.progress(id: request.run.id, done: done, total: total, unit: unit))
  }

  func note(_ code: String, _ message: String, page: Int?) {
    send(.log(id: request.run.id, level: "warn", code: code, message: message, page: page))
  }
}

extension IsolationInForce {
  /// As reports show it.
  package var json: JSON {
    [
      "profile": .string(profile.rawValue), "landlock": .integer(landlock),
      "missing": .array(missing.map { .string($0) }),
    ]
  }
}
