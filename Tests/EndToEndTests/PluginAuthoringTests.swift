import Foundation
import Glibc
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `procd plugins new` and `try`: from nothing to a step that runs.
@Suite struct PluginAuthoringTests {
  private let place = TemporaryFolder()

  private func plugins(_ arguments: String...) throws -> Programs.Result {
    try Programs.run("procd", ["plugins"] + arguments, in: place.path)
  }

  @Test(arguments: ["python", "swift", "shell"])
  func `a new plugin runs as it was written, on its own and in a rule`(language: String) throws {
    let made = try plugins("new", "line-count", "--language", language)
    #expect(made.status == 0 && made.output.contains("plugins try plugins/line-count"), "\(made)")
    if language == "swift" {
      let line = try #require(made.output.split(separator: "\n").first { $0.contains("swiftc ") })
      let words = line.split(separator: " ").map(String.init)
      // What builds the tests stands beside the compiler.
      let compiler = try #require(Programs.find("swiftc"))
      let built = try Programs.run(compiler, Array(words.dropFirst()), in: place.path)
      try #require(built.status == 0, "\(built.errors)")
    }
    try place.write("a\nb\n", to: "some.txt")
    let talk = try plugins("try", "plugins/line-count", "some.txt", "--talk")
    #expect(talk.output.contains(#"→ {"t":"hello""#) == (language != "shell"), "\(talk.output)")
    #expect(talk.output.contains("← {") == true)
    let tried = try plugins("try", "plugins/line-count", "some.txt", "-o", "out")
    #expect(tried.status == 0, "\(tried.errors)")
    #expect(tried.output.contains("line_count.count: done"))
    #expect(tried.output.contains("fact   lines = 2") == (language != "shell"))
    let written = try JSONReader.read(Array(try #require(place.read("out/some.json")))).value
    #expect(written == ["lines": 2])

    let refused = try plugins("try", "plugins/line-count", "some.txt", "--set", "least=5")
    #expect(refused.status == 65 && refused.errors.contains("2 lines only"), "\(refused.errors)")
    let wrong = try plugins("try", "plugins/line-count", "some.txt", "--set", "leats=5")
    #expect(wrong.status == 78 && wrong.errors.contains("least"), "\(wrong.errors)")

    try place.write(
      """
      { "version": 1, "plugins": ["plugins"], "inbox": { "path": "inbox", "settle": "50ms" },
        "pipelines": [{ "id": "count", "steps": [{ "id": "c", "use": "line_count.count" }],
          "emit": ["c.json"] }] }
      """, to: "pipelines.json")
    try place.write("a\nb\n", to: "inbox/some.txt")
    let run = try Programs.run("procd", ["run", "--once"], in: place.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(place.exists("outbox/some.json"))
  }

  /// Tests/Packages/swift_plugin.py builds it as a stranger does, which takes minutes.
  @Test func `a package of Swift is written whose step compiles`() throws {
    let made = try plugins("new", "line-count", "--language", "swift-package")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("cp .build/release/line-count plugins/line-count/"))
    func text(_ path: String) throws -> String {
      String(decoding: try #require(place.read("line-count/\(path)")), as: UTF8.self)
    }
    // The sources of this procd.
    let package = try text("Package.swift")
    #expect(
      package.contains(
        #"dependencies: [.package(name: "procd", path: "\#(Programs.repository.string)")],"#),
      "\(package)")
    #expect(package.contains(#".product(name: "PluginKit", package: "procd")"#))
    let manifest = try JSONReader.read(Array(try text("plugins/line-count/plugin.json").utf8)).value
    #expect(manifest["steps"]?["line_count.count"]?["facts"]?["blank"]?["type"] == "boolean")
    let compiler = try #require(Programs.find("swiftc"))
    // Of `.build/release`, which is a link.
    let built = URL(filePath: Programs.folder.string).resolvingSymlinksInPath()
    let checkouts = built.deletingLastPathComponent().deletingLastPathComponent()
    let checked = try Programs.run(
      compiler,
      [
        "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-I", "\(built.path)/Modules",
        "-I", "\(checkouts.path)/checkouts/swift-system/Sources/CSystem/include",
        "-Xcc", "-fmodule-map-file=\(built.path)/CLinux.build/module.modulemap",
        place("line-count/Sources/line-count/main.swift").string,
      ], in: place.path)
    #expect(checked.status == 0, "\(checked.errors)")

    for (sources, dependency) in [
      (
        "https://git.example.org/tools/procd.git",
        #".package(url: "https://git.example.org/tools/procd.git", from: "0.1.0")"#
      ),
      (Programs.repository.string, #"path: "\#(Programs.repository.string)""#),
    ] {
      let other = try plugins(
        "new", "other", "--language", "swift-package", "--sources", sources, "--in", "below")
      #expect(other.status == 0 && other.output.contains("cd below/other"), "\(other)")
      let written = String(
        decoding: try #require(place.read("below/other/Package.swift")), as: UTF8.self)
      #expect(written.contains(dependency), "\(written)")
      try FileManager.default.removeItem(atPath: place("below/other").string)
    }
    let nowhere = try plugins("new", "other", "--language", "swift-package", "--sources", "/usr")
    #expect(nowhere.status == 64 && nowhere.errors.contains("no package of procd in /usr"))
    #expect(!place.exists("other"))
  }

  @Test func `a program that is changed while procd runs makes new results of known content`()
    throws
  {
    #expect(try plugins("new", "say", "--language", "shell").status == 0)
    let program = try #require(
      place.files(below: "plugins/say").first {
        !$0.hasSuffix("plugin.json") && !$0.hasSuffix(".md")
      })
    func write(_ word: String) throws {
      try place.write(
        "#!/bin/sh\nprintf '\"\(word)\"' > out/json.json\n", to: "plugins/say/\(program)")
      #expect(chmod(place("plugins/say/\(program)").string, 0o755) == 0)
    }
    try write("old")
    try place.write(
      """
      { "version": 1, "plugins": ["plugins"], "inbox": { "path": "inbox", "settle": "50ms" },
        "pipelines": [{ "id": "say", "steps": [{ "id": "s", "use": "say.count" }],
          "emit": ["s.json"] }] }
      """, to: "pipelines.json")
    let daemon = try Programs.start("procd", ["run"], in: place.path)
    defer {
      daemon.signal(SIGTERM)
      _ = daemon.wait()
    }
    func result(_ name: String) throws -> String {
      try place.write("same", to: "inbox/\(name).txt")
      try #require(Programs.wait { place.exists("outbox/\(name).txt.report.json") })
      return String(decoding: place.read("outbox/\(name).json") ?? Data(), as: UTF8.self)
    }
    #expect(try result("a") == #""old""#)
    #expect(try result("b") == #""old""#)
    try write("newer")
    #expect(try result("c") == #""newer""#)
  }

  @Test func `a folder of plugins that is not there is told by whoever starts`() throws {
    try place.write(
      """
      { "version": 1, "plugins": ["missing"], "inbox": { "path": "inbox", "settle": "50ms" },
        "pipelines": [{ "id": "all", "emit": ["source"] }] }
      """, to: "pipelines.json")
    try place.write("a", to: "inbox/a.txt")
    let once = try Programs.run("procd", ["run", "--once"], in: place.path)
    #expect(once.status == 0 && place.exists("outbox/a.txt"), "\(once)")
    #expect(once.errors.contains("/missing: there is no such folder"), "\(once.errors)")
    let daemon = try Programs.start("procd", ["run"], in: place.path)
    defer {
      daemon.signal(SIGTERM)
      _ = daemon.wait()
    }
    var told: Programs.Result?
    #expect(
      Programs.wait {
        told = try? Programs.run("procd", ["status"], in: place.path)
        return told?.output.contains("/missing: there is no such folder") == true
      }, "\(String(describing: told))")
    let checked = try Programs.run("procd", ["check"], in: place.path)
    #expect(checked.status == 78, "\(checked)")
  }

  @Test(
    .enabled(
      if: getuid() == 0 && Programs.find("setpriv") != nil,
      "SKIPPED: needs root and setpriv to run as another user"))
  func `a plugin in a folder that is closed is named with what is in the way`() throws {
    #expect(try plugins("new", "closed", "--language", "shell").status == 0)
    try place.write(
      """
      { "version": 1, "plugins": ["plugins"],
        "pipelines": [{ "id": "all", "steps": [{ "id": "c", "use": "closed.count" }],
          "emit": ["c.json"] }] }
      """, to: "pipelines.json")
    #expect(chmod(place("plugins/closed").string, 0o700) == 0)
    let nobody: UInt32 = 65534
    #expect(chown(place.path.string, nobody, nobody) == 0)
    for words in ["check", "plugins"] {
      let told = try Programs.run(
        try #require(Programs.find("setpriv")),
        [
          "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups",
          Programs.folder.appending("procd").string, words,
        ], in: place.path)
      #expect(told.errors.contains("/plugins/closed"), "\(told)")
      #expect(told.errors.contains("Permission denied"), "\(told)")
    }
  }

  @Test func `check hears whether plugins say hello, and words of their commands are found`() throws
  {
    for name in ["good", "mute"] { #expect(try plugins("new", name).status == 0) }
    func replace(_ path: String, _ old: String, _ new: String) throws {
      let text = String(decoding: try #require(place.read(path)), as: UTF8.self)
      #expect(text.contains(old), "\(text)")
      try place.write(text.replacing(old, with: new), to: path)
    }
    try replace("plugins/good/plugin.json", #"["./good"]"#, #"["python3", "good"]"#)
    try place.write("a\nb\n", to: "some.txt")
    let tried = try plugins("try", "plugins/good", "some.txt")
    #expect(tried.status == 0 && tried.output.contains("lines = 2"), "\(tried.errors)")
    func check(_ use: String) throws -> Programs.Result {
      try place.write(
        """
        { "version": 1, "plugins": ["plugins"],
          "pipelines": [{ "id": "a", "steps": [{ "id": "s", "use": "\(use)" }], "emit": ["s.json"] }] }
        """, to: "pipelines.json")
      return try Programs.run("procd", ["check"], in: place.path)
    }
    #expect(try check("good.count").status == 0)
    try replace("plugins/mute/mute", "flush=True", "flush=False")
    let mute = try check("mute.count")
    #expect(mute.status == 78 && mute.errors.contains("mute did not say hello within 10 s"))
    // What it says instead tells more than that it said nothing.
    try replace("plugins/mute/mute", "import json", "print('hi there', flush=True)\nimport json")
    let chatty = try check("mute.count")
    #expect(chatty.status == 78 && chatty.errors.contains("hi there"), "\(chatty.errors)")
    try replace("plugins/mute/mute", "print('hi there', flush=True)\nimport json", "import json")
    let schema = try Programs.run("procd", ["schema"], in: place.path)
    #expect(schema.output.contains("\"mute.count\""))

    // Facts are held against what plugin.json says of them.
    try replace(
      "plugins/good/good", "return {\"lines\": lines}", "return {\"lines\": \"a\", \"more\": 1}")
    let facts = try plugins("try", "plugins/good", "some.txt")
    #expect(facts.errors.contains("declares no fact more"), "\(facts)")

    // Python's last line does not say where.
    try replace("plugins/mute/mute", "import json", "import json (")
    let broken = try check("mute.count")
    #expect(
      broken.status == 78 && broken.errors.contains("SyntaxError: invalid syntax (\"")
        && broken.errors.contains("/mute\", line "), "\(broken.errors)")

    // Each of its mistakes is told in its lines, and the notes of the rules stay.
    try replace("plugins/mute/plugin.json", "\"version\"", "\"versoin\"")
    let wrong = try check("mute.count")
    #expect(wrong.status == 78 && !wrong.errors.contains("\\x0a"), "\(wrong.errors)")
    #expect(wrong.errors.contains("\"versoin\" is not a member of a plugin"), "\(wrong.errors)")
  }

  @Test func `an answer with another id, and a result that was not made, are told as such`() throws
  {
    for name in ["other", "none"] { #expect(try plugins("new", name).status == 0) }
    #expect(
      try FileManager.default.attributesOfItem(
        atPath: place("plugins/other/plugin.json").string)[.posixPermissions] as? Int == 0o644)
    try place.write("a\n", to: "some.txt")
    func answer(
      _ name: String, id: String, _ rest: String = #""ok": True, "facts": {}"#, first: String = ""
    ) throws -> Programs.Result {
      try place.write(
        """
        #!/usr/bin/env python3
        import json, sys
        for line in sys.stdin:
            message = json.loads(line)
            if message["t"] == "hello":
                print(json.dumps({"t": "hello", "protocol": 1}), flush=True)
            if message["t"] == "run":
                \(first)
                print(json.dumps({"t": "done", "id": \(id), \(rest)}), flush=True)
        """, to: "plugins/\(name)/\(name)")
      return try plugins("try", "plugins/\(name)", "some.txt")
    }
    let other = try answer("other", id: "\"7\"")
    #expect(
      other.status == 65 && other.errors.contains("it answered with the id \"7\""),
      "\(other.errors)")
    let none = try answer("none", id: "message[\"id\"]")
    #expect(none.status == 65 && none.errors.contains("[result.missing, class internal]"))
    #expect(none.errors.contains("plugin.json declares json"), "\(none.errors)")
    let id = "message[\"id\"]"
    let unsure = try answer("none", id: id, #""ok": "yes""#)
    #expect(unsure.errors.contains("neither true nor false"), "\(unsure.errors)")
    let odd = try answer(
      "none", id: id, #""ok": False, "error": {"class": "odd", "code": "x", "msg": "no"}"#)
    #expect(odd.errors.contains("the step gave the class \"odd\"; there are"), "\(odd.errors)")
    let outside = try answer(
      "none", id: id,
      first: #"print(json.dumps({"t": "artifact", "id": message["id"], "role": "json","#
        + #" "path": "../../passwd", "mime": "application/json"}), flush=True)"#)
    #expect(outside.errors.contains("its path leads out of the folder"), "\(outside.errors)")
  }

  @Test func `a plugin that was changed computes anew, whatever its version says`() throws {
    #expect(try plugins("new", "mine").status == 0)
    try place.write(
      """
      { "version": 1, "plugins": ["plugins"], "inbox": { "path": "inbox", "settle": "50ms" },
        "pipelines": [{ "id": "count", "steps": [{ "id": "c", "use": "mine.count" }],
          "emit": ["c.json"] }] }
      """, to: "pipelines.json")
    func lines(_ name: String) throws -> JSON? {
      try place.write("a\nb\n", to: "inbox/\(name).txt")
      let run = try Programs.run("procd", ["run", "--once"], in: place.path)
      #expect(run.status == 0, "\(run.errors)")
      return try JSONReader.read(Array(try #require(place.read("outbox/\(name).json")))).value[
        "lines"]
    }
    #expect(try lines("one") == 2)
    let script = String(
      decoding: try #require(place.read("plugins/mine/mine")), as: UTF8.self)
    #expect(script.contains(#"json.dump({"lines": lines}"#))
    try place.write(
      script.replacing(#"json.dump({"lines": lines}"#, with: #"json.dump({"lines": lines * 1000}"#),
      to: "plugins/mine/mine")
    #expect(try lines("two") == 2000)
  }

  @Test func `nothing that is there is written over, and names are names`() throws {
    #expect(try plugins("new", "mine", "--in", "elsewhere").status == 0)
    let again = try plugins("new", "mine", "--in", "elsewhere")
    #expect(again.status == 73 && again.errors.contains("is there already"))
    #expect(try plugins("new", "../mine").status == 64)
    let nowhere = try plugins("try", "mine", "some.txt")
    #expect(nowhere.status == 65 && nowhere.errors.contains("mine is no folder"))
    try place.write(Site.pdf("A page"), to: "a.pdf")
    let other = try plugins("try", "elsewhere/mine", "a.pdf")
    #expect(other.errors.contains("reads text/*; this file is application/pdf"))
    #expect(other.output.contains("result json: application/json"), "\(other)")
  }
}
