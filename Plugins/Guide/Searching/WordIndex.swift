internal import GRDB
internal import PluginKit

/// Where a word stands in a work: a column of the index.
enum WordPlace: String, CaseIterable {
  case title, subtitle, names, about

  /// What a word that is found there is worth.
  var score: Int {
    switch self {
    case .title: 100
    case .subtitle: 50
    case .names: 40
    case .about: 20
    }
  }
}

/// The full-text index, by FTS5 of SQLite.
///
/// It is given folded words (``WordFolding``), as none of its tokenizers knows the endings of more than one
/// language, and keeps no copy of them: to take a work out it is told the same words again.
struct WordIndex {
  static let table = """
    CREATE VIRTUAL TABLE words USING fts5(
      title, subtitle, names, about, content = '', columnsize = 0,
      tokenize = "unicode61 remove_diacritics 2");
    """

  private let insert: Statement
  private let delete: Statement

  init(_ database: Database) throws {
    insert = try database.makeStatement(
      sql: "INSERT INTO words(rowid, title, subtitle, names, about) VALUES(?, ?, ?, ?, ?)")
    delete = try database.makeStatement(
      sql: "INSERT INTO words(words, rowid, title, subtitle, names, about)"
        + " VALUES('delete', ?, ?, ?, ?, ?)")
  }

  func add(_ id: Int64, _ work: borrowing Work) throws {
    try insert.execute(arguments: Self.row(id, work))
  }

  func remove(_ id: Int64, _ work: borrowing Work) throws {
    try delete.execute(arguments: Self.row(id, work))
  }

  private static func row(_ id: Int64, _ work: borrowing Work) -> StatementArguments {
    [
      id, folded(work.title, work.otherTitles), folded(work.subtitle),
      folded(work.people, work.categories), folded(work.about),
    ]
  }

  private static func folded(_ texts: [UInt8]...) -> String {
    var words: [UInt8] = []
    for text in texts { WordFolding.append(text.span, to: &words) }
    return String(decoding: words, as: UTF8.self)
  }

  /// Makes the index of all works anew.
  func makeAnew(_ database: Database) throws {
    try database.execute(sql: "INSERT INTO words(words) VALUES('delete-all')")
    let rows = try Row.fetchCursor(database, sql: "SELECT \(Work.columns) FROM work")
    while let row = try rows.next() { try add(row[0], Work(row)) }
    try database.execute(
      sql: "INSERT OR REPLACE INTO setting VALUES('words', ?)", arguments: [WordFolding.version])
  }

  /// The works that have words one behind another in a place, in the order of their numbers.
  static func works(
    having words: [[UInt8]], in place: WordPlace, _ database: Database
  ) throws -> some Cursor<Int64> {
    let phrase = String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self)
    return try Int64.fetchCursor(
      database, sql: "SELECT rowid FROM words WHERE words MATCH ?",
      arguments: ["\(place.rawValue) : \"\(phrase)\""])
  }
}
