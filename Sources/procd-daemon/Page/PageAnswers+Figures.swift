import Conveyor
import Files
import Glibc
import JobLedger
import Pipelines
import PluginKit
import SystemPackage

/// Figures over time.
extension PageAnswers {
  /// Milliseconds.
  static let day: Int64 = 86_400_000

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
}
