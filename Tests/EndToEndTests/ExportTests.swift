import Foundation
import SystemPackage
import TestSupport
import Testing

/// Results for other programs: workbooks, hOCR, ALTO.
@Suite struct ExportTests {
  private static func text(_ text: String, _ x: Int, _ y: Int) -> String {
    "BT /F1 10 Tf \(x) \(y) Td (\(text)) Tj ET "
  }

  /// The content of a page with five rows, one with a status that a spreadsheet would run.
  private static var list: String {
    var content = ""
    for (index, status) in ["under review", "=1+1", "+granted", "sent", "sent"].enumerated() {
      let y = 700 - 20 * index
      content += text("2000000000\(index)", 60, y) + text(status, 180, y)
      content += text("1\(index)/05/2012", 400, y)
    }
    return content
  }

  private func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try folder.write(Data(PDFBuilder.pages([Self.list])), to: "list.pdf")
    try folder.write(
      Data(PDFBuilder.pages([PDFBuilder.lines(["Harbour & <Lights>", "second line"]), ""])),
      to: "text.pdf")
    return folder
  }

  private func procd(_ words: String..., in folder: TemporaryFolder) throws -> Programs.Result {
    try Programs.run("procd", words, in: folder.path)
  }

  /// The cells of the first sheet as openpyxl reads them.
  private func cells(_ path: String, in folder: TemporaryFolder) throws -> [[String]]? {
    let script = """
      import openpyxl, json, sys
      sheet = openpyxl.load_workbook(sys.argv[1]).worksheets[0]
      print(json.dumps([[c.data_type + ":" + str(c.value) for c in row] for row in sheet.iter_rows()]))
      """
    let result = try Programs.run("/usr/bin/python3", ["-c", script, path], in: folder.path)
    guard result.status == 0 else {
      #expect(result.errors.contains("No module named 'openpyxl'"), "\(result.errors)")
      return nil
    }
    return try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String]]
  }

  @Test func `a drawing shows lines in order, gutters and the rows of tables`() throws {
    let folder = try folder()
    var columns = ""
    for row in 0..<8 {
      for x in [40, 300] {
        columns += Self.text("prose of a column, line \(row)", x, 700 - 12 * row)
      }
    }
    try folder.write(Data(PDFBuilder.pages([columns, Self.list])), to: "page.pdf")
    let made = try procd("extract", "--debug-layout", "page.pdf", "-o", "page.svg", in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let pages = try Programs.run(
      "/usr/bin/xmllint", ["--xpath", "//*[local-name()='g']", "page.svg"], in: folder.path
    ).output.components(separatedBy: "</g>")
    #expect(pages.count == 3)
    func count(_ kind: String, on page: Int) -> Int {
      pages[page].components(separatedBy: "class=\"\(kind)\"").count - 1
    }
    #expect(count("line", on: 0) == 16 && count("gutter", on: 0) == 1 && count("row", on: 0) == 0)
    #expect(count("row", on: 1) == 5 && count("column", on: 1) == 3)
    #expect(pages[1].contains("=1+1</text>"))
    let both = try procd("extract", "--debug-layout", "--json", "page.pdf", in: folder)
    #expect(both.status == 64 && both.errors.contains("Take one of --json and --debug-layout"))
  }

  @Test func `rows become a workbook, by the command and by the step`() throws {
    let folder = try folder()
    #expect(try procd("rows", "list.pdf", "-o", "list.xlsx", in: folder).status == 0)
    let piped = try procd("rows", "--xlsx", "list.pdf", "-o", "out", in: folder)
    #expect(piped.status == 0 && folder.files(below: "out") == ["list.rows.xlsx"])
    let step = try procd("convert", "list.pdf", "step.xlsx", in: folder)
    #expect(step.status == 0, "\(step.errors)")
    let bytes = try #require(folder.read("list.xlsx"))
    #expect(bytes.starts(with: Data("PK".utf8)))
    #expect(folder.read("out/list.rows.xlsx") == bytes && folder.read("step.xlsx") == bytes)
    if let cells = try cells("list.xlsx", in: folder) {
      #expect(
        cells[0].map { $0.dropFirst(2) } == [
          "number", "status", "date", "page", "dateISO", "doubtful",
        ])
      #expect(cells.count == 6)
      #expect(
        cells[1] == [
          "s:20000000000", "s:under review", "s:10/05/2012", "n:1", "d:2012-05-10 00:00:00",
          "n:None",
        ])
    }
  }

  @Test func `tables become a workbook, and a rule emits it`() throws {
    let folder = try folder()
    #expect(try procd("tables", "list.pdf", "-o", "tables.xlsx", in: folder).status == 0)
    try folder.write(
      """
      { "version": 1, "pipelines": [
        { "id": "tables", "match": { "mime": "application/pdf" },
          "steps": [ { "id": "tables", "use": "tables.rows" } ], "emit": ["tables.xlsx"] } ] }
      """, to: "pipelines.json")
    let made = try procd("convert", "-c", "pipelines.json", "-o", "out", "list.pdf", in: folder)
    #expect(made.status == 0, "\(made.errors)")
    #expect(folder.files(below: "out") == ["list.xlsx"])
    let bytes = try #require(folder.read("out/list.xlsx"))
    #expect(bytes == folder.read("tables.xlsx"))
  }

  @Test func `a document without tables has no workbook, and explain says that it depends`() throws
  {
    let site = try Site()
    try site.place.write(
      """
      { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "pipelines": [
        { "id": "tables", "match": { "mime": "application/pdf" },
          "steps": [ { "id": "text", "use": "pdf.text" }, { "id": "tables", "use": "tables.rows" } ],
          "emit": ["text.text", "text.words", "tables.xlsx?", "tables.table?"] } ] }
      """, to: "pipelines.json")
    try site.place.write(Site.pdf("no table"), to: "inbox/a.pdf")
    let explained = try site.run("explain", "inbox/a.pdf").output
    #expect(explained.contains("outbox: a.txt, a.words.jsonl, a.pdf.report.json"), "\(explained)")
    #expect(explained.contains("whether there are also: a.xlsx, a.csv"), "\(explained)")
    #expect(try site.run("run", "--once").status == 0)
    #expect(
      site.place.files(below: "outbox").sorted() == ["a.pdf.report.json", "a.txt", "a.words.jsonl"])
    // What is reused is called as if it had been made.
    try site.place.write(Site.pdf("no table"), to: "inbox/b.pdf")
    #expect(try site.run("run", "--once").status == 0)
    #expect(try site.run("status", "b.pdf").output.contains("whose results were reused"))
    #expect(
      site.place.files(below: "outbox").filter { $0.hasPrefix("b.") }.sorted()
        == ["b.pdf.report.json", "b.txt", "b.words.jsonl"])
    try FileManager.default.removeItem(atPath: site.place("outbox/b.txt").string)
    let story = try site.run("status", "b.pdf").output
    #expect(
      story.contains("result    no longer at \(site.place("outbox/b.txt").string)"), "\(story)")
  }

  // MARK: Copies with rows attached

  /// What a PDF carries, by pdfdetach; nil where that is not installed.
  private func attached(_ path: String, in folder: TemporaryFolder) throws -> [String: Data]? {
    guard let tool = Programs.find("pdfdetach") else { return nil }
    try? FileManager.default.removeItem(atPath: folder("detached").string)
    try FileManager.default.createDirectory(
      atPath: folder("detached").string, withIntermediateDirectories: true)
    let ended = try Programs.run(tool, ["-saveall", "-o", "detached", path], in: folder.path)
    #expect(ended.status == 0, "\(ended.errors)")
    var found: [String: Data] = [:]
    for name in folder.files(below: "detached") { found[name] = folder.read("detached/\(name)") }
    return found
  }

  @Test func `rows are attached to a copy of the PDF, by the command and by a rule`() throws {
    let folder = try folder()
    let original = try #require(folder.read("list.pdf"))
    #expect(try procd("rows", "list.pdf", "-o", "list.rows.pdf", in: folder).status == 0)
    let bytes = try #require(folder.read("list.rows.pdf"))
    #expect(bytes.starts(with: original) && bytes.count > original.count)
    let rows = try procd("rows", "list.pdf", in: folder).output
    let lines = try procd("rows", "--json", "list.pdf", in: folder).output
    if let files = try attached("list.rows.pdf", in: folder) {
      #expect(files == ["rows.csv": Data(rows.utf8), "rows.jsonl": Data(lines.utf8)])
    }
    let before = try procd("extract", "list.pdf", in: folder).output
    #expect(try procd("extract", "list.rows.pdf", in: folder).output == before)
    let several = try procd("rows", "--attach", "list.pdf", "-o", "out", in: folder)
    #expect(several.status == 0 && folder.files(below: "out") == ["list.rows.pdf"])
    #expect(folder.read("out/list.rows.pdf") == bytes)
    try folder.write(
      """
      { "version": 1, "pipelines": [
        { "id": "rows", "match": { "mime": "application/pdf" },
          "steps": [ { "id": "rows", "use": "status.rows" } ],
          "emit": ["rows.csv", { "from": "rows.pdf?", "else": "source" }] } ] }
      """, to: "pipelines.json")
    let made = try procd(
      "convert", "-c", "pipelines.json", "-o", "made", "list.pdf", "text.pdf", in: folder)
    #expect(made.status == 0, "\(made.errors)")
    #expect(folder.read("made/list.pdf") == bytes)
    // Nothing to attach: the rule says what comes instead.
    #expect(folder.read("made/text.pdf") == folder.read("text.pdf"))
  }

  @Test func `tables are attached one by one`() throws {
    let folder = try folder()
    try folder.write(Data(PDFBuilder.pages([TableRowsTests.page])), to: "two.pdf")
    #expect(try procd("tables", "two.pdf", "-o", "two.tables.pdf", in: folder).status == 0)
    #expect(try procd("tables", "two.pdf", "-o", "parts", in: folder).status == 0)
    #expect(
      try procd("tables", "--one", "two.pdf", "-o", "one.pdf", in: folder).status == 0)
    let lines = try procd("tables", "--json", "two.pdf", in: folder).output
    let whole = try procd("tables", "two.pdf", in: folder).output
    if let files = try attached("two.tables.pdf", in: folder) {
      #expect(files.keys.sorted() == ["table-t1.csv", "table-t2.csv", "tables.jsonl"])
      for number in 1...2 {
        #expect(files["table-t\(number).csv"] == folder.read("parts/two-t\(number).csv"))
      }
      #expect(files["tables.jsonl"] == Data(lines.utf8))
    }
    if let files = try attached("one.pdf", in: folder) {
      #expect(files == ["tables.csv": Data(whole.utf8), "tables.jsonl": Data(lines.utf8)])
    }
    try folder.write(
      """
      { "version": 1, "pipelines": [
        { "id": "tables", "match": { "mime": "application/pdf" },
          "steps": [ { "id": "tables", "use": "tables.rows" } ], "emit": ["tables.pdf"] } ] }
      """, to: "pipelines.json")
    let made = try procd("convert", "-c", "pipelines.json", "-o", "made", "two.pdf", in: folder)
    #expect(made.status == 0, "\(made.errors)")
    #expect(folder.read("made/two.pdf") == folder.read("two.tables.pdf"))
  }

  @Test func `a scan becomes PDF/A-3 with its tables`() throws {
    let folder = try folder()
    let image = Programs.repository.appending("docs/samples/report-mixed.pdf").string
    // A rule that only asks for a PDF gets no rows.
    #expect(try procd("convert", "list.pdf", "same.pdf", in: folder).status == 0)
    #expect(folder.read("same.pdf") == folder.read("list.pdf"))
    let none = try procd("tables", "--ocr", image, "-o", "none.pdf", in: folder)
    #expect(none.status == 65 && folder.read("none.pdf") == nil, "\(none)")
    #expect(none.errors.contains("no table was found.\n"), "\(none.errors)")
    guard Programs.find("pdftoppm") != nil else { return }
    _ = try Programs.run(
      "/usr/bin/pdftoppm", ["-r", "200", "-gray", "-png", "-singlefile", "list.pdf", "scan"],
      in: folder.path)
    let made = try procd("rows", "--ocr", "scan.png", "-o", "scan.pdf", in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let bytes = try #require(folder.read("scan.pdf"))
    let claims = bytes.ranges(of: Data("<pdfaid:part>".utf8)).map { bytes[$0.upperBound] }
    #expect(claims == [UInt8(ascii: "2"), UInt8(ascii: "3")])
    if let files = try attached("scan.pdf", in: folder) {
      #expect(files["rows.csv"]?.starts(with: Data("number,status,date".utf8)) == true)
    }
  }

  @Test func `what becomes of a signature is told, by the command and by a rule`() throws {
    let folder = try folder()
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R/Perms<</DocMDP<<>>>>>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 612 792]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>")
    builder.addStream(Array(Self.list.utf8))
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    try folder.write(Data(builder.file(root: 1)), to: "signed.pdf")
    let made = try procd("rows", "signed.pdf", "-o", "copy.pdf", in: folder)
    #expect(made.status == 0 && made.errors.contains("the document is signed: "), "\(made)")
    try folder.write(
      """
      { "version": 1, "pipelines": [
        { "id": "rows", "match": { "mime": "application/pdf" },
          "steps": [ { "id": "rows", "use": "status.rows" } ], "emit": ["rows.pdf"] } ] }
      """, to: "pipelines.json")
    let step = try procd("convert", "-c", "pipelines.json", "-o", "made", "signed.pdf", in: folder)
    #expect(step.errors.contains("[attach.signed]"), "\(step.errors)")
    #expect(folder.read("made/signed.pdf") == folder.read("copy.pdf"))
  }

  @Test func `a copy never takes the place of an input, and a damaged PDF gives its rows alone`()
    throws
  {
    let folder = try folder()
    let original = try #require(folder.read("list.pdf"))
    for words in [["-o", "list.pdf"], ["-o", "./list.pdf", "--overwrite"]] {
      let refused = try Programs.run("procd", ["rows", "list.pdf"] + words, in: folder.path)
      #expect(refused.status == 64, "\(refused)")
      #expect(refused.errors.contains("is an input, and no result takes its place"))
    }
    try folder.write(original, to: "list.rows.pdf")
    let beside = try procd(
      "rows", "--attach", "--overwrite", "list.pdf", "list.rows.pdf", "-o", ".", in: folder)
    #expect(beside.status == 64 && folder.read("list.rows.pdf") == original)
    #expect(folder.read("list.pdf") == original)
    try folder.write(original.dropLast(60), to: "cut.pdf")
    let cut = try procd("rows", "cut.pdf", "-o", "copy.pdf", in: folder)
    #expect(cut.status == 65 && folder.read("copy.pdf") == nil)
    #expect(
      cut.errors == "procd: cut.pdf: nothing can be attached to the document: it is damaged.\n")
    try folder.write(
      """
      { "version": 1, "pipelines": [
        { "id": "rows", "match": { "mime": "application/pdf" },
          "steps": [ { "id": "rows", "use": "status.rows" } ],
          "emit": ["rows.csv", "rows.pdf?"] } ] }
      """, to: "pipelines.json")
    let made = try procd("convert", "-c", "pipelines.json", "-o", "made", "cut.pdf", in: folder)
    #expect(made.errors.contains("it is damaged [attach.none]"), "\(made.errors)")
    #expect(folder.files(below: "made") == ["cut.csv"])
  }

  @Test func `lists of options are typed with commas`() throws {
    let folder = try folder()
    try folder.write(
      """
      { "version": 1, "pipelines": [
        { "id": "rows", "match": { "mime": "application/pdf" },
          "steps": [ { "id": "rows", "use": "status.rows" }, { "id": "tables", "use": "tables.rows" } ],
          "emit": ["rows.csv?", "tables.csv?"] } ] }
      """, to: "pipelines.json")
    func convert(_ value: String) throws -> Programs.Result {
      try procd(
        "convert", "-c", "pipelines.json", "-o", "out", "--overwrite", "list.pdf", "--set", value,
        in: folder)
    }
    for value in [
      "rows.columns=number,-,date", "rows.columns=number, status, date", "rows.columns=number",
      #"rows.columns=["number","status"]"#, #"rows.columns="number""#, "tables.area=0,0.5,600,800",
    ] {
      let made = try convert(value)
      #expect(made.status == 0, "\(value): \(made.errors)")
    }
    let wrong = try convert("rows.columns=number,dade")
    #expect(wrong.status == 64 && wrong.errors.contains(#""dade" is not allowed here"#))
    let short = try convert("tables.area=1,2")
    #expect(short.status == 64 && short.errors.contains("at least 4 entries"), "\(short.errors)")
  }

  @Test func `a workbook or a document of XML comes alone`() throws {
    let folder = try folder()
    for form in [
      ["rows", "--xlsx"], ["tables", "--xlsx"], ["extract", "--hocr"], ["extract", "--alto"],
    ] {
      let refused = try Programs.run("procd", form + ["list.pdf", "text.pdf"], in: folder.path)
      #expect(refused.status == 64 && refused.output.isEmpty, "\(form)")
      #expect(refused.errors.contains("Name a folder with -o."))
      let both = try Programs.run("procd", form + ["--json", "text.pdf"], in: folder.path)
      #expect(both.status == 64, "\(form)")
    }
    let named = try procd("rows", "list.pdf", "text.pdf", "-o", "two.xlsx", in: folder)
    #expect(named.status == 64 && folder.read("two.xlsx") == nil)
  }

  @Test func `a name that ends as the results do is that of a file`() throws {
    let folder = try folder()
    #expect(try procd("rows", "list.pdf", "-o", "deep/rows.CSV", in: folder).status == 0)
    #expect(folder.files(below: "deep") == ["rows.CSV"])
    #expect(try procd("tables", "list.pdf", "-o", "tables.csv", in: folder).status == 0)
    #expect(try #require(folder.read("tables.csv")).starts(with: Data("20000000000,".utf8)))
    #expect(try procd("extract", "text.pdf", "-o", "text.txt", in: folder).status == 0)
    #expect(folder.read("text.txt") != nil)
    // A folder that is there stays one.
    try folder.write(Data(), to: "rows.csv/keep")
    #expect(try procd("rows", "list.pdf", "-o", "rows.csv", in: folder).status == 0)
    #expect(folder.files(below: "rows.csv").sorted() == ["keep", "list.rows.csv"])
  }

  @Test func `extract gives the same words as hOCR and ALTO`() throws {
    let folder = try folder()
    let words = ["Harbour", "&amp;", "&lt;Lights&gt;", "second", "line"]
    let hocr = try procd("extract", "--hocr", "text.pdf", in: folder)
    #expect(hocr.status == 0)
    for word in words { #expect(hocr.output.contains(">\(word)</span>")) }
    #expect(
      try procd("extract", "--alto", "text.pdf", "-o", "text.alto.xml", in: folder).status == 0)
    #expect(try procd("convert", "text.pdf", "step.alto.xml", in: folder).status == 0)
    #expect(try procd("convert", "text.pdf", "step.xml", "--to", "alto", in: folder).status == 0)
    let alto = String(decoding: try #require(folder.read("text.alto.xml")), as: UTF8.self)
    let found = alto.split(separator: "CONTENT=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
    #expect(found.map(String.init) == words)
    #expect(folder.read("step.alto.xml") == folder.read("text.alto.xml"))
    #expect(folder.read("step.xml") == folder.read("text.alto.xml"))
  }

  @Test func `what recognition knows of a scan is not lost by later steps`() throws {
    let folder = try folder()
    let source = Programs.repository.appending("docs/samples/report-mixed.pdf").string
    let made = try procd("convert", source, "mixed.alto.xml", in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let alto = String(decoding: try #require(folder.read("mixed.alto.xml")), as: UTF8.self)
    // The first page has its text, the second is a picture.
    let pages = alto.split(separator: "<Page ").dropFirst()
    #expect(pages.count == 2 && pages.first?.contains(" WC=") == false)
    #expect(pages.last?.contains(" WC=") == true)
  }
}
