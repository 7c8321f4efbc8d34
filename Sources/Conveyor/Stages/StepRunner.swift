internal import Files
internal import Fleet
internal import JobLedger
internal import Outbox
internal import Pipelines
internal import PluginKit
internal import SystemPackage
internal import Workers

/// Why a job cannot go on just now, through no fault of its file.
enum Interruption: Error, Sendable {
  /// procd is stopping.
  case handedBack
  /// The process was killed from outside while other jobs ran: to be tried alone.
  case vanished
  /// To be tried again from then on, milliseconds since 1970.
  case wait(until: Int64, PluginFailure)
  /// procd or the machine is at fault, not the file: nothing can be run until that is mended.
  case unable(PluginFailure)
}

/// A step failed for good.
struct StepFailed: Error, Sendable {
  var failure: PluginFailure
  var attempts: Int
  var outcome: RunOutcome?
}

/// What a step is asked to do.
struct StepRequest: Sendable {
  var job: String
  var pipeline: String
  /// The step's key for attempts: its id, with the file where it runs for each and the page where it is split.
  var key: String
  var entry: PluginCatalog.Entry
  var options: Options
  var inputs: [String: [StepInput]]
  var sourceName: String
  /// The file's path for those who watch.
  var path: FilePath
  var timeout: Int
  var stall: Int
  var attempts: Int
  /// Lower runs first: questions that decide a route wait behind no page of OCR.
  var priority: Int
  var part: StepRun.Part?
  /// The pipeline's step whose artifacts are collected; nil where only facts are wanted.
  var collects: Pipeline.Step?
  /// The choices made when the file was handed in.
  var wish: Wish?

  /// Whether it is work for a pipeline: a question that decides a route waits for no other machine, and what joins
  /// the parts of a document needs them all here anyway.
  var mayTravel: Bool { collects != nil && part?.join != true }
  /// Of all inputs together.
  var bytes: Int { inputs.values.joined().reduce(0) { $0 + $1.bytes } }

  /// Whether it gets a folder to write to: our own steps that only answer need none, and can write nowhere
  /// then.
  var writes: Bool {
    if case .worker = entry.program, collects == nil { false } else { true }
  }
}

/// What a step gave.
struct StepResult: Sendable {
  var artifacts: [CollectedArtifact]
  var outcome: RunOutcome
  var output: StepOutput
  var attempts: Int
}

/// Runs steps: waits for a free place, writes attempts down, collects what was made, decides about
/// another try.
struct StepRunner: Sendable {
  let active: ActiveConfiguration
  let pool: any StepSlots
  /// Slots on other machines; nil where there are none.
  var fleet: FleetSlots?
  let permits: Permits
  let collector: Collector
  let book: any AttemptBook
  /// Where steps with a state keep it; nil where there is none.
  let stateFolder: Folder?
  /// Whether no step can have killed what is not its own.
  let fencesSignals: Bool
  /// Told when a step gets its worker, how far it is, and when it gives the worker back.
  let watcher: @Sendable (ConveyorEvent) -> Void
  /// Passwords for one try; nil where nobody gives any.
  var spoken: SpokenPassword?
  /// Returns the choices made when a file was handed in.
  var wish: @Sendable (Arrival) -> Wish? = { _ in nil }

  /// Runs a step until it has given its result or failed for good.
  ///
  /// - Parameter alone: whether the job runs alone, so that a process killed from outside counts
  ///   against it.
  func run(_ request: StepRequest, alone: Bool) async throws -> StepResult {
    var travels =
      !alone && request.mayTravel
      && fleet?.takes(
        request.entry, request.options, bytes: request.bytes) == true
    while true {
      if alone { try await judgeVanishings(of: request) }
      let (outcome, artifacts, used) = try await attempt(request, alone: alone, travels)
      if outcome.ending == .returned {
        travels = false
        continue
      }
      switch outcome.result {
      case .success(let output):
        return StepResult(
          artifacts: artifacts, outcome: outcome, output: output, attempts: used)
      case .failure(let failure):
        switch failure.class {
        case .cancelled: throw Interruption.handedBack
        case .transient where failure.code == PluginFailure.workerStart:
          throw Interruption.unable(failure)
        case .transient where used < request.attempts:
          let retry = active.configuration.defaults.retry
          throw Interruption.wait(
            until: wallTime() + Int64(retry.wait(after: used)), failure)
        case .internal where used < min(2, request.attempts): continue
        default: throw StepFailed(failure: failure, attempts: used, outcome: outcome)
        }
      }
    }
  }

  /// How many parts of a job are under way at once: a few, since a document of a thousand pages must not starve its
  /// neighbors.
  func sideBySide(alone: Bool) async -> Int {
    Self.sideBySide(alone: alone, book, places: await permits.places)
  }

  static func sideBySide(alone: Bool, _ book: any AttemptBook, places: Int) -> Int {
    alone && book.countsVanishings ? 1 : max(8, places)
  }

  /// Kills from outside are charged to nobody. But a file that runs alone each time procd dies is
  /// no coincidence for ever. Between the later ones there is ever more time, so that somebody who
  /// kills everything for a minute is not mistaken for the file.
  ///
  /// - Throws: where the file is given up, or its time has not come.
  private func judgeVanishings(of request: StepRequest) async throws {
    let vanishings = try await book.vanishedAlone(job: request.job)
    let failure = PluginFailure(
      .internal, "step.killed",
      "procd or the step was killed \(vanishings.count) times while it was working on this file alone"
    )
    guard vanishings.count < mostVanishings(of: request.entry.program) else {
      throw StepFailed(failure: failure, attempts: 0, outcome: nil)
    }
    let pause = Self.pause(after: vanishings.count)
    let left = vanishings.last + pause - wallTime()
    // A clock that was set back makes nobody wait longer.
    if left > 0 { throw Interruption.wait(until: wallTime() + min(left, pause), failure) }
  }

