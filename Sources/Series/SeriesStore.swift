internal import FoundationEssentials
internal import GRDB
package import SystemPackage

/// The editions of all lists, the numbers that are followed, and what there is to tell of them.
///
/// SQLite in WAL mode with `synchronous = FULL`. An edition is known by the job that read it: recording
/// the same job again changes nothing and gives the same answer.
package final class SeriesStore: Sendable {
  let database: DatabaseQueue

  /// Opens or makes the store, and brings an older one up to date.
  package init(path: FilePath) throws(SeriesError) {
    do {
      var configuration = GRDB.Configuration()
      configuration.label = "procd lists"
      configuration.busyMode = .timeout(10)
      database = try DatabaseQueue(path: path.string, configuration: configuration)
      try database.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        try database.execute(sql: "PRAGMA synchronous = FULL")
      }
      try SeriesMigrations.all.migrate(database)
    } catch { throw SeriesError(error) }
  }

  /// Opens the store for questions, also while a daemon runs. Nil where there is none yet.
  package static func reading(path: FilePath) throws(SeriesError) -> SeriesReader? {
    guard FileManager.default.fileExists(atPath: path.string) else { return nil }
    do {
      var configuration = GRDB.Configuration()
      configuration.readonly = true
      configuration.busyMode = .timeout(5)
      return SeriesReader(try DatabaseQueue(path: path.string, configuration: configuration))
    } catch { throw SeriesError(error) }
  }

  package var reader: SeriesReader { SeriesReader(database) }

  func write<Value>(_ change: (Database) throws -> Value) throws(SeriesError) -> Value {
    do { return try database.write(change) } catch { throw SeriesError(error) }
  }
}
