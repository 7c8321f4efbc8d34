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
    /// Name and address of the sender, as far as its steps found them.
    package var sender: String?
    /// Milliseconds since 1970.
    package var finished: Int64
    /// The text of each page; of a text without pages its pieces.
    package var pages: [String]
    /// Whether the numbers of its pages are those of a document.
    package var isPaged: Bool

    package init(
      job: String, path: String, pipeline: String?, outcome: String, sender: String? = nil,
      finished: Int64, pages: [String], isPaged: Bool
    ) {
      (self.job, self.path, self.pipeline) = (job, path, pipeline)
      (self.outcome, self.sender, self.finished) = (outcome, sender, finished)
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
    migrator.registerMigration("2 places and senders") { database in
      // Emptied, because only the ledger has them: whatever is missing is put in again.
      try database.execute(
        sql: """
          DELETE FROM words;
          DELETE FROM document;
          -- The rule and the folders in lowercase: /letters/, a line's end, /post/2026/
          ALTER TABLE document ADD COLUMN places TEXT NOT NULL DEFAULT '/';
          -- rowid: document
          CREATE VIRTUAL TABLE sender USING fts5(
            text, tokenize = 'unicode61 remove_diacritics 2');
          -- What the tokenizer makes of the words that may be mistyped. None is ever removed: whether a word is found
          -- is asked of the texts.
          CREATE TABLE word (text TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
          """)
    }
    return migrator
  }

  /// Puts documents in, in one commit; what is there of the same jobs is replaced.
  package func put(_ documents: [Document]) throws(FindError) {
    try write { database in
      var vocabulary = try Vocabulary(database)
      for document in documents {
        try Self.remove(document.job, database)
        try database.execute(
          sql: """
            INSERT INTO document (job, path, pipeline, outcome, finished, pages, places)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            document.job, document.path, document.pipeline, document.outcome, document.finished,
            document.isPaged ? document.pages.count : 0,
            FindCondition.places(rule: document.pipeline, path: document.path),
          ])
        let id = database.lastInsertedRowID, base = id << Self.pageBits
        if let sender = document.sender {
          try database.execute(
            sql: "INSERT INTO sender (rowid, text) VALUES (?, ?)",
            arguments: [id, FindText.kept(sender[...])])
        }
        let insert = try database.cachedStatement(
          sql: "INSERT INTO words (rowid, text) VALUES (?, ?)")
        func index(_ text: String, at row: Int64) throws {
          try insert.execute(arguments: [row, text])
          try vocabulary.add(text)
        }
        try index(FindText.kept(document.path[...]), at: base)
        for (number, page) in document.pages.prefix(Self.mostPages).enumerated() {
          let text = FindText.kept(page[...])
          guard text.unicodeScalars.contains(where: FindText.isWord) else { continue }
          try index(text, at: base + Int64(number) + 1)
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
    try database.execute(sql: "DELETE FROM sender WHERE rowid = ?", arguments: [id])
    try database.execute(sql: "DELETE FROM document WHERE id = ?", arguments: [id])
  }

  private func write(_ change: (Database) throws -> Void) throws(FindError) {
    do { try database.write(change) } catch { throw FindError(error) }
  }
}
