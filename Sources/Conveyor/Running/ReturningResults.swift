internal import Pipelines

/// Notices that what procd delivered comes in again, so that one file would become thousands. The same bytes
/// under the same name with the same time, at once after their delivery, and what is made of them again, and
/// again: nobody does that by hand. Nor does anybody by chance write what was delivered under a name that procd
/// gave it. Who writes the same file anew gives it another time, and so does who copies it back, under its name or another
/// one: nobody can know which of the two it is, so that is told at first. Only where it goes on and each file comes
/// within seconds of the delivery of the one before, it is stopped too. Pure.
struct ReturningResults: Sendable {
  enum Loop: Sendable {
    case sameFile, otherNames
    /// The same content with new times: told, and stopped where it goes on quickly.
    case newTimes, quickly
    var isStopped: Bool { self != .newTimes }
  }

  private struct Delivery: Hashable {
    var name: String
    var sha256: String
  }

  private struct Turns {
    /// When it was delivered.
    var time: Int64
    /// Results have that of their source.
    var modified: Int64
    /// Whether the source had another name.
    var isNamedHere = false
    /// How many times in a row what it was made of had come back; and of them, with the time it was delivered with
    /// or a name from here.
    var all = 0
    var certain = 0
    var quick = 0
  }

  /// What was delivered lately.
  private var lately: [Delivery: Turns] = [:]
  /// Whether it has been noticed; that does not pass by itself.
  private(set) var isClosed = false

  private struct Content: Hashable {
    var sha256: String
    /// Nil for any.
    var modified: Int64?
  }

  /// The same without names, for what comes back under ever another one.
  private var renamed: [Content: (time: Int64, names: Set<String>, quick: Int)] = [:]

  private static let soon: Int64 = 60_000
  private static let atOnce: Int64 = 5000
  private static let certainTurnsOfALoop = 3
  /// The same with new times, and names of the same content.
  static let turnsOfALoop = 30
  /// The same, each at once after the one before: a producer that writes its file that often is told from a loop no more.
  static let quickTurnsOfALoop = 60
  private static let most = 10_000

  /// Takes a file whose results stand in the outbox.
  ///
  /// - Parameter now: milliseconds since 1970.
  /// - Returns: in which way results come back; nil where they do not.
  mutating func delivered(_ report: Report, at now: Int64) -> Loop? {
    let modified = report.source.modified
    var turns = Turns(time: now, modified: modified)
    let source = Delivery(name: Self.last(report.source.path), sha256: report.source.sha256)
    if let before = lately[source], report.arrived - before.time <= Self.soon {
      turns.all = before.all + 1
      turns.quick = report.arrived - before.time <= Self.atOnce ? before.quick + 1 : 0
      turns.certain = modified == before.modified || before.isNamedHere ? before.certain + 1 : 0
    }
    if lately.count >= Self.most {
      lately = lately.filter { now - $0.value.time <= Self.soon }
      // So many in so short a time are no loop of one file.
      if lately.count >= Self.most { lately = [:] }
    }
    for artifact in report.artifacts {
      let name = Self.last(artifact.path)
      turns.isNamedHere = name != source.name
      lately[Delivery(name: name, sha256: artifact.sha256)] = turns
    }
    let renamed = namesInARow(report, modified: modified, at: now).all
    let copied = namesInARow(report, modified: nil, at: now)
    let all = max(turns.all, copied.all), quick = max(turns.quick, copied.quick)
    let loop: Loop? =
      turns.certain >= Self.certainTurnsOfALoop
      ? .sameFile
      : renamed >= Self.turnsOfALoop
        ? .otherNames
        : quick >= Self.quickTurnsOfALoop ? .quickly : all >= Self.turnsOfALoop ? .newTimes : nil
    isClosed = isClosed || loop?.isStopped == true
    return loop
  }

  /// Under how many names what was delivered came in again, one after the other, and how many of them came at once:
  /// each after the one before had been delivered, which copies that are dropped together do not.
  private mutating func namesInARow(_ report: Report, modified: Int64?, at now: Int64)
    -> (all: Int, quick: Int)
  {
    let source = report.source
    let content = Content(sha256: source.sha256, modified: modified)
    guard report.artifacts.contains(where: { $0.sha256 == source.sha256 }) else { return (0, 0) }
    var names: Set<String> = [], quick = 0
    if let before = renamed[content],
      (before.time...before.time + Self.soon).contains(report.arrived)
    {
      names = before.names
      quick = report.arrived - before.time <= Self.atOnce ? before.quick + 1 : 0
    }
    if names.count < Self.quickTurnsOfALoop { names.insert(Self.last(source.path)) }
    if renamed.count >= Self.most { renamed = [:] }
    renamed[content] = (now, names, quick)
    return (names.count, min(quick, names.count))
  }

  private static func last(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
