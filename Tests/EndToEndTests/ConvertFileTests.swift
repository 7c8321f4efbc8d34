import Foundation
import SystemPackage
import TestSupport
import Testing

/// `procd convert IN OUT.pdf`: one file of one.
@Suite struct ConvertFileTests {
  private let place = TemporaryFolder()

  private func convert(_ arguments: String...) throws -> Programs.Result {
    try Programs.run("procd", ["convert"] + arguments, in: place.path)
  }

  private func putSample(_ name: String, as other: String? = nil) throws {
    let path = Programs.repository.appending("docs/samples/\(name)").string
    try place.write(
      try #require(FileManager.default.contents(atPath: path)), to: other ?? name)
  }

  @Test func `a file whose name begins with a dash is told from an unknown option`() throws {
    let place = TemporaryFolder()
    try place.write(Site.pdf("dashed"), to: "-n.pdf")
    for command in [["convert", "-o", "out"], ["extract"], ["rows"], ["tables"]] {
      let result = try Programs.run("procd", command + ["-n.pdf"], in: place.path)
      #expect(result.status == 64, "\(command): \(result)")
      #expect(result.errors.contains("write ./-n.pdf, or --"), "\(command): \(result)")
      let other = try Programs.run("procd", command + ["--nonsense"], in: place.path)
      #expect(other.status == 64 && !other.errors.contains("is also the name"), "\(other)")
    }
    let told = try Programs.run("procd", ["convert", "./-n.pdf", "-o", "out"], in: place.path)
    #expect(told.status == 0, "\(told)")
  }

  @Test func `a reader of the output that wants no more ends nothing by a signal`() throws {
    let site = try Site()
    for number in 1...9 {
      try site.place.write(Site.pdf("same \(number)"), to: "inbox/\(number).pdf")
    }
    #expect(try site.run("run", "--once").status == 0)
    let program = Programs.folder.appending("procd").string
    for words in ["find same", "jobs", "status", "verify --all"] {
      let ended = try Programs.run(
        "/bin/bash",
        ["-c", "{ sleep 0.5; \(program) \(words); echo $? >&2; } | true"], in: site.place.path)
      #expect(ended.errors == "0\n", "\(words): \(ended.errors)")
    }
  }

  @Test func `the result is the file that is named, of the kind that its name says`() throws {
    try putSample("report-mixed.pdf", as: "in.pdf")
    for arguments in [["in.pdf", "out.txt"], ["in.pdf", "-o", "deep/other.txt"]] {
      let result = try Programs.run("procd", ["convert"] + arguments, in: place.path)
      #expect(result.status == 0, "\(result.errors)")
    }
    let text = try #require(place.read("out.txt"))
    #expect(String(decoding: text, as: UTF8.self).contains("Gauge"))
    #expect(place.read("deep/other.txt") == text)
    #expect(place.files() == ["deep/other.txt", "in.pdf", "out.txt"])
  }

  @Test func `what is said again and again is said once, and how often`() throws {
    var made = FileAssembler()
    made.object(1, "<</Type/Catalog/Pages 2 0 R>>")
    made.object(
      2, "<</Type/Pages/Count 5/Kids[\((4...8).map { "\($0) 0 R" }.joined(separator: " "))]>>")
    made.object(3, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    for page in 4...8 {
      made.object(
        page,
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents \(page + 5) 0 R>>"
      )
    }
    for content in 9...13 {
      made.stream(content, "BT /F1 12 Tf 72 700 Td (Harbour log \(content)) Tj ET")
    }
    let start = made.bytes.count
    made.append("xref\n0 14\n0000000000 65535 f \n")
    for number in 1...13 {
      let digits = String((made.offsets[number] ?? 0) + (number > 8 ? 3 : 0))
      made.append(String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n")
    }
    made.append("trailer\n<</Size 14/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n")
    try place.write(Data(made.bytes), to: "moved.pdf")
    let told = try convert("moved.pdf", "moved.txt")
    #expect(told.status == 0)
    #expect(
      told.errors
        == "moved.pdf: an object was not where the cross-references say [pdf.repaired] (5 times)\n")
  }

  @Test func `a page on which recognition found nothing is told of once`() throws {
    try place.write(Data(PDFBuilder.pages(["0 0 612 792 re f"])), to: "black.pdf")
    let told = try convert("black.pdf", "black.txt")
    #expect(told.status == 0)
    #expect(told.errors.components(separatedBy: "[text.none]").count == 2, "\(told.errors)")
  }

  @Test func `nothing but the file that is named is written, whole or with an error`() throws {
    try putSample("report-mixed.pdf", as: "in.pdf")
    try putSample("status-2012-06-01.pdf", as: "text.pdf")
    // By a pipe a PDF has no name that would end as it does.
    try place.write("precious", to: "out")
    func shell(_ command: String) throws -> Programs.Result {
      try Programs.run(
        "/bin/sh", ["-c", command], in: place.path,
        environment: ["PATH": "\(Programs.folder.string):/usr/bin:/bin"])
    }
    #expect(try shell("procd convert - out.pdf < text.pdf").status == 0)
    #expect(place.read("out") == Data("precious".utf8))
    #expect(place.read("out.pdf") == place.read("text.pdf"))
    #expect(try shell("procd convert - - < text.pdf > piped.pdf").status == 0)
    #expect(place.read("piped.pdf") == place.read("text.pdf"))
    // The name says what is wanted, and --to may not say another thing.
    let other = try convert("in.pdf", "out.txt", "--to", "pdf")
    #expect(other.status == 64 && other.errors.contains("not out.txt"), "\(other.errors)")
    #expect(place.read("out.pdf") == place.read("text.pdf"))
    let several = try convert("-r", ".", "-o", "so", "--to", "foo")
    #expect(several.status == 64 && several.errors.contains("No step gives foo; there are:"))
    #expect(!place.exists("so"))
    for command in ["convert in.pdf -", "schema", "plugins"] {
      let full = try shell("procd \(command) > /dev/full")
      #expect(full.status == 74, "\(command): \(full)")
      #expect(full.errors.contains("cannot be written: No space left"), "\(command)")
    }
    #expect(try convert("in.pdf", "-o", "d", "--to", "text").status == 0)
    #expect(try convert("in.pdf", "-o", "d", "--to", "pdf", "--update").status == 0)
    #expect(place.exists("d/in.pdf"))
    // A joined document by a pipe is no folder called "-".
    let joined = try shell("procd convert --join in.pdf text.pdf -o - > joined.pdf")
    #expect(joined.status == 0 && !place.exists("-"), "\(joined.errors)")
    #expect(place.read("joined.pdf")?.starts(with: Data("%PDF-".utf8)) == true)
    let nameless = try shell("procd convert - -o d < text.pdf")
    #expect(nameless.status == 64 && nameless.errors.contains("convert - OUT.pdf"))
    // Which pages are read is asked for, whatever the rule says of pages with text.
    let forced = try convert("text.pdf", "forced.pdf", "--set", "ocr.mode=force", "--json")
    #expect(
      forced.output.contains(
        #""use":"ocr.tesseract","plugin":"image-ocr 1.0.0","attempts":1,"outcome":"done""#),
      "\(forced.output)")
  }

  @Test func `options are held against what the step declares, and folders left out are told`()
    throws
  {
    try putSample("report-mixed.pdf", as: "in/a.pdf")
    try putSample("report-mixed.pdf", as: "in/below/b.pdf")
    let result = try convert("in", "-o", "out")
    #expect(result.status == 0 && result.errors.contains("1 folder in there was not looked into"))
    let wrong = try convert("in", "-o", "out", "--set", "ocr.straighten=bogus")
    #expect(wrong.status == 64 && wrong.errors.contains("known: none, turn, full"), "\(wrong)")
    let near = try convert("in", "-o", "out", "--set", "ocr.moed=force")
    #expect(near.status == 64 && near.errors.contains("did you mean mode?"), "\(near)")
    let step = try convert("in", "-o", "out", "--set", "orc.mode=force")
    #expect(step.status == 64 && step.errors.contains("did you mean ocr?"), "\(step)")
    let secret = try convert("in", "-o", "out", "--set", "text.passwords=x")
    #expect(secret.status == 64 && secret.errors.contains(#"{"file": PATH}"#), "\(secret)")
    try place.write("x", to: "in/notes.txt")
    for (option, pattern) in [("--only", "*.PDF"), ("--skip", "*.txt")] {
      let some = try convert("in", "-r", "-o", "some", option, pattern)
      #expect(some.status == 0 && !some.errors.contains("passed over"), "\(some.errors)")
    }
    let none = try convert("in", "-r", "-o", "none", "--skip", "*.pdf", "--skip", "*.txt")
    #expect(none.status == 0 && none.errors.contains("nothing to convert"), "\(none.errors)")
    // In a tree an empty file is told, and is no failure; one that was named is.
    try place.write("", to: "in/empty.pdf")
    let tree = try convert("in", "-o", "out", "--only", "*.pdf")
    #expect(tree.status == 0 && tree.errors.contains("1 file was passed over: it is empty"))
    #expect(try convert("in/empty.pdf", "-o", "out").status == 65)
    #expect(place.files(below: "none").isEmpty)
    let missing = try convert("nowhere.pdf", "-o", "other")
    #expect(missing.status == 65 && !place.exists("other"))
  }

  @Test func `nothing that stands there is replaced unasked, and what no step gives is told`()
    throws
  {
    try putSample("report-mixed.pdf", as: "in.pdf")
    try place.write("mine", to: "out.txt")
    let refused = try convert("in.pdf", "out.txt")
    #expect(refused.status == 73 && refused.errors.contains("--overwrite"), "\(refused.errors)")
    #expect(place.read("out.txt") == Data("mine".utf8))
    #expect(try convert("in.pdf", "out.txt", "--overwrite").status == 0)
    #expect(place.read("out.txt") != Data("mine".utf8))
    try place.write("mine", to: "joined.pdf")
    #expect(try convert("--join", "in.pdf", "in.pdf", "-o", "joined.pdf").status == 73)
    for words in [["-o", "joined.csv"], ["joined2.pdf"]] {
      let refused = try Programs.run(
        "procd", ["convert", "--join", "in.pdf", "in.pdf"] + words, in: place.path)
      #expect(refused.status == 64 && refused.errors.contains("-o OUT.pdf"), "\(refused)")
    }
    #expect(place.read("joined.pdf") == Data("mine".utf8))
    let other = try convert("in.pdf", "out.docx")
    #expect(
      other.status == 64 && other.errors.contains("there are: alto.xml, csv"), "\(other.errors)")
    let lacking = try convert("in.pdf")
    #expect(lacking.status == 64 && lacking.errors.contains("OUT.pdf"), "\(lacking.errors)")
    #expect(try convert("gone.pdf", "new.txt").status == 65)
  }

  @Test func `a pipe has an end of each kind`() throws {
    try putSample("report-mixed.pdf", as: "in.pdf")
    let program = Programs.folder.appending("procd").string
    let result = try Programs.run(
      "/bin/sh",
      [
        "-c",
        "\(program) convert - out.txt < in.pdf && \(program) convert - - --to text < in.pdf > piped.txt",
      ], in: place.path)
    #expect(result.status == 0, "\(result.errors)")
    let text = try #require(place.read("out.txt"))
    #expect(text.count > 100 && place.read("piped.txt") == text)
    #expect(place.files() == ["in.pdf", "out.txt", "piped.txt"])
  }

  @Test func `what is made of text is made of pictures too`() throws {
    try putSample("letter-photo.jpg")
    let result = try convert("letter-photo.jpg", "letter.md")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      place.read("letter.md").map { String(decoding: $0, as: UTF8.self) }?.contains("harbour")
        == true)
  }

