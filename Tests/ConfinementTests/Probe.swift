import Foundation
import SystemPackage
import TestSupport
import Testing

/// What the probe tells of a profile at a version of Landlock (`-` for the kernel's).
enum Probe {
  static let levels = ["-", "2", "0"]
  static let profiles = ["sealed", "net", "web", "tool", "tool-network"]

  /// Whether this kernel has all that the documented outcomes need.
  static let isComplete: Bool = {
    let result = try? Programs.run("ConfinementProbe", ["version", "sealed", "-"])
    return result.flatMap { Int($0.output.filter(\.isNumber)) } ?? 0 >= 6
  }()

  static let reason: Comment =
    "SKIPPED: this kernel has no Landlock from version 6 on; only the lower levels are tried"

  /// The versions of Landlock that can be tried here.
  static var levelsHere: [String] { isComplete ? levels : Array(levels.dropFirst()) }

  /// How each act ended: `done`, `harm`, or an error number.
  static func acts(_ profile: String, level: String) throws -> [(name: String, outcome: String)] {
    let folder = TemporaryFolder()
    let result = try Programs.run(
      "ConfinementProbe", ["acts", profile, level, folder.path.string])
    #expect(result.status == 0, "\(result.output) \(result.errors)")
    return result.output.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t").map(String.init)
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
  }

  /// The lines of the census.
  static func calls(_ profile: String, level: String) throws -> [String] {
    let result = try Programs.run("ConfinementProbe", ["calls", profile, level])
    #expect(result.status == 0, "\(result.output) \(result.errors)")
    return result.output.split(separator: "\n").map(String.init)
  }

  /// All calls that this machine has, as lines of a census.
  static func callsOfThisMachine() throws -> [String] {
    try Programs.run("ConfinementProbe", ["names"]).output.split(separator: "\n").map(String.init)
  }
}
