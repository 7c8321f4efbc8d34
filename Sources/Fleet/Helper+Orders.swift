internal import Files
internal import Glibc
internal import Outbox
internal import Pipelines
internal import PluginKit
internal import Synchronization
internal import SystemPackage
internal import Workers

extension Helper {
  /// Does an order, and answers whoever gave it.
  func work(_ frame: Frame) async {
    let handle = frame.head["handle"] ?? .null
    guard let opened = key.open(frame.body, as: TravelingOrder.purpose),
      let order = TravelingOrder(opened)
    else {
      tell(.dropped("an order that does not open was dropped"))
      link.tell(.drop, ["handle": handle])
      return
    }
    let isWanted = state.withLock { state in
      guard !state.isDraining else { return false }
      state.running.insert(order.name)
      return true
    }
    let start = milliseconds()
    if isWanted { tell(.began(order: order.name, step: order.request.run.step)) }
    let signing = Task { await sign(order, handle) }
    var answer = TravelingAnswer(
      order: order.name, helper: name, life: life, outcome: WorkerPool.stopping)
    if isWanted {
      do { answer = try await run(order) } catch {
        // What this machine lacks is no word on the file: it runs elsewhere.
        tell(.trouble("\(error)"))
        note("\(error)")
        if error is FileError { pause() }
      }
    }
    signing.cancel()
    await deliver(answer, of: order, handle)
    let isDraining = state.withLock { state in
      state.running.remove(order.name)
      state.done += 1
      return state.isDraining
    }
    if isWanted {
      tell(
        .ended(
          order: order.name, outcome: "\(answer.outcome.ending)",
          milliseconds: milliseconds() - start))
    }
    if isDraining { say() }
  }

  /// Takes nothing for a while: a helper that fails at once would take more than all others.
  func pause() {
    let isNew = state.withLock { state in
      defer { state.isPaused = true }
      return !state.isPaused
    }
    guard isNew else { return }
    link.tell(.want, ["count": 0])
    say()
    Task {
      try? await Task.sleep(for: Self.pauseTime)
      let most = state.withLock { state in
        state.isPaused = false
        return state.isDraining ? 0 : slots
      }
      link.tell(.want, ["count": .integer(most)])
    }
  }

  private static let pauseTime = Duration.seconds(30)

  private func note(_ text: String) {
    state.withLock { $0.notes = Array(($0.notes.filter { $0 != text } + [text]).suffix(3)) }
  }

  /// Tells broker and keeper that the order lives.
  private func sign(_ order: TravelingOrder, _ handle: JSON) async {
    while !Task.isCancelled {
      tell(Sign(order: order.name, helper: name, life: life), to: order.keeper)
      try? await Task.sleep(for: .milliseconds(max(100, patience(order.build) / 3)))
      if !Task.isCancelled { link.tell(.working, ["handle": handle]) }
    }
  }

  private func patience(_ build: String) -> Int {
    state.withLock { $0.taken[build] ?? Self.usualPatience }
  }

  private func tell(_ sign: Sign, to keeper: String) {
    link.tell(
      .say, ["subject": .string("procd.\(key.site).signs.\(keeper)")],
      key.seal(sign.json.line, as: Sign.purpose(keeper)))
  }

  private func deliver(
    _ answer: TravelingAnswer, of order: TravelingOrder, _ handle: JSON
  ) async {
    var body = answer.bytes
    if body.count > FleetBytes.longestMessage {
      body =
        TravelingAnswer(
          order: order.name, helper: name, life: life, outcome: WorkerPool.stopping
        ).bytes
    }
    let sealed = key.seal(body, as: TravelingAnswer.purpose(order.keeper))
    let subject: JSON = .string("procd.\(key.site).answers.\(order.keeper)")
    // Where the broker is away for a moment, the work is not thrown away.
    for _ in 0..<30 {
      do throws(FleetFailure) {
        _ = try await link.ask(
          .put, ["subject": subject, "id": .string("\(order.name)-\(life)")], sealed)
        link.tell(.done, ["handle": handle])
        return
      } catch {
        tell(.trouble(error.message))
        try? await Task.sleep(for: .seconds(1))
      }
    }
    link.tell(.drop, ["handle": handle])
  }

