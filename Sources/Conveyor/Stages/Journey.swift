internal import Intake
internal import JobLedger
internal import Pipelines
internal import PluginKit

/// The way of one file as a state machine: what it stands at, what just happened, what is to be done next.
/// It touches nothing: a `JourneyDriver` carries out its hops, in a daemon, and a `Workbench` those that there
/// are without one; the time is passed in.
struct Journey: Sendable {
  /// What the way depends on besides the file.
  struct Terms: Sendable {
    /// Whether this run ends by itself and waits long for nothing.
    var isOnce = false
    var duplicates = Configuration.Duplicates.again
    /// Which files come together; nil where nothing comes with a file.
    var companions: CompanionRules?
    /// The role that a result is to have; nil where it may be any.
    var wanted: String?
  }

  /// What is to be done next. Each has one place in `JourneyDriver` that does it.
  enum Hop: Sendable {
    /// Look what stands in a claim that could not be read at the start.
    case find
    /// Write down in the ledger that there is the job.
    case record
    /// See that nobody writes to the file any more, copy it where that cannot be known, and hash it.
    case secure
    /// Back to the inbox: somebody still writes.
    case giveBack
    /// Write down what the file's content is.
    case identify(ClaimedFile)
    case probe(ClaimedFile)
    case route(ProbedFile, passedOver: [PassedOver])
    /// Write down which rule takes the file.
    case adopt(Pipeline, ProbedFile)
    /// Ask whether another job computes, or has computed, the same.
    case reserve(Pipeline, ProbedFile)
    /// Take the results of a job that has computed the same.
    case reuse(of: String, Pipeline, ProbedFile)
    /// Compute anew what that job's results are gone of.
    case takeOver(Pipeline, ProbedFile)
    case run(Pipeline, ProbedFile, FileProcessor.Progress)
    /// Write down that what a rule expected did not hold.
    case passOver(PassedOver)
    /// Name, seal, publish and release.
    case publish(Ending)
    /// Carry out what the ledger says was decided already.
    case finish
    /// Throw away what was made so far, unless it is decided. A reason is given where the disk is waited for then: what
    /// was made takes space that it lacks.
    case discard(thenAwaitDisk: String?)

    case suspect
    case postpone(until: Int64, PluginFailure)
    case sleep(until: Int64)
    case awaitTwin(String)
    /// Wait for a job that is to be published under the same name before.
    case awaitName(holder: String)
    /// Tell that the disk refuses our writes, and wait for more room than it has, until then at the latest; not at all
    /// where no time is given.
    case awaitDisk(String, until: Int64?)
    /// Note that the machine stands in the way, and try again then; at the next start where no time is given.
    case holdUp(String, until: Int64?)
    case leave(Departure)

    /// Whether steps may run in it, so that it passes the gate.
    var isWork: Bool {
      switch self {
      case .probe, .route, .adopt, .reserve, .reuse, .takeOver, .run, .passOver, .publish: true
      default: false
      }
    }
  }

  /// How a job's results come to be.
  enum Ending: Sendable {
    case results(Processed, reusedFrom: String?)
    /// The file was there before, and that is all that is told.
    case duplicate(of: String)
    case quarantine(PluginFailure, steps: [StepReport])
  }

  enum Departure: Sendable, Equatable {
    /// Nothing is left to do.
    case ended
    /// It is taken up again at the next start.
    case handedBack
    /// The same, because this run does not wait as long; what is to be said of it.
    case deferred(String?)
  }

