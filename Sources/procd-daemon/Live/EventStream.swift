import Conveyor
import Files
import Pipelines
import PluginKit
import Synchronization
import SystemPackage

/// Writes what a conveyor tells to standard output, a line of JSON for each event: what the live display
/// shows, for programs (`procd run --json`).
///
/// One thread writes. A reader that is slow holds up nothing: what was only of the moment is left out for it.
final class EventStream: Sendable {
  private struct Shared {
    var lines: [[UInt8]] = []
    var ended = false
  }

  /// Lines that may wait before progress is left out.
  private static let mostWaiting = 10_000

  private let shared = Mutex(Shared())
  private let signal = ThreadSignal()
  private let gone = ThreadSignal()

  func start() throws(FileError) { try startThread { self.write() } }

  func take(_ event: ConveyorEvent) {
    let line = Self.json(event).setting("time", .string(timestamp(wallTime()))).line + [0x0A]
    shared.withLock { shared in
      if case .progress = event, shared.lines.count >= Self.mostWaiting { return }
      shared.lines.append(line)
    }
    signal.wake()
  }

  /// Writes what waits, and returns when that is done, or when nobody reads it for two seconds.
  func end() {
    let seen = gone.generation
    shared.withLock { $0.ended = true }
    signal.wake()
    _ = gone.wait(since: seen, seconds: 2)
  }

  private func write() {
    while true {
      let seen = signal.generation
      let (lines, ended) = shared.withLock { shared in
        defer { shared.lines = [] }
        return (shared.lines, shared.ended)
      }
      if !lines.isEmpty { writeAll(lines.flatMap(\.self), to: 1) }
      if ended, lines.isEmpty { break }
      if lines.isEmpty { _ = signal.wait(since: seen, seconds: nil) }
    }
    gone.wake()
  }

  static func json(_ event: ConveyorEvent) -> JSON {
    func path(_ path: FilePath) -> JSON { .string(path.printable) }
    switch event {
    case .ready(let resumed, let polls):
      return [
        "event": "ready", "resumed": .integer(resumed),
        "watch": polls.map { $0 ? "polling" : "events" },
      ]
    case .stopped(let unfinished):
      return ["event": "stopped", "unfinished": .integer(unfinished)]
    case .waiting(let files): return ["event": "waiting", "files": .integer(files)]
    case .claimed(let job, let file):
      return ["event": "claimed", "job": .string(job), "path": path(file)]
    case .working(let run, let job, let file, let step):
      return [
        "event": "working", "run": .string(run), "job": .string(job), "path": path(file),
        "step": .string(step),
      ]
    case .placed(let run, let machine):
      return ["event": "placed", "run": .string(run), "machine": .string(machine)]
    case .progress(let run, let done, let total, let unit):
      return [
        "event": "progress", "run": .string(run), "done": .integer(done),
        "total": .integer(total), "unit": .string(unit),
      ]
    case .rested(let run): return ["event": "rested", "run": .string(run)]
    case .finished(let report):
      return [
        "event": "finished", "job": .string(report.job), "path": .string(report.source.path),
        "outcome": .string(report.outcome.rawValue),
        "pipeline": report.pipeline.map { .string($0) },
        "results": .array(report.artifacts.map { .string(ArtifactReport.shown($0.path)) }),
        "partial": report.partial ? true : nil,
        "ms": .integer(Int(max(0, report.finished - report.arrived))),
        "error": report.error.map(Report.json),
      ]
    case .waits(let job, let file, let until, let failure):
      return [
        "event": "waits", "job": .string(job), "path": path(file),
        "until": .string(timestamp(until)), "error": Report.json(failure),
      ]
    case .suspected(let job, let file):
      return ["event": "suspected", "job": .string(job), "path": path(file)]
    case .left(let job): return ["event": "left", "job": .string(job)]
    case .told(let subject, let text):
      return ["event": "told", "subject": .string(subject), "text": .string(text)]
    case .trouble(let text): return ["event": "trouble", "message": .string(text)]
    case .notice(let text): return ["event": "notice", "message": .string(text)]
    }
  }
}
