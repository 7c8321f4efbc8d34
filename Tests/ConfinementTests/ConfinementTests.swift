import Foundation
import SystemPackage
import TestSupport
import Testing

/// What a process can still do once it has confined itself, tried for real, at each version of
/// Landlock that a kernel may have.
@Suite struct ConfinementTests {
  /// Runs the probe; the answers by name.
  private func probe(_ profile: String, landlock: String) throws -> [String: String] {
    let folder = TemporaryFolder()
    try folder.write("input", to: "input.pdf")
    try folder.write("ledger", to: "ledger.sqlite")
    try folder.write("", to: "work/keep")
    let result = try Programs.run(
      "ConfinementProbe",
      [
        profile, landlock, folder("work").string, folder("input.pdf").string,
        folder("ledger.sqlite").string,
      ])
    var answers: [String: String] = [:]
    for line in result.output.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      answers[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
    }
    #expect(folder.read("input.pdf") == Data("input".utf8), "the input was changed")
    #expect(folder.read("ledger.sqlite") == Data("ledger".utf8), "the ledger was changed")
    return answers
  }

  private static let refusals = [
    "write-input", "truncate-open", "truncate", "append-ledger", "chmod-ledger", "remove-ledger",
    "tcp", "udp",
    "unix", "signal", "fork", "exec",
  ]

  @Test(arguments: ["-", "2", "0"])
  func `a sealed step can do its work and nothing else`(landlock: String) throws {
    let answers = try probe("sealed", landlock: landlock)
    #expect(answers["read-input"] == "done")
    #expect(answers["make-file"] == "done")
    for name in Self.refusals {
      #expect(answers[name] != "done", "\(name) at Landlock \(landlock)")
      #expect(answers[name] != nil, "\(name) was not tried")
    }
    if landlock == "0" {
      // Without Landlock reading cannot be refused; that is said.
      #expect(answers["missing"] == "files")
    } else {
      #expect(answers["read-passwd"] == "13")
      #expect(answers["missing"] == "")
    }
  }

  @Test(arguments: ["-", "2", "0"])
  func `who speaks to servers opens sockets of the internet and can do nothing else`(
    landlock: String
  ) throws {
    let answers = try probe("net", landlock: landlock)
    for name in ["read-input", "tcp", "udp"] {
      #expect(answers[name] == "done", "\(name) at Landlock \(landlock)")
    }
    for name in Self.refusals + ["listen"] where name != "tcp" && name != "udp" {
      #expect(answers[name] != "done", "\(name) at Landlock \(landlock)")
      #expect(answers[name] != nil, "\(name) was not tried")
    }
    #expect(answers["missing"] == (landlock == "0" ? "files" : ""))
    if landlock != "0" { #expect(answers["read-passwd"] == "13") }
  }

  @Test(arguments: ["-", "2"])
  func `a tool may start programs but reaches no network and no file of ours`(
    landlock: String
  ) throws {
    let answers = try probe("tool", landlock: landlock)
    for name in ["read-input", "make-file", "fork", "exec"] {
      #expect(answers[name] == "done", "\(name) at Landlock \(landlock)")
    }
    for name in [
      "read-passwd", "write-input", "truncate-open", "truncate", "append-ledger", "chmod-ledger",
      "remove-ledger", "tcp", "udp", "unix",
    ] {
      #expect(answers[name] != "done", "\(name) at Landlock \(landlock)")
    }
    #expect(answers["type-key"] == "1", "typing at a terminal is not refused")
    if landlock == "2" {
      #expect(answers["missing"] == "signals")
    } else {
      #expect(answers["signal"] != "done")
      #expect(answers["missing"] == "")
    }
  }
}
