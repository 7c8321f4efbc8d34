import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Files that come with others: a letter and its notes.
@Suite(.serialized) struct CompanionTests {
  /// A step that writes what it read, each file by its name.
  private static let program = """
    #!/usr/bin/env python3
    import json, sys
    def say(**message): print(json.dumps(message), flush=True)
    for line in sys.stdin:
        run = json.loads(line)
        if run["t"] == "hello":
            say(t="hello", protocol=1)
        elif run["t"] == "run":
            notes = run["in"].get("notes", [])
            with open(run["work"] + "/out/joined.txt", "w") as out:
                for file in [run["in"]["source"]] + (notes if isinstance(notes, list) else [notes]):
                    out.write(file.get("name", "source") + ": " + open(file["path"]).read() + "\\n")
            say(t="artifact", id=run["id"], role="text", path="out/joined.txt", mime="text/plain")
            say(t="done", id=run["id"], ok=True, facts={})
    """

  private func prepared(wait: String = "10m", more: String = "") throws -> Site {
    let site = try Site()
    try site.place.write(Self.program, to: "plugins/join/join")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: site.place("plugins/join/join").string)
    try site.place.write(
      """
      { "name": "join", "version": "1", "about": "Joins", "command": ["./join"], "protocol": "procd/1",
        "steps": { "text.join": { "about": "Joins", "accepts": ["*/*"],
          "outputs": { "text": { "mime": "text/plain", "extension": "joined.txt" } } } } }
      """, to: "plugins/join/plugin.json")
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "plugins": ["plugins"],
        "pipelines": [
          { "id": "pairs", "match": { "name": "*.letter" }, "wait": "\(wait)",
            "with": [["{stem}.xfdf", "{stem}.notes.json"]],
            "steps": [{ "id": "join", "use": "text.join",
                        "in": { "source": "source", "notes": "companions" } }],
            "emit": ["join.text"] }\(more)
        ] }
      """, to: "pipelines.json")
    return site
  }

  @Test func `a pair becomes one result with one report, and stays together in the archive`() throws
  {
    let site = try prepared()
    try site.place.write("dear", to: "inbox/in/a.letter")
    try site.place.write("note", to: "inbox/in/a.xfdf")
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      String(decoding: try #require(site.place.read("outbox/in/a.joined.txt")), as: UTF8.self)
        == "source: dear\na.xfdf: note\n")
    let report = try site.report("in/a.letter")
    #expect(report["source"]?["name"] == "a.letter" && report["source"]?["bytes"] == 4)
    #expect(report["companions"]?.arrayValue?.compactMap { $0["name"]?.stringValue } == ["a.xfdf"])
    #expect(report["original"] == "archive/in/a")
    #expect(
      site.place.files(below: "archive")
        == ["in/a.report.json", "in/a/a.letter", "in/a/a.xfdf"])
    #expect(site.place.files(below: "inbox") == [] && site.leftovers == [])
    #expect(try site.run("verify").status == 0)
    try site.place.write("noted", to: "archive/in/a/a.xfdf")
    #expect(try site.run("verify").output.contains("in/a/a.xfdf"))
  }

  @Test func `names that are no UTF-8 come together and are handed on`() throws {
    let site = try prepared()
    let made = try Programs.run(
      "/bin/sh",
      ["-c", "e=$(printf '\\351'); printf dear >inbox/$e.letter; printf note >inbox/$e.xfdf"],
      in: site.place.path)
    #expect(made.status == 0, "\(made.errors)")
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      String(decoding: try #require(site.place.read("outbox/\u{FFFD}.joined.txt")), as: UTF8.self)
        == "source: dear\n\u{FFFD}.xfdf: note\n")
    #expect(try site.run("verify").status == 0)
  }

  @Test(arguments: [true, false])
  func `a daemon takes both as soon as the second has come`(fileFirst: Bool) throws {
    let site = try prepared()
    let daemon = try site.watch()
    defer {
      daemon.signal(SIGTERM)
      _ = daemon.wait()
    }
    let order = ["b.letter", "b.notes.json"]
    let (first, second) = fileFirst ? (order[0], order[1]) : (order[1], order[0])
    try site.place.write("one", to: "inbox/\(first)")
    Thread.sleep(forTimeInterval: 1)
    #expect(site.place.files(below: "inbox") == [first])
    let status = try site.run("status")
    let wanted =
      fileFirst ? "b.xfdf or b.notes.json to come with it" : "the file that it belongs to"
    #expect(status.output.contains("waits for \(wanted)"), "\(status.output)")
    try site.place.write("two", to: "inbox/\(second)")
    #expect(Programs.wait { site.place.exists("outbox/b.letter.report.json") })
  }

  @Test func `what stays alone goes to the quarantine after its wait, and comes back by retry`()
    throws
  {
    let site = try prepared(wait: "1h")
    try site.place.write("dear", to: "inbox/a.letter")
    try site.place.write("note", to: "inbox/b.xfdf")
    // A run from cron does not wait for what may come tomorrow, and has nothing to tell of it.
    let early = try site.run("run", "--once")
    #expect(early.status == 0 && early.errors.isEmpty, "\(early.errors)")
    #expect(site.place.files(below: "inbox") == ["a.letter", "b.xfdf"])
    let rules = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    try site.place.write(rules.replacing("\"1h\"", with: "\"1s\""), to: "pipelines.json")
    #expect(Programs.wait { (try? site.run("run", "--once").status) == 65 })
    for name in ["a.letter", "b.xfdf"] {
      let report = try site.json("quarantine/\(name).report.json")
      #expect(report["error"]?["code"] == "companion.unpaired")
    }
    let why = String(
      decoding: try #require(site.place.read("quarantine/a.letter.why.txt")), as: UTF8.self)
    #expect(why.contains("came without a.xfdf or a.notes.json"), "\(why)")

    try site.place.write("note", to: "inbox/a.xfdf")
    let written = ContinuousClock.now
    #expect(try site.run("retry", "a.letter").status == 0)
    // The notes have waited longer than they need when the letter comes back.
    #expect(Programs.wait { ContinuousClock.now - written > .milliseconds(1200) })
    let result = try site.run("run", "--once")
    #expect(site.place.exists("outbox/a.joined.txt"), "\(result.errors)")
  }

  @Test func `what failed with its companions comes back with them, each to its place`() throws {
    let site = try prepared()
    try site.place.write("#!/bin/sh\nexit 3\n", to: "plugins/join/join")
    try site.place.write("dear", to: "inbox/sub/a.letter")
    try site.place.write("note", to: "inbox/sub/a.xfdf")
    #expect(try site.run("run", "--once").status == 65)
    #expect(site.place.exists("quarantine/sub/a/a.letter"))
    let why = String(
      decoding: try #require(site.place.read("quarantine/sub/a.why.txt")), as: UTF8.self)
    #expect(why.contains("its files back into the inbox"), "\(why)")
    try site.place.write(Self.program, to: "plugins/join/join")
    // By the name of the file, as the note and the list of jobs have it.
    let retry = try site.run("retry", "a.letter")
    #expect(retry.status == 0, "\(retry)")
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result)")
    #expect(site.place.exists("outbox/sub/a.joined.txt"), "\(site.place.files(below: ""))")
    #expect(site.place.exists("archive/sub/a/a.xfdf") && !site.place.exists("quarantine/sub/a"))
    #expect(try site.run("verify").status == 0)
  }

  @Test func `a rule for files alone has its turn after the wait`() throws {
    let alone = """
      , { "id": "alone", "match": { "mime": "text/plain" },
          "steps": [{ "id": "join", "use": "text.join" }], "emit": ["join.text"] }
      """
    let site = try prepared(more: alone)
    try site.place.write("dear madam,", to: "inbox/a.letter")
    try site.place.write("plain words", to: "inbox/c.txt")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try site.report("c.txt")["pipeline"] == "alone")
    let text = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    try site.place.write(text.replacing("10m", with: "10ms"), to: "pipelines.json")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try site.report("a.letter")["pipeline"] == "alone")
  }

  @Test func `explain and convert look beside the file`() throws {
    let site = try prepared()
    try site.place.write("dear", to: "inbox/a.letter")
    let lacking = try site.run("explain", "inbox/a.letter")
    #expect(lacking.output.contains("– pairs: it came without a.xfdf or a.notes.json"))
    #expect(lacking.output.contains("waits for what is to come with it"))
    #expect(
      lacking.output.contains("! waits for a.xfdf or a.notes.json to come with it"),
      "\(lacking.output)")
    let waits = try JSONReader.read(try site.run("explain", "--json", "inbox/a.letter").output)
    #expect(waits.value["waits"] == "waits for a.xfdf or a.notes.json to come with it")
    try site.place.write("note", to: "inbox/a.xfdf")
    let found = try site.run("explain", "inbox/a.letter")
    #expect(found.status == 0 && found.output.contains("with      a.xfdf"))
    let told = try JSONReader.read(try site.run("explain", "--json", "inbox/a.letter").output).value
    #expect(told["companions"] == ["a.xfdf"] && told["waits"] == nil)
    #expect(
      try site.run("convert", "inbox/a.letter", "-c", "pipelines.json", "-o", "out").status == 0)
    #expect(site.place.exists("out/a.joined.txt"))
    #expect(site.place.files(below: "inbox") == ["a.letter", "a.xfdf"])
  }

  @Test func `pairs outlive kills at any time`() throws {
    let site = try prepared()
    for round in 0..<12 {
      try site.place.write("letter \(round)", to: "inbox/r\(round).letter")
      try site.place.write("note \(round)", to: "inbox/r\(round).xfdf")
    }
    for delay in [0.25, 0.3, 0.35, 0.4, 0.5] {
      let daemon = try site.watch()
      Thread.sleep(forTimeInterval: delay)
      daemon.signal(SIGKILL)
      _ = daemon.wait()
    }
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.errors)")
    for round in 0..<12 {
      #expect(
        site.place.read("outbox/r\(round).joined.txt").map { String(decoding: $0, as: UTF8.self) }
          == "source: letter \(round)\nr\(round).xfdf: note \(round)\n")
    }
    #expect(site.place.files(below: "archive").count == 36)
    #expect(site.place.files(below: "inbox") == [] && site.leftovers == [])
  }
}
