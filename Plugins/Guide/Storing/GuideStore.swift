internal import Glibc
internal import PluginKit

/// The guide as it is kept: channels, what programmes are, when they run, and the words to search them.
///
/// A programme that runs more than once, or on several channels, is one *work* with several showings.
/// So the words of a repeat, or of the same file a day later, are not put into the index again.
final class GuideStore {
  let database: Database

  /// Opens the guide for writing, and makes it where there is none.
  static func open(folder: String) throws(PluginFailure) -> GuideStore {
    let store = GuideStore(try Database(path: "\(folder)/guide.sqlite"))
    // What a step said to have done survives a power cut.
    try store.database.execute("PRAGMA synchronous = FULL")
    try store.database.execute("PRAGMA cache_size = -24000")
    try store.prepareTables()
    if try !store.isEmpty { try store.letOthersRead() }
    return store
  }

  /// Opens the guide for looking. Nil where there is none.
  static func reading(folder: String) throws(PluginFailure) -> GuideStore? {
    let path = "\(folder)/guide.sqlite"
    guard unsafe access(path, F_OK) == 0 else { return nil }
    let store = GuideStore(try Database(path: path, readOnly: true))
    try store.database.execute("PRAGMA mmap_size = 268435456")
    guard try store.number("SELECT count(*) FROM sqlite_schema WHERE name = 'showing'") > 0 else {
      return nil
    }
    return store
  }

  var isEmpty: Bool {
    get throws(PluginFailure) {
      try number("SELECT count(*) FROM (SELECT 1 FROM work LIMIT 1)") == 0
    }
  }

  /// From now on those who look at the guide go on while a file is loaded. The first file is written without
  /// that, as nobody has anything to look at yet and all would be written twice.
  func letOthersRead() throws(PluginFailure) {
    try database.execute("PRAGMA journal_mode = WAL")
  }

  private init(_ database: Database) { self.database = database }

  /// The first number that a query gives; 0 where it gives none.
  func number(_ sql: String) throws(PluginFailure) -> Int64 {
    let statement = try database.prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }

  private func prepareTables() throws(PluginFailure) {
    let version = try number("PRAGMA user_version")
    guard version <= 1 else {
      throw StoreFailure.of(1, "it was made by a newer version of this plugin")
    }
    if version == 0 { try database.execute(Self.tables) }
    if try number("SELECT value FROM setting WHERE name = 'words'") != WordFolding.version {
      try database.transaction { () throws(PluginFailure) in try indexAnew() }
    }
  }

  static let workIndex = "CREATE INDEX IF NOT EXISTS showing_of_work ON showing(work)"

  private static let tables = """
    BEGIN IMMEDIATE;
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
    \(workIndex);
    CREATE TABLE IF NOT EXISTS loading(
      id INTEGER PRIMARY KEY, time INTEGER NOT NULL, name TEXT NOT NULL, programmes INTEGER NOT NULL);
    \(WordIndex.tables)
    INSERT OR IGNORE INTO setting VALUES('salt', random());
    INSERT OR IGNORE INTO setting VALUES('words', \(WordFolding.version));
    PRAGMA user_version = 1;
    COMMIT;
    """

  static let workColumns = "id, title, subtitle, about, people, categories, others, details"

  /// The work of a row with ``workColumns``.
  static func work(_ row: Statement) -> Work {
    Work(
      title: row.bytes(1), subtitle: row.bytes(2), about: row.bytes(3), people: row.bytes(4),
      categories: row.bytes(5), otherTitles: row.bytes(6), details: row.bytes(7))
  }

  // MARK: - Letting go

  /// Removes programmes that ended before a time, and works that nothing shows any more.
  ///
  /// - Returns: the number of programmes.
  func removeEnded(before time: Int64, alsoUnused: Bool) throws(PluginFailure) -> Int {
    let count = Int(try number("SELECT count(*) FROM showing WHERE stop < \(time)"))
    if count > 0 { try database.execute("DELETE FROM showing WHERE stop < \(time)") }
    guard count > 0 || alsoUnused else { return count }
    try database.execute(
      "DELETE FROM work WHERE NOT EXISTS (SELECT 1 FROM showing WHERE showing.work = work.id)")
    return count
  }
}
