internal import Files
internal import Pipelines
internal import PluginKit
internal import Synchronization
internal import SystemPackage
package import Workers

/// The way of one order: out, its inputs with it, and home.
extension FleetSlots {
  /// Runs a step on another machine; ends as ``RunOutcome/Ending/returned`` where it is to be run here.
  package func run(_ order: StepOrder) async -> RunOutcome {
    let start = milliseconds()
    var outcome: RunOutcome
    do { outcome = try await travel(order) } catch {
      outcome = Self.returned("\(error)")
    }
    if outcome.ending == .returned { state.withLock { $0.returned += 1 } }
    outcome.wallMilliseconds = milliseconds() - start
    return outcome
  }

  private static func returned(_ why: String) -> RunOutcome {
    RunOutcome(
      ending: .returned,
      result: .failure(PluginFailure(.transient, "fleet.returned", why)))
  }

  private func travel(_ order: StepOrder) async throws -> RunOutcome {
    let name = FleetKey.random()
    guard let build = state.withLock({ $0.isClosed ? nil : $0.builds[order.run.step] })
    else { return WorkerPool.stopping }
    var lent: [String] = []
    defer { for sha256 in lent { giveBack(sha256) } }
    var traveling = TravelingOrder(name: name, keeper: keeper, build: build.digest, order: order)
    let room = FleetBytes.room(
      beside: traveling.bytes, files: order.run.inputs.reduce(0) { $0 + $1.value.count })
    for (role, files) in order.run.inputs {
      for file in files {
        let small = try order.attach(file, to: &traveling.attached, atMost: room)
        let bytes = if let small { small } else { try await lend(file, &lent) }
        traveling.inputs[role, default: []].append(bytes)
      }
    }
    let body = traveling.bytes
    guard body.count <= FleetBytes.longestMessage else {
      return Self.returned("its order is too long to travel")
    }
    let verdict = await withTaskGroup(of: OrderBook.Verdict?.self) { group in
      let (verdicts, end) = AsyncStream<OrderBook.Verdict>.makeStream()
      state.withLock { state in
        state.sent += 1
        state.book.add(
          name, build: build.digest, timeout: order.timeout, at: milliseconds(),
          progress: order.progress,
          placed: order.placed
        ) {
          end.yield($0)
          end.finish()
        }
      }
      group.addTask { [self] in
        do throws(FleetFailure) {
          let made = state.withLock { $0.made }
          let answer = try await link.ask(
            .put,
            [
              "subject": .string(build.subject(key.site, keeper: keeper)), "id": .string(name),
            ], key.seal(body, as: TravelingOrder.purpose))
          let sequence = answer.head["sequence"]?.integerValue ?? 0
          // A number of a broker that has begun anew since is another order's.
          state.withLock { state in
            if state.made == made { state.kept[build.step, default: Kept()].out.insert(sequence) }
          }
          for await verdict in verdicts {
            let isAnswered = if case .answered = verdict { true } else { false }
            let isKept = state.withLock { state in
              guard state.made == made else { return false }
              state.kept[build.step]?.ended(sequence)
              return true
            }
            // What comes home is nobody's from now on.
            if !isAnswered, isKept {
              _ = try? await link.ask(
                .remove,
                ["stream": .string("procd-\(key.site)-orders"), "sequence": .integer(sequence)])
            }
            return verdict
          }
          return nil
        } catch {
          state.withLock { $0.book.end(name, .home(error.message)) }?()
          for await verdict in verdicts { return verdict }
          return nil
        }
      }
      return await group.next() ?? nil
    }
    switch verdict {
    case .answered(let answer): return try await take(answer, of: order)
    case .home(let why): return Self.returned(why)
    case .suspect:
      return RunOutcome(
        ending: .vanished,
        result: .failure(
          PluginFailure(.internal, "step.killed", "two helpers were lost with this step")))
    case nil: return WorkerPool.stopping
    }
  }

