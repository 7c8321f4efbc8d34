import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// The page's server beside a real procd: what it shows and does, and who may not come in.
@Suite(.serialized) struct PageTests {
  @Test func `a file is dropped, lives through its stages, is found, drawn and kept`() throws {
    let client = try PageClient()
    let upload = try client.upload(
      PageClient.sample("report-mixed.pdf"), "name=ein%20Bericht%20%C3%9F.pdf&folder=a/b")
    #expect(upload.status == 201 && upload.json?["path"] == "a/b/ein Bericht ß.pdf")
    try #require(client.wait("now") { $0["totals"]?["done"] == 1 })
    let job = try #require(try client.get("jobs").json?["jobs"]?.arrayValue?.first)
    let id = try #require(job["job"]?.stringValue)
    #expect(job["path"] == "a/b/ein Bericht ß.pdf" && job["outcome"] == "done")
    let document = try #require(try client.get("jobs/\(id)").json)
    #expect(document["views"]?["pages"] == 2 && document["report"]?["job"] == job["job"])
    let text = try #require(try client.get("jobs/\(id)/text?page=2").json)
    #expect(text["words"]?.arrayValue?.first?["text"] == "Appendix")
    let picture = try client.get("jobs/\(id)/pages/1.png?width=400")
    #expect(picture.status == 200 && picture.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(try client.get("jobs/\(id)/pages/3.png").status == 404)
    let original = try client.get("jobs/\(id)/original")
    let sample = FileManager.default.contents(
      atPath: PageClient.sample("report-mixed.pdf").string)
    #expect(original.body == sample)
    #expect(original.headers.contains("attachment; filename*=UTF-8''ein%20Bericht%20%C3%9F.pdf"))
    #expect(original.headers.contains("sandbox"))
    let part = try client.get("jobs/\(id)/original", "-H", "Range: bytes=2-5")
    #expect(part.status == 206 && part.body == sample?[2..<6])
    try #require(client.wait("find?q=gauge") { $0["total"] == 1 })
    let forgiven = try #require(try client.get("find?q=guage").json)
    #expect(
      forgiven["instead"] == "gauge" && forgiven["words"] == "gauge" && forgiven["total"] == 1)
    let hit = try #require(forgiven["hits"]?.arrayValue?.first)
    #expect(hit["picture"] == true)
    let page = hit["page"]?.integerValue ?? 0
    let strip = try client.get("jobs/\(id)/pages/\(page)?near=gauge&width=480")
    #expect(strip.status == 200 && strip.body.starts(with: [0xFF, 0xD8]), "\(strip)")
    #expect(strip.body.count < 40_000)
    #expect(try client.get("jobs/\(id)/pages/\(page)?near=nothere&width=480").status == 404)
    #expect(try client.get("find?q=in:pdf-text%20-from:anna").json?["total"] == 1)
    // The same numbers as the command.
    let status = try JSONReader.read(Array(try client.site.run("status", "--json").output.utf8))
      .value
    let now = try #require(try client.get("now").json)
    #expect(now["totals"]?["done"] == status["done"] && now["daemon"] == status["daemon"])
    #expect(try client.get("figures?span=week").json?["points"]?.arrayValue?.count == 42)
    let rules = try #require(try client.get("rules").json?["rules"]?.arrayValue)
    #expect(rules.first { $0["id"] == "pdf-text" }?["day"] == 1)
    // Its folders stay those of its start.
    let written = String(
      decoding: try #require(client.site.place.read("pipelines.json")), as: UTF8.self)
    let changed = written.replacing(#""outbox": "outbox""#, with: #""outbox": "elsewhere""#)
    try #require(changed != written)
    try client.site.place.write(changed, to: "pipelines.json")
    let refused = try client.post("reload", json: "{}")
    #expect(
      refused.status == 409
        && refused.json?["message"]?.stringValue?.contains("restarted") == true, "\(refused)")
  }

