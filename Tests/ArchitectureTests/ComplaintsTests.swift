import Foundation
import SystemPackage
import TestSupport
import Testing

/// docs/complaints.md has all its rows, and what it names as proof exists.
@Suite struct ComplaintsTests {
  private static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: Programs.repository.appending(path).string).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The cells of each row whose first one is a number.
  private static func rows(_ page: String) -> [[String]] {
    page.split(separator: "\n").compactMap { line -> [String]? in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      // Nothing stands before the first line and behind the last.
      guard cells.count == 6, Int(cells[1]) != nil else { return nil }
      return Array(cells[1...4])
    }
  }

  /// What stands between pairs of a mark, each with the text up to the next pair.
  private static func marked(
    _ text: String, by mark: Character
  ) -> [(inside: String, after: String)] {
    let parts = text.split(separator: mark, omittingEmptySubsequences: false).map(String.init)
    return stride(from: 1, to: parts.count - 1, by: 2).map { (parts[$0], parts[$0 + 1]) }
  }

  @Test func `each complaint has its row, and each test that is named there exists`() throws {
    let rows = Self.rows(try #require(Self.text("docs/complaints.md")))
    #expect(rows.map { $0[0] } == (1...30).map { "\($0)" })
    for row in rows {
      let files = Self.marked(row[3], by: "`")
      #expect(!files.isEmpty, "row \(row[0]) names no file")
      for (file, rest) in files {
        let isTool = file.hasSuffix(".py")
        let source = try #require(
          Self.text("Tests/\(file)\(isTool ? "" : ".swift")"), "Tests/\(file) is missing")
        let tests = Self.marked(rest, by: "\"").map(\.inside)
        #expect(!tests.isEmpty, "row \(row[0]) names no test of \(file)")
        for test in tests {
          let declaration = isTool ? "def \(test)(" : "func `\(test)`("
          #expect(source.contains(declaration), "row \(row[0]): \(file) has no \"\(test)\"")
        }
      }
    }
  }
}
