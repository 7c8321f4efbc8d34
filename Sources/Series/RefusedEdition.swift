internal import GRDB
package import PluginKit

/// A list that came and was not kept: what its rules expect did not hold.
package struct RefusedEdition: Sendable, Equatable {
  package var series: String
  package var job: String
  /// The name of its file.
  package var name: String
  /// YYYY-MM-DD, as ``Edition/date``.
  package var date: String
  /// Milliseconds since 1970.
  package var arrived: Int64
  /// What was found and what was expected, without a full stop.
  package var reason: String

  package init(
    series: String, job: String, name: String, date: String, arrived: Int64, reason: String
  ) {
    (self.series, self.job, self.name) = (series, job, name)
    (self.date, self.arrived, self.reason) = (date, arrived, reason)
  }

  /// A sentence for people, without a full stop.
  package var sentence: String { "\(name) was refused: \(reason)" }

  package var json: JSON {
    [
      "date": .string(date), "name": .string(name),
      "arrived": .string(EditionDate.time(of: arrived)), "reason": .string(reason),
    ]
  }
}

extension SeriesStore {
  /// Notes a list that was not kept. The same job is noted once.
  package func refuse(_ refused: RefusedEdition) throws(SeriesError) {
    try write { database in
      try database.execute(
        sql: "INSERT OR IGNORE INTO refusal VALUES (?, ?, ?, ?, ?, ?)",
        arguments: [
          refused.job, refused.series, refused.name, refused.date, refused.arrived, refused.reason,
        ])
      // Only what came last is told.
      try database.execute(
        sql: """
          DELETE FROM refusal WHERE series = ?1 AND job NOT IN
            (SELECT job FROM refusal WHERE series = ?1 ORDER BY arrived DESC LIMIT 20)
          """, arguments: [refused.series])
    }
  }
}

extension SeriesReader {
  /// The lists that came after the last one that was kept and were not, the newest first.
  package func refused(of series: String) throws(SeriesError) -> [RefusedEdition] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM refusal WHERE series = ?1 AND arrived >
            coalesce((SELECT max(confirmed) FROM edition WHERE series = ?1), -1)
          ORDER BY arrived DESC, job DESC
          """, arguments: [series]
      ).map { row in
        RefusedEdition(
          series: row["series"], job: row["job"], name: row["name"], date: row["date"],
          arrived: row["arrived"], reason: row["reason"])
      }
    }
  }
}