  @Test func `the original of a document with companions is the document`() throws {
    let client = try PageClient {
      $0.replacing(
        #""pipelines": ["#,
        with:
          #""pipelines": [{ "id": "pair", "match": { "name": "*.pdf" }, "with": "{stem}.txt", "emit": ["source"] },"#
      )
    }
    let site = client.site
    try site.put(sample: "report-mixed.pdf")
    try site.place.write("more", to: "inbox/report-mixed.txt")
    try #require(client.wait("now") { $0["totals"]?["done"] == 1 })
    let id = try #require(
      try client.get("jobs").json?["jobs"]?.arrayValue?.first?["job"]?.stringValue)
    #expect(try client.get("jobs/\(id)").json?["original"]?["stands"] == true)
    let original = try client.get("jobs/\(id)/original")
    #expect(original.body == site.place.read("archive/report-mixed/report-mixed.pdf"))
    // What came with it is told, with its size, and can be had.
    let told = try #require(client.get("jobs/\(id)").json)
    #expect(told["original"]?["bytes"]?.integerValue == original.body.count)
    #expect(
      told["companions"] == [["name": "report-mixed.txt", "bytes": 4, "stands": true]], "\(told)")
    #expect(told["job"]?["companions"] == ["report-mixed.txt"])
    #expect(try client.get("jobs/\(id)/companions/0").body == Data("more".utf8))
    #expect(try client.get("jobs/\(id)/companions/1").status == 404)
    let story = try site.run("status", "report-mixed.pdf")
    #expect(story.output.contains("  with      report-mixed.txt"), "\(story)")
  }

  @Test func `a file that others wait for is handed in like any other`() throws {
    let client = try PageClient {
      $0.replacing(
        #""pipelines": ["#,
        with:
          #""pipelines": [{ "id": "pair", "match": { "name": "*.pdf" }, "with": "{stem}.xfdf", "emit": ["source"] },"#
      )
    }
    try client.site.place.write("\u{1}\u{2}", to: "notes")
    let notes = client.site.place("notes")
    let alone = try client.upload(notes, "name=a.xfdf")
    #expect(alone.status == 201 && alone.json?["companion"] == true, "\(alone)")
    #expect(try client.upload(notes, "name=a.other").code == "web.rule")
    #expect(try client.upload(PageClient.sample("report-mixed.pdf"), "name=a.pdf").status == 201)
    try #require(client.wait("now") { $0["totals"]?["done"] == 1 })
    let jobs = try client.get("jobs").json?["jobs"]?.arrayValue ?? []
    #expect(jobs.count == 1 && jobs.first?["companions"] == ["a.xfdf"], "\(jobs)")
  }

  @Test func `notes that are made on the page come into the inbox with their document`() throws {
    // In the place of pdf.notes, which comes with the installation.
    let plugins = TemporaryFolder()
    try plugins.write(
      """
      { "name": "writer", "version": "1", "command": ["./run"],
        "steps": { "writer.notes": { "outputs": { "pdf": { "mime": "application/pdf" } } } } }
      """, to: "writer/plugin.json")
    try plugins.write("#!/bin/sh\ncp \"$PROCD_INPUT\" out/pdf.pdf\n", to: "writer/run")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: plugins("writer/run").string)
    let client = try PageClient {
      $0.replacing(
        #""pipelines": ["#,
        with: """
          "plugins": ["\(plugins.path)"],
          "pipelines": [
            { "id": "order", "match": { "path": "orders/*" }, "with": "meta-{stem}.json", "emit": ["source"] },
            { "id": "annotate", "match": { "path": "notes/*" }, "with": "{stem}.notes.json", "to": "noted",
              "subfolders": "drop",
              "steps": [{ "id": "w", "use": "writer.notes", "in": { "source": "source", "notes": "companions" } }],
              "emit": ["w.pdf"] },
          """)
    }
    #expect(try client.upload(PageClient.sample("report-mixed.pdf"), "name=a.pdf").status == 201)
    try #require(client.wait("now") { $0["totals"]?["done"] == 1 })
    let id = try #require(
      try client.get("jobs").json?["jobs"]?.arrayValue?.first?["job"]?.stringValue)
    #expect(try client.get("jobs/\(id)").json?["views"]?["annotate"] == true)
    let note = #"{"type":"Highlight","page":1,"box":[50,60,90.5,72],"contents":"here","id":"x"}"#
    for wrong in [
      #"{"notes":[]}"#, #"{"notes":[7]}"#, #"{"notes":[{"type":"Link","page":1,"box":[1,2,3,4]}]}"#,
      #"{"notes":[{"type":"Text","page":1,"box":[1,2,3]}]}"#, "{}",
    ] {
      #expect(try client.post("jobs/\(id)/notes", json: wrong).status == 400, "\(wrong)")
    }
    // Where a name is taken both get another one, which they share.
    try client.site.place.write("x", to: "inbox/notes/a.notes.json")
    client.daemon.signal(SIGSTOP)
    for name in ["notes/a~2.pdf", "notes/a~3.pdf"] {
      let handed = try client.post("jobs/\(id)/notes", json: "{\"notes\":[\(note)]}")
      #expect(handed.status == 200, "\(handed)")
      #expect(handed.json?["path"]?.stringValue == name)
    }
    client.daemon.signal(SIGCONT)
    try #require(client.wait("now") { $0["totals"]?["done"] == 3 })
    let place = client.site.place
    #expect(place.exists("outbox/noted/a~2.pdf"))
    let kept = try #require(
      place.files(below: "archive").filter { $0.hasSuffix(".notes.json") }.sorted().first)
    #expect(
      place.read("archive/\(kept)")
        == Data(
          #"{"notes":[{"type":"Highlight","page":1,"box":[50,60,90.5,72],"contents":"here"}]}"#.utf8
        ))
    let plain = try PageClient()
    #expect(try plain.upload(PageClient.sample("report-mixed.pdf"), "name=a.pdf").status == 201)
    try #require(plain.wait("now") { $0["totals"]?["done"] == 1 })
    let other = try #require(
      try plain.get("jobs").json?["jobs"]?.arrayValue?.first?["job"]?.stringValue)
    #expect(try plain.get("jobs/\(other)").json?["views"]?["annotate"] == false)
    #expect(
      try plain.post("jobs/\(other)/notes", json: "{\"notes\":[\(note)]}").code == "web.rule")
  }

  @Test func `the page's files have no text over several lines`() throws {
    // They are sent without their indentation.
    let folder = Programs.repository.appending("Sources/procd-web/Page").string
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasSuffix(".js") {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      var isOpen = false
      for line in text.split(separator: "\n") where line.count(where: { $0 == "`" }) % 2 == 1 {
        isOpen.toggle()
        // Only an expression in it may go on in the next line.
        #expect(
          !isOpen
            || line.split(separator: "${", omittingEmptySubsequences: false).last?.contains("}")
              == false,
          "\(name): \(line)")
      }
    }
  }

  @Test func `a locked file is tried with a password that is written nowhere`() throws {
    let client = try PageClient()
    #expect(try client.upload(PageClient.sample("locked.pdf"), "name=locked.pdf").status == 201)
    try #require(client.wait("quarantine") { $0["total"] == 1 })
    let file = try #require(try client.get("quarantine").json?["files"]?.arrayValue?.first)
    #expect(file["needsPassword"] == true && file["unlocks"] == true)
    let job = file["job"]?["job"]?.stringValue ?? ""
    let wrong = try client.post("retry", json: #"{"jobs":["\#(job)"],"password":"wrongwrong7"}"#)
    #expect(wrong.json?["retried"]?.arrayValue?.count == 1)
    try #require(client.wait("now") { $0["totals"]?["quarantined"] == 2 })
    let again = try #require(
      try client.get("quarantine").json?["files"]?.arrayValue?.first?["job"]?["job"]?.stringValue)
    #expect(again != job)
    let right = try client.post("retry", json: #"{"jobs":["\#(again)"],"password":"harbour"}"#)
    #expect(right.json?["retried"]?.arrayValue?.count == 1)
    try #require(client.wait("now") { $0["totals"]?["done"] == 1 })
    #expect(try client.get("quarantine").json?["total"] == 0)
    for name in client.site.place.files() where !name.hasPrefix("jar") {
      let bytes = client.site.place.read(FilePath(name).string) ?? Data()
      #expect(bytes.firstRange(of: Data("wrongwrong7".utf8)) == nil, "\(name)")
      if !name.hasSuffix(".txt"), !name.contains("find.sqlite") {
        #expect(bytes.firstRange(of: Data(#""harbour""#.utf8)) == nil, "\(name)")
      }
    }
    // The rule gives an unlocked copy: it is shown, found, and opens for everybody.
    let shown = try #require(
      try client.get("jobs?outcome=done").json?["jobs"]?.arrayValue?.first?["job"]?.stringValue)
    let document = try #require(try client.get("jobs/\(shown)").json)
    #expect(document["isLocked"] == false && document["views"]?["pages"]?.integerValue ?? 0 > 0)
    #expect(document["report"]?["source"]?["locked"] == true)
    #expect(
      document["attempts"]?.arrayValue?.map { $0["job"]?.stringValue } == [shown, again, job])
    let words = try client.get("jobs/\(shown)/text?page=1").json?["text"]?.stringValue ?? ""
    #expect(words.count > 20)
    let word = try #require(words.components(separatedBy: .letters.inverted).first { $0.count > 5 })
    #expect(client.wait("find?q=\(word)") { $0["total"]?.integerValue ?? 0 > 0 })
    let copy = try Programs.run(
      "procd", ["extract", "outbox/locked.pdf"], in: client.site.place.path)
    #expect(copy.status == 0 && copy.output.contains(word), "\(copy)")
    // It was for this one try: the same file again is refused again.
    #expect(
      try client.post("retry", json: #"{"jobs":["\#(again)"]}"#).json?["refused"]?.arrayValue?.count
        == 1)
  }

  @Test func `a document that stays locked is said to be locked`() throws {
    let client = try PageClient {
      $0.replacing(
        #"{ "id": "open", "use": "pdf.unlock", "if": "probe.locked == true" },"#, with: ""
      )
      .replacing(#""open.pdf", "#, with: "").replacing(#", "open.pdf?""#, with: "")
    }
    #expect(try client.upload(PageClient.sample("locked.pdf"), "name=locked.pdf").status == 201)
    try #require(client.wait("quarantine") { $0["total"] == 1 })
    let file = try #require(try client.get("quarantine").json?["files"]?.arrayValue?.first)
    #expect(file["needsPassword"] == true && file["unlocks"] == false)
    let job = file["job"]?["job"]?.stringValue ?? ""
    _ = try client.post("retry", json: #"{"jobs":["\#(job)"],"password":"harbour"}"#)
    try #require(client.wait("now") { $0["totals"]?["done"] == 1 })
    let shown = try #require(
      try client.get("jobs?outcome=done").json?["jobs"]?.arrayValue?.first?["job"]?.stringValue)
    let document = try #require(try client.get("jobs/\(shown)").json)
    #expect(document["isLocked"] == true && document["views"]?["pages"] == nil)
    // What was read of it with the password is a result, which the page shows.
    #expect(document["views"]?["text"] == true)
    let words = try client.get("jobs/\(shown)/text?page=1").json?["text"]?.stringValue ?? ""
    #expect(words.count > 20)
  }

  @Test func `a scan of which only the text was wanted is shown with that text`() throws {
    let client = try PageClient {
      $0.replacing(#""text.text", "ocr.pdf?", "open.pdf?", "ocr.beside?""#, with: #""text.text""#)
    }
    #expect(try client.upload(PageClient.sample("report-mixed.pdf"), "name=a.pdf").status == 201)
    try #require(client.wait("now") { $0["totals"]?["done"] == 1 })
    let job = try #require(
      try client.get("jobs").json?["jobs"]?.arrayValue?.first?["job"]?.stringValue)
    // Its second page is a picture; its text stands in the result alone.
    let words = try client.get("jobs/\(job)/text?page=2").json?["text"]?.stringValue ?? ""
    #expect(words.count > 20)
  }

  @Test func `a plus in an address is a blank, as browsers write it`() throws {
    let client = try PageClient()
    let told = try client.upload(PageClient.sample("report-mixed.pdf"), "name=my+list%2B1.pdf")
    #expect(told.status == 201 && told.json?["path"]?.stringValue == "my list+1.pdf", "\(told)")
    try #require(client.wait("now") { $0["totals"]?["done"] == 1 })
    #expect(try client.get("jobs?name=my+li").json?["jobs"]?.arrayValue?.count == 1)
  }

  @Test func `uploads that are no file of ours are refused, and leave nothing`() throws {
    let client = try PageClient { $0.replacing(#""web": ""#, with: #""web": ""#) }
    let sample = PageClient.sample("report-mixed.pdf")
    for (query, status, code) in [
      ("name=../x.pdf", 400, "web.name"), ("name=a%2Fb.pdf", 400, "web.name"),
      ("name=x.pdf&folder=../y", 400, "web.name"), ("name=x.pdf&folder=/etc", 400, "web.name"),
      ("name=.hidden.pdf", 409, "web.ignored"), ("name=x.pdf&folder=.procd", 409, "web.ignored"),
      ("name=x.part", 409, "web.ignored"), ("name=", 400, "web.name"),
      ("folder=a", 400, "web.request"),
      ("name=\(String(repeating: "x", count: 300))", 400, "web.request"),
    ] as [(String, Int, String)] {
      let answer = try client.upload(sample, query)
      #expect(answer.status == status && answer.code == code, "\(query): \(answer.status)")
    }
    try client.site.place.write("nothing that a rule takes", to: "other.bin")
    let other = client.site.place("other.bin")
    #expect(try client.upload(other, "name=other.bin").code == "web.rule")
    let explained = try client.upload(other, "name=other.bin", to: "explain")
    #expect(explained.status == 200 && explained.json?["taken"] == false)
    #expect(
      try client.upload(sample, "name=x.pdf", to: "explain").json?["pipeline"] == "pdf-text")
    // Cut off: the length that was promised does not come.
    let cut = try PageClient.curl([
      "-b", client.site.place("jar").string, "-X", "POST", "-H", "Content-Length: 100000",
      "--max-time", "2", "--data-binary", "@\(other.string)", client.api("uploads?name=cut.pdf"),
    ])
    #expect(cut.status == 0 || cut.status == 400)
    #expect(
      Programs.wait {
        client.site.place.files(below: "inbox").isEmpty
          && client.site.place.files(below: "spool").allSatisfy { !$0.contains("procd-add") }
      })
    #expect(try client.get("now").json?["totals"]?["done"] == 0)
    #expect(try client.upload(other, "name=other.bin&anyway=1").status == 201)
    try #require(client.wait("quarantine") { $0["total"] == 1 })
  }

  @Test func `nobody comes in without the link, under another name or from another page`() throws {
    let client = try PageClient()
    #expect(try PageClient.curl([client.api("now")]).code == "web.session")
    #expect(try PageClient.curl([client.api("events")]).code == "web.session")
    for cookie in ["procd-\(client.port)=1.2", "procd-\(client.port)=9999999999.00", "x=y"] {
      #expect(try PageClient.curl(["-b", cookie, client.api("now")]).code == "web.session")
    }
    #expect(
      try PageClient.curl(["http://127.0.0.1:\(client.port)/open?token=00"]).code == "web.token")
    #expect(try client.get("now", "-H", "Host: rebound.example").code == "web.host")
    #expect(try client.get("now", "-H", "Host: 127.0.0.1:1").code == "web.host")
    #expect(try client.get("now", "-H", "Sec-Fetch-Site: cross-site").code == "web.origin")
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1"] {
      let answer = try client.post("retry", json: #"{"all":true}"#, "-H", "Origin: \(origin)")
      #expect(answer.status == 403 && answer.code == "web.origin")
    }
    let own = "http://127.0.0.1:\(client.port)"
    #expect(try client.post("retry", json: #"{"all":true}"#, "-H", "Origin: \(own)").status == 200)
    // A form of another page can send no JSON.
    let form = try PageClient.curl([
      "-b", client.site.place("jar").string, "-d", "all=true", client.api("retry"),
    ])
    #expect(form.status == 415)
    #expect(try client.post("retry", json: #"{"jobs":"all"}"#).status == 400)
    #expect(try client.post("login", json: #"{"password":"x"}"#).status == 401)
    for path in ["jobs/..%2F..", "jobs/a%00", "nothing", "jobs/x/pages/1"] {
      #expect(try client.get(path).status == 404, "\(path)")
    }
    let headers = try client.get("now").headers.lowercased()
    #expect(headers.contains("nosniff") && !headers.contains("access-control"))
    #expect(headers.contains("default-src 'none'") && headers.contains("frame-ancestors 'none'"))
  }

  @Test func `the page ends with procd, and comes back when it is killed`() throws {
    let client = try PageClient()
    func processes(_ name: String) -> [Int32] {
      let result = try? Programs.run(
        Programs.find("pgrep") ?? "",
        ["-f", "\(name).*\(client.site.place.path.lastComponent?.string ?? "")"])
      return (result?.output ?? "").split(separator: "\n").compactMap { Int32($0) }
    }
    let desk = try #require(processes("procd-daemon web").first)
    kill(desk, SIGKILL)
    #expect(
      Programs.wait {
        (try? client.get("now").status) == 200 && processes("procd-daemon web") != [desk]
      })
    client.daemon.signal(SIGTERM)
    #expect(client.daemon.wait() == 0)
    #expect(processes("procd-daemon web").isEmpty)
    #expect(try PageClient.curl([client.api("now")]).status == 0)
  }

  @Test func `without a running procd the page shows what there is`() throws {
    let site = try Site {
      $0.replacing(
        #""version": 1,"#, with: #""version": 1, "web": "127.0.0.1:\#(Programs.freePort() ?? 0)","#)
    }
    try site.put(sample: "report-mixed.pdf")
    #expect(try site.run("run", "--once").status == 0)
    let web = try Programs.start("procd", ["web"], in: site.place.path)
    defer {
      web.signal(SIGTERM)
      _ = web.wait()
    }
    // Once the page is shown, there is nothing to say but its link.
    var opened = try site.run("web", "open")
    #expect(
      Programs.wait {
        opened = (try? site.run("web", "open")) ?? opened
        return opened.errors.isEmpty
      }, "\(opened)")
    let link = opened.output.trimmingCharacters(in: .newlines)
    let jar = site.place("jar").string
    try #require(Programs.wait { (try? PageClient.curl(["-c", jar, link]).status) == 303 })
    let base = link.prefix { $0 != "?" }.dropLast(4) + "api/v1/"
    let now = try #require(try PageClient.curl(["-b", jar, "\(base)now"]).json)
    #expect(now["daemon"] == nil && now["totals"]?["done"] == 1)
    #expect(try PageClient.curl(["-b", jar, "\(base)jobs"]).json?["total"] == 1)
    #expect(
      try PageClient.curl(
        ["-b", jar, "-X", "POST", "\(base)reload"]).code == "web.daemon")
  }

  @Test func `the page of the procd that is to move elsewhere is no stranger at its port`() throws {
    let client = try PageClient()
    let moved = try #require(client.site.place.read("pipelines.json"))
    try client.site.place.write(
      String(decoding: moved, as: UTF8.self).replacing(
        #""version": 1,"#, with: #""version": 1, "spool": "other/spool","#), to: "pipelines.json")
    try FileManager.default.createDirectory(
      atPath: client.site.place("other").string, withIntermediateDirectories: true)
    let checked = try client.site.run("check")
    #expect(!checked.errors.contains("another program"), "\(checked.errors)")
    #expect(!checked.output.contains("another program"), "\(checked.output)")
  }

  @Test func `no link is given to a page that somebody else shows there`() throws {
    let other = try PageClient()
    let site = try Site {
      $0.replacing(
        #""version": 1,"#, with: #""version": 1, "web": "127.0.0.1:\#(other.port)","#)
    }
    let early = try site.run("web", "open")
    #expect(
      early.status == 75 && early.output == "" && early.errors.contains("another program answers"),
      "\(early)")
    let daemon = try site.watch()
    defer {
      daemon.signal(SIGTERM)
      _ = daemon.wait()
    }
    var opened: Programs.Result?, others: [Programs.Result?] = []
    #expect(
      Programs.wait {
        opened = try? site.run("web", "open")
        if opened?.status != 75 || opened?.output != "" { others.append(opened) }
        return opened?.errors.contains("the page is not shown") == true
      }, "\(String(describing: opened))")
    #expect(others.isEmpty, "\(others)")
    #expect(try other.site.run("web", "open").output.contains(other.link))
  }

  @Test func `a password is kept as a hash, and opens the page`() throws {
    let port = try #require(Programs.freePort())
    let site = try Site {
      $0.replacing(
        #""version": 1,"#,
        with:
          #""version": 1, "web": { "listen": "0.0.0.0:\#(port)", "behindProxy": true, "hosts": ["scans.example"] },"#
      )
    }
    let refused = try site.run("web")
    #expect(
      refused.status == 78 && refused.errors.contains("procd web password"), "\(refused.errors)")
    let shell = try #require(Programs.find("sh"))
    let procd = Programs.folder.appending("procd").string
    func set(_ password: String) throws -> Int32 {
      try Programs.run(
        shell, ["-c", "echo '\(password)' | \(procd) web password"], in: site.place.path
      )
      .status
    }
    #expect(try set("short") == 64)
    #expect(try set("a long enough one") == 0)
    let kept = try #require(site.place.read("spool/web-password"))
    #expect(kept.starts(with: Data("scrypt:".utf8)))
    let web = try Programs.start("procd", ["web"], in: site.place.path)
    defer {
      web.signal(SIGTERM)
      _ = web.wait()
    }
    func login(_ password: String) throws -> PageClient.Answer {
      try PageClient.curl([
        "-H", "Host: scans.example", "-H", "Content-Type: application/json", "--data-binary",
        #"{"password":"\#(password)"}"#, "http://127.0.0.1:\(port)/api/v1/login",
      ])
    }
    try #require(Programs.wait { (try? login("wrong").status) == 401 })
    let right = try login("a long enough one")
    #expect(right.status == 204 && right.headers.contains("; Secure"), "\(right.headers)")
  }

  @Test(arguments: [
    (#""0.0.0.0:8750""#, "web.open"), (#""somewhere""#, "web.listen"),
    (#""127.0.0.1:99999""#, "web.listen"),
    (#"{ "listen": "[::]:80" }"#, "web.open"),
  ])
  func `an address that others reach, or that is none, is told by check`(
    web: String, code: String
  ) throws {
    let site = try Site { $0.replacing(#""version": 1,"#, with: #""version": 1, "web": \#(web),"#) }
    let result = try site.run("check")
    #expect(result.status == 78 && (result.output + result.errors).contains(code))
  }
}