  /// Our own workers end nobody, and where signals are fenced nor can a file that took one over: then it
  /// takes many kills to suspect the file.
  private func mostVanishings(of program: PluginCatalog.Program) -> Int {
    if case .worker = program, fencesSignals { 30 } else { 8 }
  }

  /// Milliseconds from a vanishing to the next try.
  private static func pause(after vanishings: Int) -> Int64 {
    vanishings < 3 ? 0 : min(30_000, 2000 << Int64(vanishings - 3))
  }

  /// One attempt, written down before and after. Errors of our own disk are thrown and not
  /// charged.
  ///
  /// - Returns: with what was made, how many attempts that makes.
  private func attempt(
    _ request: StepRequest, alone: Bool, _ travels: Bool
  ) async throws -> (RunOutcome, [CollectedArtifact], used: Int) {
    let seat = await permits.take(job: request.job, priority: request.priority, travels: travels)
    let start = ContinuousClock.now
    let result: Result<(RunOutcome, [CollectedArtifact], used: Int), any Error>
    do { result = .success(try await permitted(request, alone: alone, seat)) } catch {
      result = .failure(error)
    }
    // However it ended, a ledger that failed included: others wait for it.
    let spent = (ContinuousClock.now - start) / .milliseconds(1)
    await permits.give(job: request.job, seat, milliseconds: Int(spent))
    return try result.get()
  }

  private func permitted(
    _ request: StepRequest, alone: Bool, _ seat: Seat
  ) async throws -> (RunOutcome, [CollectedArtifact], used: Int) {
    var attempt: Int64?
    var made: Folder?
    do {
      made = request.writes ? try collector.makeWorkFolder(job: request.job) : nil
      let (started, charged) = try await book.start(
        job: request.job, pipeline: request.pipeline, step: request.key, alone: alone)
      attempt = started
      var outcome: RunOutcome
      switch Secrets(active).resolved(request.options, of: request.entry.step) {
      case .success(let options):
        var options = options
        if let wish = request.wish { options = wish.added(to: options, of: request.entry.step) }
        options =
          spoken?.added(to: options, of: request.entry.step, for: request.path) ?? options
        outcome = await watched(
          request, try order(request, options, number: charged + 1, work: made), at: seat)
      case .failure(let failure):
        outcome = RunOutcome(ending: .answered, result: .failure(failure))
      }
      var artifacts: [CollectedArtifact] = []
      if case .success(let output) = outcome.result, let step = request.collects, let made {
        do {
          artifacts = try collector.collect(
            output.artifacts, of: step, from: made, job: request.job,
            isPart: request.part.map { !$0.join } ?? false)
        } catch let failure as PluginFailure {
          outcome.result = .failure(failure)
        }
      }
      if let made { collector.discard(made) }
      // A step that says the disk fails is believed where it fails for us too: no fault of the file.
      if case .failure(let failure) = outcome.result, failure.code.hasPrefix("disk.") {
        try collector.tryDisk()
      }
      if outcome.ending == .vanished || outcome.ending == .sharedLimit && !alone {
        try await book.end(started, class: "vanished", code: "step.killed", charged: false)
        throw Interruption.vanished
      }
      switch outcome.result {
      case .success: try await book.end(started, class: "done", code: nil, charged: false)
      case .failure(let failure):
        try await book.end(
          started, class: failure.class.rawValue, code: failure.code,
          charged: outcome.ending != .handedBack && outcome.ending != .returned)
      }
      return (outcome, artifacts, charged + 1)
    } catch is Interruption {
      throw Interruption.vanished
    } catch {
      // First, because a full disk is the likeliest reason to be here.
      if let made { collector.discard(made) }
      if let attempt {
        try await book.end(attempt, class: "disk", code: nil, charged: false)
      }
      throw error
    }
  }

  private func watched(
    _ request: StepRequest, _ order: StepOrder, at seat: Seat
  ) async -> RunOutcome {
    var order = order
    let run = order.run.id
    order.progress = { [watcher] done, total, unit in
      watcher(.progress(run: run, done: done, total: total, unit: unit))
    }
    order.placed = { [watcher] in watcher(.placed(run: run, machine: $0)) }
    watcher(.working(run: run, job: request.job, path: request.path, step: request.key))
    let slots: any StepSlots = seat == .away ? fleet ?? pool : pool
    let outcome = await slots.run(order)
    watcher(.rested(run: run))
    return outcome
  }

  private func order(
    _ request: StepRequest, _ options: Options, number: Int, work: Folder?
  ) throws(FileError) -> StepOrder {
    let defaults = active.configuration.defaults
    var state: String?
    if request.entry.step.state, let stateFolder {
      let name = FilePath(request.entry.plugin)
      try stateFolder.makeFolder(name, mode: 0o700)
      state = stateFolder.path.appending(name.components).string
    }
    let run = StepRun(
      id: "\(request.job)-\(request.key)-\(number)", step: request.entry.step.name,
      job: request.job, attempt: number, inputs: request.inputs, sourceName: request.sourceName,
      options: options, workFolder: work?.path.string ?? "", part: request.part,
      limits: defaults.limits)
    return StepOrder(
      run: run, program: request.entry.program, timeout: request.timeout, stall: request.stall,
      outputFiles: defaults.files, outputBytes: defaults.limits.output, stateFolder: state,
      isolationRequired: active.configuration.isolationRequired)
  }
}
