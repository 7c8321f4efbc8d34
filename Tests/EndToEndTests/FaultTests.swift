import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

/// The short forms of the tools in Tests/Faults: kills, errors and power cuts at calls of a real run. One after the other:
/// each takes all processors.
@Suite(.serialized)
struct FaultTests {
  @Test(.tracing) func `no promise is broken by errors of the disk`() throws {
    try sweep("error_sweep")
    // What the kernel could not write it says once: here a second sync would be believed.
    try sweep("error_sweep", "--call", "fsync", "--place", "inbox", "--limit", "10")
  }

  @Test(.tracing) func `procd starts whatever its recovery meets`() throws {
    try sweep("recovery_sweep")
  }

  @Test(.tracing) func `what is written last stands somewhere, whenever it is written`() throws {
    try sweep("meddling")
  }

  @Test(.tracing) func `no promise is broken by power cuts on a weak disk`() throws {
    try sweep("disk_model")
    try sweep("disk_model", "--after-kill", "--kind", "small")
  }

  @Test(.tracing) func `the model of the disk finds what is left out`() throws {
    try sweep("disk_model", "--mutants", "--kind", "small")
  }

  @Test func `the mutants of the sources still have what they change`() throws {
    try sweep("source_mutants", "--check")
  }

  /// Tells of what is missing to make or cut such a disk: root, loop devices, the tools of the file system.
  private func cut(_ disk: String) throws {
    let result = try FaultTool.run("power_cut", ["--cuts", "3", "--disks", disk])
    let told = result.output.trimmingCharacters(in: .newlines)
    if told.hasPrefix("SKIPPED") { try Test.cancel("\(told)") }
    #expect(result.output.contains("\"cuts\": 3,"), "\(result.output)")
  }

  // Two tests, not one with arguments: of a single argument nothing would tell that it was skipped.
  @Test func `no promise is broken by power cuts on ext4`() throws { try cut("ext4") }

  @Test func `no promise is broken by power cuts on xfs`() throws { try cut("xfs") }
}

/// What comes from outside: writers, browsers, helpers, and who changes folders and clocks.
@Suite(.serialized) struct WorldFaultTests {
  @Test func `files are taken whole and once, however they come`() throws {
    try sweep("producers", "--short")
  }

  @Test func `an attacked or killed page loses and delays no file, and lets nobody in`() throws {
    try sweep("page", "--short")
  }

  @Test func `a fleet loses no file and makes none twice, whatever is killed`() throws {
    try sweep("fleet", "--short")
  }

  @Test func `nothing is lost when folders, clocks and ledgers go astray`() throws {
    try sweep("world", "--short")
  }

  @Test func `folders that are not what they were or seem are told, and hold up nothing else`()
    throws
  {
    let result = try FaultTool.run("places", [])
    let told = result.output.trimmingCharacters(in: .newlines)
    if told.hasPrefix("SKIPPED") { try Test.cancel("\(told)") }
  }
}

/// Mostly waits, so it runs beside the others.
@Suite struct SilenceFaultTests {
  @Test func `a folder that stops answering is reported, and nothing else hangs`() throws {
    let result = try FaultTool.run("silence", ["--short"])
    let told = result.output.trimmingCharacters(in: .newlines)
    if told.hasPrefix("SKIPPED") { try Test.cancel("\(told)") }
  }
}

/// The longest of them, beside the others.
@Suite struct KillSweepTests {
  @Test(.tracing) func `no promise is broken by kills`() throws { try sweep("kill_sweep") }
}

/// A tool of Tests/Faults.
private enum FaultTool {
  static func run(_ tool: String, _ arguments: [String]) throws -> Programs.Result {
    let python = try #require(Programs.find("python3"))
    let path = Programs.repository.appending("Tests/Faults/\(tool).py").string
    let result = try Programs.run(
      python, [path, "--programs", Programs.folder.string] + arguments)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    return result
  }
}

private func sweep(_ tool: String, _ arguments: String...) throws {
  let result = try FaultTool.run(tool, arguments)
  #expect(!result.output.hasPrefix("SKIPPED"), "\(result.output)")
}

extension Trait where Self == ConditionTrait {
  /// For what looks into procd's workers, which let nobody else do so.
  fileprivate static var tracing: Self {
    .enabled(if: getuid() == 0, "SKIPPED: only root may trace procd's workers")
  }
}
