import Foundation
import SystemPackage
import TestSupport
import Testing

/// docs/errors.md has a row for each code that the sources write, and no other.
///
/// A code with a place to fill in, such as `folder.\(name)`, is documented as `folder.*`.
@Suite struct ErrorReferenceTests {
  /// A table of the reference.
  private struct Family {
    /// What stands above it.
    var heading: String
    /// Expressions for what stands before a code in the sources.
    var openings: [String]
    /// With fewer codes than this the expressions no longer fit the sources.
    var least: Int
  }

  private static let families = [
    Family(
      heading: "Mistakes in the configuration", openings: [#"Complaint\("#, #"[^.]complain\("#],
      least: 25),
    Family(
      heading: "What check and doctor say",
      openings: [
        #"\.(?:ok|warning|problem),"#, #"(?="env\.)"#, #"let name =(?=\s*"[a-z]+\.\\\()"#,
      ], least: 25),
    Family(
      heading: "Why a file stays in the inbox", openings: [#"case \.[a-zA-Z]+:(?= "wait\.)"#],
      least: 15),
    Family(
      heading: "Failures of files",
      openings: [#"\.(?:input|transient|options|internal|cancelled),"#, #"Self\.refused\("#],
      least: 50),
    Family(
      heading: "Failures of sources and webhooks", openings: [#"NetAnswer\.Failure\("#],
      least: 20),
    Family(
      heading: "Failures of the fleet",
      openings: [
        #"FleetFailure\("#, #"code:(?= "fleet\.)"#, #"Output\.fail\("#,
        #" \((?=\s*"fleet\.)"#,
      ], least: 15),
    Family(
      heading: "Failures of the page",
      openings: [
        #"PageRefusal\(\s*\d+,"#, #"\.failure\(\s*\d+,"#, #"\?\? (?="web\.)"#,
      ], least: 20),
    Family(
      heading: "Notes in reports", openings: [#"host\.note\("#, #"case \.[a-z]+:(?= "ocr\.)"#],
      least: 5),
  ]

  /// Names of steps, files and results that look like codes.
  private static let others: Set<String> = [
    "ocr.text",
    "guide.html", "guide.ics", "guide.json", "guide.load", "json.json", "guide.sqlite",
    "ledger.sqlite",
    "ocr.pdf",
    "ocr.tesseract", "pages.join", "pages.pdf",
    "pages.split", "pdf.attachments", "pdf.notes", "pdf.pdf",
    "pdf.text", "pdf.unlock",
    "notes.json", "page.png", "running.json", "changes.json", "jobs.js", "pages.js",
    "plugin.json", "probe.find", "probe.identify", "speech.narrate",
    "probe.text", "sync.json", "tables.csv", "tables.jsonl", "tables.rows",
    "tables.pdf", "tables.xlsx",
    "text.text", "text.txt",
  ]

  // MARK: - The sources

  private static func sources() -> [String] {
    ["Sources", "Plugins"].flatMap { top -> [String] in
      let base = Programs.repository.appending(top).string
      return (FileManager.default.subpaths(atPath: base) ?? []).compactMap { path in
        guard path.hasSuffix(".swift"), !path.contains("/Data/"),
          let data = FileManager.default.contents(atPath: "\(base)/\(path)")
        else { return nil }
        return String(decoding: data, as: UTF8.self)
      }
    }
  }

  /// The codes of a family: behind an opening one code, or a condition and one of two.
  private static func codes(_ family: Family, in sources: [String]) throws -> Set<String> {
    let code = #""([a-z]+(?:\.(?:[a-zA-Z]+|\\\([^)"]*\)))?)""#
    let choice = #"(?:[^?,:]*\?\s*"# + code + #"\s*:\s*)?"#
    let opening = family.openings.joined(separator: "|")
    return try captures(of: "(?:\(opening))" + #"\s*"# + choice + code, in: sources)
  }

  /// What the groups of an expression match in the sources, as it is documented.
  private static func captures(
    of expression: String, in sources: [String]
  ) throws -> Set<String> {
    let regex = try Regex(expression)
    var found: Set<String> = []
    for source in sources {
      for match in source.matches(of: regex.matchingSemantics(.unicodeScalar)) {
        for text in match.output.dropFirst().compactMap({ $0.substring.map(String.init) }) {
          let plain = String(text.prefix { $0 != "\\" })
          found.insert(plain == text ? text : plain + "*")
        }
      }
    }
    return found
  }

  private static func firstWord(_ code: String) -> String { String(code.prefix { $0 != "." }) }

  // MARK: - The reference

  /// The codes of docs/errors.md in their order, by the heading above them.
  private static func rows() -> [String: [String]] {
    let path = "\(Programs.repository.string)/docs/errors.md"
    let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    var rows: [String: [String]] = [:]
    var heading = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("## ") { heading = String(line.dropFirst(3)) }
      if line.hasPrefix("| `") {
        rows[heading, default: []].append(String(line.dropFirst(3).prefix { $0 != "`" }))
      }
    }
    return rows
  }

  // MARK: - Tests

  @Test func `each code has a row, and each row a code`() throws {
    let sources = Self.sources(), rows = Self.rows()
    for family in Self.families {
      let written = try Self.codes(family, in: sources)
      let documented = rows[family.heading] ?? []
      #expect(written.count >= family.least, "\(family.heading): the expressions find too few")
      let missing = written.subtracting(documented).sorted()
      #expect(missing.isEmpty, "\(family.heading): docs/errors.md lacks \(missing)")
      let stale = Set(documented).subtracting(written).sorted()
      #expect(stale.isEmpty, "\(family.heading): the sources no longer have \(stale)")
      #expect(documented == Set(documented).sorted(), "\(family.heading): sorted, each code once")
    }
  }

  /// Codes that the sources write in a form that this test does not know.
  @Test func `what looks like a code is one`() throws {
    let sources = Self.sources()
    var known: Set<String> = []
    for family in Self.families { known.formUnion(try Self.codes(family, in: sources)) }
    let words = Set(known.map(Self.firstWord))
    let like = try Self.captures(of: #""([a-z]+\.(?:[a-zA-Z]+|\\\([^)"]*\)))""#, in: sources)
      .filter { words.contains(Self.firstWord($0)) }
    #expect(like.count > 100)
    let unknown = like.subtracting(known).subtracting(Self.others).sorted()
    #expect(unknown.isEmpty, "codes in a new form, or names for the list of others: \(unknown)")
  }
}
