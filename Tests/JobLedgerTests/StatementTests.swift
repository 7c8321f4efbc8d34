import SystemPackage
import TestSupport
import Testing

@testable import JobLedger

/// A ledger is kept for years: what runs for each file or at each start must not look through all of it.
@Suite struct StatementTests {
  @Test(arguments: LedgerStatements.all + LedgerStatements.sorting)
  func `no statement goes through all that was ever processed, or sorts it`(
    statement: String
  ) throws {
    let folder = TemporaryFolder()
    let ledger = try Ledger(path: folder("ledger.sqlite"))
    withExtendedLifetime(ledger) {}
    let plan = try queryPlan(of: statement, in: folder("ledger.sqlite"))
    let told = Comment(rawValue: "\(statement)\n\(plan.joined(separator: "\n"))")
    for line in plan where line.hasPrefix("SCAN") && line != "SCAN CONSTANT ROW" {
      // What is gone through as a whole holds what is in work, in quarantine, or one row for each rule; or it is left
      // after so many rows, which come in its order.
      let isSmall = ["InWork", "nameByJob", "Quarantined", "outcomeCount"].contains {
        line.contains($0)
      }
      #expect(isSmall || statement.contains("LIMIT"), told)
    }
    let sorts = plan.contains { $0.contains("TEMP B-TREE") }
    #expect(sorts == LedgerStatements.sorting.contains(statement), told)
  }
}
