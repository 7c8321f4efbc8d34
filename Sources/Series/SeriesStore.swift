internal import GRDB
internal import SQLiteFiles
package import SystemPackage

/// The editions of all lists, the numbers that are followed, and what there is to tell of them.
///
/// An edition is known by the job that read it: recording the same job again changes nothing and gives
/// the same answer.
package final class SeriesStore: Sendable {
  let database: DatabaseQueue

  /// Opens or makes the store, and brings an older one up to date.
  package init(path: FilePath) throws(SeriesError) {
    do {
      database = try SQLiteFile.open(
        path, label: "procd lists", SeriesMigrations.all,
        as: DatabaseQueue.init(path:configuration:))
    } catch { throw SeriesError(error) }
  }

  /// Opens the store for questions, also while a daemon runs. Nil where there is none yet. One of an
  /// older version is brought up to date first, which needs the right to write to it.
  package static func reading(path: FilePath) throws(SeriesError) -> SeriesReader? {
    do {
      guard let file = try SQLiteFile.reading(path) else { return nil }
      // An older store lacks what is asked for.
      guard try file.read(SeriesMigrations.all.hasCompletedMigrations) else {
        return try SeriesStore(path: path).reader
      }
      return SeriesReader(file)
    } catch {
      throw SeriesError(error)
    }
  }

  /// Notes that what arrived at a path is still what its source has.
  ///
  /// - Returns: the lists that it is an edition of.
  package func confirm(path: String, at time: Int64) throws(SeriesError) -> [String] {
    try write { database in
      try String.fetchAll(
        database,
        sql: """
          UPDATE edition SET confirmed = max(confirmed, ?)
          WHERE id IN (SELECT edition FROM answer WHERE path = ?) RETURNING series
          """, arguments: [time, path])
    }
  }

  package var reader: SeriesReader { SeriesReader(database) }

  func write<Value>(_ change: (Database) throws -> Value) throws(SeriesError) -> Value {
    do { return try database.write(change) } catch { throw SeriesError(error) }
  }
}
