import Foundation
import GRDB
import Pipelines
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import JobLedger

/// What the ledger keeps so that nobody has to go through all jobs.
@Suite struct GrowthTests {
  private let place = TemporaryFolder()
  private var path: FilePath { place("ledger.sqlite") }

  private func end(
    _ ledger: Ledger, _ job: String, _ outcome: Report.Outcome, at time: Int64, pages: Int? = nil,
    error: PluginFailure? = nil
  ) async throws {
    let arrival = Arrival(
      path: FilePath("in/\(job).pdf"), device: 1, inode: 2, size: 3, modifiedSeconds: 4,
      modifiedNanoseconds: 5, arrived: time - 10, completeness: .lease)
    try await ledger.record(job: job, arrival)
    try await ledger.routed(job: job, mime: "m", pipeline: "rule", hash: nil)
    try await ledger.publishing(
      job: job, outcome: outcome, publication: ["original": ["place": "archive", "path": "o"]],
      report: ["steps": .array([["facts": ["pages": pages.map { .integer($0) }]]])])
    try await ledger.done(job: job, outcome: outcome, error: error, original: "/o", at: time)
  }

  private func numbers(_ ledger: Ledger) throws -> [String: Int] {
    Dictionary(
      uniqueKeysWithValues: try ledger.reader.outcomes().map {
        ("\($0.key.pipeline) \($0.key.outcome)", $0.number)
      })
  }

  @Test func `jobs are counted as they end, once each`() async throws {
    let ledger = try Ledger(path: path)
    try await end(ledger, "a", .done, at: 100)
    try await end(ledger, "b", .done, at: 200)
    try await end(ledger, "c", .quarantined, at: 300)
    // As after a crash between the end and what follows it.
    try await ledger.done(job: "b", outcome: .done, error: nil, original: "/o", at: 250)
    #expect(try numbers(ledger) == ["rule done": 2, "rule quarantined": 1])
    #expect(try ledger.reader.count(JobFilter()) == 3)
    #expect(try ledger.reader.count(JobFilter(outcome: .done)) == 2)
    #expect(try ledger.reader.count(JobFilter(pipeline: "other")) == 0)
    #expect(try ledger.reader.count(JobFilter(name: "N/C")) == 1)
    #expect(try ledger.reader.totals().quarantined == 1)
    try await ledger.forget(job: "b")
    #expect(try numbers(ledger) == ["rule done": 1, "rule quarantined": 1])
    #expect(
      try ledger.reader.finished(JobFilter(), offset: 0, limit: 9).map(\.id) == ["c", "a"])
  }

  @Test func `figures are those of each span`() async throws {
    let ledger = try Ledger(path: path)
    try await end(ledger, "a", .done, at: 100, pages: 3)
    try await end(ledger, "b", .quarantined, at: 199, pages: 4)
    try await end(ledger, "c", .duplicate, at: 200)
    let (attempt, _) = try await ledger.startAttempt(
      job: "c", step: "s", pipeline: "rule", alone: false, at: 150)
    try await ledger.endAttempt(attempt, class: "done", code: nil, charged: false, at: 210, .now)
    let figures = try ledger.reader.figures(from: 100, until: 400, span: 100)
    #expect(Set(figures.keys) == [0, 1])
    #expect(figures[0]?.done == 1 && figures[0]?.quarantined == 1 && figures[0]?.pages == 7)
    #expect(figures[0]?.ways == [10, 10] && figures[0]?.stepTime == 0)
    #expect(figures[1]?.duplicates == 1 && figures[1]?.stepTime == 60)
    #expect(try ledger.reader.counts(by: .pipeline, since: 199).map(\.count) == [2])
    #expect(try ledger.reader.counts(by: .errorCode, since: 0).isEmpty)
  }

  @Test func `walks and lists come in their order, page by page`() async throws {
    let ledger = try Ledger(path: path)
    // Several that ended at one time.
    for number in 0..<25 {
      try await end(
        ledger, "j\(number + 10)", number % 5 == 0 ? .quarantined : .done, at: Int64(number / 3))
    }
    let all = (0..<25).map { "j\($0 + 10)" }
    var newest: [String] = [], position: LedgerReader.Position?
    repeat {
      let (rows, next) = try ledger.reader.finished(after: position, limit: 4)
      newest += rows.map(\.id)
      position = next
    } while position != nil
    #expect(newest == all.reversed())
    var oldest: [String] = []
    repeat {
      let (rows, next) = try ledger.reader.archived(
        ofRule: "rule", before: 7, after: position, limit: 4)
      oldest += rows.map(\.id)
      position = next
    } while position != nil
    let expected = (0..<21).filter { $0 % 5 != 0 }.map { "j\($0 + 10)" }
    #expect(oldest == expected)
    let quarantined = try ledger.reader.finished(
      JobFilter(outcome: .quarantined), offset: 1, limit: 2)
    #expect(quarantined.map(\.id) == ["j25", "j20"])
    #expect(try ledger.reader.recent(limit: 2).map(\.id) == ["j34", "j33"])
    #expect(try ledger.reader.newestTime() == 8)
  }

  @Test func `an earlier ledger gets its counts and lists`() throws {
    do {
      let queue = try DatabaseQueue(path: path.string)
      try LedgerMigrations.all.migrate(queue, upTo: "7 places of originals")
      try queue.write { database in
        for (job, state, outcome, pages) in [
          ("a", "done", "done", "{\"steps\":[{},{\"facts\":{\"pages\":12,\"from\":\"Ann\"}}]}"),
          ("b", "done", "quarantined", "no report"), ("c", "running", "done", "{}"),
        ] {
          try database.execute(
            sql: """
              INSERT INTO job (id, path, size, arrived, completeness, state, outcome, finished, report)
              VALUES (?, x'61', 1, 5, 'lease', ?, ?, ?, ?)
              """, arguments: [job, state, outcome, state == "done" ? 9 : nil, pages])
        }
      }
      try queue.close()
    }
    let ledger = try Ledger(path: path)
    #expect(try numbers(ledger) == [" done": 1, " quarantined": 1])
    #expect(try ledger.reader.totals().unfinished == 1)
    #expect(try ledger.reader.figures(from: 0, until: 10, span: 10)[0]?.pages == 12)
    #expect(
      try ledger.reader.finished(JobFilter(), offset: 0, limit: 9).map(\.id) == ["b", "a"])
    #expect(try ledger.reader.senders() == ["Ann"])
  }
}
