internal import GRDB
internal import Glibc
internal import PluginKit

/// The guide as it is kept: channels, what programmes are, when they run, and the words to search them.
///
/// A programme that runs more than once, or on several channels, is one *work* with several showings.
/// So the words of a repeat, or of the same file a day later, are not put into the index again.
final class GuideStore {
  private let queue: DatabaseQueue

  private init(_ queue: DatabaseQueue) { self.queue = queue }

  /// Opens the guide for writing, makes it where there is none, and brings an older one up to date.
  static func open(folder: String) throws(PluginFailure) -> GuideStore {
    try StoreFailure.told {
      let migrations = GuideMigrations.all, queue = try queue(folder)
      try queue.writeWithoutTransaction { database in
        // Those who look at the guide go on while a file is loaded, and what a step said to have done
        // survives a power cut.
        try database.execute(
          sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -24000")
        guard try !migrations.hasBeenSuperseded(database) else {
          throw StoreFailure.unknown("it was made by a newer version of this plugin")
        }
      }
      try migrations.migrate(queue)
      let store = GuideStore(queue)
      if try store.number("SELECT value FROM setting WHERE name = 'words'") != WordFolding.version {
        try store.write { try WordIndex($0).makeAnew($0) }
      }
      return store
    }
  }

  /// Opens the guide for looking. Nil where there is none.
  static func reading(folder: String) throws(PluginFailure) -> GuideStore? {
    guard unsafe access("\(folder)/guide.sqlite", F_OK) == 0 else { return nil }
    let store = GuideStore(try StoreFailure.told { try queue(folder, readOnly: true) })
    let tables = try store.number(
      "SELECT sum(name = 'showing') + 2 * sum(name = 'words') FROM sqlite_schema")
    // One of the layout before.
    if tables == 1 { return try open(folder: folder) }
    return tables == 0 ? nil : store
  }

  /// Not by SQLiteFiles, whose calls a sealed step may not make: its folder is closed to others anyway.
  private static func queue(_ folder: String, readOnly: Bool = false) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.label = "guide"
    configuration.readonly = readOnly
    // A large file takes its time, and another may wait for it.
    configuration.busyMode = .timeout(60)
    return try DatabaseQueue(path: "\(folder)/guide.sqlite", configuration: configuration)
  }

  func read<Result>(_ work: (Database) throws -> Result) throws(PluginFailure) -> Result {
    try StoreFailure.told { try queue.read(work) }
  }

  /// Runs a change; all of it stands, or nothing.
  func write<Result>(_ change: (Database) throws -> Result) throws(PluginFailure) -> Result {
    try StoreFailure.told { try queue.write(change) }
  }

  /// The first number that a query gives; 0 where it gives none.
  func number(_ sql: String) throws(PluginFailure) -> Int64 {
    try read { try Int64.fetchOne($0, sql: sql) ?? 0 }
  }
}

enum GuideMigrations {
  static var all: DatabaseMigrator {
    var migrations = DatabaseMigrator()
    // The tables of guides that were made before migrations were counted, too.
    migrations.registerMigration("tables") { try $0.execute(sql: tables) }
    migrations.registerMigration("words by FTS5") { database in
      try database.execute(
        sql: """
          DROP TABLE IF EXISTS posting;
          DROP TABLE IF EXISTS batch;
          DELETE FROM setting WHERE name IN ('lastWork', 'words');
          \(WordIndex.table)
          PRAGMA user_version = 2;
          """)
    }
    migrations.registerMigration("told") { database in
      try database.execute(
        sql: """
          CREATE TABLE told(
            channel INTEGER NOT NULL, start INTEGER NOT NULL, title TEXT NOT NULL, job TEXT NOT NULL,
            PRIMARY KEY(channel, title, start)) WITHOUT ROWID;
          CREATE INDEX told_by_start ON told(start);
          """)
    }
    // When a channel was described last.
    migrations.registerMigration("described") { database in
      try database.execute(
        sql: "ALTER TABLE channel ADD COLUMN described INTEGER NOT NULL DEFAULT 0")
    }
    return migrations
  }

  private static let tables = """
    CREATE TABLE IF NOT EXISTS setting(name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS channel(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT NOT NULL, names TEXT NOT NULL,
      icon TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS work(
      id INTEGER PRIMARY KEY, key INTEGER NOT NULL, title TEXT NOT NULL, subtitle TEXT NOT NULL,
      about TEXT NOT NULL, people TEXT NOT NULL, categories TEXT NOT NULL, others TEXT NOT NULL,
      details TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS showing(
      channel INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL,
      work INTEGER NOT NULL, marks INTEGER NOT NULL, PRIMARY KEY(channel, start)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS showing_of_work ON showing(work);
    CREATE TABLE IF NOT EXISTS loading(
      id INTEGER PRIMARY KEY, time INTEGER NOT NULL, name TEXT NOT NULL, programmes INTEGER NOT NULL);
    INSERT OR IGNORE INTO setting VALUES('salt', random());
    """
}

extension Work {
  static let columns = "id, title, subtitle, about, people, categories, others, details"

  /// The work of a row with ``columns``.
  init(_ row: Row) {
    func text(_ column: Int) -> [UInt8] { Array((row[column] as String).utf8) }
    self.init(
      title: text(1), subtitle: text(2), about: text(3), people: text(4), categories: text(5),
      otherTitles: text(6), details: text(7))
  }

  /// In the order of the columns.
  var texts: [String] {
    [title, subtitle, about, people, categories, otherTitles, details].map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
