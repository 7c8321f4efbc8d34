import Conveyor
import Files
import Pipelines
import PlainText

/// What a run does just now, as far as its events tell: who is busy with what, and the totals.
/// Knows no terminal and no clock; times are milliseconds of a clock that only goes forward.
struct LiveState: Sendable {
  /// A step that has a worker.
  struct Busy: Sendable, Equatable {
    var run: String
    var job: String
    var path: String
    var step: String
    var began: Int
    var progress: Progress?
  }

  struct Progress: Sendable, Equatable {
    var done: Int
    var total: Int
    var unit: String
  }

  /// In the order of their beginning.
  private(set) var busy: [Busy] = []
  private(set) var done = 0
  private(set) var quarantined = 0
  private var journeys: Set<String> = []
  private var unclaimed = 0
  private var pace = Pace()

  mutating func take(_ event: ConveyorEvent, at now: Int) {
    switch event {
    case .waiting(let files): unclaimed = max(0, files)
    case .claimed(let job, _): journeys.insert(job)
    case .working(let run, let job, let path, let step):
      if busy.isEmpty { pace.begins(at: now) }
      busy.append(
        Busy(
          run: run, job: job, path: path.printable.plain, step: step.plain,
          began: now))
    case .placed(let run, let machine):
      guard let index = busy.firstIndex(where: { $0.run == run }) else { return }
      busy[index].step += " @\(ShownText.cut(machine.plain, to: 20))"
    case .progress(let run, let done, let total, let unit):
      guard let index = busy.firstIndex(where: { $0.run == run }) else { return }
      busy[index].progress = Progress(
        done: done, total: total, unit: ShownText.cut(unit.plain, to: 12))
    case .rested(let run):
      busy.removeAll { $0.run == run }
      pace.rests(at: now)
    case .finished(let report):
      if report.outcome == .quarantined { quarantined += 1 } else { done += 1 }
      journeys.remove(report.job)
      pace.finished(at: now)
    case .left(let job): journeys.remove(job)
    case .ready, .stopped, .waits, .suspected, .told, .trouble, .notice: break
    }
  }

  /// Files that stand somewhere without a worker.
  var waiting: Int { unclaimed + journeys.subtracting(busy.map(\.job)).count }

  /// Files that came to their end per minute; nil while that says little.
  func perMinute(at now: Int) -> Int? { busy.isEmpty ? nil : pace.perMinute(at: now) }

  /// Counts what was finished in the last minute of work.
  private struct Pace: Sendable {
    private static let window = 60_000
    /// Less than this and one file more or less changes everything.
    private static let least = 5000
    private var began: Int?
    private var rested = 0
    /// By second, so that a fast run keeps no longer list than a slow one.
    private var counts: [(second: Int, count: Int)] = []

    mutating func begins(at now: Int) {
      if began == nil || now - rested > Self.window { began = now }
    }

    mutating func rests(at now: Int) { rested = now }

    mutating func finished(at now: Int) {
      counts.removeAll { $0.second * 1000 < now - Self.window }
      if counts.last?.second == now / 1000 {
        counts[counts.count - 1].count += 1
      } else {
        counts.append((now / 1000, 1))
      }
    }

    func perMinute(at now: Int) -> Int? {
      guard let began, now - began >= Self.least else { return nil }
      let span = min(Self.window, now - began)
      let count = counts.filter { $0.second * 1000 >= now - span - 999 }.reduce(0) { $0 + $1.count }
      return count == 0 ? nil : (count * Self.window + span / 2) / span
    }
  }
}
