import Conveyor
import Files
import Glibc
import JobLedger
import Pipelines
import PluginKit
import SystemPackage

/// Figures over time, and the rules with what they took.
extension PageAnswers {
  private static let day: Int64 = 86_400_000

  func figures(_ head: JSON) throws -> JSON {
    let span = head["span"]?.stringValue ?? "day"
    // What is long ago changes no more, so longer spans may be told for longer.
    return try remembered("figures \(span)", for: span == "day" ? 3000 : 30_000) {
      try figures(over: span)
    }
  }

  private func figures(over span: String) throws -> JSON {
    let (bucket, count): (Int64, Int64) =
      switch span {
      case "week": (4 * 3_600_000, 42)
      case "year": (7 * Self.day, 52)
      default: (3_600_000, 24)
      }
    let now = wallTime(), end = (now / bucket + 1) * bucket, begin = end - bucket * count
    let ledger = try ledger()
    let figures = try ledger?.figures(from: begin, until: end, span: bucket) ?? [:]
    let points = (0..<Int(count)).map { place -> JSON in
      let figure = figures[place] ?? Figures()
      let ways = figure.ways.sorted()
      return [
        "time": .string(timestamp(begin + Int64(place) * bucket)), "done": .integer(figure.done),
        "quarantined": .integer(figure.quarantined), "duplicates": .integer(figure.duplicates),
        "pages": .integer(figure.pages), "stepSeconds": .number(Double(figure.stepTime) / 1000),
        "waitSeconds": ways.isEmpty ? nil : .number(Double(ways[ways.count / 2]) / 1000),
      ]
    }
    let codes = try ledger?.counts(by: .errorCode, since: begin) ?? []
    let pipelines = try ledger?.counts(by: .pipeline, since: begin) ?? []
    return [
      "span": .string(span), "bucketSeconds": .integer(Int(bucket / 1000)),
      "from": .string(timestamp(begin)), "to": .string(timestamp(now)),
      "points": .array(points),
      "codes": .array(codes.map { ["code": .string($0.name), "count": .integer($0.count)] }),
      "pipelines": .array(
        pipelines.map { ["id": .string($0.name), "count": .integer($0.count)] }),
      "places": .array(places()),
      "queue": .integer(try ledger?.unfinishedCount() ?? 0),
    ]
  }

  /// The room on the disks of the folders.
  private func places() -> [JSON] {
    let active = active
    let folders =
      [("inbox", active.inbox)] + Place.allCases.map { ($0.rawValue, active.folder($0)) }
      + [("spool", active.spool)]
    return folders.compactMap { name, path -> JSON? in
      var room = statvfs()
      let result = unsafe path.withPlatformString { unsafe statvfs($0, &room) }
      guard result == 0 else { return nil }
      let block = Int(room.f_frsize)
      return [
        "name": .string(name), "path": .string(path.printable),
        "disk": .string(String(room.f_fsid, radix: 16)),
        "free": .integer(block * Int(room.f_bavail)), "total": .integer(block * Int(room.f_blocks)),
      ]
    }
  }

  // MARK: - Rules

  func rules() throws -> JSON {
    let active = active, now = wallTime(), ledger = try ledger()
    let loaded = try? options.read()
    func counts(_ time: Int64) throws -> [String: Int] {
      Dictionary(
        (try ledger?.counts(by: .pipeline, since: time) ?? []).map { ($0.name, $0.count) },
        uniquingKeysWith: +)
    }
    let today = try counts(now - Self.day), week = try counts(now - 7 * Self.day)
    let all = try ledger?.outcomes() ?? []
    let written = try? JSONReader.read(active.text).value
    let rules = active.configuration.pipelines.map { pipeline -> JSON in
      let text = written?["pipelines"]?.arrayValue?.first {
        $0["id"]?.stringValue == pipeline.id
      }
      let total = all.filter { $0.key.pipeline == pipeline.id }
      return [
        "id": .string(pipeline.id), "about": text?["about"],
        "conditions": .array(Self.conditions(pipeline.match).map { .string($0) }),
        "steps": .array(
          pipeline.steps.map { step in
            [
              "id": .string(step.id), "use": .string(step.use),
              "if": step.condition.map { .string($0.description) },
            ]
          }),
        "emit": text?["emit"] ?? .array([]), "to": text?["to"],
        "day": .integer(today[pipeline.id] ?? 0), "week": .integer(week[pipeline.id] ?? 0),
        "all": .integer(total.reduce(0) { $0 + $1.number }),
        "last": total.map(\.last).max().map { .string(timestamp($0)) },
      ]
    }
    let problems = loaded.map { $0.file.complaints.isEmpty ? nil : $0.file.rendered() } ?? nil
    return [
      "file": .string(configuration.printable), "problems": problems.map { .string($0) },
      "text": .string(String(decoding: loaded?.file.text ?? active.text, as: UTF8.self)),
      "rules": .array(rules),
    ]
  }

  /// The conditions of a rule in words; all of them have to hold.
  private static func conditions(_ match: Match) -> [String] {
    if case .all(let parts) = match {
      return parts.isEmpty ? ["every file"] : parts.map(words)
    }
    return [words(match)]
  }

  private static func words(_ match: Match) -> String {
    func either(_ words: [String]) -> String { words.joined(separator: " or ") }
    switch match {
    case .mime(let patterns): return "type is \(either(patterns))"
    case .name(let patterns, _): return "name is \(either(patterns))"
    case .path(let patterns, _): return "path is \(either(patterns))"
    case .size(let least, let most):
      return [least.map { "\($0) bytes or more" }, most.map { "at most \($0) bytes" }]
        .compactMap(\.self).joined(separator: " and ")
    case .modified(let wanted):
      return
        [
          wanted.from.map { "changed since \($0)" }, wanted.until.map { "changed until \($0)" },
          wanted.olderThan.map { "changed more than \(hours($0)) ago" },
          wanted.newerThan.map { "changed less than \(hours($0)) ago" },
        ].compactMap(\.self).joined(separator: " and ")
    case .text(let question):
      let lines = question.lines > 1 ? "\(question.lines) lines" : "a line"
      return "\(lines) on page \(question.pages.description) match \(question.regex)"
    case .any(let parts): return either(parts.map(words))
    case .all(let parts): return parts.map(words).joined(separator: " and ")
    case .not(let part): return "not: \(words(part))"
    }
  }

  private static func hours(_ milliseconds: Int) -> String {
    let hours = Double(milliseconds) / 3_600_000
    return hours >= 48 ? "\(Int(hours / 24)) days" : "\(hours.rounded()) hours"
  }
}
