import Foundation
import SystemPackage
import TestSupport
import Testing

/// `Packaging/need`, which installs what a build needs, on systems that are named by a file of theirs.
@Suite struct NeededPackagesTests {
  private struct Machine {
    let place = TemporaryFolder()

    /// - Parameter installed: what dpkg says is there; nil where there is no dpkg and no apt.
    init(_ system: String, installed: [String]?) throws {
      try place.write(system, to: "os-release")
      try FileManager.default.createDirectory(
        atPath: place("bin").string, withIntermediateDirectories: true)
      guard let installed else { return }
      try tool(
        "dpkg-query",
        "for last; do :; done; case \" \(installed.joined(separator: " ")) \" in *\" $last \"*) "
          + "echo 'install ok installed' ;; *) exit 1 ;; esac")
      try tool("apt-get", "echo \"$*\" >> '\(place("asked"))'")
      // Without a password.
      try tool("sudo", "exec \"$@\"")
    }

    private func tool(_ name: String, _ script: String) throws {
      try place.write("#!/bin/sh\n\(script)\n", to: "bin/\(name)")
      chmod(place("bin/\(name)").string, 0o755)
    }

    func need(_ packages: String..., answer: String = "") throws -> Programs.Result {
      // What the script uses, and nothing that installs.
      let path = place("bin").string
      for name in ["sh", "env", "id", "fold", "sed", "grep"] {
        let program = try #require(Programs.find(name))
        try? FileManager.default.createSymbolicLink(
          atPath: "\(path)/\(name)", withDestinationPath: program)
      }
      return try Programs.run(
        Programs.repository.appending("Packaging/need").string, packages,
        environment: [
          "PATH": path, "OS_RELEASE": place("os-release").string,
          "DEPS": answer,
        ])
    }

    var asked: String? {
      place.read("asked").map { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test(arguments: ["12", "13"])
  func `on Debian what is missing is installed, in one step`(release: String) throws {
    let machine = try Machine("ID=debian\nVERSION_ID=\"\(release)\"\n", installed: ["a", "c"])
    #expect(try machine.need("a", "c").status == 0 && machine.asked == nil)
    let needed = try machine.need("a", "b", "c", "d")
    #expect(needed.status == 0 && needed.output == "Installing b d\n", "\(needed)")
    let asked = try #require(machine.asked).split(separator: "\n")
    #expect(asked.count == 2 && asked.last?.hasSuffix(" b d") == true, "\(asked)")
  }

  @Test(arguments: [
    "ID=ubuntu\nVERSION_ID=\"24.04\"\nPRETTY_NAME=\"Ubuntu 24.04.3 LTS\"\n",
    "ID=debian\nPRETTY_NAME=\"Debian GNU/Linux forky/sid\"\n",
  ])
  func `elsewhere nothing is installed, and what is missing is named`(system: String) throws {
    let machine = try Machine(system, installed: ["a"])
    let needed = try machine.need("a", "b", "d")
    let name = try #require(system.split(separator: "\"").last(where: { $0.contains(" ") }))
    #expect(needed.status == 1 && needed.errors.contains("not on \(name)"), "\(needed)")
    #expect(needed.errors.contains("\n  b d\n"))
    #expect(needed.errors.contains("make run DEPS=install\n"))
    #expect(needed.errors.contains("make run DEPS=installed\n"))
    // Once it is there under these names, or is said to be there under others.
    #expect(try machine.need("a").status == 0)
    #expect(try machine.need("a", "b", answer: "installed").status == 0)
    #expect(machine.asked == nil)
    #expect(try machine.need("a", "b", answer: "install").status == 0)
    #expect(machine.asked?.hasSuffix(" b\n") == true)
  }

  @Test func `without dpkg all is named, and no command of Debian's`() throws {
    let machine = try Machine(
      "ID=fedora\nVERSION_ID=43\nPRETTY_NAME=\"Fedora Linux 43\"\n", installed: nil)
    let needed = try machine.need("a", "b")
    #expect(needed.status == 1 && needed.errors.contains("\n  a b\n"), "\(needed)")
    #expect(!needed.errors.contains("DEPS=install\n"))
    #expect(try machine.need("a", answer: "installed").status == 0)
  }
}