  @Test func `in a tree, files that no rule takes are passed over in one line`() throws {
    try putSample("report-mixed.pdf", as: "tree/sub/in.pdf")
    for name in ["a.txt", "b.txt", "sub/c.txt"] { try place.write("words", to: "tree/\(name)") }
    let result = try convert("tree", "-r", "-o", "out", "--to", "text")
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.errors.hasPrefix("procd: 3 files were passed over: no rule makes text of them (")
        && result.errors.contains("sub/c.txt"), "\(result.errors)")
    #expect(place.files(below: "out") == ["sub/in.txt"])
    // A file that is named is meant.
    #expect(try convert("tree/a.txt", "-o", "out").status == 65)
  }

  @Test func `who is interrupted leaves whole results and nothing of its own`() throws {
    for number in 0..<6 { try putSample("letter-photo.jpg", as: "tree/\(number).jpg") }
    let running = try Programs.start(
      "/bin/sh",
      ["-c", "exec \(Programs.folder.string)/procd convert tree -o out -j 1 2> err"],
      in: place.path)
    #expect(Programs.wait { place.exists("out/0.pdf") })
    running.signal(SIGINT)
    #expect(running.wait() == 130)
    let left = (try? FileManager.default.contentsOfDirectory(atPath: place("out").string)) ?? []
    #expect(left.allSatisfy { $0.hasSuffix(".pdf") }, "\(left)")
    #expect(left.count < 6)
    let told = String(decoding: place.read("err") ?? Data(), as: UTF8.self)
    #expect(told.contains("stopped; finished results stay"), "\(told)")
  }

  @Test func `joining a folder passes over what cannot be joined, and counts it`() throws {
    for name in ["report-mixed.pdf", "status-2012-06-01.pdf"] {
      try putSample(name, as: "in/\(name)")
    }
    try place.write("a text", to: "in/a.zzz")
    try place.write(Data([0, 1, 2, 3, 0, 0xFF, 0xFE, 9]), to: "in/b.bin")
    let joined = try convert("--join", "in", "-o", "out")
    #expect(joined.status == 0, "\(joined.errors)")
    #expect(
      joined.errors == "procd: 2 files were passed over: no rule takes their types (a.zzz, b.bin)\n"
    )
    #expect(place.files(below: "out") == ["report-mixed.pdf", "report-mixed.txt"])
    // One that is named is meant.
    let named = try convert("--join", "in/report-mixed.pdf", "in/b.bin", "-o", "named.pdf")
    #expect(named.status == 65 && named.errors.contains("[image.unknown]"), "\(named.errors)")
    let nothing = try convert("--join", "in", "--only", "*.zzz", "-o", "none.pdf")
    #expect(nothing.status == 65 && nothing.errors.contains("there are no files to join"))
  }

  @Test func `a step with too little memory to read its file says so`() throws {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "defaults": { "limits": { "memory": "16MiB" } },
        "pipelines": [{ "id": "t", "steps": [{ "id": "t", "use": "pdf.text" }], "emit": ["t.text"] }] }
      """, to: "rules.json")
    try site.put(sample: "report-mixed.pdf")
    let result = try site.run("convert", "-c", "rules.json", "inbox/report-mixed.pdf", "-o", "t")
    #expect(
      result.status == 65 && result.errors.contains("[limit.memory]")
        && result.errors.contains("raise \"memory\""), "\(result)")
  }
}
