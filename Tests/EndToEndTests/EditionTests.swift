import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Editions of a list, from the inbox to what `lookup` tells.
@Suite(.serialized) struct EditionTests {
  private func site() throws -> Site {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "200ms" },
        "pipelines": [
          { "id": "list", "series": "visa", "match": { "mime": "application/pdf" },
            "steps": [{ "id": "rows", "use": "status.rows", "expect": { "minRows": 1 } }],
            "emit": ["rows.csv"] } ] }
      """, to: "pipelines.json")
    return site
  }

  private func lookup(_ site: Site, _ arguments: String...) throws -> (status: Int32, json: JSON) {
    let result = try Programs.run("procd", ["lookup"] + arguments + ["--json"], in: site.place.path)
    let line = result.output.split(separator: "\n").first.map(String.init) ?? "null"
    return (result.status, try JSONReader.read(line).value)
  }

  private func counts(_ site: Site, _ name: String) throws -> [Int?] {
    let changes = try site.json("outbox/\(name).changes.json")
    return ["added", "removed", "changed"].map { changes["counts"]?[$0]?.integerValue }
  }

  @Test func `editions are compared, and the story of a number is told`() throws {
    let site = try site()
    try site.put(sample: "status-2012-06-01.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try counts(site, "status-2012-06-01") == [0, 0, 0])
    let followed = try site.run("follow", "24300117018", "--name", "Ada")
    #expect(followed.status == 0 && followed.output.contains("documents requested"))
    #expect(followed.output.hasPrefix("24300117018 is followed.\n"))
    #expect(try site.run("follow", "24300117063").output.contains("No list has it yet"))
    let slip = try site.run("follow", "24300117081")
    #expect(slip.status == 0 && slip.errors.contains("24300117018 is in a list: digits swapped?"))
    #expect(try site.run("unfollow", "24300117081").output.contains("no longer followed"))
    let short = try site.run("follow", "2430011701")
    #expect(short.status == 64 && short.errors.contains("have 11"), "\(short.errors)")

    try site.put(sample: "status-2012-06-15.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try counts(site, "status-2012-06-15") == [1, 1, 1])
    let report = try site.report("status-2012-06-15.pdf")
    #expect(report["edition"]?["standing"] == "newest")
    #expect(report["edition"]?["comparedWith"] == "2012-06-01")

    let (status, found) = try lookup(site, "24300117018", "--history")
    #expect(status == 0 && found["label"] == "Ada")
    #expect(found["current"]?["status"] == "under review" && found["since"] == "2012-06-15")
    #expect(found["before"]?["list"] == "2012-06-01")
    #expect(found["history"]?.arrayValue?.count == 2)
    let (gone, last) = try lookup(site, "24300117049")
    #expect(gone == 1 && last["found"] == false && last["history"]?.arrayValue?.count == 1)
    #expect(last["before"]?["list"] == "2012-06-01")
    let (missing, other) = try lookup(site, "24300117081")
    #expect(missing == 1 && other["similar"]?.arrayValue?.first == "24300117018")
    let none = try site.run("lookup", "12")
    #expect(none.status == 64 && none.errors.contains("12 is no number of a list"))
    #expect(!none.errors.contains("Usage"))
    let impossible = try site.run("lookup", "123456", "24300117018")
    // One that cannot be there does not hide the other.
    #expect(impossible.status == 64 && impossible.output.contains("under review"))
    #expect(impossible.errors.contains("have 11"))

    let page = String(
      decoding: site.place.read("outbox/visa.status.html") ?? Data(), as: UTF8.self)
    #expect(page.contains("Ada") && page.contains("under review") && page.contains("2012-06-15"))
  }

  @Test func `names are read as lists are, and what was dated otherwise is noted`() throws {
    let site = try site()
    func take(_ sample: String, as name: String) throws -> JSON {
      try site.put(sample: sample, as: name)
      #expect(try site.run("run", "--once").status == 0)
      return try site.report(name)
    }
    let named = try take("status-2012-06-15.pdf", as: "15 juin 2012.pdf")
    #expect(named["edition"]?["date"] == "2012-06-15" && named["notes"] == nil)
    let late = try take("status-2012-06-01.pdf", as: "status 1.6.12.pdf")
    #expect(late["edition"]?["standing"] == "late")
    #expect(
      late["notes"]?.arrayValue?.compactMap(\.stringValue) == [
        "the list is dated 1 Jun 2012 and was sorted in before newer ones, so it brings no news"
      ])
    // The day of a file is that on which it was made here.
    try site.place.write(Site.pdf("24300117018 open 01.06.2012"), to: "inbox/status.pdf")
    _ = try site.run("run", "--once")
    let undated = try site.report("status.pdf")
    let note = try #require(undated["notes"]?.arrayValue?.first?.stringValue)
    #expect(note.hasPrefix("no date was found in its name: the list is dated "))
  }

  @Test func `the same list once more changes nothing`() throws {
    let site = try site()
    try site.put(sample: "status-2012-06-15.pdf")
    #expect(try site.run("run", "--once").status == 0)
    try site.put(sample: "status-2012-06-15.pdf", as: "status-2012-06-20.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try counts(site, "status-2012-06-20") == [0, 0, 0])
    #expect(try site.report("status-2012-06-20.pdf")["edition"]?["standing"] == "known")
  }

  @Test func `an edition is counted once, whenever the daemon is killed`() throws {
    let site = try site()
    try site.put(sample: "status-2012-06-01.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try site.run("follow", "24300117018").status == 0)
    try site.put(sample: "status-2012-06-15.pdf")
    for delay in [0.22, 0.26, 0.3, 0.34, 0.38, 0.42, 0.28, 0.32] {
      let daemon = try site.watch()
      Thread.sleep(forTimeInterval: delay)
      daemon.signal(SIGKILL)
      _ = daemon.wait()
    }
    #expect(try site.run("run", "--once").status == 0)
    #expect(try counts(site, "status-2012-06-15") == [1, 1, 1])
    let (_, found) = try lookup(site, "24300117018", "--history")
    #expect(found["history"]?.arrayValue?.count == 2)
    #expect(found["list"]?["numbers"] == 6)
    #expect(site.leftovers == [])
  }

  @Test func `a list that is no such one says what was found and what was wanted`() throws {
    let site = try site()
    let text = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    try site.place.write(
      text.replacing(#""minRows": 1"#, with: #""minRows": 100"#), to: "pipelines.json")
    try site.put(sample: "status-2012-06-01.pdf")
    let result = try site.run("run", "--once")
    #expect(result.status == 65)
    let wanted = "at least 100 wanted"
    #expect(result.errors.contains(wanted) || result.output.contains(wanted), "\(result)")
    let report = try site.json("quarantine/status-2012-06-01.pdf.report.json")
    let message = try #require(report["error"]?["message"]?.stringValue)
    #expect(message.contains(/list passed it over: rows \d+, at least 100 wanted/), "\(message)")
    #expect(report["error"]?["hint"]?.stringValue?.contains("expect") == true)
    let why = site.place.read("quarantine/status-2012-06-01.pdf.why.txt") ?? Data()
    #expect(String(decoding: why, as: UTF8.self).contains(wanted))
    let explained = try site.run("explain", "quarantine/status-2012-06-01.pdf").output
    #expect(explained.contains("expects rows at least 100"), "\(explained)")
  }

  @Test func `a list that was refused is told beside those that were kept, until the next one`()
    throws
  {
    let site = try site()
    let text = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    try site.place.write(
      text.replacing(#""minRows": 1"#, with: #""minRows": 3"#), to: "pipelines.json")
    try site.place.write(Site.pdf("20000000001 open 2012-06-09"), to: "inbox/status-2012-06-10.pdf")
    #expect(try site.run("run", "--once").status == 65)
    let none = try site.run("lookup", "24300117018")
    #expect(none.status == 75 && none.errors.contains("at least 3 wanted"), "\(none)")
    #expect(try site.run("status").output.contains("visa: no edition yet; status-2012-06-10.pdf"))

    try site.put(sample: "status-2012-06-01.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try !site.run("lookup", "24300117018").output.contains("refused"))
    try site.place.write(Site.pdf("20000000001 open 2012-06-09"), to: "inbox/status-2012-06-15.pdf")
    #expect(try site.run("run", "--once").status == 65)
    let refused = "status-2012-06-15.pdf was refused: rows 1, at least 3 wanted"
    let answer = try site.run("lookup", "24300117018")
    #expect(answer.status == 0 && answer.output.contains(refused), "\(answer.output)")
    let (_, found) = try lookup(site, "24300117018")
    #expect(found["refusedSince"]?.arrayValue?.map { $0["date"] } == ["2012-06-15"])
    #expect(try site.run("status").output.contains(refused))
    let report = try site.json("quarantine/status-2012-06-15.pdf.report.json")
    #expect(report["edition"]?["standing"] == "refused")
    func page() -> String {
      String(decoding: site.place.read("outbox/visa.status.html") ?? Data(), as: UTF8.self)
    }
    #expect(page().contains(refused))

    try site.put(sample: "status-2012-06-15.pdf", as: "status-2012-06-20.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try !site.run("lookup", "24300117018").output.contains("refused"))
    #expect(!page().contains("refused"))
  }

  /// A list of twelve rows, some days apart.
  private func list(_ day: Int, dates: Bool) throws -> Data {
    var content = ""
    for row in 0..<12 {
      let y = 700 - 18 * row
      content += "BT /F1 10 Tf 60 \(y) Td (200000000\(10 + row)) Tj ET\n"
      content += "BT /F1 10 Tf 180 \(y) Td (under review) Tj ET\n"
      if dates { content += "BT /F1 10 Tf 400 \(y) Td (\(day)-May-12) Tj ET\n" }
    }
    return Data(PDFBuilder.pages([content]))
  }

  @Test func `a list that changed its form is held back until somebody has looked at it`() throws {
    let site = try site()
    try site.place.write(list(10, dates: true), to: "inbox/status-2012-06-01.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try site.run("follow", "20000000015").status == 0)
    try site.place.write(list(11, dates: false), to: "inbox/status-2012-06-15.pdf")
    let held = try site.run("run", "--once")
    #expect(held.status == 65)
    let report = try site.json("quarantine/status-2012-06-15.pdf.report.json")
    #expect(report["error"]?["code"] == "series.form")
    #expect(report["edition"]?["standing"] == "refused")
    let reason = "the list has changed its form: 12 of its 12 rows have no date"
    #expect(report["error"]?["message"]?.stringValue?.hasPrefix(reason) == true)
    // The list before stands, and nothing was told of its numbers.
    let answer = try site.run("lookup", "20000000015")
    #expect(answer.output.contains("10-May-12") && answer.output.contains(reason), "\(answer)")

    // The same file once more is held back again; put back from the quarantine it is taken.
    try site.place.write(list(11, dates: false), to: "inbox/status-2012-06-16.pdf")
    #expect(try site.run("run", "--once").status == 65)
    #expect(try site.run("retry", "status-2012-06-15.pdf").status == 0)
    #expect(try site.run("run", "--once").status == 0)
    #expect(try site.report("status-2012-06-15.pdf")["edition"]?["standing"] == "newest")
    #expect(try counts(site, "status-2012-06-15") == [0, 0, 12])
  }

  @Test func `before the first list lookup says what to wait for`() throws {
    let site = try site()
    let result = try site.run("lookup", "24300117018")
    #expect(result.status == 75, "\(result.errors)")
    #expect(result.errors.contains("no edition of the list visa has come yet"))
    #expect(!result.errors.contains("Usage"))
  }

  @Test func `the date of a list follows the order of its step`() throws {
    let site = try site()
    let text = String(decoding: try #require(site.place.read("pipelines.json")), as: UTF8.self)
    try site.place.write(
      text.replacing(
        #""use": "status.rows","#, with: #""use": "status.rows", "with": { "dateOrder": "mdy" },"#),
      to: "pipelines.json")
    try site.put(sample: "status-2012-06-01.pdf", as: "list 05-10-2012.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try site.report("list 05-10-2012.pdf")["edition"]?["date"] == "2012-05-10")
  }

  @Test func `what is no list is told as what it is`() throws {
    let empty = TemporaryFolder()
    func look(_ arguments: String...) throws -> Programs.Result {
      try Programs.run("procd", ["lookup", "24300117018", "--in"] + arguments, in: empty.path)
    }
    try empty.write("{}", to: "a.json")
    try empty.write(Site.pdf("a letter"), to: "letter.pdf")
    for (name, sentence) in [
      ("a.json", "this is not a PDF"), (".", "this is a folder"), ("none.pdf", "no such file"),
      ("letter.pdf", "see --pattern"),
    ] {
      let result = try look(name)
      #expect(result.status == 65 && result.errors.contains(sentence), "\(name): \(result.errors)")
    }
    #expect(try look("ftp://a.example/list.pdf").status == 64)
    let bare = try look("www.a.example/list.pdf")
    #expect(bare.status == 65 && bare.errors.contains("write it with http:// or https://"))
    let sample = Programs.repository.appending("docs/samples/status-2012-06-01.pdf").string
    let short = try Programs.run("procd", ["lookup", "2430011701", "--in", sample], in: empty.path)
    #expect(short.status == 64 && short.errors.contains("have 11"))
    let found = try look(sample)
    #expect(!found.output.contains("checked") && !found.output.contains("so since"))
    #expect(try look(sample, "--pattern", #"243\d{8}"#, "--date-order", "dmy").status == 0)
    let none = try look(sample, "--pattern", #"999\d{8}"#)
    #expect(none.status == 65 && none.errors.contains("no number was found"))
    let columns = try look(sample, "--columns", "number,other,date")
    #expect(columns.status == 0 && columns.output.contains("no status"), "\(columns)")
    #expect(try look(sample, "--pattern", "(").status == 64)
  }

  @Test func `that a damaged list came is told by everything`() throws {
    let site = try site()
    try site.put(sample: "status-2012-06-01.pdf")
    #expect(try site.run("run", "--once").status == 0)
    try site.place.write(try damaged("status-2012-06-15.pdf"), to: "inbox/status-2012-06-15.pdf")
    let result = try site.run("run", "--once")
    #expect(result.status == 0)
    let report = try site.report("status-2012-06-15.pdf")
    #expect(report["partial"] == true, "\(report)")
    #expect(result.errors.contains("status-2012-06-15.pdf: only part of it could be read"))
    let answer = try site.run("lookup", "24300117018")
    #expect(answer.output.contains("Only part of the list of 15 Jun 2012 could be read"))
    let page = String(
      decoding: site.place.read("outbox/visa.status.html") ?? Data(), as: UTF8.self)
    #expect(page.contains("Only part of the list of 15 Jun 2012 could be read"))
    let alone = try site.run(
      "lookup", "24300117018", "--in", "archive/status-2012-06-15.pdf")
    #expect(alone.errors.contains("only part of it could be read"), "\(alone.errors)")
    #expect(alone.output.contains("Only part of this list could be read"))
  }

  /// A sample with a second page that cannot be read.
  private func damaged(_ sample: String) throws -> Data {
    let path = Programs.repository.appending("docs/samples/\(sample)").string
    let data = try #require(FileManager.default.contents(atPath: path))
    let place = try #require(data.range(of: Data("[3 0 R]/Count 1".utf8)))
    var damaged = data
    damaged.replaceSubrange(place, with: Data("[3 0 R 9 0 R]/Count 2".utf8))
    return damaged
  }

  @Test func `a file is looked in without any configuration`() throws {
    let sample = Programs.repository.appending("docs/samples/status-2012-06-01.pdf").string
    let empty = TemporaryFolder()
    let result = try Programs.run(
      "procd", ["lookup", "24300117018", "--in", sample], in: empty.path)
    #expect(result.status == 0 && result.output.contains("documents requested"), "\(result.errors)")
    #expect(result.output.contains("1 Jun 2012"))
    #expect(empty.files() == [])
  }

  @Test func `a rule with a series that gives no rows says so`() throws {
    let site = try site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "200ms" },
        "pipelines": [
          { "id": "list", "series": "visa", "steps": [{ "id": "text", "use": "pdf.text" }],
            "emit": ["text.text"] } ] }
      """, to: "pipelines.json")
    let checked = try site.run("check")
    #expect(checked.status == 78 && checked.errors.contains("[series.rows]"), "\(checked)")
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "200ms" },
        "pipelines": [
          { "id": "list", "series": "visa",
            "steps": [{ "id": "rows", "use": "status.rows", "if": "probe.pages > 100" }],
            "emit": ["rows.csv?", "source"] } ] }
      """, to: "pipelines.json")
    try site.put(sample: "status-2012-06-01.pdf")
    #expect(try site.run("run", "--once").status == 65)
    let report = try site.json("quarantine/status-2012-06-01.pdf.report.json")
    #expect(report["error"]?["code"] == "series.rows")
  }
}
