import Conveyor
import Files
import Logging
import Pipelines
import PlainText
import PluginKit
import SystemPackage

/// Turns what a conveyor tells into log lines, or, for a run that drains the inbox, into silence
/// when all went well.
struct EventLog: Sendable {
  enum Form: Sendable { case log, terminal, problemsOnly }
  let form: Form
  let logger: Logger
  /// Whether the run drains the inbox, and counts what it did at its end.
  var isOnce = false
  /// The live block, where the terminal can show one.
  var display: LiveDisplay?
  /// Where programs read the events, if one asked for them.
  var stream: EventStream?
  /// What the page shows of the moment.
  var board: LiveBoard?

  func tell(_ event: ConveyorEvent) {
    switch form {
    case .log: log(event)
    case .terminal: show(event)
    case .problemsOnly: showProblem(event)
    }
    display?.take(event)
    stream?.take(event)
    board?.take(event)
  }

  private func log(_ event: ConveyorEvent) {
    switch event {
    case .ready(let resumed, let polls):
      logger.info(
        "ready",
        metadata: [
          "resumed": .stringConvertible(resumed),
          "watch": "\(polls.map { $0 ? "polling" : "events" } ?? "once")",
        ])
    case .stopped(let unfinished):
      logger.info("stopped", metadata: ["unfinished": .stringConvertible(unfinished)])
    case .claimed(let job, let path):
      logger.debug("claimed", metadata: ["job": "\(job)", "path": "\(path.printable)"])
    case .working(_, let job, let path, let step):
      logger.debug(
        "working", metadata: ["job": "\(job)", "path": "\(path.printable)", "step": "\(step)"])
    case .finished(let report):
      var metadata: Logger.Metadata = [
        "job": "\(report.job)", "path": "\(report.source.path)",
        "outcome": "\(report.outcome.rawValue)",
        "ms": .stringConvertible(max(0, report.finished - report.arrived)),
      ]
      if let pipeline = report.pipeline { metadata["pipeline"] = "\(pipeline)" }
      let notes = report.steps.flatMap(\.notes)
      if !notes.isEmpty { metadata["notes"] = "\(notes.prefix(5).joined(separator: " | "))" }
      if let error = report.error {
        metadata["code"] = "\(error.code)"
        metadata["reason"] = "\(error.message)"
        logger.warning("quarantined", metadata: metadata)
      } else if report.partial {
        logger.warning("done, only part of it could be read", metadata: metadata)
      } else {
        logger.info("done", metadata: metadata)
      }
    case .waits(let job, let path, let until, let failure):
      logger.warning(
        "waits",
        metadata: [
          "job": "\(job)", "path": "\(path.printable)", "until": "\(timestamp(until))",
          "code": "\(failure.code)",
          "reason": "\(failure.message)\(failure.hint.map { "; \($0)" } ?? "")",
        ])
    case .suspected(let job, let path):
      logger.warning(
        "interrupted, perhaps because of another file; will run alone",
        metadata: ["job": "\(job)", "path": "\(path.printable)"])
    case .told(let subject, let text):
      logger.notice(
        "\(subject)", metadata: text.isEmpty ? [:] : ["text": "\(text)"])
    case .trouble(let text): logger.error("\(text)")
    case .notice(let text): logger.notice("\(text)")
    case .waiting, .placed, .progress, .rested, .left: break
    }
  }

