import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

/// The short forms of the tools in Tests/Faults: kills, errors and power cuts at calls of a real run.
@Suite(
  .serialized,
  .enabled(if: getuid() == 0, "SKIPPED: only root may trace procd's workers"))
struct FaultTests {
  private func sweep(_ tool: String, _ arguments: String...) throws {
    let python = try #require(Programs.find("python3"))
    let path = Programs.repository.appending("Tests/Faults/\(tool).py").string
    let result = try Programs.run(
      python, [path, "--programs", Programs.folder.string] + arguments)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(!result.output.hasPrefix("SKIPPED"), "\(result.output)")
  }

  @Test func `no promise is broken by kills`() throws { try sweep("kill_sweep") }

  @Test func `no promise is broken by errors of the disk`() throws { try sweep("error_sweep") }

  @Test func `no promise is broken by power cuts on a weak disk`() throws {
    try sweep("disk_model")
    try sweep("disk_model", "--after-kill", "--kind", "small")
  }

  @Test func `the model of the disk finds what is left out`() throws {
    try sweep("disk_model", "--mutants", "--kind", "small")
  }
}
