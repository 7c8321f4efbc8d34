import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Tables and status rows as people get them: on the command line, and as steps.
@Suite struct TableRowsTests {
  @Test func `a rule's area and columns are numbers, and count`() throws {
    let site = try Site()
    func configure(_ with: String) throws {
      try site.place.write(
        """
        { "version": 1, "inbox": { "path": "inbox", "settle": "100ms" }, "pipelines": [{ "id": "t",
          "steps": [{ "id": "t", "use": "tables.rows", "with": \(with) }], "emit": ["t.csv"] }] }
        """, to: "pipelines.json")
    }
    for wrong in [
      #"{ "area": ["50", "100", "200", "300"] }"#, #"{ "area": [50, 100, 200] }"#,
      #"{ "columnsAt": ["b"] }"#, #"{ "columnsAt": [-1] }"#, #"{ "area": [200, 300, 50, 100] }"#,
    ] {
      try configure(wrong)
      let told = try site.run("check")
      #expect(told.status == 78, "\(wrong): \(told)")
      #expect(!told.errors.contains("a string is expected"), "\(wrong): \(told)")
    }
    let typed = try Programs.run(
      "procd", ["tables", "--area", "200,300,50,100", "a.pdf"], in: site.place.path)
    #expect(typed.status == 64 && typed.errors.contains("the first two smaller"), "\(typed)")
    try configure(#"{ "columnsAt": [100, 300.5] }"#)
    try site.put(sample: "status-2012-06-01.pdf", as: "b.pdf")
    let run = try site.run("run", "--once")
    #expect(run.status == 0, "\(run.errors)")
    let command = try Programs.run(
      "procd",
      ["tables", "--columns-at", "100,300.5", site.place("archive/b.pdf").string],
      in: site.place.path)
    #expect(!command.output.isEmpty)
    #expect(site.place.read("outbox/b.csv") == Data(command.output.utf8))
  }

  private static func text(_ text: String, _ x: Int, _ y: Int) -> String {
    "BT /F1 10 Tf \(x) \(y) Td (\(text)) Tj ET "
  }

  /// A page with two tables, the second with drawn cells.
  static var page: String {
    var content = text("Code", 60, 700) + text("Item", 140, 700) + text("Price", 300, 700)
    for index in 0..<4 {
      let y = 685 - 15 * index
      content +=
        text("A\(index)", 60, y) + text("Bolt; small", 140, y) + text("\(index).50", 300, y)
    }
    for x in [60, 160, 260] { content += "\(x) 400 m \(x) 460 l S " }
    for y in [400, 420, 440, 460] { content += "60 \(y) m 260 \(y) l S " }
    for (index, stop) in ["Stop", "Oak Hill", "Mill Lane"].enumerated() {
      content += text(stop, 64, 446 - 20 * index)
      content += text(index == 0 ? "Time" : "10:0\(index)", 164, 446 - 20 * index)
    }
    return content
  }

  private func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try folder.write(Data(PDFBuilder.pages([Self.page])), to: "two.pdf")
    return folder
  }

  private func string(_ folder: TemporaryFolder, _ path: String) -> String {
    String(decoding: folder.read(path) ?? Data(), as: UTF8.self)
  }

