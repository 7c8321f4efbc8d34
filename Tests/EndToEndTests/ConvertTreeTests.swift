import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

/// `procd convert DIR -r`: trees that must not be touched, taken up again where a run was cut off.
@Suite struct ConvertTreeTests {
  private func convert(_ site: Site, _ arguments: String...) throws -> Programs.Result {
    try Programs.run("procd", ["convert"] + arguments, in: site.place.path)
  }

  private func modified(_ site: Site, _ path: String) throws -> Date {
    let attributes = try FileManager.default.attributesOfItem(atPath: site.place(path).string)
    return try #require(attributes[.modificationDate] as? Date)
  }

  @Test func `the tree is mirrored, links to files are files, and nothing is touched`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("One"), to: "in/a.pdf")
    try site.place.write(Site.pdf("Two"), to: "in/x/y/b.pdf")
    try site.place.write(Site.pdf("Hidden"), to: "in/.hidden/c.pdf")
    try FileManager.default.createSymbolicLink(
      atPath: site.place("in/x/link.pdf").string, withDestinationPath: "../a.pdf")
    try FileManager.default.createSymbolicLink(
      atPath: site.place("in/x/circle").string, withDestinationPath: "..")
    let before = site.place.files(below: "in")
    let result = try convert(site, "in", "-r", "-o", "out")
    #expect(result.status == 0, "\(result.errors)")
    #expect(site.place.files(below: "out").sorted() == ["a.txt", "x/link.txt", "x/y/b.txt"])
    #expect(site.place.files(below: "in") == before)
  }

  @Test func `another's file is not replaced unasked, the same result is`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("One"), to: "a.pdf")
    try site.place.write("mine", to: "a.txt")
    let refused = try convert(site, "a.pdf", "-o", ".")
    #expect(refused.status == 65 && refused.errors.contains("[result.exists]"), "\(refused)")
    #expect(site.place.read("a.txt") == Data("mine".utf8))
    #expect(try convert(site, "a.pdf", "-o", ".", "--overwrite").status == 0)
    let made = site.place.read("a.txt")
    #expect(made != Data("mine".utf8))
    #expect(try convert(site, "a.pdf", "-o", ".").status == 0)
    #expect(site.place.read("a.txt") == made)
  }

  @Test func `a link that leads nowhere is told, and stops nothing`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("One"), to: "in/a.pdf")
    try FileManager.default.createSymbolicLink(
      atPath: site.place("in/gone.pdf").string, withDestinationPath: "nowhere.pdf")
    let result = try convert(site, "in", "-r", "-o", "out")
    #expect(result.status == 65 && result.errors.contains("gone.pdf"), "\(result.errors)")
    #expect(site.place.files(below: "out") == ["a.txt"])
  }

  @Test func `results inside the tree are no inputs`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("One"), to: "in/a.pdf")
    for _ in 1...2 { #expect(try convert(site, "in", "-r", "-o", "in/out").status == 0) }
    #expect(site.place.files(below: "in").sorted() == ["a.pdf", "out/a.txt"])
  }

  @Test func `results beside their inputs are no inputs of the next run`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("One"), to: "in/sub/a.pdf")
    for _ in 1...2 {
      #expect(try convert(site, "in", "-r", "-o", "in", "--overwrite").status == 0)
      #expect(site.place.files(below: "in").sorted() == ["sub/a.pdf", "sub/a.txt"])
    }
    // Once their input is gone they are what there is.
    try FileManager.default.moveItem(
      atPath: site.place("in/sub/a.pdf").string, toPath: site.place("a.pdf").string)
    try site.place.write(Site.pdf("Two"), to: "in/sub/b.pdf")
    let kept = try convert(site, "in", "-r", "-o", "in", "--json")
    #expect(kept.output.contains("sub/a.txt"), "\(kept)")
  }

  @Test func `names are settled over all inputs`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("One"), to: "p/sub/a.pdf")
    try site.place.write(Site.pdf("Two"), to: "q/sub/a.PDF")
    try site.place.write(Site.pdf("Three"), to: "q/sub/b.pdf")
    #expect(try convert(site, "q", "p", "-r", "-o", "out").status == 0)
    #expect(
      site.place.files(below: "out").sorted()
        == ["sub/a.PDF.txt", "sub/a.pdf.txt", "sub/b.txt"])
  }

  @Test func `files of one name get results of their own, and no result replaces its input`() throws
  {
    let site = try Site()
    for path in ["p/a.pdf", "q/a.pdf", "q/a.pdf.pdf"] {
      try site.place.write(Site.pdf(path), to: path)
    }
    #expect(try convert(site, "p", "q", "-o", "out").status == 0)
    #expect(site.place.files(below: "out").count { $0.hasSuffix(".txt") } == 3)
    let before = site.place.read("p/a.pdf")
    let onto = try convert(site, "p/a.pdf", "-o", "p", "--to", "pdf")
    #expect(onto.status == 65 && onto.errors.contains("file.input"), "\(onto.errors)")
    #expect(site.place.read("p/a.pdf") == before)
  }

  @Test func `a file that gives no result takes no name from others`() throws {
    let site = try Site()
    func update(_ options: String...) throws -> [String] {
      let result = try Programs.run(
        "procd",
        ["convert", "-r", "in", "-o", "out", "--to", "pdf", "--update", "--json"] + options,
        in: site.place.path)
      return result.output.split(separator: "\n").filter { $0.contains("done") }.compactMap {
        line in
        line.firstMatch(of: #/"file":"([^"]*)"/#).map { String($0.1) }
      }.sorted()
    }
    for path in ["report.pdf", "two.pdf", "two.PDF", "sub/x.pdf", "sub/x.pdf.pdf"] {
      try site.place.write(Site.pdf(path), to: "in/\(path)")
    }
    try site.place.write(Data([0, 1, 2, 0xFF]), to: "in/report.a")
    try site.place.write("words", to: "in/report.txt")
    try site.place.write("", to: "in/sub/x.empty")
    // Its own name is what the stem of another is.
    try site.place.write("words", to: "in/sub/x.pdf.txt")
    let made = ["report.pdf", "sub/x.pdf", "sub/x.pdf.pdf", "two.PDF", "two.pdf"]
    let names = ["report.pdf", "sub/x.pdf", "sub/x.pdf.pdf", "two.PDF.pdf", "two.pdf.pdf"]
    #expect(try update("-j", "1") == made)
    #expect(site.place.files(below: "out").sorted() == names)
    #expect(try update("-j", "4").isEmpty)
    #expect(site.place.files(below: "out").sorted() == names)
    for path in ["report.pdf", "two.pdf"] {
      let result = path == "report.pdf" ? path : "\(path).pdf"
      #expect(site.place.read("out/\(result)") == site.place.read("in/\(path)"))
    }
    // Once it gives one, that replaces nothing.
    try site.place.write(Site.pdf("new"), to: "in/report.a")
    #expect(try update() == ["report.a"])
    #expect(site.place.read("out/report.pdf") == site.place.read("in/report.pdf"))
    #expect(site.place.read("out/report.a.pdf") == site.place.read("in/report.a"))
  }

  @Test func `a fifo behind a link holds up nothing`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("One"), to: "in/a.pdf")
    try #require(mkfifo(site.place("fifo").string, 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: site.place("in/f.pdf").string, withDestinationPath: "../fifo")
    #expect(try convert(site, "in", "-r", "-o", "out").status == 0)
    #expect(site.place.files(below: "out") == ["a.txt"])
  }

  @Test func `what a daemon keeps beside the staging folder stays`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("One"), to: "in/a.pdf")
    for name in ["seal", "claimed", "convert-01OLD"] {
      try site.place.write("kept", to: "out/.procd/\(name)/job/source")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3600)],
        ofItemAtPath: site.place("out/.procd/\(name)").string)
    }
    #expect(try convert(site, "in", "-o", "out").status == 0)
    #expect(site.place.exists("out/.procd/seal/job/source"))
    #expect(site.place.exists("out/.procd/claimed/job/source"))
    #expect(!site.place.exists("out/.procd/convert-01OLD"))
  }

  @Test func `only what is missing or older is made again`() throws {
    let site = try Site()
    for name in ["a", "a.b", "c", "d"] {
      try site.place.write(Site.pdf(name), to: "in/sub/\(name).pdf")
    }
    let first = try convert(site, "in", "-r", "-o", "out")
    #expect(first.status == 0, "\(first.errors)")
    let kept = try modified(site, "out/sub/a.b.txt")
    // That of a.b is no result of a.
    try FileManager.default.removeItem(atPath: site.place("out/sub/a.txt").string)
    try FileManager.default.setAttributes(
      [.modificationDate: Date.distantFuture], ofItemAtPath: site.place("in/sub/c.pdf").string)
    let again = try convert(site, "in", "-r", "-o", "out", "--update", "--json")
    #expect(again.status == 0)
    let made = again.output.split(separator: "\n").compactMap { line in
      line.firstMatch(of: #/"file":"([^"]*)"/#).map { String($0.1) }
    }
    #expect(made.sorted() == ["sub/a.pdf", "sub/c.pdf"])
    #expect(try modified(site, "out/sub/a.b.txt") == kept)
    #expect(
      site.place.files(below: "out").sorted()
        == ["sub/a.b.txt", "sub/a.txt", "sub/c.txt", "sub/d.txt"])
  }

  @Test func `what a result was made of decides what is made again, not its age`() throws {
    let site = try Site()
    let past = Date(timeIntervalSince1970: 1_000_000_000)
    func write(_ words: String, _ path: String) throws {
      try site.place.write(Site.pdf(words), to: path)
      try FileManager.default.setAttributes(
        [.modificationDate: past], ofItemAtPath: site.place(path).string)
    }
    func update(_ paths: String...) throws -> [String] {
      let result = try Programs.run(
        "procd", ["convert"] + paths + ["-o", "out", "--update", "--json"], in: site.place.path)
      return result.output.split(separator: "\n").compactMap { line in
        line.firstMatch(of: #/"file":"([^"]*)","outcome":"([^"]*)"/#).map { "\($0.1) \($0.2)" }
      }
    }
    try write("First", "in/a.pdf")
    #expect(try update("in") == ["a.pdf done"])
    #expect(try update("in") == [])
    // With other content that is older than the result, as copies that keep their times are.
    try write("Another one", "in/a.pdf")
    #expect(try update("in") == ["a.pdf done"])
    #expect(try update("in") == [])
    // The result of a file of another name is not its own.
    try write("Third", "a.bin")
    try FileManager.default.moveItem(
      atPath: site.place("a.bin").string, toPath: site.place("a.PDF").string)
    #expect(try update("a.PDF") == ["a.PDF failed"])
    #expect(
      site.place.read("out/a.txt").map { String(decoding: $0, as: UTF8.self) } == "Another one\n")
  }

  @Test func `one result of two is not enough`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("Two results"), to: "in/a.pdf")
    try site.place.write(
      #"""
      {"version": 1, "pipelines": [{"id": "a", "match": {"mime": "application/pdf"},
      "steps": [{"id": "text", "use": "pdf.text"}], "emit": ["source", "text.text"]}]}
      """#, to: "two.json")
    func update() throws -> Int {
      try convert(site, "in", "-o", "out", "-c", "two.json", "--update", "--json").output
        .split(separator: "\n").count
    }
    #expect(try update() == 1)
    #expect(site.place.files(below: "out").sorted() == ["a.pdf", "a.txt"])
    #expect(try update() == 0)
    for name in ["a.pdf", "a.txt"] {
      try FileManager.default.removeItem(atPath: site.place("out/\(name)").string)
      #expect(try update() == 1)
      #expect(site.place.files(below: "out").sorted() == ["a.pdf", "a.txt"])
    }
  }

  @Test func `what was made with other options is made again`() throws {
    let site = try Site()
    try site.place.write(Site.pdf("Options"), to: "in/a.pdf")
    func update(_ options: String...) throws -> Int {
      try Programs.run(
        "procd", ["convert", "in", "-o", "out", "--update", "--json"] + options, in: site.place.path
      ).output.split(separator: "\n").count
    }
    #expect(try update() == 1 && update() == 0)
    #expect(try update("--set", "text.joinHyphens=true") == 1)
    #expect(try update("--set", "text.joinHyphens=true") == 0)
    #expect(try update() == 1)
  }

  @Test func `what was made of a file that is gone gives way to what is made of another`() throws {
    let site = try Site()
    func update() throws -> Int32 {
      try convert(site, "in", "-o", "out", "--update", "--only", "*.pdf", "--only", "*.PDF").status
    }
    func exchange(_ old: String, for new: String, _ text: String) throws {
      try FileManager.default.removeItem(atPath: site.place("in/\(old)").string)
      try site.place.write(Site.pdf(text), to: "in/\(new)")
    }
    try site.place.write(Site.pdf("First"), to: "in/a.pdf")
    #expect(try update() == 0)
    try exchange("a.pdf", for: "a.PDF", "Second")
    #expect(try update() == 0)
    #expect(site.place.read("out/a.txt") == Data("Second\n".utf8))
    // What somebody has changed stays.
    try site.place.write("Second, and a word of mine\n", to: "out/a.txt")
    try exchange("a.PDF", for: "a.pdf", "Third")
    #expect(try update() != 0)
    #expect(site.place.read("out/a.txt") == Data("Second, and a word of mine\n".utf8))
  }

  @Test func `of a file that has changed no result of before stays beside the new ones`() throws {
    let site = try Site()
    try site.place.write(
      #"""
      {"version": 1, "pipelines": [
      {"id": "both", "match": {"mime": "application/pdf", "text": {"regex": "Both"}},
       "steps": [{"id": "text", "use": "pdf.text"}], "emit": ["source", "text.text"]},
      {"id": "text", "match": {"mime": "application/pdf", "text": {"regex": "Text"}},
       "steps": [{"id": "text", "use": "pdf.text"}], "emit": ["text.text"]},
      {"id": "own", "emit": ["source"]}]}
      """#, to: "two.json")
    func update(_ text: String) throws -> Programs.Result {
      try site.place.write(Site.pdf(text), to: "in/a.pdf")
      return try convert(site, "in", "-o", "out", "-c", "two.json", "--update")
    }
    _ = try update("Both")
    #expect(site.place.files(below: "out").sorted() == ["a.pdf", "a.txt"])
    // Somebody else's files stay, whatever they are called.
    try site.place.write("mine", to: "out/a.csv")
    let changed = try update("Text alone")
    #expect(changed.status == 0 && changed.errors.contains("a.pdf now: removed"), "\(changed)")
    #expect(site.place.files(below: "out").sorted() == ["a.csv", "a.txt"])
    // So does a result that somebody has edited.
    _ = try update("Both")
    let handle = try FileHandle(forWritingTo: URL(filePath: site.place("out/a.pdf").string))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("edited".utf8))
    try handle.close()
    let edited = try update("Text once more")
    #expect(edited.errors.contains("a.pdf is of what it was before"), "\(edited)")
    #expect(site.place.files(below: "out").sorted() == ["a.csv", "a.pdf", "a.txt"])
    try FileManager.default.removeItem(atPath: site.place("out/a.pdf").string)
    // What other rules may have made alone stays, and is told.
    let other = try update("Own")
    #expect(other.errors.contains("a.txt is of what it was before"), "\(other)")
    #expect(site.place.files(below: "out").sorted() == ["a.csv", "a.pdf", "a.txt"])
  }

  @Test func `a run that was killed is taken up, and what it left is cleared`() throws {
    let site = try Site()
    for number in 1...60 {
      try site.place.write(Site.pdf("file \(number)"), to: "in/\(number % 3)/f\(number).pdf")
    }
    let run = try Programs.start(
      "procd", ["convert", "in", "-r", "-o", "out", "-j", "1"], in: site.place.path)
    #expect(Programs.wait { site.place.files(below: "out").count { $0.hasSuffix(".txt") } >= 5 })
    run.signal(SIGKILL)
    _ = run.wait()
    let leftovers = site.place("out/.procd").string
    #expect(FileManager.default.fileExists(atPath: leftovers))
    for name in try FileManager.default.contentsOfDirectory(atPath: leftovers) {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3600)],
        ofItemAtPath: "\(leftovers)/\(name)")
    }
    let result = try convert(site, "in", "-r", "-o", "out", "--update")
    #expect(result.status == 0, "\(result.errors)")
    #expect(site.place.files(below: "out").count == 60)
    for number in 1...60 {
      #expect(
        site.place.read("out/\(number % 3)/f\(number).txt").map {
          String(decoding: $0, as: UTF8.self)
        }?
        .contains("file \(number)") == true)
    }
    #expect(!FileManager.default.fileExists(atPath: leftovers))
  }
}
