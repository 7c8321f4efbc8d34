internal import GRDB

extension Database {
  /// Makes a change by a statement that a connection compiles once and keeps: those that run for each file
  /// took a third of the ledger's time to compile.
  func perform(sql: String, arguments: StatementArguments = StatementArguments()) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