  /// Takes what a helper answered, and the files it made.
  private func take(_ answer: TravelingAnswer, of order: StepOrder) async throws -> RunOutcome {
    var outcome = answer.outcome
    outcome.machine = answer.helper
    switch outcome.ending {
    // A worker that was killed there, a helper that stops: no word on the file.
    case .vanished, .handedBack, .returned: return Self.returned("\(answer.helper) gave it back")
    case .answered, .failed, .sharedLimit: break
    }
    guard case .success(var output) = outcome.result else { return outcome }
    do {
      guard answer.files.count <= order.outputFiles,
        answer.files.reduce(0, { $0 &+ $1.bytes.bytes }) <= order.outputBytes,
        answer.files.allSatisfy({ $0.bytes.bytes <= order.outputBytes })
      else { throw FleetFailure("fleet.nonsense", "it gave more than a step may") }
      if !answer.files.isEmpty {
        let out = try Folder.open(FilePath(order.run.workFolder)).folder("out")
        for (index, file) in answer.files.enumerated() {
          let name = FilePath(
            "\(index).\(file.fileExtension.filter { $0.isLetter || $0.isNumber })")
          try await file.bytes.get(
            into: try out.creating(name), attached: answer.attached, by: link, key
          ) { role, index in
            let files = order.run.inputs[role] ?? []
            guard files.indices.contains(index), let name = files[index].path.lastComponent else {
              return nil
            }
            return try Folder.open(files[index].path.removingLastComponent())
              .reading(FilePath(name: name))
          }
          output.artifacts.append(
            Artifact(
              role: file.role, path: "out/\(name.string)", mime: file.mime, label: file.label))
        }
      }
    } catch let failure as FleetFailure {
      // Where the broker is away, that is no nonsense of the helper.
      if Self.nonsense.contains(failure.code) {
        state.withLock { $0.book.heardNonsense(of: answer.helper) }
      }
      return Self.returned("\(answer.helper): \(failure.message)")
    }
    Task { [link, key] in
      for file in answer.files { await file.bytes.remove(by: link, key) }
    }
    outcome.result = .success(output)
    return outcome
  }

  private static let nonsense: Set<String> = [
    "fleet.nonsense", "fleet.content", "fleet.sealed", "fleet.missing",
  ]

  // MARK: - Inputs

  /// Gives a file to the broker, once for all orders that read it.
  private func lend(_ file: StepInput, _ lent: inout [String]) async throws -> FleetBytes {
    guard let last = file.path.lastComponent else {
      throw FleetFailure("fleet.input", "an input has no name")
    }
    let path = file.path, known = file.sha256
    let sha256 = known ?? "\(path.string) \(file.bytes)"
    let task = state.withLock { state in
      state.lent[
        sha256,
        default: Lent(
          task: Task { [link, key] in
            let open = try Folder.open(path.removingLastComponent()).reading(FilePath(name: last))
            return try await FleetBytes.put(open, sha256: known, by: link, key)
          }, readers: 0, since: 0)
      ].readers += 1
      return state.lent[sha256]?.task
    }
    lent.append(sha256)
    do {
      guard let bytes = try await task?.value else { throw FleetFailure.noProgram }
      return bytes
    } catch {
      // The next order tries anew.
      state.withLock { $0.lent[sha256] = nil }
      throw error
    }
  }

  private func giveBack(_ sha256: String) {
    state.withLock { state in
      state.lent[sha256]?.readers -= 1
      state.lent[sha256]?.since = milliseconds()
    }
  }

  /// Lets files go that no order has read for a while; the next page of the same file may come soon.
  func clearLent(at now: Int) async {
    let over = state.withLock { state in
      let over = state.lent.filter { $1.readers <= 0 && now - $1.since > 5000 }
      for sha256 in over.keys { state.lent[sha256] = nil }
      return over.values.map(\.task)
    }
    for task in over {
      if let bytes = try? await task.value { await bytes.remove(by: link, key) }
    }
  }

  /// Lets the broker forget the answers that were taken, and the orders that were answered.
  func clearKept() async {
    let (over, builds) = state.withLock { state in
      let over = state.kept.compactMapValues(\.through)
      for (step, through) in over { state.kept[step]?.cleared = through }
      return (over, state.builds)
    }
    for (step, through) in over {
      let subject =
        builds[step]?.subject(key.site, keeper: keeper) ?? "procd.\(key.site).answers.\(keeper)"
      _ = try? await link.ask(
        .purge,
        [
          "stream": .string("procd-\(key.site)-\(step.isEmpty ? "answers" : "orders")"),
          "subject": .string(subject), "through": .integer(through),
        ])
    }
  }
}

extension StepOrder {
  /// Attaches a small input to the order; nil where it is none, or where other pages of the same file follow, for which
  /// it is sent once.
  fileprivate func attach(
    _ file: StepInput, to attached: inout [UInt8], atMost room: Int
  ) throws -> FleetBytes? {
    guard run.part == nil, file.bytes <= room - attached.count, let last = file.path.lastComponent
    else { return nil }
    let content = try Folder.open(file.path.removingLastComponent())
      .reading(FilePath(name: last)).bytes(at: 0, count: file.bytes)
    guard content.count == file.bytes else {
      throw FleetFailure("fleet.changed", "\(file.path.printable) changed while it was sent")
    }
    return FleetBytes(attaching: content, to: &attached)
  }
}
