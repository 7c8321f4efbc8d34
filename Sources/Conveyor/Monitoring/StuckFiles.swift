internal import Files
internal import Intake
internal import SystemPackage

/// What stays in the inbox until somebody does something about it, and since when.
struct StuckFiles: Sendable {
  /// Whoever puts a file there may mend its rights a moment later.
  static let patience = Duration.seconds(30)

  private(set) var reasons: [FilePath: WaitReason] = [:]
  private var since: [FilePath: ContinuousClock.Instant] = [:]
  /// Those that somebody was told of.
  private var told: [FilePath: WaitReason] = [:]

  /// Takes what was found at a look.
  ///
  /// - Returns: those that were not so before, by path.
  mutating func note(
    _ found: [FilePath: WaitReason], at now: ContinuousClock.Instant
  ) -> [(path: FilePath, reason: WaitReason)] {
    defer {
      since = found.reduce(into: [:]) { $0[$1.key] = since[$1.key] ?? now }
      reasons = found
    }
    return found.filter { reasons[$0.key] != $0.value }
      .sorted { $0.key.string < $1.key.string }.map { ($0.key, $0.value) }
  }

  /// What should have been taken by now, one sentence; nil where nothing should.
  ///
  /// - Parameter inbox: where it lies.
  func overdue(at now: ContinuousClock.Instant, in inbox: FilePath) -> String? {
    let late = late(at: now)
    guard let first = Self.groups(late).first else { return nil }
    let others = late.count - first.count
    return first.sentence(in: inbox) + (others == 0 ? "" : "; and \(others) more, see procd status")
  }

  /// How many files that is so of.
  func overdueCount(at now: ContinuousClock.Instant) -> Int { late(at: now).count }

  /// The same that this was not asked for before.
  mutating func newlyOverdue(at now: ContinuousClock.Instant) -> [Staying] {
    let late = late(at: now)
    defer { told = late }
    return Self.groups(late.filter { told[$0.key] != $0.value })
  }

  private func late(at now: ContinuousClock.Instant) -> [FilePath: WaitReason] {
    reasons.filter { path, reason in
      !reason.isNoInput && since[path].map { now - $0 >= Self.patience } == true
    }
  }

  private static func groups(_ files: [FilePath: WaitReason]) -> [Staying] {
    let sorted = files.sorted { $0.key.string < $1.key.string }
    return Staying.groups(sorted.map { (path: $0.key, reason: $0.value) })
  }
}
