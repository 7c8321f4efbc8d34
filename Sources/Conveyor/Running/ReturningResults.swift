internal import Pipelines

/// Notices that what procd delivered comes in again, so that one file would become thousands. The same bytes
/// under the same name with the same time, at once after their delivery, and what is made of them again, and
/// again: nobody does that by hand, and who writes a file anew gives it another time. Pure.
struct ReturningResults: Sendable {
  enum Loop: Sendable { case sameName, otherNames }

  private struct Delivery: Hashable {
    var name: String
    var sha256: String
    /// Results have that of their source.
    var modified: Int64
  }

  /// Of what was delivered lately: when, and how many times in a row what it was made of had come back.
  private var lately: [Delivery: (time: Int64, turns: Int)] = [:]
  /// Whether it has been noticed; that does not pass by itself.
  private(set) var isClosed = false

  /// The same without names, for what comes back under ever another one.
  private var renamed: [Delivery: (time: Int64, names: Set<String>)] = [:]
  static let namesOfALoop = 30

  private static let soon: Int64 = 60_000
  private static let turnsOfALoop = 3
  private static let most = 10_000

  /// Takes a file whose results stand in the outbox.
  ///
  /// - Parameter now: milliseconds since 1970.
  /// - Returns: in which way results come back; nil where they do not.
  mutating func delivered(_ report: Report, at now: Int64) -> Loop? {
    let source = Delivery(
      name: Self.last(report.source.path), sha256: report.source.sha256,
      modified: report.source.modified)
    var turns = 0
    if let before = lately[source], report.arrived - before.time <= Self.soon {
      turns = before.turns + 1
    }
    if lately.count >= Self.most {
      lately = lately.filter { now - $0.value.time <= Self.soon }
      // So many in so short a time are no loop of one file.
      if lately.count >= Self.most { lately = [:] }
    }
    for artifact in report.artifacts {
      lately[
        Delivery(
          name: Self.last(artifact.path), sha256: artifact.sha256,
          modified: report.source.modified)] = (now, turns)
    }
    let isRenamed = returnsRenamed(report, source, at: now)
    let loop: Loop? = turns >= Self.turnsOfALoop ? .sameName : isRenamed ? .otherNames : nil
    isClosed = isClosed || loop != nil
    return loop
  }

  /// Whether what was delivered came in again under another name, and again, many times in a row: each after the one
  /// before had been delivered, which copies that are dropped together do not.
  private mutating func returnsRenamed(
    _ report: Report, _ source: Delivery, at now: Int64
  ) -> Bool {
    var bare = source
    bare.name = ""
    guard report.artifacts.contains(where: { $0.sha256 == source.sha256 }) else { return false }
    var names: Set<String> = []
    if let before = renamed[bare], (before.time...before.time + Self.soon).contains(report.arrived)
    {
      names = before.names
    }
    names.insert(source.name)
    if renamed.count >= Self.most { renamed = [:] }
    renamed[bare] = (now, names)
    return names.count >= Self.namesOfALoop
  }

  private static func last(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
