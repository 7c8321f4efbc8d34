internal import GRDB
package import Pipelines

/// Which jobs a list is of.
package struct JobFilter: Sendable, Equatable {
  package var outcome: Report.Outcome?
  package var pipeline: String?
  /// A part of the path, as typed; ASCII case does not matter.
  package var name: String?

  package init(outcome: Report.Outcome? = nil, pipeline: String? = nil, name: String? = nil) {
    (self.outcome, self.pipeline, self.name) = (outcome, pipeline, name)
  }

  fileprivate var condition: String {
    [
      "+state = 'done'", outcome.map { _ in "outcome = :outcome" },
      pipeline.map { _ in "pipeline = :pipeline" },
      name.map { _ in "instr(lower(CAST(path AS TEXT)), :name) > 0" },
    ].compactMap(\.self).joined(separator: " AND ")
  }

  fileprivate var arguments: StatementArguments {
    var arguments: [String: (any DatabaseValueConvertible)?] = [:]
    if let outcome { arguments["outcome"] = outcome.rawValue }
    if let pipeline { arguments["pipeline"] = pipeline }
    if let name { arguments["name"] = name.lowercased() }
    return StatementArguments(arguments)
  }
}

extension LedgerReader {
  /// Finished jobs, the newest first.
  package func finished(
    _ filter: JobFilter, offset: Int, limit: Int
  ) throws(LedgerError) -> [JobRow] {
    try read { database in
      var arguments = filter.arguments
      arguments += ["offset": offset, "limit": limit]
      // The identifiers alone come by the index of times, however far back the part wanted lies.
      return try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM job WHERE id IN (SELECT id FROM job WHERE \(filter.condition)
            ORDER BY finished DESC, id DESC LIMIT :limit OFFSET :offset)
          ORDER BY finished DESC, id DESC
          """, arguments: arguments
      ).map(JobRow.init)
    }
  }

  /// How many finished jobs there are of a kind. Reads the whole table.
  package func count(_ filter: JobFilter) throws(LedgerError) -> Int {
    try read { database in
      try Int.fetchOne(
        database, sql: "SELECT count(*) FROM job WHERE \(filter.condition)",
        arguments: filter.arguments) ?? 0
    }
  }

  /// Finished jobs in the order of their identifiers, some at a time, for who goes through all.
  package func finishedIdentifiers(
    after job: String?, limit: Int = 1000
  ) throws(LedgerError) -> [(id: String, isLetGo: Bool)] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT id, letGo IS NOT NULL AS isLetGo FROM job
          WHERE id > ? AND +state = 'done' ORDER BY id LIMIT ?
          """, arguments: [job ?? "", limit]
      ).map { ($0["id"], $0["isLetGo"]) }
    }
  }
}
