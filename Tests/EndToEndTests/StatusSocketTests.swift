import Files
import Foundation
import Glibc
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `status` for those who may not look into the spool.
@Suite(.serialized) struct StatusSocketTests {
  @Test func `a running procd tells its status at a socket, to a group where one is named`() throws
  {
    let site = try Site {
      $0.replacing(
        #""version": 1,"#,
        with: #""version": 1, "status": { "socket": "run/status", "group": "\#(getgid())" },"#)
    }
    try FileManager.default.createDirectory(
      atPath: site.place("run").string, withIntermediateDirectories: true)
    #expect(try site.run("check").status == 0)
    let daemon = try site.watch()
    let folder = try Folder.open(site.place("run"))
    // The mode is set right after the socket is there.
    try #require(
      Programs.wait { (try? folder.status("status")).map { $0.mode & 0o777 == 0o660 } == true })
    let socket = try #require(try folder.status("status"))
    #expect(socket.kind == .other && socket.group == getgid())
    func asked() -> JSON? {
      (try? folder.ask("status", patience: 5000)).flatMap { try? JSONReader.read($0).value }
    }
    try #require(Programs.wait { asked()?["status"]?["daemon"] != nil })
    try site.put(sample: "status-2012-06-01.pdf")
    try #require(Programs.wait { asked()?["status"]?["done"] == 1 })
    let text = try #require(asked()?["text"]?.stringValue)
    #expect(text.contains("processed      1 done"), "\(text)")
    #expect(text.contains("runs as process"))
    daemon.signal(SIGTERM)
    #expect(daemon.wait() == 0)
    #expect(try !folder.exists("status"))
  }

  @Test func `who may not look into the spool is told by the one who runs`() throws {
    // Another user's program must be able to start procd.
    let anybody = ["--reuid=65534", "--regid=65534", "--clear-groups"]
    let program = Programs.folder.appending("procd-daemon").string
    guard geteuid() == 0, let setpriv = Programs.find("setpriv"),
      try Programs.run(setpriv, anybody + [program, "--version"]).status == 0
    else {
      print("not tried: this user cannot start procd as another one")
      return
    }
    let site = try Site {
      $0.replacing(
        #""version": 1,"#, with: #""version": 1, "status": { "socket": "run/status" },"#)
    }
    let daemon: Programs.Running
    try FileManager.default.createDirectory(
      atPath: site.place("run").string, withIntermediateDirectories: true)
    for path in [site.place.path.string, site.place("run").string] { chmod(path, 0o755) }
    daemon = try site.watch()
    try #require(Programs.wait { site.place.exists("run/status") })
    func other(_ arguments: String...) throws -> Programs.Result {
      try Programs.run(setpriv, anybody + [program] + arguments, in: site.place.path)
    }
    func status(_ arguments: String...) throws -> Programs.Result {
      try Programs.run(setpriv, anybody + [program, "status"] + arguments, in: site.place.path)
    }
    let told = try status()
    #expect(told.status == 0 && told.output.contains("runs as process"), "\(told)")
    let json = try JSONReader.read(try status("--json").output).value
    #expect(json["daemon"]?.stringValue != nil)
    #expect(try status("some.pdf").status == 77)
    #expect(Programs.wait { (try? other("health").status) == 0 })
    // Somebody edits the file: what the running one goes by counts.
    let whole = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    for mistaken in [
      whole.replacing(#""version": 1,"#, with: #""version": 1, "nofity": [],"#),
      String(whole.dropLast(20)),
    ] {
      try site.place.write(mistaken, to: "pipelines.json")
      chmod(site.place("pipelines.json").string, 0o644)
      for command in ["status", "health"] {
        let told = try other(command)
        #expect(told.status == 0 && told.errors.contains("goes by what it was before"), "\(told)")
      }
    }
    for name in ["pipelines.json", "draft.json"] {
      try site.place.write(whole, to: name)
      chmod(site.place(name).string, 0o644)
    }
    for (command, status) in [("health", Int32(1)), ("status", 0)] {
      let told = try other(command, "-c", "draft.json")
      #expect(told.status == status && told.errors.contains("goes by another"), "\(told)")
    }
    for refused in [try other("run", "--once"), try other("add", "pipelines.json")] {
      #expect(refused.status == 77, "\(refused)")
      #expect(refused.errors.contains("sudo -u") || refused.errors.contains("cure: "), "\(refused)")
    }
    daemon.signal(SIGTERM)
    _ = daemon.wait()
    let silent = try other("health")
    #expect(silent.status == 1 && silent.errors.contains("nobody answers"), "\(silent)")
    let alone = try status()
    #expect(alone.status == 77 && alone.errors.contains("is open to user"), "\(alone)")
    #expect(alone.errors.contains("nobody answers at the status socket"), "\(alone)")
    // Who is no member of the group is not told that procd is down.
    let rules = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    try site.place.write(
      rules.replacing(#""run/status" }"#, with: #""run/status", "group": "0" }"#),
      to: "pipelines.json")
    chmod(site.place("pipelines.json").string, 0o644)
    let closed = try site.watch()
    defer { closed.signal(SIGKILL) }
    try #require(Programs.wait { site.place.exists("run/status") })
    let stranger = try other("health")
    #expect(
      stranger.status == 1 && stranger.errors.contains("members of the group 0"), "\(stranger)")
  }
}
