internal import GRDB

/// The conditions of a search beside its words, as SQL.
struct FindNarrowing {
  private var conditions: [String] = []
  private var values: [(any DatabaseValueConvertible)?] = []

  init(_ filter: FindReader.Filter, _ query: FindQuery) {
    if let pipeline = filter.pipeline { add("pipeline = ?", pipeline) }
    if let outcome = filter.outcome { add("outcome = ?", outcome) }
    if let since = filter.since { add("finished >= ?", since) }
    for condition in query.conditions {
      let not = condition.isUnwanted ? "NOT " : ""
      switch condition.kind {
      case .within(let name, let isPrefix):
        add(not + "instr(places, ?) > 0", "/" + name + (isPrefix ? "" : "/"))
      case .from(let term):
        add(
          not + "document.id IN (SELECT rowid FROM sender WHERE sender MATCH ?)",
          FindQuery.expression(term))
      case .since(let time): add(not + "finished >= ?", time)
      case .before(let time): add(not + "finished < ?", time)
      }
    }
  }

  private mutating func add(_ condition: String, _ values: any DatabaseValueConvertible...) {
    conditions.append(condition)
    self.values += values
  }

  /// Pages that match an expression of FTS5.
  ///
  /// - Parameter order: nil if any will do.
  func statement(order: String?) -> String {
    let order = order.map { "ORDER BY \($0) " } ?? ""
    return conditions.isEmpty
      ? "SELECT rowid FROM words WHERE words MATCH ? \(order)LIMIT ?"
      : """
      SELECT words.rowid FROM words CROSS JOIN document ON document.id = words.rowid >> \(FindStore.pageBits)
      WHERE words MATCH ? AND \(conditions.joined(separator: " AND ")) \(order)LIMIT ?
      """
  }

  /// Documents, the newest first.
  var statementWithoutWords: String {
    "SELECT id FROM document WHERE \(conditions.joined(separator: " AND ")) ORDER BY id DESC LIMIT ?"
  }

  func arguments(_ expression: String?, limit: Int) -> StatementArguments {
    StatementArguments((expression.map { [$0] } ?? []) + values + [limit])
  }
}
