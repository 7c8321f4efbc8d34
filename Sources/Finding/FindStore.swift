package import Files
internal import GRDB
internal import SQLiteFiles
package import SystemPackage

/// The index of every text that procd made or read: SQLite's FTS5, a row for each page.
///
/// It holds nothing that is not elsewhere, and may be deleted at any time.
package final class FindStore: Sendable {
  private let database: DatabaseQueue

  /// A document as it is put in.
  package struct Document: Sendable, Equatable {
    package var job: String
    /// Where it came from, below the inbox.
    package var path: String
    package var pipeline: String?
    package var outcome: String
    /// Milliseconds since 1970.
    package var finished: Int64
    /// The text of each page; of a text without pages its pieces.
    package var pages: [String]
    /// Whether the numbers of its pages are those of a document.
    package var isPaged: Bool

    package init(
      job: String, path: String, pipeline: String?, outcome: String, finished: Int64,
      pages: [String], isPaged: Bool
    ) {
      (self.job, self.path, self.pipeline) = (job, path, pipeline)
      (self.outcome, self.finished) = (outcome, finished)
      (self.pages, self.isPaged) = (pages, isPaged)
    }
  }

  /// Opens or makes the index. One that is damaged is made anew, empty.
  package init(path: FilePath) throws(FindError) {
    do {
      do { database = try Self.open(path) } catch  where SQLiteFile.isDamaged(error) {
        try Self.remove(path)
        database = try Self.open(path)
      }
    } catch { throw FindError(error) }
  }

  private static func open(_ path: FilePath) throws -> DatabaseQueue {
    try SQLiteFile.open(
      path, label: "procd find", migrations, as: DatabaseQueue.init(path:configuration:))
  }

  /// Removes the index.
  package static func remove(_ path: FilePath) throws(FileError) {
    guard let name = path.lastComponent?.string,
      let folder = try Folder.standing(path.removingLastComponent())
    else { return }
    for ending in ["", "-wal", "-shm"] { try folder.remove(FilePath(name + ending)) }
  }

  package var reader: FindReader { FindReader(database) }

  /// A page's row is the document's number with the page's below it, so that neither needs a table.
  static let pageBits: Int64 = 20
  /// So many pages of one document are kept.
  package static let mostPages = 1 << 20 - 2

  private static var migrations: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 index") { database in
      try database.execute(
        sql: """
          CREATE TABLE document (
            id INTEGER PRIMARY KEY,
            job TEXT NOT NULL UNIQUE,
            path TEXT NOT NULL,
            pipeline TEXT,
            outcome TEXT NOT NULL,
            finished INTEGER NOT NULL,
            pages INTEGER NOT NULL         -- 0 where its text has none
          ) STRICT;
          -- rowid: document << 20 | page; page 0 is its name.
          CREATE VIRTUAL TABLE words USING fts5(
            text, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4');
          """)
    }
    return migrator
  }

  /// Puts documents in, in one commit; what is there of the same jobs is replaced.
  package func put(_ documents: [Document]) throws(FindError) {
    try write { database in
      for document in documents {
        try Self.remove(document.job, database)
        try database.execute(
          sql: """
            INSERT INTO document (job, path, pipeline, outcome, finished, pages)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            document.job, document.path, document.pipeline, document.outcome, document.finished,
            document.isPaged ? document.pages.count : 0,
          ])
        let base = database.lastInsertedRowID << Self.pageBits
        let insert = try database.cachedStatement(
          sql: "INSERT INTO words (rowid, text) VALUES (?, ?)")
        try insert.execute(arguments: [base, FindText.kept(document.path[...])])
        for (index, page) in document.pages.prefix(Self.mostPages).enumerated() {
          let text = FindText.kept(page[...])
          guard text.unicodeScalars.contains(where: FindText.isWord) else { continue }
          try insert.execute(arguments: [base + Int64(index) + 1, text])
        }
      }
    }
  }

  /// Removes what is there of these jobs.
  package func remove(jobs: [String]) throws(FindError) {
    guard !jobs.isEmpty else { return }
    try write { database in
      for job in jobs { try Self.remove(job, database) }
    }
  }

  private static func remove(_ job: String, _ database: Database) throws {
    guard
      let id = try Int64.fetchOne(
        database.cachedStatement(sql: "SELECT id FROM document WHERE job = ?"), arguments: [job])
    else { return }
    try database.execute(
      sql: "DELETE FROM words WHERE rowid >= ? AND rowid < ?",
      arguments: [id << pageBits, (id + 1) << pageBits])
    try database.execute(sql: "DELETE FROM document WHERE id = ?", arguments: [id])
  }

  private func write(_ change: (Database) throws -> Void) throws(FindError) {
    do { try database.write(change) } catch { throw FindError(error) }
  }
}
