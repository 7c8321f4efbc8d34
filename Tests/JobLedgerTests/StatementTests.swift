import SystemPackage
import TestSupport
import Testing

@testable import JobLedger

/// A ledger is kept for years: what runs for each file or at each start must not look through all of it.
@Suite struct StatementTests {
  @Test(arguments: LedgerStatements.all)
  func `no statement goes through all that was ever processed`(statement: String) throws {
    let folder = TemporaryFolder()
    let ledger = try Ledger(path: folder("ledger.sqlite"))
    withExtendedLifetime(ledger) {}
    let python = try #require(Programs.find("python3"), "python3 has SQLite's library")
    let asked = try Programs.run(
      python,
      [
        "-c",
        """
        import re, sqlite3, sys
        names = set(re.findall(":([a-z]+)", sys.argv[2]))
        values = dict.fromkeys(names, "0") if names else [0] * sys.argv[2].count("?")
        plan = sqlite3.connect(sys.argv[1]).execute("EXPLAIN QUERY PLAN " + sys.argv[2], values)
        print("\\n".join(row[3] for row in plan))
        """, folder("ledger.sqlite").string, statement,
      ])
    let plan = asked.output.split(separator: "\n")
    #expect(!plan.isEmpty, "\(asked.errors)")
    // Whole indexes are gone through only where they hold what is in work.
    for line in plan where line.hasPrefix("SCAN") && line != "SCAN CONSTANT ROW" {
      #expect(
        line.contains("InWork") || line.contains("nameByJob"), "\(statement)\n\(asked.output)")
    }
    #expect(!asked.output.contains("jobByState (state=?)") || statement.contains("'claimed'"))
  }
}
