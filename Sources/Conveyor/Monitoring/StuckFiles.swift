internal import Files
internal import Intake
internal import SystemPackage

/// What stays in the inbox until somebody does something about it, and since when.
struct StuckFiles: Sendable {
  /// Whoever puts a file there may mend its rights a moment later.
  static let patience = Duration.seconds(30)

  private(set) var reasons: [FilePath: WaitReason] = [:]
  private var since: [FilePath: ContinuousClock.Instant] = [:]

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
    let late = reasons.filter { path, reason in
      !reason.isNoInput && since[path].map { now - $0 >= Self.patience } == true
    }
    let sorted = late.sorted { $0.key.string < $1.key.string }
    let groups = Staying.groups(sorted.map { (path: $0.key, reason: $0.value) })
    guard let first = groups.first else { return nil }
    let others = late.count - first.count
    return first.sentence(in: inbox) + (others == 0 ? "" : "; and \(others) more, see procd status")
  }
}