  private func run(_ order: TravelingOrder) async throws -> TravelingAnswer {
    guard let build = builds.first(where: { $0.digest == order.build }),
      build.step == order.request.run.step, let entry = catalog[build.step]
    else { throw FleetFailure("fleet.build", "an order for another build came") }
    var used: [String] = []
    defer { for sha256 in used { giveBack(sha256) } }
    var run = order.request.run
    for (role, files) in order.inputs {
      for (index, file) in files.enumerated() {
        run.inputs[role]?[index].path = try await input(file, of: order, &used)
      }
    }
    let work = try scratch.folder("work"), title = FilePath(order.name)
    try work.makeFolder(title, mode: 0o700)
    defer { try? work.removeTree(title) }
    let folder = try work.folder(title)
    try folder.makeFolder("out", mode: 0o700)
    run.workFolder = folder.path.string
    var local = StepOrder(
      run: run, program: entry.program, timeout: order.timeout, stall: order.stall,
      outputFiles: order.files, outputBytes: order.output,
      isolationRequired: order.request.isolationRequired)
    // That it was begun is told already.
    let told = Mutex(milliseconds())
    local.progress = { [self] done, total, unit in
      let now = milliseconds()
      let isDue = told.withLock { last in
        guard now - last > 500 else { return false }
        last = now
        return true
      }
      if isDue {
        tell(
          Sign(order: order.name, helper: name, life: life, progress: (done, total, unit)),
          to: order.keeper)
      }
    }
    let outcome = await pool.run(local)
    var answer = TravelingAnswer(
      order: order.name, helper: name, life: life, outcome: outcome)
    guard case .success(let output) = outcome.result else { return answer }
    var left = order.output
    guard output.artifacts.count <= order.files else {
      throw FleetFailure("fleet.output", "a step gave more files than it may")
    }
    let room = FleetBytes.room(beside: answer.bytes, files: output.artifacts.count)
    do {
      for artifact in output.artifacts {
        let file = try Collector.open(artifact, in: folder, limit: left)
        let small = try file.attached(
          to: &answer.attached, atMost: room, run.part == nil ? run.inputs : [:])
        let bytes =
          if let small { small } else { try await FleetBytes.put(file, by: link, key) }
        left -= bytes.bytes
        let ending = artifact.path.split(separator: "/").last?.split(separator: ".").last
        answer.files.append(
          TravelingAnswer.File(
            role: artifact.role, mime: artifact.mime,
            fileExtension: String((ending ?? "").prefix(16)), bytes: bytes, label: artifact.label))
      }
    } catch let failure as PluginFailure {
      answer.outcome.result = .failure(failure)
    }
    return answer
  }

  // MARK: - Inputs

  /// The file, fetched once for all orders that read it.
  private func input(
    _ bytes: FleetBytes, of order: TravelingOrder, _ used: inout [String]
  ) async throws -> FilePath {
    // What came with its message is no other order's.
    let sha256 = bytes.sha256 ?? FleetKey.random()
    let task = state.withLock { state in
      if state.kept[sha256] == nil {
        let task = Task { [scratch, link, key] in
          let folder = try scratch.folder("in"), name = FilePath(FleetKey.random())
          try await bytes.get(
            into: try folder.creating(name), attached: order.attached, by: link, key)
          return folder.path.appending(name.components)
        }
        state.kept[sha256] = Kept(
          task: task, users: 0, bytes: bytes.bytes, since: 0, isShared: bytes.sha256 != nil)
      }
      state.kept[sha256]?.users += 1
      return state.kept[sha256]?.task
    }
    used.append(sha256)
    do {
      guard let path = try await task?.value else { throw FleetFailure.noProgram }
      return path
    } catch {
      state.withLock { $0.kept[sha256] = nil }
      throw error
    }
  }

  private func giveBack(_ sha256: String) {
    let over = state.withLock { state -> [Kept] in
      state.kept[sha256]?.users -= 1
      state.kept[sha256]?.since = milliseconds()
      var total = state.kept.values.reduce(0) { $0 + $1.bytes }
      var over: [Kept] = []
      for (name, kept) in state.kept.sorted(by: { $0.value.since < $1.value.since })
      where kept.users <= 0 && (!kept.isShared || total > Self.mostKept) {
        state.kept[name] = nil
        total -= kept.bytes
        over.append(kept)
      }
      return over
    }
    for kept in over {
      Task {
        let path = try await kept.task.value
        if let name = path.lastComponent {
          _ = try? self.scratch.folder("in").remove(FilePath(name: name))
        }
      }
    }
  }
}

extension OpenFile {
  /// Attaches a file to an answer where it is small, but for what it has of the inputs; nil where it is not.
  ///
  /// - Parameter inputs: those that are looked at; none of them where a step reads a part of one, which would be read whole
  ///   for each part.
  fileprivate func attached(
    to attached: inout [UInt8], atMost room: Int, _ inputs: [String: [StepInput]]
  ) throws -> FleetBytes? {
    let size = try status().size
    var content: [UInt8]?
    // Of smaller ones too little is saved, and of larger inputs too much would be left.
    let inputs = size < InputPiece.leastFile || size > InputPiece.longestFile ? [:] : inputs
    for (role, files) in inputs {
      for (index, file) in files.enumerated()
      where file.bytes >= InputPiece.leastFile && file.bytes <= InputPiece.longestFile
        && size - file.bytes <= room - attached.count
      {
        guard let last = file.path.lastComponent else { continue }
        let input = try Folder.open(file.path.removingLastComponent())
          .reading(FilePath(name: last)).bytes(at: 0, count: file.bytes)
        let result = try content ?? bytes(at: 0, count: size)
        content = result
        let pieces = InputPiece.find(in: result, of: input)
        let saved = pieces.reduce(0) { $0 + $1.count - InputPiece.length }
        if saved > 0, size - saved <= room - attached.count {
          return FleetBytes(attaching: result, without: pieces, of: role, index, to: &attached)
        }
      }
    }
    guard size <= room - attached.count else { return nil }
    return FleetBytes(attaching: try content ?? bytes(at: 0, count: size), to: &attached)
  }
}