  @Test func `convert gives the tables of a PDF where they are asked for`() throws {
    let folder = TemporaryFolder()
    try folder.write(Data(PDFBuilder.pages([Self.page])), to: "in/two.pdf")
    try folder.write(Site.pdf("A letter"), to: "in/letter.pdf")
    func convert(_ arguments: String...) throws -> Programs.Result {
      try Programs.run("procd", ["convert"] + arguments, in: folder.path)
    }
    let made = try convert("in/two.pdf", "two.csv")
    #expect(made.status == 0, "\(made.errors)")
    let tables = try Programs.run("procd", ["tables", "in/two.pdf"], in: folder.path)
    #expect(!tables.output.isEmpty && folder.read("two.csv") == Data(tables.output.utf8))
    #expect(try convert("in/two.pdf", "two.xlsx").status == 0)
    #expect(folder.read("two.xlsx")?.starts(with: Data("PK".utf8)) == true)
    // Where none is asked for, there is the text.
    #expect(try convert("in", "-o", "out").status == 0)
    #expect(folder.files(below: "out").sorted() == ["letter.txt", "two.txt"])
    let none = try convert("in/letter.pdf", "letter.csv")
    #expect(none.status == 65 && !folder.exists("letter.csv"), "\(none)")
    #expect(
      none.errors.contains("tables 0, ") && none.errors.contains("-o DIR")
        && !none.errors.contains("batch-status") && !none.errors.contains("--to"), "\(none.errors)")
    let tree = try convert("-r", "in", "-o", "csv", "--to", "csv")
    #expect(tree.status == 0, "\(tree.errors)")
    #expect(
      tree.errors == "procd: 1 file was passed over: no rule makes csv of it (letter.pdf)\n",
      "\(tree.errors)")
    #expect(folder.files(below: "csv") == ["two.csv"])
  }

  @Test func `tables go to one output, or to a file each`() throws {
    let folder = try folder()
    let plain = try Programs.run("procd", ["tables", "two.pdf"], in: folder.path)
    let stops = "Stop,Time\r\nOak Hill,10:01\r\nMill Lane,10:02\r\n"
    #expect(plain.status == 0)
    #expect(plain.output.hasPrefix("Code,Item,Price\r\nA0,Bolt; small,0.50\r\n"))
    #expect(plain.output.hasSuffix("A3,Bolt; small,3.50\r\n\r\n" + stops))
    for arguments in [["-o", "out"], ["-o", "out", "-j2"]] {
      let parted = try Programs.run("procd", ["tables"] + arguments + ["two.pdf"], in: folder.path)
      #expect(parted.status == 0)
      #expect(folder.files(below: "out") == ["two-t1.csv", "two-t2.csv"])
      #expect(string(folder, "out/two-t2.csv") == stops)
    }
    _ = try Programs.run(
      "procd", ["tables", "--one", "--excel", "-o", "one", "two.pdf"], in: folder.path)
    #expect(folder.files(below: "one") == ["two.tables.csv"])
    #expect(
      string(folder, "one/two.tables.csv").hasPrefix(
        "\u{FEFF}Code;Item;Price\r\nA0;\"Bolt; small\";"))
  }

  @Test func `rows of several files say which file each is of`() throws {
    let place = try folder()
    for name in ["a b.pdf", "c,d.pdf"] {
      let sample = Programs.repository.appending("docs/samples/status-2012-06-01.pdf").string
      try FileManager.default.copyItem(atPath: sample, toPath: place(name).string)
    }
    func rows(_ arguments: String...) throws -> [Substring] {
      let result = try Programs.run("procd", ["rows"] + arguments, in: place.path)
      #expect(result.status == 0, "\(result)")
      return result.output.split(whereSeparator: \.isNewline)
    }
    let one = try rows("a b.pdf")
    for jobs in ["1", "2"] {
      let both = try rows("a b.pdf", "c,d.pdf", "-j", jobs)
      #expect(both.first == "file,\(one[0])" && both.count == 2 * one.count - 1)
      #expect(both.dropFirst().first == "a b.pdf,\(one[1])")
      #expect(both.last == "\"c,d.pdf\",\(one.last ?? "")")
    }
    let first = try rows("a b.pdf", "--json")[0]
    #expect(
      try rows("a b.pdf", "c,d.pdf", "--json")[0] == #"{"file":"a b.pdf",\#(first.dropFirst())"#)
    let excel = try Programs.run(
      "procd", ["rows", "--excel", "a b.pdf", "c,d.pdf"], in: place.path)
    #expect(excel.output.hasPrefix("\u{FEFF}file;number;"), "\(excel.output.prefix(40))")
  }

  @Test func `an area and places of columns can be told, nonsense is refused`() throws {
    let folder = try folder()
    let told = try Programs.run(
      "procd", ["tables", "--area", "0,300,612,400", "--columns-at", "150", "two.pdf"],
      in: folder.path)
    #expect(told.output == "Stop,Time\r\nOak Hill,10:01\r\nMill Lane,10:02\r\n")
    for wrong in [["--area", "1,2,3"], ["--area", "9,9,1,1"], ["--columns-at", "a"]] {
      let refused = try Programs.run("procd", ["tables"] + wrong + ["two.pdf"], in: folder.path)
      #expect(refused.status == 64)
    }
  }

  @Test func `a list that is not as expected goes to the next rule`() throws {
    let folder = TemporaryFolder()
    var content = ""
    for index in 0..<6 {
      content +=
        Self.text("2000000000\(index)", 60, 700 - 20 * index)
        + Self.text("under review", 180, 700 - 20 * index)
    }
    // The first list lacks its dates.
    try folder.write(Data(PDFBuilder.pages([content])), to: "in/no-dates.pdf")
    for index in 0..<6 { content += Self.text("1\(index)/05/2012", 400, 700 - 20 * index) }
    try folder.write(Data(PDFBuilder.pages([content])), to: "in/list.pdf")
    try folder.write(Data(PDFBuilder.pages([Self.page])), to: "in/two.pdf")
    try folder.write(
      """
      { "version": 1, "pipelines": [
        { "id": "status", "match": { "mime": "application/pdf" },
          "steps": [ { "id": "rows", "use": "status.rows",
            "expect": { "minRows": 3, "minColumns": 3, "maxDoubtful": 0 } } ],
          "emit": ["rows.csv", "rows.json"] },
        { "id": "tables", "match": { "mime": "application/pdf" },
          "steps": [ { "id": "tables", "use": "tables.rows", "with": { "excel": true },
            "expect": { "minTables": 1 } } ],
          "emit": ["tables.csv", "tables.table"] } ] }
      """, to: "pipelines.json")
    let result = try Programs.run(
      "procd-daemon",
      [
        "convert", "-c", "pipelines.json", "-o", "out", "in/no-dates.pdf", "in/list.pdf",
        "in/two.pdf",
      ],
      in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      string(folder, "out/list.csv").hasPrefix(
        "number,status,date,page,dateISO,doubtful\r\n"
          + "20000000000,under review,10/05/2012,1,2012-05-10,\r\n"))
    #expect(
      folder.files(below: "out") == [
        "list.csv", "list.jsonl", "no-dates.csv", "no-dates.table.csv", "two.csv",
        "two.table-1.csv", "two.table-2.csv",
      ])
    #expect(
      string(folder, "out/no-dates.csv").hasPrefix("\u{FEFF}20000000000;under review\r\n"))
    #expect(string(folder, "out/two.table-2.csv").hasPrefix("\u{FEFF}Stop;Time\r\n"))
  }
}
