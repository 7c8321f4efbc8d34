package import Confinement
internal import Glibc

/// The forked process of one run: confines itself, runs the step, answers, exits.
struct StepChild: StepHost {
  let plugin: any Plugin
  let request: RunRequest
  let output: Int32

  func runAndExit() -> Never {
    let id = request.run.id
    do throws(PluginFailure) {
      let isolation = try confine()
      send(.begun(id: id, isolation: isolation))
      let result = try plugin.run(request.run, self)
      for artifact in result.artifacts { send(.artifact(id: id, artifact)) }
      send(.done(id: id, .success(result)))
    } catch {
      send(.done(id: id, .failure(error)))
    }
    // Neither atexit handlers nor buffered output of the parent may run twice.
    _exit(0)
  }

  private func confine() throws(PluginFailure) -> JSON {
    var confinement = Confinement(profile: .sealed)
    confinement.readableFiles = request.run.inputs.values.flatMap { $0.map(\.path) }
    let step = type(of: plugin).manifest.steps.first { $0.name == request.run.step }
    confinement.readableFolders = step?.dataFolders ?? []
    if !request.run.workFolder.isEmpty { confinement.writableFolders = [request.run.workFolder] }
    if let state = request.run.stateFolder { confinement.writableFolders.append(state) }
    confinement.limits.memory = UInt64(clamping: request.run.limits.memory)
    confinement.limits.fileSize = UInt64(clamping: request.run.limits.output)
    confinement.limits.processorSeconds = UInt64(clamping: request.processorSeconds)
    confinement.landlockCeiling = request.landlockCeiling
    confinement.required = request.isolationRequired
    preferAsVictim()
    do throws(ConfinementError) { return try confinement.enforce().json } catch {
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