  /// What came of a hop.
  enum Event: Sendable {
    case done
    /// What stands in the claim; nil where nothing is left to do.
    case found(Journey?)
    /// Nil where somebody still writes.
    case secured(ClaimedFile?)
    /// With the rules that an earlier run tried in vain.
    case identified(passedOver: [PassedOver])
    case probed(ProbedFile)
    case routed(Pipeline?, [RuleTrace])
    case reservation(ComputationReservation)
    case processed(Processed)
    case unexpected(PassedOver)
    case nameHeld(by: String, runs: Bool = false)
    case refused(ProcessingFailed)
    /// With what was done until then.
    case interrupted(Interruption, FileProcessor.Progress? = nil)
    case diskFull(String)
    /// A fault of the machine: an error of input or output, a name that was taken meanwhile.
    case fault(String)
    /// This run cannot go on with the job; why, where that was not said yet.
    case stopped(String?)
    case discarded(isDecided: Bool)
  }

  private(set) var claim: Claim
  var terms = Terms()
  /// What the disk no longer holds as it was claimed.
  private(set) var isTorn = false
  /// Whether an earlier run had begun it, so that the ledger may know of rules that passed it over.
  private(set) var isResumed = false
  /// Whether its steps run while no others do.
  private(set) var isAlone = false
  private var notBefore: Int64?
  /// What the start met when it was to go on with the job; nil where it went well.
  private var heldUpBy: String?
  private var tries: Int64 = 0
  private var fullDisks: Int64 = 0

  private(set) var hop = Hop.record
  private var isFound = true
  private var isRecorded = false
  private(set) var claimed: ClaimedFile?
  private(set) var probed: ProbedFile?
  private(set) var pipeline: Pipeline?
  private(set) var passedOver: [PassedOver] = []
  private var computes = false
  private var progress = FileProcessor.Progress()
  private var isDecided = false
  /// What is to be published once a name is free.
  private var ending: Ending?
  private var nameAwaitedSince: Int64?
  /// How long a run that drains the inbox waits, in milliseconds.
  private static let patience: Int64 = 30_000
  /// The same for a name whose job does not run: it begins at once, or not before the next start.
  private static let namePatience: Int64 = 5000

  init(claim: Claim) { self.claim = claim }

  /// Of a claim that an earlier run left.
  init(resuming claim: Claim, isTorn: Bool, _ row: JobRow?) {
    self.init(claim: claim)
    self.isTorn = isTorn
    isResumed = true
    isAlone = row?.suspect ?? false
    notBefore = row?.notBefore
  }

  /// Of a job that recovery could not look after: it is tried again, from where the ledger says it stands.
  init(heldUp row: JobRow, _ reason: String) {
    self.init(
      resuming: Claim(job: row.id, arrival: row.arrival, needsCopy: true), isTorn: false, row)
    heldUpBy = reason
    isFound = false
  }

  /// Of a file that is in nobody's ledger.
  init(alone claimed: ClaimedFile) {
    self.init(claim: Claim(job: claimed.job, arrival: claimed.arrival, needsCopy: false))
    isRecorded = true
    isAlone = true
    self.claimed = claimed
  }

  // MARK: - Transitions

  /// The first hop.
  mutating func begin(at now: Int64) -> Hop {
    hop = heldUpBy.map { heldUp($0, at: now) } ?? onward()
    return hop
  }

  /// The next hop, after what came of the one before.
  ///
  /// - Parameter now: milliseconds since 1970.
  mutating func take(_ event: Event, at now: Int64) -> Hop {
    hop = next(event, at: now)
    return hop
  }

