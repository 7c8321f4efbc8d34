/// The orders of a keeper that are out, and what becomes of each. Pure: it is told what happened, and when.
///
/// The keeper is the only one who decides: an order that is not answered in time is done at home, and what is
/// answered later is dropped.
struct OrderBook: Sendable {
  enum Verdict: Sendable {
    case answered(TravelingAnswer)
    /// To be run at the keeper, for a reason that people may read.
    case home(String)
    /// Two helpers were lost with it: it may be the file that ends them.
    case suspect
  }

  private struct Entry: Sendable {
    var build: String
    var since: Int
    /// The last sign of whoever works on it.
    var sign: Int
    /// Lives of helpers that took it.
    var takers: [String] = []
    var signs = 0
    var end: @Sendable (Verdict) -> Void
    var progress: (@Sendable (Int, Int, String) -> Void)?
    var placed: (@Sendable (String) -> Void)?
    /// Milliseconds that the step may take at all.
    var timeout: Int
  }

  private var out: [String: Entry] = [:]
  /// By helper: how much nonsense it has answered.
  private var nonsense: [String: Int] = [:]
  /// Answers that nobody waits for, and messages that are none.
  private(set) var dropped = 0
  /// How long a helper may give no sign, in milliseconds.
  let patience: Int

  /// After so much nonsense a helper gets nothing from this keeper.
  private static let mostNonsense = 3

  init(patience: Int) { self.patience = patience }

  var count: Int { out.count }

  mutating func add(
    _ order: String, build: String, timeout: Int, at now: Int,
    progress: (@Sendable (Int, Int, String) -> Void)? = nil,
    placed: (@Sendable (String) -> Void)? = nil, end: @escaping @Sendable (Verdict) -> Void
  ) {
    out[order] = Entry(
      build: build, since: now, sign: now, end: end, progress: progress, placed: placed,
      timeout: timeout)
  }

  /// - Returns: what to do once the book is no longer held.
  mutating func heard(_ sign: Sign, at now: Int) -> (() -> Void)? {
    guard var entry = out[sign.order] else { return nil }
    if isShunned(sign.helper) {
      return end(sign.order, .home("the helper \(sign.helper) gets no more work"))
    }
    let isFirst = entry.takers.isEmpty
    if !entry.takers.contains(sign.life) { entry.takers.append(sign.life) }
    entry.signs += 1
    // The broker gives an order to two.
    guard entry.takers.count <= FleetLimits.lives,
      entry.signs <= FleetLimits.signs + (now - entry.since) / 1000 * FleetLimits.signsPerSecond
    else { return unreadable(sign.order, of: sign.helper) }
    entry.sign = now
    out[sign.order] = entry
    return { [entry] in
      if isFirst { entry.placed?(sign.helper) }
      if let progress = sign.progress {
        entry.progress?(progress.done, progress.total, progress.unit)
      }
    }
  }

  mutating func heard(_ answer: TravelingAnswer, at now: Int) -> (() -> Void)? {
    guard out[answer.order] != nil, !isShunned(answer.helper) else {
      dropped += 1
      return nil
    }
    return end(answer.order, .answered(answer))
  }

  mutating func drop() { dropped += 1 }

  /// A helper has answered what cannot be.
  mutating func heardNonsense(of helper: String) {
    guard nonsense[helper] != nil || nonsense.count < FleetLimits.counted else { return }
    nonsense[helper, default: 0] += 1
  }

  /// A helper has said of an order what cannot be read: nobody waits for it any longer.
  mutating func unreadable(_ order: String, of helper: String) -> (() -> Void)? {
    guard out[order] != nil else { return nil }
    heardNonsense(of: helper)
    return end(order, .home("what \(helper) said of it makes no sense"))
  }

  /// Gives a helper nothing more.
  mutating func shun(_ helper: String) {
    guard nonsense[helper] != nil || nonsense.count < FleetLimits.counted else { return }
    nonsense[helper] = Self.mostNonsense
  }

  func isShunned(_ helper: String) -> Bool { nonsense[helper, default: 0] >= Self.mostNonsense }
  var shunned: [String] { nonsense.keys.filter(isShunned).sorted() }

  /// It could not be sent, or is not wanted any longer.
  mutating func end(_ order: String, _ verdict: Verdict) -> (() -> Void)? {
    guard let entry = out.removeValue(forKey: order) else { return nil }
    return { entry.end(verdict) }
  }

  /// The broker has lost its orders: those that nobody has taken come home at once.
  mutating func lost() -> [() -> Void] {
    out.filter(\.value.takers.isEmpty).keys.compactMap {
      end($0, .home("the broker was started anew"))
    }
  }

  mutating func endAll(_ verdict: Verdict) -> [() -> Void] {
    out.keys.compactMap { end($0, verdict) }
  }

  /// Ends what has waited too long.
  ///
  /// - Parameters:
  ///   - isConnected: whether the broker is there.
  ///   - canDo: whether a helper is there for a build.
  mutating func turn(
    at now: Int, isConnected: Bool = true, canDo: (String) -> Bool
  ) -> [() -> Void] {
    out.compactMap { order, entry in
      verdict(entry, at: now, isConnected, canDo).map { (order, $0) }
    }
    .compactMap { end($0, $1) }
  }

  private func verdict(
    _ entry: Entry, at now: Int, _ isConnected: Bool, _ canDo: (String) -> Bool
  ) -> Verdict? {
    let silent = now - entry.sign
    if !isConnected { return silent > patience ? .home("the broker is away") : nil }
    if entry.takers.isEmpty {
      if silent > patience * 4 { return .home("no helper took it") }
      // A broker or a helper that is away for a moment comes back.
      return silent > patience / 2 && !canDo(entry.build) ? .home("no helper is there") : nil
    }
    // After its patience the broker gives it to the next helper, which tells.
    if silent > patience * 3 / 2, entry.takers.count > 1 { return .suspect }
    if silent > patience * 2 { return .home("its helper fell silent") }
    let (bound, isEndless) = entry.timeout.addingReportingOverflow(patience * 4)
    return !isEndless && now - entry.since > bound + entry.timeout
      ? .home("it took longer than it may") : nil
  }
}
