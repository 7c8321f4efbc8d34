public import SystemPackage

/// The steps in which SQLite would answer a statement, by EXPLAIN QUERY PLAN.
///
/// - Throws: ``NoQueryPlan`` if `python3`, whose library is asked, is missing, or if SQLite refuses the statement.
public func queryPlan(of statement: String, in file: FilePath) throws -> [String] {
  guard let python = Programs.find("python3") else {
    throw NoQueryPlan(reason: "python3 has SQLite's library and is not installed")
  }
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
      """, file.string, statement,
    ])
  guard !asked.output.isEmpty else { throw NoQueryPlan(reason: asked.errors) }
  return asked.output.split(separator: "\n").map(String.init)
}

/// Why there is no plan.
public struct NoQueryPlan: Error {
  /// A sentence, or the lines that Python printed.
  public let reason: String
}