  private func show(_ event: ConveyorEvent) {
    switch event {
    case .ready(let resumed, let polls):
      let more = resumed > 0 ? ", \(resumed) unfinished from before" : ""
      let how = polls == true ? "looking every few seconds (no reliable events here)" : "watching"
      Console.print("Ready, \(how)\(more). Stop with Ctrl-C.")
    case .stopped(let unfinished):
      guard !isOnce else { break }
      let files = unfinished == 1 ? "1 file waits" : "\(unfinished) files wait"
      Console.print("Stopped\(unfinished > 0 ? "; \(files) for the next start" : "").")
    case .finished(let report):
      let seconds = Double(max(0, report.finished - report.arrived) / 10) / 100
      let path = report.source.path
      if let error = report.error {
        Console.print("✗ \(path): \(error.message) [\(error.code)]")
        if let hint = error.hint { Console.print("    \(hint)") }
      } else {
        let results = report.artifacts.map { ArtifactReport.shown($0.path) }
          .joined(separator: ", ")
        let partial = report.partial ? " (only part of it could be read)" : ""
        Console.print("✓ \(path) → \(results)  \(seconds) s\(partial)")
        Console.complain(notes: report.steps.flatMap(\.notes), of: path, all: "its report")
      }
    default: showProblem(event)
    }
  }

  private func showProblem(_ event: ConveyorEvent) {
    switch event {
    case .finished(let report):
      if let error = report.error {
        Console.complain(
          "procd: \(report.source.path): \(error.message)"
            + " [\(error.code)]", priority: .warning)
      } else if report.partial {
        Console.complain(
          "procd: \(report.source.path): only part of it could be read; its report says"
            + " why", priority: .warning)
      } else {
        // Blank pages are left out where the rule says so.
        Console.complain(
          notes: report.steps.flatMap(\.notes).filter { !$0.hasSuffix("[ocr.blank]") },
          of: "procd: \(report.source.path)", all: "its report")
      }
    case .waits(_, let path, let until, let failure):
      Console.complain(
        "procd: \(path.printable) waits until \(timestamp(until)): \(failure.message)"
          + " [\(failure.code)]" + (failure.hint.map { "; \($0)" } ?? ""), priority: .warning)
    case .suspected(_, let path):
      Console.complain(
        "procd: \(path.printable) was interrupted, perhaps because of another file, and will run alone",
        priority: .warning)
    case .told(let subject, let text):
      let lines = [subject] + text.split(separator: "\n").map(String.init)
      Console.complain(PlainText(lines: lines.joined(separator: "\n  ")), priority: .notice)
    case .trouble(let text):
      // What is wrong with a configuration is told in several lines.
      Console.complain("procd: \(PlainText(lines: text))")
    case .notice, .ready, .stopped, .waiting, .claimed, .working, .placed, .progress, .rested,
      .left:
      break
    }
  }
}

/// Log lines on standard error, as text or as JSON.
struct LineLogHandler: LogHandler {
  enum Format: String, Sendable { case text, json }
  let format: Format
  var metadata: Logger.Metadata = [:]
  var logLevel: Logger.Level = .info

  init(format: Format) { self.format = format }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
    let time = timestamp(wallTime())
    let priority: Console.Priority =
      switch event.level {
      case .trace, .debug: .debug
      case .info: .info
      case .notice: .notice
      case .warning: .warning
      case .error: .error
      case .critical: .critical
      }
    switch format {
    case .text:
      let rest = all.map { " \($0.key)=\(quoted("\($0.value)".plain))" }.joined()
      Console.complain(
        "\(time) \(event.level.rawValue) \("\(event.message)")\(rest)", priority: priority)
    case .json:
      var members: [JSON.Member] = [
        JSON.Member("time", .string(time)), JSON.Member("level", .string(event.level.rawValue)),
        JSON.Member("message", .string("\(event.message)")),
      ]
      members += all.map { JSON.Member($0.key, json($0.value)) }
      let line = String(decoding: JSON.object(members).line, as: UTF8.self)
      writeAll(Array((Console.forJournal(line, priority) + "\n").utf8), to: 2)
    }
  }

  private func json(_ value: Logger.MetadataValue) -> JSON {
    guard case .stringConvertible(let number) = value, let number = number as? any BinaryInteger
    else {
      return .string("\(value)")
    }
    return .integer(Int(clamping: number))
  }

  private func quoted(_ text: String) -> String {
    text.contains { $0 == " " || $0 == "\"" || $0 == "=" }
      ? String(decoding: JSON.string(text).line, as: UTF8.self) : text
  }
}