  private mutating func next(_ event: Event, at now: Int64) -> Hop {
    switch (hop, event) {
    // What may happen anywhere.
    case (_, .refused(let failed)):
      return .publish(.quarantine(failed.failure, steps: failed.steps))
    case (_, .stopped(let reason)): return .leave(reason.map { .deferred($0) } ?? .handedBack)
    // Not even that goes on a full disk: tried again later, never at once.
    case (.discard, .diskFull(let reason)): return heldUp(reason, at: now)
    case (_, .diskFull(let reason)): return .discard(thenAwaitDisk: reason)
    case (_, .fault(let reason)): return heldUp(reason, at: now)
    case (_, .interrupted(let interruption, let progress)):
      self.progress = progress ?? self.progress
      switch interruption {
      case .handedBack: return .leave(.handedBack)
      case .vanished: return .suspect
      case .wait(let until, let failure): return .postpone(until: until, failure)
      case .unable(let failure): return .discard(thenAwaitDisk: failure.message)
      }

    case (.find, .found(let found)):
      guard let found else { return .leave(.ended) }
      (claim, isTorn, isFound) = (found.claim, found.isTorn, true)
    case (.record, .done):
      isRecorded = true
      if let notBefore { return waiting(until: notBefore, at: now) }
    case (.secure, .secured(let claimed)): return claimed.map { .identify($0) } ?? .giveBack
    case (.identify(let claimed), .identified(let passedOver)):
      (self.claimed, self.passedOver) = (claimed, passedOver)
    case (.probe, .probed(let probed)):
      self.probed = probed
    case (.route(let probed, _), .routed(let pipeline, let trace)):
      guard let pipeline else {
        return .publish(.quarantine(unmatched(probed, trace), steps: []))
      }
      return .adopt(pipeline, probed)
    case (.adopt(let pipeline, _), .done): self.pipeline = pipeline
    case (.reserve(let pipeline, let probed), .reservation(let reservation)):
      switch reservation {
      case .granted: computes = true
      case .inFlight(let twin): return .awaitTwin(twin)
      case .done(let twin):
        switch terms.duplicates {
        case .report: return .publish(.duplicate(of: twin))
        case .refuse: return .publish(.quarantine(Self.duplicate(of: twin), steps: []))
        case .reuse, .again: return .reuse(of: twin, pipeline, probed)
        }
      }
    case (.reuse(let twin, _, _), .processed(let processed)):
      return .publish(.results(processed, reusedFrom: twin))
    case (.reuse(_, let pipeline, let probed), .done): return .takeOver(pipeline, probed)
    case (.takeOver, .done): computes = true
    case (.run, .processed(let processed)):
      return .publish(.results(processed, reusedFrom: nil))
    case (.run, .unexpected(let passedOver)): return .passOver(passedOver)
    case (.passOver(let passedOver), .done):
      self.passedOver.append(passedOver)
      (pipeline, computes, progress) = (nil, false, FileProcessor.Progress())

    case (.publish(let ending), .nameHeld(let holder, let runs)):
      self.ending = ending
      // One that runs is about to publish, however long its disk takes.
      let since = runs ? now : nameAwaitedSince ?? now
      nameAwaitedSince = since
      if terms.isOnce, now - since > Self.namePatience {
        return .leave(.deferred("job \(holder) is to be published under the same name before"))
      }
      return .awaitName(holder: holder)

    case (.suspect, .done): isAlone = true
    case (.postpone(let until, _), .done): return waiting(until: until, at: now)
    case (.holdUp(let reason, let until), .done):
      guard until != nil else { return .leave(.deferred(reason)) }
      beginAnew()
      return .discard(thenAwaitDisk: nil)
    case (.discard(let trouble), .discarded(let isDecided)):
      self.isDecided = isDecided
      if !isDecided { (progress, ending) = (FileProcessor.Progress(), nil) }
      if let trouble {
        defer { fullDisks += 1 }
        // Room may come that does not show, as where a quota ends: 20 s, 40 s, … 21 min.
        return .awaitDisk(
          trouble, until: terms.isOnce ? nil : now + 20_000 << min(fullDisks, 6))
      }
    case (.awaitDisk(_, let until), .done): if until == nil { return .leave(.deferred(nil)) }
    // What was decided could not be carried out any more.
    case (.finish, .discarded):
      isDecided = false
      beginAnew()
    case (.publish, .done), (.finish, .done), (.giveBack, .done): return .leave(.ended)
    default: break
    }
    return onward()
  }

