import Foundation
import SystemPackage
import TestSupport
import Testing

/// Every system call number, judged inside each sandbox and compared with the lists of calls that are
/// let through. A call that is newly open is a hole until somebody says why not.
@Suite struct CensusTests {
  private func list(_ profile: String) throws -> [String] {
    let path = Programs.repository.appending("Tests/Fixtures/confinement/\(profile).calls")
    return try String(contentsOfFile: path.string, encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  private func names(_ lines: [String]) -> Set<Substring> {
    Set(
      lines.compactMap { line in
        let words = line.split(separator: " ")
        return words.count > 1 && Int(words[0]) != nil && words[1] != "-" ? words[1] : nil
      })
  }

  /// The lists have the numbers of x86-64. Other machines number the calls otherwise and lack the oldest of them.
  @Test(
    .enabled(if: Probe.isComplete, Probe.reason), arguments: Probe.profiles + ["sealed-threads"])
  func `by name exactly the listed calls that this machine has are let through`(
    profile: String
  ) throws {
    let found = names(try Probe.calls(profile, level: "-"))
    let expected = names(try list(profile)).intersection(names(try Probe.callsOfThisMachine()))
    #expect(found.subtracting(expected) == [], "let through and not listed")
    #expect(expected.subtracting(found) == [], "listed and refused")
    #expect(found.count > 50, "the census did not run")
  }

  #if arch(x86_64)
    @Test(
      .enabled(if: Probe.isComplete, Probe.reason), arguments: Probe.profiles + ["sealed-threads"])
    func `exactly the listed calls are let through`(profile: String) throws {
      let expected = try list(profile), found = try Probe.calls(profile, level: "-")
      #expect(Set(found).subtracting(expected) == [], "let through and not listed")
      #expect(Set(expected).subtracting(found) == [], "listed and refused")
      #expect(found.contains("x32 killed"))
      #expect(found.contains("i386 killed"))
    }

    @Test(arguments: Probe.profiles, ["2", "0"])
    func `with less of Landlock no call is added`(profile: String, level: String) throws {
      func numbers(_ lines: [String]) -> Set<Substring> {
        Set(lines.compactMap { $0.split(separator: " ").first })
      }
      let expected = numbers(try list(profile))
      let found = numbers(try Probe.calls(profile, level: level))
      #expect(found.subtracting(expected) == [])
      #expect(found.count > 50, "the census did not run")
    }
  #endif
}
