import Foundation
import SystemPackage
import TestSupport
import Testing

/// What `extract` and `tables` say where there is nothing to print.
@Suite struct ReadingHintTests {
  private let place = TemporaryFolder()

  private func errors(_ arguments: String...) throws -> String {
    let result = try Programs.run("procd", arguments, in: place.path)
    #expect(result.status == 0)
    return result.errors
  }

  @Test func `a form that its pages do not show is reported`() throws {
    try place.write(
      """
      %PDF-1.7
      1 0 obj <</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]/XFA 4 0 R>>/NeedsRendering true>> endobj
      2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
      3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 90 90]>> endobj
      4 0 obj <</Length 10>> stream
      <xdp:xdp/>
      endstream endobj
      trailer <</Root 1 0 R>>
      """, to: "form.pdf")
    #expect(try errors("extract", "form.pdf").contains("the content is an XFA form"))
    let converted = try Programs.run(
      "procd", ["convert", "form.pdf", "-o", "out", "--json"], in: place.path)
    #expect(converted.output.contains(#""partial":true"#), "\(converted)")
  }

  @Test func `scans and pictures are recognized first where that is asked for`() throws {
    for name in ["letter-photo.jpg", "report-mixed.pdf", "status-2012-06-01.pdf"] {
      let sample = Programs.repository.appending("docs/samples/\(name)").string
      try FileManager.default.copyItem(atPath: sample, toPath: place(name).string)
    }
    let photo = try Programs.run("procd", ["extract", "--ocr", "letter-photo.jpg"], in: place.path)
    #expect(photo.status == 0 && photo.output.hasPrefix("Harbour Office\n"), "\(photo)")
    func lines(_ arguments: String...) throws -> Int {
      try Programs.run("procd", arguments, in: place.path).output.split(separator: "\n").count
    }
    #expect(
      try lines("extract", "--ocr", "report-mixed.pdf") > lines("extract", "report-mixed.pdf"))
    let half = try Programs.run("procd", ["extract", "report-mixed.pdf"], in: place.path)
    #expect(half.errors.contains("page 2 has no text. --ocr recognizes scans first"))
    // The other commands and steps tell too, and rules count such a file as read in part.
    let tables = try Programs.run("procd", ["tables", "report-mixed.pdf"], in: place.path)
    #expect(
      tables.output.isEmpty
        || tables.errors.contains("page 2 is a picture or drawing with hardly any text"),
      "\(tables)")
    for (step, output, isPartial) in [
      ("pdf.text", "text", nil), ("status.rows", "csv", true), ("tables.rows", "csv", true),
    ] as [(String, String, Bool?)] {
      try place.write(
        """
        {"version": 1, "pipelines": [{"id": "a", "steps": [{"id": "s", "use": "\(step)"}],
        "emit": ["s.\(output)"]}]}
        """, to: "one.json")
      let told = try Programs.run(
        "procd",
        [
          "convert", "-c", "one.json", "report-mixed.pdf", "-o", "of-\(output)", "--overwrite",
          "--json",
        ],
        in: place.path)
      #expect(told.output.contains("text.unread"), "\(step): \(told)")
      #expect(told.output.contains(#""partial":true"#) == (isPartial == true), "\(step): \(told)")
    }
    // Once it is recognized, nothing is left to tell.
    let read = try Programs.run(
      "procd", ["convert", "report-mixed.pdf", "-o", "whole", "--json"], in: place.path)
    #expect(read.status == 0 && !read.output.contains("text.unread"), "\(read)")
    // Results are called as their files are.
    let several = try Programs.run(
      "procd", ["rows", "--ocr", "-o", "out", "status-2012-06-01.pdf", "nowhere.jpg"],
      in: place.path, environment: ["TMPDIR": place.path.string])
    #expect(several.status == 65 && several.errors.contains("nowhere.jpg: no such file"))
    #expect(place.exists("out/status-2012-06-01.rows.csv"))
    #expect(!place.files().contains { $0.hasPrefix("procd-read") })
  }

  @Test func `who gets nothing is told why, and what helps`() throws {
    try place.write(Data(PDFBuilder.pages([PDFBuilder.lines(["words"])])), to: "words.pdf")
    try place.write(Data(PDFBuilder.pages([""])), to: "blank.pdf")
    #expect(try errors("extract", "blank.pdf").contains("no text. --ocr recognizes scans first"))
    #expect(try errors("extract", "--markdown", "blank.pdf").contains("no text"))
    #expect(
      try errors("tables", "blank.pdf").contains("no table was found: its pages have no text"))
    #expect(try errors("tables", "words.pdf").contains("no table was found."))
    for command in ["extract", "tables", "rows"] {
      let beyond = try Programs.run(
        "procd", [command, "--pages", "2-5,9", "words.pdf"], in: place.path)
      #expect(
        beyond.status == 65
          && beyond.errors.contains("it has 1 page, none of them is among 2-5,9"), "\(beyond)")
    }
    #expect(try errors("extract", "words.pdf") == "")
    #expect(try errors("extract", "--pages", "1-9", "words.pdf") == "")
    let others: [([UInt8], String)] = [
      ([0xFF, 0xD8, 0xFF, 0xE0], "--ocr recognizes the text of images first"),
      (Array("PK".utf8), "procd convert reads office documents"),
    ]
    for (start, hint) in others {
      try place.write(Data(start), to: "other")
      let other = try Programs.run("procd", ["tables", "other"], in: place.path)
      #expect(other.status == 65 && other.errors.contains("not a PDF file: \(hint)."), "\(other)")
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a reading that is ended while it recognizes leaves nothing behind`(signal: Int32) throws {
    let sample = Programs.repository.appending("docs/samples/letter-photo.jpg").string
    let reading = try Programs.start(
      "procd", ["extract", "--ocr"] + Array(repeating: sample, count: 40), in: place.path,
      environment: ["TMPDIR": place.path.string])
    func copies() -> [String] { place.files().filter { $0.hasPrefix("procd-read") } }
    try #require(Programs.wait { !copies().isEmpty })
    reading.signal(signal)
    #expect(reading.wait() != 0)
    #expect(copies().isEmpty, "\(copies())")
  }

  @Test func `a file whose name looks like options is not passed over for the help`() throws {
    let page = Data(PDFBuilder.pages([PDFBuilder.lines(["words"])]))
    try place.write(page, to: "-dash.pdf")
    try place.write("{ \"version\": 1, \"pipelines\": [] }", to: "pipelines.json")
    for command in ["extract", "tables", "add", "convert"] {
      let called = try Programs.run("procd", [command, "-dash.pdf"], in: place.path)
      #expect(
        called.status == 64 && called.errors.contains("write ./-dash.pdf"), "\(command) \(called)")
    }
    #expect(
      try Programs.run("procd", ["extract", "--", "-dash.pdf"], in: place.path).output == "words\n")
    #expect(try Programs.run("procd", ["add", "-h"], in: place.path).status == 0)
  }

  @Test func `a file with other content stays where a result goes`() throws {
    try place.write(Data(PDFBuilder.pages([PDFBuilder.lines(["words"])])), to: "words.pdf")
    for (output, file) in [("mine.txt", "mine.txt"), ("folder", "folder/words.txt")] {
      try place.write("mine", to: file)
      func extract(_ more: String...) throws -> Programs.Result {
        try Programs.run(
          "procd", ["extract", "words.pdf", "-o", output] + more, in: place.path)
      }
      let refused = try extract()
      #expect(
        refused.status == 73 && refused.errors.contains("--overwrite replaces it"), "\(refused)")
      #expect(place.read(file) == Data("mine".utf8))
      #expect(try extract("--overwrite").status == 0)
      #expect(place.read(file) != Data("mine".utf8))
      // The same once more is no clash.
      let again = try extract()
      #expect(again.status == 0 && again.errors.isEmpty, "\(again)")
    }
    #expect(place.files() == ["folder/words.txt", "mine.txt", "words.pdf"])
  }

  @Test func `two forms of text are told from each other`() throws {
    let told = try Programs.run("procd", ["extract", "--layout", "--markdown", "a.pdf"])
    #expect(told.status == 64)
    #expect(told.errors.contains("Take one of --layout and --markdown."), "\(told.errors)")
  }

  @Test func `a name that ends as no result does is no folder`() throws {
    try place.write(Data(PDFBuilder.pages([PDFBuilder.lines(["words"])])), to: "words.pdf")
    let refused = try Programs.run(
      "procd", ["extract", "words.pdf", "-o", "words.ods"], in: place.path)
    #expect(refused.status == 64 && refused.errors.contains("results here end with .txt;"))
    let rows = try Programs.run(
      "procd", ["rows", "words.pdf", "-o", "a.jsonl"], in: place.path)
    #expect(
      rows.errors.contains("end with .csv, or with .jsonl with --json, .xlsx or .pdf;"), "\(rows)")
    for folder in ["words.ods/", "2026.11"] {
      #expect(
        try Programs.run("procd", ["extract", "words.pdf", "-o", folder], in: place.path).status
          == 0)
      #expect(place.exists("\(folder)/words.txt"))
    }
  }
}