  /// Where the way goes on, by what is known of the file.
  private func onward() -> Hop {
    if isDecided { return .finish }
    guard isFound else { return .find }
    guard isRecorded else { return .record }
    guard let claimed else { return .secure }
    if isTorn { return .publish(.quarantine(Self.torn, steps: [])) }
    guard let probed else { return .probe(claimed) }
    guard let pipeline else { return .route(probed, passedOver: passedOver) }
    if let ending { return .publish(ending) }
    // An edition is news even where its bytes are known: it says that nothing has changed.
    let asks = terms.duplicates != .again && pipeline.series == nil && !computes
    return asks ? .reserve(pipeline, probed) : .run(pipeline, probed, progress)
  }

  /// After a fault of the machine nothing is taken as known but what the ledger has.
  private mutating func beginAnew() {
    (isRecorded, isResumed, computes) = (false, true, false)
    (claimed, probed, pipeline) = (nil, nil, nil)
    (passedOver, progress) = ([], FileProcessor.Progress())
    (ending, nameAwaitedSince) = (nil, nil)
  }

  /// Waits before another try, ever longer: 10 s, 20 s, … 640 s.
  private mutating func heldUp(_ reason: String, at now: Int64) -> Hop {
    defer { tries += 1 }
    return .holdUp(reason, until: terms.isOnce ? nil : now + 10_000 << min(tries, 6))
  }

  /// A run that drains the inbox waits at most 30 s.
  private func waiting(until: Int64, at now: Int64) -> Hop {
    if until <= now { return onward() }
    return terms.isOnce && until - now > Self.patience
      ? .leave(.deferred(nil)) : .sleep(until: until)
  }

  // MARK: - Refusals

  private static let torn = PluginFailure(
    .input, "source.torn", "after a power cut the file was not as it had been when it arrived",
    hint: "send it again")

  private static func duplicate(of twin: String) -> PluginFailure {
    PluginFailure(
      .input, "file.duplicate", "a file with the same content was processed before, by job \(twin)",
      hint:
        "the report of that job tells its name and results; \"duplicates\" says what becomes of such files"
    )
  }

  private func unmatched(_ probed: ProbedFile, _ trace: [RuleTrace]) -> PluginFailure {
    let hint = terms.wanted.map { _ in
      "procd convert FILE -o DIR gives all that can be made of it; -c names rules of your own"
    }
    guard passedOver.isEmpty else {
      var failure = passedOver.failure
      failure.hint = hint ?? failure.hint
      return failure
    }
    let nearly = Self.nearly(trace)
    return unpaired(probed, trace)
      ?? PluginFailure(
        .input, "route.unmatched",
        "no pipeline takes "
          + (nearly.isEmpty
            ? "files of the type \(probed.mime)" : "this file of the type \(probed.mime)")
          + (terms.wanted.map { " and gives \($0)" } ?? "") + nearly,
        hint: probed.hintAtContent ?? hint
          ?? "add a rule for it; procd explain FILE shows why each rule passed it over, and so does “Rules” on the page in the browser"
      )
  }

  /// The rules that passed a file over though they take its type.
  private static func nearly(_ trace: [RuleTrace]) -> String {
    let told = trace.filter(\.takesType).prefix(2).map { "\($0.pipeline): \($0.reason)" }
    return told.isEmpty ? "" : " (\(told.joined(separator: "; ")))"
  }

  /// Why a file that is processed only together with another is refused; nil where that is not the reason.
  private func unpaired(_ probed: ProbedFile, _ trace: [RuleTrace]) -> PluginFailure? {
    guard let companions = terms.companions else { return nil }
    let hint = "put both into the inbox, in any order; procd retry brings back this one"
    if let lacking = trace.first(where: \.lacksCompanion) {
      return PluginFailure(
        .input, "companion.unpaired",
        "\(lacking.reason), which the pipeline \(lacking.pipeline) takes with it",
        hint: hint)
    }
    guard probed.claimed.companions.isEmpty,
      companions.waitOfCompanion(probed.claimed.arrival.path) != nil
    else { return nil }
    return PluginFailure(
      .input, "companion.unpaired", "the file that it belongs to did not come", hint: hint)
  }
}
