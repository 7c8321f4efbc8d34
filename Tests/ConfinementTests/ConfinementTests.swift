import Foundation
import SystemPackage
import TestSupport
import Testing

/// What a process can still do once it has confined itself: every act of the table in
/// docs/security.md, tried for real.
@Suite struct ConfinementTests {
  /// The table of docs/security.md: by act and profile, the levels at which it is open.
  private static let documented: [String: [String: Set<String>]] = {
    let text =
      (try? String(
        contentsOfFile: Programs.repository.appending("docs/security.md").string, encoding: .utf8))
      ?? ""
    var rows: [String: [String: Set<String>]] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 1 + Probe.profiles.count else { continue }
      var row: [String: Set<String>] = [:]
      for (profile, cell) in zip(Probe.profiles, cells.dropFirst()) {
        row[profile] = levels(cell)
      }
      rows[cells[0]] = row
    }
    return rows
  }()

  /// `–`, `open`, or `open at 2, 0`.
  private static func levels(_ cell: String) -> Set<String> {
    if cell == "open" { return Set(Probe.levels) }
    let numbers = cell.dropFirst("open at ".count).split(separator: ",")
    return Set(numbers.map { $0.trimmingCharacters(in: .whitespaces) }.map { $0 == "7" ? "-" : $0 })
  }

  @Test(arguments: Probe.profiles, Probe.levelsHere)
  func `every act ends as docs/security.md says`(profile: String, level: String) throws {
    let acts = try Probe.acts(profile, level: level)
    #expect(acts.count >= 100, "only \(acts.count) acts were tried")
    for (name, outcome) in acts {
      let row = try #require(Self.documented[name], "\(name) is not in docs/security.md")
      #expect(outcome != "harm", "\(name): refused, and done all the same")
      let isOpen = row[profile]?.contains(level) ?? false
      #expect(
        (outcome == "done") == isOpen,
        "\(name): \(outcome) under \(profile) at Landlock \(level), documented otherwise")
    }
  }

  @Test(arguments: Probe.levelsHere)
  func `a sealed step that may start threads can do nothing else that others cannot`(level: String)
    throws
  {
    let plain = try Probe.acts("sealed", level: level),
      threads = try Probe.acts("sealed-threads", level: level)
    #expect(plain.elementsEqual(threads) { $0 == $1 }, "\(threads)")
  }

  @Test(.enabled(if: Probe.isComplete, Probe.reason))
  func `the upper level was tried`() throws {
    #expect(try Probe.acts("sealed", level: "-").count >= 100)
  }

  /// An act that fails without confinement too proves nothing.
  @Test func `unconfined most acts succeed`() throws {
    let acts = try Probe.acts("free", level: "-")
    let succeeded = acts.count { $0.outcome == "done" }
    #expect(succeeded >= 80, "\(succeeded) of \(acts.count)")
  }
}
