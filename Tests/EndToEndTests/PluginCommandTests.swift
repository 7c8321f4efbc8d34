import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `procd NAME …`: commands that plugins add, with the real programs.
@Suite struct PluginCommandTests {
  private static let python = Programs.find("python3")

  /// A folder with a plugin whose commands a shell script answers, and a configuration that knows it.
  private func folder(
    _ script: String, commands: String, spool: String = ""
  ) throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try folder.write(
      """
      { "version": 1, \(spool) "plugins": ["plugins"], "pipelines": [] }
      """, to: "pipelines.json")
    try folder.write(
      """
      { "name": "shell", "version": "1", "command": ["./program"], "steps": {},
        "commands": { \(commands) } }
      """, to: "plugins/shell/plugin.json")
    try folder.write("#!/bin/sh\n\(script)\n", to: "plugins/shell/program")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder("plugins/shell/program").string)
    return folder
  }

  private func procd(
    _ arguments: String..., in folder: TemporaryFolder, environment: [String: String] = [:]
  ) throws -> Programs.Result {
    // Scratch folders go below the test's own, so that what is left behind is seen.
    try FileManager.default.createDirectory(
      atPath: folder("scratch").string, withIntermediateDirectories: true)
    return try Programs.run(
      "procd", arguments, in: folder.path,
      environment: ["TMPDIR": folder("scratch").string].merging(environment) { $1 })
  }

  private func text(_ path: String, in folder: TemporaryFolder) -> String? {
    folder.read(path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// What stands on standard error besides the warning that kernels without Landlock cause.
  private func complaints(_ errors: String) -> [Substring] {
    errors.split(separator: "\n").filter { !$0.hasPrefix("procd: this kernel has no Landlock") }
  }

  @Test func `a command has the processor time and the memory of a step`() throws {
    let folder = try folder(
      #"if [ "$1" = time ]; then while :; do :; done; fi; exec python3 -c 'import os; x = b"1" * (300 << 20); os.abort()'"#,
      commands: #""burn": { "about": "Ends never" }"#)
    try folder.write(
      """
      { "version": 1, "plugins": ["plugins"], "pipelines": [],
        "defaults": { "timeout": "1s", "limits": { "memory": "400MiB" } } }
      """, to: "pipelines.json")
    let time = try procd("burn", "time", in: folder)
    #expect(time.status == 65, "\(time)")
    #expect(
      time.errors.contains(
        "procd burn: it needed more than 2 s of processor time and was ended [limit.cpu]; raise"),
      "\(time)")
    let memory = try procd("burn", "memory", in: folder)
    #expect(memory.status == 65 && memory.errors.contains("400 MiB of memory"), "\(memory)")
  }

  @Test(.enabled(if: python != nil, "SKIPPED: python3 is not installed, the example needs it"))
  func `the example counts letters of all files it is given`() throws {
    let folder = TemporaryFolder()
    let examples = Programs.repository.appending("Plugins").appending("Examples").string
    try folder.write(
      #"{ "version": 1, "plugins": ["\#(examples)"], "pipelines": [] }"#, to: "pipelines.json")
    try folder.write("Anna", to: "a.txt")
    try folder.write("Otto", to: "b.txt")
    let printed = try procd("letters", "--case", "ignore", "a.txt", "b.txt", in: folder)
    #expect(printed.status == 0, "\(printed.errors)")
    #expect(complaints(printed.errors).isEmpty, "\(printed.errors)")
    let table = "letter,count\r\na,2\r\nn,2\r\no,2\r\nt,2\r\n"
    #expect(printed.output == table)

    try folder.write("old", to: "sub/counts.csv")
    let taken = try procd("letters", "a.txt", "b.txt", "-o", "sub/counts.csv", in: folder)
    #expect(taken.status == 73)
    #expect(text("sub/counts.csv", in: folder) == "old")
    for option in [
      ["-o", "sub/counts.csv", "--overwrite"], ["-osub/new.csv"], ["--output=sub/more.csv"],
    ] {
      let arguments = ["letters", "a.txt", "b.txt"] + option
      let result = try Programs.run("procd", arguments, in: folder.path)
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.isEmpty)
    }
    for name in ["counts", "new", "more"] {
      #expect(text("sub/\(name).csv", in: folder) == table, "\(name)")
    }

    try folder.write(Data([0x41, 0xFF]), to: "latin.txt")
    let refused = try procd("letters", "latin.txt", "-o", "sub/counts.csv", in: folder)
    #expect(refused.status == 65)
    #expect(complaints(refused.errors) == ["latin.txt: the file is no UTF-8 text (byte 1)"])
    #expect(text("sub/counts.csv", in: folder) == table)

    let help = try procd("--help", in: folder)
    #expect(help.output.contains("OF PLUGINS:\n  letters "), "\(help.output)")
    #expect(help.output.contains("Count the letters of text files (letter-frequency)"))
    #expect(help.output.contains("  run  "))
    #expect(folder.files(below: "scratch").isEmpty)
  }

  @Test func `a command reads the files it was given and no other`() throws {
    let folder = try folder(
      """
      cat "$1" || exit 3
      # The second argument is not declared as a file: a path, and no more than that.
      cat "$2" 2>/dev/null && exit 4
      ls "$(dirname "$1")" 2>/dev/null && exit 5
      cat /etc/passwd 2>/dev/null && exit 6
      exit 0
      """, commands: #""peek": { "reads": [0] }"#)
    try folder.write("given\n", to: "given.txt")
    try folder.write("secret\n", to: "secret.txt")
    let secret = folder("secret.txt").string
    let result = try procd("peek", "given.txt", secret, in: folder)
    let checked = try Programs.run("procd", ["check"], in: folder.path)
    guard !checked.errors.contains("has no Landlock") else { return }
    #expect(result.output == "given\n")
    #expect(result.status == 0, "\(result.errors)")

    let missing = try procd("peek", "nothing.txt", in: folder)
    #expect(missing.status == 65)
    #expect(missing.errors.contains("nothing.txt cannot be read: No such file or directory"))
    #expect(missing.errors.split(separator: "\n").count == 1)
    let place = try procd("peek", "plugins", in: folder)
    #expect(place.status == 65)
    #expect(place.errors.contains("it is no regular file"))
    #expect(folder.files(below: "scratch").isEmpty)
  }

  @Test func `a command writes nowhere but where it was told to`() throws {
    let folder = try folder(
      """
      echo whole > "$2" || exit 3
      (echo x > "$3/stolen.txt") 2>/dev/null && exit 4
      (echo x >> "$3/given.txt") 2>/dev/null && exit 5
      (rm "$3/given.txt") 2>/dev/null && exit 6
      echo own > here.txt || exit 7
      exit ${4:-0}
      """, commands: #""make": { "writes": ["-o"] }"#)
    try folder.write("given\n", to: "given.txt")
    let checked = try Programs.run("procd", ["check"], in: folder.path)
    guard !checked.errors.contains("has no Landlock") else { return }
    let place = folder.path.string
    let before = folder.files()
    let made = try procd("make", "-o", "result.txt", place, in: folder)
    #expect(made.status == 0, "\(made.errors)")
    #expect(text("result.txt", in: folder) == "whole\n")
    #expect(text("given.txt", in: folder) == "given\n")
    #expect(folder.files() == (before + ["result.txt"]).sorted())

    // One that fails leaves what was there as it was, and its status is passed on.
    try folder.write("old\n", to: "result.txt")
    for (target, status) in [("result.txt", 9), ("fresh.txt", 65)] {
      let failed = try procd("make", "-o", target, place, String(status), in: folder)
      #expect(failed.status == Int32(status), "\(failed.errors)")
    }
    #expect(text("result.txt", in: folder) == "old\n")
    #expect(!folder.exists("fresh.txt"))

    // Places that cannot be written are told before anything runs.
    for target in ["nowhere/x.txt", "plugins", "/dev/null"] {
      let refused = try procd("make", "-o", target, place, in: folder)
      #expect(refused.status == 73, "\(target)")
      #expect(refused.errors.contains("cannot be written"), "\(refused.errors)")
    }
    #expect(folder.files() == (before + ["result.txt"]).sorted())
  }

  @Test func `a result takes the place of no other file unless that is asked for`() throws {
    let folder = try folder(
      """
      test "$1" = again && shift
      for word; do case $word in (--overwrite) exit 9;; esac; done
      cp "$1" "$3" || exit 3
      test -z "$5" || echo more > "$5"
      """,
      commands: #"""
        "copy": { "reads": "all", "writes": ["-o", "-p"], "opens": ["-f"] },
        "feed": { "reads": "all", "writes": ["-o"], "replaces": "earlier" },
        "edit": { "reads": { "again": [0] }, "writes": ["-o"], "opens": ["-f"], "replaces": { "again": "inputs" } }
        """#)
    try folder.write("new\n", to: "a.txt")
    try folder.write("old\n", to: "b.txt")
    let taken = try procd("copy", "a.txt", "-o", "b.txt", "-p", "c.txt", in: folder)
    #expect(taken.status == 73)
    #expect(
      complaints(taken.errors).map { $0.hasPrefix("procd copy: ") } == [true]
        && taken.errors.contains(
          "b.txt is there already, with other content; --overwrite replaces it"),
      "\(taken.errors)")
    // All of them or none.
    #expect(text("b.txt", in: folder) == "old\n" && !folder.exists("c.txt"))
    let asked = try procd(
      "copy", "a.txt", "-o", "b.txt", "--overwrite", "-p", "c.txt", in: folder)
    #expect(asked.status == 0, "\(asked.errors)")
    #expect(text("b.txt", in: folder) == "new\n" && text("c.txt", in: folder) == "more\n")
    // The same bytes are no conflict.
    let same = try procd("copy", "a.txt", "-o", "b.txt", "-p", "c.txt", in: folder)
    #expect(same.status == 0, "\(same.errors)")

    // What a command reads is never replaced, unless it is there to change it.
    for words in [["a.txt", "-o", "a.txt"], ["a.txt", "-o", "a.txt", "--overwrite"]] {
      let input = try Programs.run("procd", ["copy"] + words, in: folder.path)
      #expect(input.status == 64, "\(input.errors)")
      #expect(input.errors.contains("a.txt is an input, and no result takes its place"))
    }
    let own = try procd("edit", "again", "a.txt", "-o", "a.txt", in: folder)
    #expect(own.status == 0, "\(own.errors)")
    let opened = try procd(
      "edit", "again", "a.txt", "-o", "b.txt", "-f", "b.txt", in: folder)
    #expect(opened.status == 64, "\(opened.errors)")
    try folder.write("old\n", to: "b.txt")
    #expect(try procd("edit", "again", "a.txt", "-o", "b.txt", in: folder).status == 73)
    #expect(try procd("feed", "a.txt", "-o", "b.txt", in: folder).status == 0)
    #expect(text("b.txt", in: folder) == "new\n")
    #expect(!folder.files().contains { $0.hasSuffix(".part") })
  }

  @Test func `a signal ends the command with all that it started`() throws {
    let folder = try folder(
      """
      echo started > "$PROCD_STATE/started"
      (setsid sleep 300 & echo $! > "$PROCD_STATE/inner"; wait) &
      sleep 300
      """, commands: #""wait": { "state": true }"#)
    let running = try Programs.start(
      "procd", ["wait"], in: folder.path, environment: ["TMPDIR": "/tmp"])
    #expect(
      Programs.wait {
        text("spool/state/shell/inner", in: folder)?.hasSuffix("\n") == true
      })
    let inner = try #require(
      text("spool/state/shell/inner", in: folder).flatMap {
        Int32($0.trimmingCharacters(in: .whitespacesAndNewlines))
      })
    #expect(kill(inner, 0) == 0)
    running.signal(SIGTERM)
    #expect(running.wait() == 128 + SIGTERM)
    #expect(Programs.wait { kill(inner, 0) != 0 })
  }

  @Test func `names of procd win, and a broken configuration does not stop a plugin`() throws {
    let folder = try folder(
      #"echo "called $PROCD_COMMAND $*""#, commands: #""run": {}, "shout": { "about": "Shouts" }"#)
    let plugins = try procd("plugins", in: folder)
    #expect(plugins.errors.contains(#"its command "run" cannot be called"#), "\(plugins.errors)")
    #expect(plugins.output.contains("  command shout: Shouts"))

    let right = try #require(text("pipelines.json", in: folder))
    try folder.write(right.replacing(#""version": 1,"#, with: #""version": 7,"#), to: "wrong.json")
    let called = try procd("-c", "wrong.json", "shout", "-x", "a b", in: folder)
    #expect(called.output == "called shout -x a b\n", "\(called.errors)")
    #expect(called.status == 0)
    let run = try procd("run", "--once", "-c", "wrong.json", in: folder)
    #expect(run.status == 78)
    #expect(!run.output.contains("called"))

    let unknown = try procd("shuot", in: folder)
    #expect(unknown.status == 64)
    #expect(
      unknown.errors
        == "procd: there is no command shuot; did you mean shout? (procd help lists all)\n")
    let own = try procd("convrt", "a.jpg", in: folder)
    #expect(own.status == 64 && own.errors.contains("did you mean convert?"))
    let nothing = try procd("-c", "wrong.json", "xyzzyx", in: folder)
    #expect(nothing.status == 64 && nothing.errors.hasPrefix("procd: there is no command xyzzyx ("))
  }

  @Test func `without Landlock it is said, and refused where isolation is required`() throws {
    let folder = try folder("echo ran", commands: #""go": {}"#)
    let old = ["PROCD_LANDLOCK": "0"]
    let told = try procd("go", in: folder, environment: old)
    #expect(told.status == 0)
    #expect(told.output == "ran\n")
    #expect(told.errors.contains("this kernel has no Landlock"))

    let strict = try self.folder(
      "echo ran", commands: #""go": {}"#, spool: #""isolation": "required","#)
    let refused = try procd("go", in: strict, environment: old)
    #expect(refused.status != 0)
    #expect(refused.output.isEmpty)
    #expect(refused.errors.contains("isolation is required"), "\(refused.errors)")
  }
}
