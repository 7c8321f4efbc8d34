/// Where a step may run: on this machine, or on another one of the fleet.
enum Seat: Sendable { case here, away }

/// So many steps at once, here and elsewhere. Who waits is served by priority, and among those the job that has had least: time is
/// shared between jobs, however many pages of one wait (fair queueing, in milliseconds of virtual time). So a
/// short file behind a long one waits for at most the page that is being read.
actor Permits {
  private struct Waiting {
    var priority: Int
    var serial: Int
    var travels: Bool
    var continuation: CheckedContinuation<Seat, Never>

    var order: (Int, Int) { (priority, serial) }
  }

  /// What a job has had, and what it waits for.
  private struct Share {
    /// Its place in virtual time: where it began, and the milliseconds of its runs since.
    var used: Double
    var running = 0
    var waiting: [Waiting] = []
    /// How long its latest run took.
    var latest = 0.0
    /// Names the pause in which the permit of its latest run is kept for its next one.
    var kept: Int?

    var isActive: Bool { running > 0 || !waiting.isEmpty }
    func next(where suits: (Waiting) -> Bool) -> Waiting? {
      waiting.filter(suits).min { $0.order < $1.order }
    }
  }

  private var free: Int
  /// Below zero while more run than there are places by now.
  private var freeAway = 0
  private let here: Int
  private var away = 0
  /// Whether what may run elsewhere runs here too.
  private var keepsLocal = true
  private var serial = 0
  private var shares: [String: Share] = [:]
  /// Runs as fast as each of the jobs that are at work is served. Who comes begins here: it is owed nothing for the
  /// time before, and owes nothing.
  private var virtualTime = 0.0
  private let pause: Duration

  /// Between two steps of a file lie commits to the ledger, which take less.
  private static let usualPause = Duration.milliseconds(100)
  /// A run from so many milliseconds on is worth a pause before it.
  private static let long = 500.0

  /// - Parameter pause: how long a permit is kept for the next step of a short file where a long one waits.
  init(_ count: Int, pause: Duration = usualPause) {
    free = count
    here = count
    self.pause = pause
  }

  /// How many wait.
  var count: Int { shares.values.reduce(0) { $0 + $1.waiting.count } }

  /// How many steps can run at once, here and elsewhere.
  var places: Int { here + away }

  /// Says how many steps may run elsewhere from now on.
  func setAway(_ count: Int, keepsLocal: Bool) {
    freeAway += count - away
    (away, self.keepsLocal) = (count, keepsLocal)
    while freeAway > 0, best(for: .away) != nil {
      freeAway -= 1
      serve(.away)
    }
    // Who waited for another machine does not wait for none.
    while free > 0, best(for: .here) != nil {
      free -= 1
      serve(.here)
    }
  }

  /// Waits for a place.
  ///
  /// - Parameter travels: whether the step may run elsewhere.
  @discardableResult
  func take(job: String, priority: Int, travels: Bool = false) async -> Seat {
    var share = shares[job] ?? Share(used: virtualTime)
    if !share.isActive { share.used = max(share.used, virtualTime) }
    let isKept = share.kept != nil
    let staysHere = !travels || keepsLocal || away == 0
    if let seat: Seat = isKept || staysHere && free > 0
      ? .here
      : travels && freeAway > 0 ? .away : nil
    {
      if seat == .away { freeAway -= 1 } else if !isKept { free -= 1 }
      share.kept = nil
      share.running += 1
      shares[job] = share
      return seat
    }
    serial += 1
    let serial = serial
    return await withCheckedContinuation {
      share.waiting.append(
        Waiting(priority: priority, serial: serial, travels: travels, continuation: $0))
      shares[job] = share
    }
  }

  /// - Parameter milliseconds: how long the run took.
  func give(job: String, _ seat: Seat = .here, milliseconds: Int) {
    let time = Double(max(1, milliseconds))
    virtualTime += time / Double(max(1, shares.values.count { $0.isActive }))
    if var share = shares[job] {
      share.used += time
      share.running -= 1
      share.latest = time
      shares[job] = share
      if seat == .here, keepsPermit(job, share) { return }
    }
    serve(seat)
  }

  /// A job comes to an end: nothing is kept for it any longer.
  func ended(job: String) {
    guard shares[job]?.kept != nil else { return }
    shares[job]?.kept = nil
    serve(.here)
  }

  /// Keeps the permit for a moment where the job would be the next to be served if its next step waited already, and
  /// would have to wait for a long run otherwise.
  private func keepsPermit(_ job: String, _ share: Share) -> Bool {
    guard !share.isActive, share.latest < Self.long, let best = best(for: .here),
      let other = shares[best],
      other.latest >= Self.long, share.used < other.used
    else { return false }
    serial += 1
    let serial = serial
    shares[job]?.kept = serial
    Task {
      try? await Task.sleep(for: pause)
      if shares[job]?.kept == serial { ended(job: job) }
    }
    return true
  }

  private func next(of share: Share, for seat: Seat) -> Waiting? {
    share.next { seat == .away ? $0.travels : !$0.travels || keepsLocal || away == 0 }
  }

  /// The job to be served next.
  private func best(for seat: Seat) -> String? {
    var best: (job: String, order: (Int, Double, Int))?
    for (job, share) in shares {
      guard let next = next(of: share, for: seat) else { continue }
      let order = (next.priority, share.used, next.serial)
      if best.map({ order < $0.order }) ?? true { best = (job, order) }
    }
    return best?.job
  }

  private func serve(_ seat: Seat) {
    // Who is ahead of the rest must not come back as if it were new; the others may.
    shares = shares.filter { $1.isActive || $1.kept != nil || $1.used > virtualTime }
    if !shares.values.contains(where: \.isActive) { shares = shares.filter { $1.kept != nil } }
    // What was shrunk meanwhile is not filled again.
    guard seat == .here || freeAway >= 0, let job = best(for: seat),
      let next = shares[job].flatMap({ next(of: $0, for: seat) })
    else {
      if seat == .here { free += 1 } else { freeAway += 1 }
      return
    }
    shares[job]?.waiting.removeAll { $0.serial == next.serial }
    shares[job]?.running += 1
    next.continuation.resume(returning: seat)
  }
}
