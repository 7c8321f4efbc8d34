internal import Files
internal import Intake
internal import SystemPackage

/// What stays in the inbox until somebody does something about it, and since when.
struct StuckFiles: Sendable {
  /// Whoever puts a file there may mend its rights a moment later.
  static let patience = Duration.seconds(300)

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

  /// What should have been taken long ago, one sentence; nil where nothing should.
  func overdue(at now: ContinuousClock.Instant) -> String? {
    let late = reasons.filter { path, reason in
      !reason.isNoInput && since[path].map { now - $0 >= Self.patience } == true
    }
    guard let first = late.min(by: { $0.key.string < $1.key.string }) else { return nil }
    let more = late.count == 1 ? "" : "; and \(late.count - 1) more, see procd status"
    return Self.sentence(first.key, first.value) + more
  }

  static func sentence(_ path: FilePath, _ reason: WaitReason) -> String {
    "\(path.printable) stays in the inbox: it \(reason.text)"
  }
}
