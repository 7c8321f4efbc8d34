import Files
import Foundation
import Pipelines
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// `procd run --once`, as cron would call it.
@Suite(.serialized) struct OnceTests {
  @Test func `warnings about the configuration are told by check, not by each run of cron`() throws
  {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" },
        "pipelines": [
          { "id": "all", "match": "*", "steps": [], "emit": ["source"] },
          { "id": "never", "match": { "name": "*.pdf" }, "steps": [], "emit": ["source"] }
        ] }
      """, to: "pipelines.json")
    try site.place.write(Site.pdf("x"), to: "inbox/x.pdf")
    let check = try site.run("check")
    #expect(check.status == 0 && check.errors.contains("warning["), "\(check)")
    let run = try site.run("run", "--once")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    #expect(site.place.exists("outbox/x.pdf"))
  }

  @Test func `every sample ends in its place with a report, and a second run changes nothing`()
    throws
  {
    let site = try Site()
    let good = [
      "letter-photo.jpg", "report-mixed.pdf", "status-2012-06-01.pdf", "status-2012-06-15.pdf",
    ]
    for sample in good { try site.put(sample: sample) }
    try site.put(sample: "locked.pdf")
    try site.place.write("", to: "inbox/empty.pdf")
    try site.place.write(Site.pdf("Nested"), to: "inbox/2026/deep/nested.pdf")
    try site.put(sample: "status-2012-06-01.pdf", as: "again.pdf")
    let originals = site.contents

    let result = try site.run("run", "--once")
    #expect(result.status == 65, "\(result.errors)")
    #expect(result.errors.contains("locked.pdf"))
    #expect(site.place.files(below: "inbox") == [])
    #expect(site.leftovers == [])

    // Every original lies whole in exactly one place.
    for (path, bytes) in originals {
      let name = String(path.dropFirst("inbox/".count))
      let isBad = name == "locked.pdf" || name == "empty.pdf"
      #expect(site.place.read("\(isBad ? "quarantine" : "archive")/\(name)") == bytes, "\(name)")
      #expect(!site.place.exists("\(isBad ? "archive" : "quarantine")/\(name)"))
    }
    #expect(site.place.read("outbox/letter-photo.pdf") != nil)
    #expect(
      site.place.read("outbox/2026/deep/nested.txt").map { String(decoding: $0, as: UTF8.self) }?
        .contains("Nested") == true)
    let rows = String(
      decoding: site.place.read("outbox/status-2012-06-01.csv") ?? Data(), as: UTF8.self)
    #expect(rows.split(whereSeparator: \.isNewline).count == 8)

    try expectReportsHold(site, count: good.count + 2)
    #expect(try site.report("status-2012-06-01.pdf")["pipeline"] == "batch-status")
    #expect(try site.report("letter-photo.jpg")["pipeline"] == "scan-to-searchable-pdf")
    #expect(try site.report("report-mixed.pdf")["pipeline"] == "pdf-text")
    #expect(try site.report("report-mixed.pdf")["completeness"] == "lease")

    for name in ["locked.pdf", "empty.pdf"] {
      let report = try site.json("quarantine/\(name).report.json")
      #expect(report["outcome"] == "quarantined")
      #expect(report["source"]?["sha256"]?.stringValue?.count == 64)
      let why = String(
        decoding: site.place.read("quarantine/\(name).why.txt") ?? Data(), as: UTF8.self)
      #expect(why.contains("What happened"))
      #expect(why.contains("back into the inbox"))
      let code = report["error"]?["code"]?.stringValue ?? "?"
      #expect(why.contains("Code: \(code)"))
    }
    #expect(
      String(decoding: site.place.read("quarantine/locked.pdf.why.txt") ?? Data(), as: UTF8.self)
        .contains("password"))

    let before = site.contents
    let second = try site.run("run", "--once")
    #expect(second.status == 0, "\(second.errors)")
    #expect(second.output.isEmpty && second.errors.isEmpty)
    #expect(site.contents == before)
  }

  /// Each report keeps to its schema and tells the truth about each result.
  private func expectReportsHold(_ site: Site, count: Int) throws {
    let schema = try JSONReader.read(try site.run("schema", "report").output).value
    #expect(schema == Report.shape.schema(title: "A procd report", identifier: "procd:report:1"))
    let checker = SchemaChecker(schema)
    let reports = site.place.files(below: "outbox").filter { $0.hasSuffix(".report.json") }
    #expect(reports.count == count)
    var told: Set<String> = []
    for name in reports + site.place.files(below: "quarantine").filter({ $0.hasSuffix(".json") }) {
      let place = reports.contains(name) ? "outbox" : "quarantine"
      let report = try site.json("\(place)/\(name)")
      #expect(checker.violations(of: report) == [], "\(name)")
      let folder = FilePath(name).removingLastComponent()
      for artifact in report["artifacts"]?.arrayValue ?? [] {
        let path = folder.appending(artifact["path"]?.stringValue ?? "?").string
        told.insert(path)
        let bytes = Array(try #require(site.place.read("outbox/\(path)"), "\(path) is missing"))
        #expect(artifact["sha256"]?.stringValue == sha256(bytes))
        #expect(artifact["bytes"]?.integerValue == bytes.count)
      }
      let original = try #require(report["original"]?.stringValue)
      let bytes = Array(try #require(site.place.read(original), "\(original) is missing"))
      #expect(report["source"]?["sha256"]?.stringValue == sha256(bytes))
      if place == "outbox" {
        #expect(site.place.read("archive/\(name)") == site.place.read("outbox/\(name)"))
      }
    }
    // Nothing lies there that no report names.
    #expect(told == Set(site.place.files(below: "outbox")).subtracting(reports))
  }

  @Test func `what a killed start left in outbox and inbox does not look like another mount`()
    throws
  {
    let site = try Site()
    try site.place.write(Site.pdf("x"), to: "inbox/a.pdf")
    for place in ["inbox", "outbox"] {
      try FileManager.default.createDirectory(
        atPath: site.place("\(place)/.procd-trial-abc").string, withIntermediateDirectories: true)
    }
    #expect(try site.run("run", "--once").status == 0)
    for left in [".procd-trial-abc", ".procd"] {
      #expect(!site.place.exists("inbox/\(left)") && !site.place.exists("outbox/\(left)"))
    }
    #expect(site.place.exists("spool/claimed") && site.place.exists("spool/seal"))
  }

  @Test func `the same content is computed once and published for each file`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("Twin"), to: "inbox/a.pdf")
    try site.place.write(Site.pdf("Twin"), to: "inbox/b.pdf")
    #expect(try site.run("run", "--once").status == 0)
    let reports = try ["a.pdf", "b.pdf"].map(site.report)
    let reused = reports.compactMap { $0["reusedFrom"]?.stringValue }
    let own = reports.filter { $0["reusedFrom"] == nil }.compactMap { $0["job"]?.stringValue }
    #expect(reused.count == 1 && reused == own)
    #expect(site.place.read("outbox/a.txt") != nil)
    #expect(site.place.read("outbox/a.txt") == site.place.read("outbox/b.txt"))
    // Where the results are gone, they are computed again.
    for name in ["a.txt", "b.txt"] {
      try FileManager.default.removeItem(atPath: site.place("outbox/\(name)").string)
    }
    try FileManager.default.removeItem(atPath: site.place("outbox/a.pdf.report.json").string)
    try site.place.write(Site.pdf("Twin"), to: "inbox/c.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(site.place.read("outbox/c.txt") != nil)
    #expect(try site.report("c.pdf")["outcome"] == "done")
  }

  @Test func `files of one stem and files of reserved names do not collide`() throws {
    let site = try Site()
    let names = [
      "a.pdf", "a.PDF", "x/report.json", "caf\u{E9}.pdf", "cafe\u{301}.pdf",
      String(repeating: "€", count: 83) + ".pdf",
    ]
    for (number, name) in names.enumerated() {
      // By bytes: Foundation may change the form of a name.
      let path = site.place.path.appending("inbox").appending(name)
      let folder = try Folder.make(path.removingLastComponent())
      let file = try folder.creating(FilePath(root: nil, [try #require(path.lastComponent)]))
      try file.write(Array(Site.pdf("Number \(number)")).span)
    }
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.errors)")
    #expect(site.place.files(below: "inbox") == [])
    let texts = site.place.files(below: "outbox").filter { $0.hasSuffix(".txt") }
    #expect(texts.count == names.count, "\(texts)")
    #expect(Set(texts.compactMap { site.place.read("outbox/\($0)") }).count == names.count)
    try expectReportsHold(site, count: names.count)
  }

  @Test func `a file that was moved back out of quarantine is tried again, and retry does it`()
    throws
  {
    let site = try Site()
    try site.put(sample: "locked.pdf")
    #expect(try site.run("run", "--once").status == 65)
    let jobs = try site.run("jobs", "--quarantined", "--json").output
    #expect(try JSONReader.read(jobs).value["path"] == "locked.pdf")
    #expect(try site.run("retry", "none.pdf").status == 65)
    let retry = try site.run("retry", "--all")
    #expect(retry.status == 0, "\(retry.errors)")
    #expect(try site.run("run", "--once").status == 65)
    #expect(
      site.place.files(below: "quarantine") == [
        "locked.pdf", "locked.pdf.report.json", "locked.pdf.why.txt",
      ])
    let all = try site.run("jobs", "--json").output.split(separator: "\n")
    #expect(all.count == 2)
    // What no job put there stays, which is no success.
    try site.place.write("by hand", to: "quarantine/mine.txt")
    let partly = try site.run("retry", "--all")
    #expect(partly.status == 65 && partly.errors.contains("mine.txt stays"), "\(partly)")
  }

  @Test func `a wrong configuration ends with 78 and starts nothing`() throws {
    let site = try Site { $0.replacing(#""pdf.text""#, with: #""pdf.txt""#) }
    try site.put(sample: "locked.pdf")
    let before = site.contents
    let result = try site.run("run", "--once")
    #expect(result.status == 78)
    #expect(result.errors.contains("error[step.unknown]"))
    #expect(result.errors.contains("did you mean \"pdf.text\"?"))
    #expect(site.contents == before)
    #expect(!site.place.exists("spool") && !site.place.exists("outbox"))
    let check = try site.run("check", "--json")
    #expect(check.status == 78)
    let found = try JSONReader.read(check.output).value
    #expect(found["ok"] == false)
    let complaint = found["complaints"]?.arrayValue?.first
    #expect(complaint?["code"] == "step.unknown")
    #expect((complaint?["line"]?.integerValue ?? 0) > 30)
  }

  @Test func `a second procd on the same folders ends with 75 and names the first`() throws {
    let site = try Site()
    let first = try site.watch()
    defer { first.signal(SIGKILL) }
    #expect(Programs.wait { site.place.read("spool/daemon.pid")?.isEmpty == false })
    // Turns of cron overlap, and nobody wants mail of each.
    let turn = try site.run("run", "--once")
    #expect(turn.status == 75 && turn.errors == "" && turn.output == "", "\(turn)")
    let second = try site.run("run")
    #expect(second.status == 75)
    #expect(
      second.errors.contains("process \(first.number)"), "\(second.errors)")
    first.signal(SIGTERM)
    #expect(first.wait() == 0)
  }

  @Test func `explain foresees that a result is missing, as a run does`() throws {
    let site = try Site {
      $0.replacing(
        #"["text.text", "ocr.pdf?", "open.pdf?", "ocr.beside?"]"#,
        with: #"["text.text", "ocr.pdf"]"#)
    }
    try site.place.write(Site.pdf("Read"), to: "inbox/a.pdf")
    let explained = try site.run("explain", "inbox/a.pdf")
    #expect(explained.status == 65 && explained.output.contains("[result.missing]"), "\(explained)")
    #expect(!explained.output.contains("outbox"))
    #expect(try site.run("explain", "--all").output.contains("quarantine"))
    #expect(try site.run("check").errors.contains("emit.skipped"))
    #expect(try site.run("run", "--once").status != 0)
    let note = try #require(site.place.read("quarantine/a.pdf.why.txt"))
    #expect(String(decoding: note, as: UTF8.self).contains("result.missing"))
  }

  @Test func `the commands answer with what programs can read`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("Asked"), to: "inbox/a.pdf")
    #expect(try site.run("explain", "inbox/a.pdf").output.contains("✓ pdf-text"))
    let explained = try JSONReader.read(try site.run("explain", "--json", "inbox/a.pdf").output)
      .value
    #expect(explained["pipeline"] == "pdf-text")
    #expect(explained["mime"] == "application/pdf")
    #expect(explained["writes"]?.arrayValue?.first == "a.txt")
    #expect(explained["ignoredBy"] == nil)
    let all = try JSONReader.read(try site.run("explain", "--all", "--json").output).value
    #expect(all["file"] == "a.pdf" && all["pipeline"] == "pdf-text")
    #expect(site.place.files(below: "inbox") == ["a.pdf"])
    let status = try JSONReader.read(try site.run("status", "--json").output).value
    #expect(status["waiting"]?.arrayValue?.first?["path"] == "a.pdf")
    #expect(status["daemon"] == nil)
    let check = try JSONReader.read(try site.run("check", "--json").output).value
    #expect(check["ok"] == true)
    #expect(check["complaints"] == [])
    #expect(try site.run("run", "--once").status == 0)
    let after = try JSONReader.read(try site.run("status", "--json").output).value
    #expect(after["done"] == 1)
    #expect(after["waiting"] == [])
    let story = try JSONReader.read(try site.run("status", "--json", "a.pdf").output).value
    #expect(story["jobs"]?.arrayValue?.first?["outcome"] == "done")
    #expect(try site.run("status", "none.pdf").status == 65)
    let plugins = try JSONReader.read(try site.run("plugins", "--json").output).value
    #expect(plugins.arrayValue?.isEmpty == false)
    let schema = try JSONReader.read(try site.run("schema").output).value
    let checker = SchemaChecker(schema)
    #expect(checker.violations(of: try site.json("pipelines.json")) == [])
    #expect(!checker.violations(of: ["version": 1]).isEmpty)
    for kind in ["report", "plugin"] {
      #expect(throws: Never.self) { try JSONReader.read(try site.run("schema", kind).output) }
    }
    #expect(try site.run("nonsense").status == 64)
  }

  @Test func `a file that is written for ever keeps no run for ever`() throws {
    // So long that a machine that stands still for a while makes no quiet file of it.
    let site = try Site {
      $0.replacing(#""settle": "200ms""#, with: #""settle": "4s", "settleUnleased": "4s""#)
    }
    try site.place.write("log\n", to: "inbox/growing.txt")
    try site.place.write(Site.pdf("Done"), to: "inbox/a.pdf")
    let writer = try Programs.start(
      try #require(Programs.find("sh")),
      ["-c", "while sleep 0.05; do echo more >> inbox/growing.txt; done"], in: site.place.path)
    defer { writer.signal(SIGKILL) }
    let run = try site.run("run", "--once")
    #expect(run.status == 75 && run.errors.contains("growing.txt stays in the inbox"), "\(run)")
    #expect(site.place.exists("outbox/a.txt") && site.place.exists("inbox/growing.txt"))
  }

  @Test func `a condition that never ends is no answer`() throws {
    let site = try Site()
    try site.place.write(
      #"""
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "pipelines": [
        { "id": "first", "match": { "text": { "regex": "^(a+)+$" } }, "emit": ["source"], "to": "first" },
        { "id": "rest", "emit": ["source"], "to": "rest" }] }
      """#, to: "pipelines.json")
    try site.place.write(String(repeating: "a", count: 60) + "!\n", to: "inbox/a.txt")
    #expect(try site.run("run", "--once").status == 65)
    #expect(site.place.files(below: "outbox").filter { $0.hasSuffix(".txt") }.isEmpty)
    let note = try #require(site.place.read("quarantine/a.txt.why.txt"))
    #expect(String(decoding: note, as: UTF8.self).contains("route.regex"))
  }

  @Test func `check tells of many files before the first run`() throws {
    let site = try Site()
    for number in 0...200 { try site.place.write("x", to: "inbox/\(number).txt") }
    let check = try site.run("check")
    #expect(check.status == 0 && check.errors.contains("--existing process"), "\(check)")
    let run = try Programs.run("procd", ["run", "--once"], in: site.place.path)
    #expect(run.status == 78 && run.errors.contains("--existing process"), "\(run)")
  }

  @Test func `explain names the pattern by which a file is left alone`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("x"), to: "inbox/@eaDir/a.pdf")
    let left = try JSONReader.read(
      try site.run("explain", "--json", "inbox/@eaDir/a.pdf").output)
    #expect(left.value["ignoredBy"] == "@eaDir")
    #expect(try site.run("explain", "inbox/@eaDir/a.pdf").output.contains("stays in the inbox"))
  }

  @Test func `explain says of what is no file that it is none`() throws {
    let site = try Site()
    let inbox = site.place("inbox").string
    try #require(symlink("/etc/hostname", "\(inbox)/link.txt") == 0)
    try #require(mkfifo("\(inbox)/pipe", 0o600) == 0)
    try site.place.write("x", to: "inbox/folder/x.txt")
    #expect(try site.run("explain", "inbox/link.txt").output.contains("it is a symbolic link"))
    #expect(try site.run("explain", "inbox/pipe").errors.contains("a fifo, socket or device"))
    #expect(try site.run("explain", "inbox/folder").errors.contains("taken one by one"))
    // Below the inbox, as `status` takes names.
    #expect(try site.run("explain", "pipe").errors.contains("a fifo, socket or device"))
  }

  @Test func `explain knows a folder that is one document`() throws {
    let site = try Site {
      $0.replacing(
        #""pipelines": ["#,
        with:
          #""pipelines": [{ "id": "letters", "gather": "folder", "match": { "path": "letters/*" }, "emit": ["pages.pdf"] },"#
      )
    }
    try site.put(sample: "letter-photo.jpg", as: "letters/bank/1.jpg")
    let one = try site.run("explain", "inbox/letters/bank")
    #expect(one.status == 0 && one.output.contains("✓ letters"), "\(one)")
    let all = try site.run("explain", "--all")
    #expect(all.output.contains("letters/bank: letters"), "\(all)")
  }

  @Test func `what may be the rest of a file says so`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("x"), to: "inbox/a.pdf")
    #expect(try site.run("run", "--once").status == 0)
    try site.place.write("the rest", to: "inbox/a.pdf")
    #expect(try site.run("run", "--once").status == 65)
    let first = try #require(try site.report("a.pdf")["job"]?.stringValue)
    let why = String(
      decoding: try #require(site.place.read("quarantine/a.pdf.why.txt")), as: UTF8.self)
    #expect(why.contains("Also: A file of this name was taken") && why.contains(first), "\(why)")
  }

  @Test func `a language that is named and not installed is told before the first file`() throws {
    let site = try Site {
      $0.replacing(
        #""use": "ocr.tesseract""#,
        with: #""use": "ocr.tesseract", "with": { "languages": ["tlh"] }"#)
    }
    try site.put(sample: "letter-photo.jpg")
    let result = try site.run("run", "--once")
    #expect(result.status == 78)
    #expect(result.errors.contains("apt install tesseract-ocr-tlh"))
    #expect(site.place.exists("inbox/letter-photo.jpg"))
    for command in ["check", "doctor"] {
      let said = try site.run(command)
      #expect(said.status != 0 && (said.output + said.errors).contains("tlh"), "\(command)")
    }
  }

  @Test func `convert leaves inputs alone and its results where they were asked for`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("One"), to: "in/a.pdf")
    try site.place.write(Site.pdf("Two"), to: "in/b.pdf")
    let result = try site.run("convert", "in", "-o", "out")
    #expect(result.status == 0, "\(result.errors)")
    #expect(site.place.files(below: "out") == ["a.txt", "b.txt"])
    #expect(site.place.files(below: "in") == ["a.pdf", "b.pdf"])
    #expect(!site.place.exists("out/.procd") && !site.place.exists("spool"))
    let missing = try site.run("convert", "none.pdf", "-o", "out")
    #expect(missing.status == 65)
  }

  @Test func `a file to add that is not there is a mistake of the input, not of the output`() throws
  {
    let site = try Site()
    try site.place.write("words", to: "there.txt")
    let added = try site.run("add", "missing.txt", "there.txt")
    #expect(added.status == 65 && added.errors.contains("missing.txt"), "\(added)")
    #expect(added.output == "there.txt\n" && site.place.files(below: "inbox") == ["there.txt"])
  }

  @Test func `what went as the rule says is no problem: pages with text, blank pages left out`()
    throws
  {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "pipelines": [{
        "id": "scans", "match": { "mime": ["image/tiff", "application/pdf"] },
        "steps": [{ "id": "ocr", "use": "ocr.tesseract", "with": { "blankPages": "drop" } }],
        "emit": ["ocr.pdf"] }] }
      """, to: "pipelines.json")
    try site.put(sample: "status-2012-06-15.pdf")
    let script = """
      from PIL import Image
      import sys
      letter = Image.open(sys.argv[1]).convert("L")
      letter.save("inbox/stack.tif", save_all=True, append_images=[Image.new("L", letter.size, 255)])
      """
    let letter = Programs.repository.appending("docs/samples/letter-photo.jpg").string
    let made = try Programs.run("/usr/bin/python3", ["-c", script, letter], in: site.place.path)
    #expect(made.status == 0, "\(made.errors)")
    let run = try site.run("run", "--once")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let report = String(
      decoding: try #require(site.place.read("outbox/stack.tif.report.json")), as: UTF8.self)
    #expect(report.contains("[ocr.blank]"), "\(report)")
  }
}
