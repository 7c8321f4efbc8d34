import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// What is told where a plugin, or what it may use, is at fault: it is named, not the file.
@Suite struct PluginBlameTests {
  private let place = TemporaryFolder()

  /// A command step of the role `json`, and a rule that takes every file to it.
  private func layOut(_ script: String, limits: String = #""memory": "1GiB""#) throws {
    try place.write(
      """
      { "name": "blame", "version": "1", "command": ["./run"],
        "steps": { "blame.it": { "outputs": { "json": { "mime": "application/json" } } } } }
      """, to: "plugins/blame/plugin.json")
    try place.write(script, to: "plugins/blame/run")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: place("plugins/blame/run").string)
    try place.write(
      """
      { "version": 1, "plugins": ["plugins"], "inbox": { "path": "inbox", "settle": "50ms" },
        "defaults": { "limits": { \(limits) } },
        "pipelines": [{ "id": "a", "steps": [{ "id": "s", "use": "blame.it" }], "emit": ["s.json?"] }] }
      """, to: "pipelines.json")
  }

  private func procd(_ arguments: String...) throws -> Programs.Result {
    try Programs.run("procd", arguments, in: place.path)
  }

  private func error() throws -> JSON? {
    try place.write("some words", to: "inbox/a.txt")
    #expect(try procd("run", "--once").status == 65)
    let report = try #require(place.read("quarantine/a.txt.report.json"))
    return try JSONReader.read(Array(report)).value["error"]
  }

  @Test func `a role that is not declared is the plugin's mistake`() throws {
    try layOut("#!/bin/sh\necho '{}' > out/W.json\n")
    let error = try error()
    #expect(error?["code"] == "plugin.artifact" && error?["class"] == "internal")
    let message = error?["message"]?.stringValue ?? ""
    #expect(
      message == "the step blame.it gave a result with the role \"W\", which its plugin does not"
        + " declare; declared: json")
  }

  @Test func `a program of a plugin that crashes is told by its signal, with what to do`() throws {
    try layOut("#!/bin/sh\nsh -c 'kill -SEGV $$'\n")
    let error = try error()
    #expect(error?["code"] == "command.failed")
    #expect(
      error?["message"]?.stringValue?.contains("ended with status 139 (signal 11)") == true,
      "\(String(describing: error))")
    #expect(error?["hint"]?.stringValue?.contains("the plugin is at fault") == true)
  }

  @Test(arguments: [
    ("#!/no/such/thing", "needs the interpreter /no/such/thing, which does not exist"),
    (
      "#!/usr/bin/env -S no-such-thing -x",
      "needs the interpreter no-such-thing, which is not installed"
    ),
  ])
  func `a missing interpreter is named, when it is needed and by check`(
    line: String, said: String
  ) throws {
    try layOut("\(line)\necho '{}' > out/json.json\n")
    let checked = try procd("check")
    #expect(
      checked.status == 78 && checked.errors.contains("blame/./run \(said)"), "\(checked)")
    if line.contains("env") { return }
    let error = try error()
    #expect(error?["message"]?.stringValue?.contains(said) == true, "\(String(describing: error))")
  }

  @Test(.enabled(if: Programs.find("python3") != nil, "SKIPPED: python3 is not installed"))
  func `a limit of memory is named with its value and its option`() throws {
    // Refused before it is touched: the most that it ever had is far below the limit.
    try layOut("#!/usr/bin/python3\nbytearray(400 << 20)\n", limits: #""memory": "300MiB""#)
    let error = try error()
    #expect(error?["code"] == "limit.memory", "\(String(describing: error))")
    #expect(error?["message"]?.stringValue?.contains("300 MiB of memory") == true)
    #expect(error?["hint"]?.stringValue?.contains("\"memory\" in defaults.limits") == true)
  }

  @Test func `limits with which nothing can run are mistakes`() throws {
    for (limits, said) in [
      (#""memory": "1KiB""#, "1KiB cannot work here; the least is 16MiB"),
      (#""output": "0B""#, "0B cannot work here; the least is 1B"),
    ] {
      try layOut("#!/bin/sh\n", limits: limits)
      let checked = try procd("check")
      #expect(checked.status == 78 && checked.errors.contains(said), "\(checked)")
    }
    try layOut("#!/bin/sh\n")
    let text = String(decoding: try #require(place.read("pipelines.json")), as: UTF8.self)
    try place.write(
      text.replacing(#""use": "blame.it""#, with: #""use": "blame.it", "timeout": "0s""#),
      to: "pipelines.json")
    let checked = try procd("check")
    #expect(checked.status == 78 && checked.errors.contains("error[value.kind]"), "\(checked)")
    #expect(checked.errors.contains("0s cannot work here; the least is 1ms"))
    try place.write(#"{ "version": 2, "pipelines": [] }"#, to: "pipelines.json")
    #expect(try procd("check").errors.contains("1 is expected here"))
  }
}
