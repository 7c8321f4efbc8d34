import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import Notes

/// The plugin as procd finds it: dropped files, and the command.
@Suite struct NotesPluginTests {
  private func folder() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try ForeignPlugin.layOut("notes", of: "Notes", in: folder)
    try folder.write(
      """
      {
        "version": 1,
        "inbox": { "path": "inbox", "settle": "100ms" },
        "plugins": ["plugins"],
        "pipelines": [
          { "id": "annotate", "match": { "name": "*.pdf" }, "wait": "100ms",
            "with": [["{stem}.xfdf", "{stem}.notes.json"]],
            "steps": [{ "id": "notes", "use": "pdf.notes",
                        "in": { "source": "source", "notes": "companions" } }],
            "emit": ["notes.pdf"] },
          { "id": "notes", "match": { "mime": "application/pdf" },
            "steps": [{ "id": "notes", "use": "pdf.notes" }],
            "emit": ["notes.markdown", "notes.json", "notes.xfdf"] }
        ]
      }
      """, to: "pipelines.json")
    return folder
  }

  private let page = NotesPage.file(
    PDFBuilder.lines(["Some words of the page"]),
    annotations: ["/Subtype/Text/Rect[0 0 9 9]/NM(a)/T(Ann)/Contents(A comment)"])

  @Test func `the notes of what is dropped come out in three forms`() throws {
    let folder = try folder()
    try folder.write(Data(page), to: "inbox/letter.pdf")
    let result = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      folder.files(below: "outbox")
        == ["letter.notes.json", "letter.notes.md", "letter.pdf.report.json", "letter.xfdf"])
    let report = try #require(folder.read("outbox/letter.pdf.report.json"))
    let step = try JSONReader.read(Array(report)).value["steps"]?.arrayValue?.first
    #expect(step?["facts"]?["notes"] == 1 && step?["facts"]?["authors"] == ["Ann"])
    let text = String(decoding: folder.read("outbox/letter.notes.md") ?? Data(), as: UTF8.self)
    #expect(text.contains("**Text** · Ann") && text.contains("A comment"))
  }

  @Test func `a PDF and the notes that come with it become one`() throws {
    let folder = try folder()
    try folder.write(Data(page), to: "inbox/letter.pdf")
    try folder.write(
      #"[{"type":"Highlight","words":"words of the page","id":"h"},{"id":"a","delete":true}]"#,
      to: "inbox/letter.notes.json")
    let result = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(folder.files(below: "outbox") == ["letter.pdf", "letter.pdf.report.json"])
    let report = try JSONReader.read(
      Array(try #require(folder.read("outbox/letter.pdf.report.json")))
    ).value
    let facts = report["steps"]?.arrayValue?.first?["facts"]
    #expect(facts?["added"] == 1 && facts?["deleted"] == 1 && facts?["notes"] == 1)
    #expect(report["companions"]?.arrayValue?.first?["name"] == "letter.notes.json")
    let written = try #require(folder.read("outbox/letter.pdf"))
    #expect(written.starts(with: Data(page)))
    #expect(try NotesPage.read(Array(written)).notes.map(\.quote) == ["words of the page"])
    #expect(
      folder.files(below: "archive")
        == ["letter.report.json", "letter/letter.notes.json", "letter/letter.pdf"])
  }

  @Test func `the command reads, writes and deletes`() throws {
    let folder = try folder()
    try folder.write(Data(page), to: "in.pdf")
    try folder.write(
      #"[{"type":"Highlight","words":"words of the page","id":"h"},"#
        + #"{"type":"FreeText","page":1,"box":[60,300,200,320],"contents":"Hello","id":"f"}]"#,
      to: "new.json")
    func run(_ words: String) throws -> Programs.Result {
      try Programs.run(
        "procd", ["notes"] + words.split(separator: " ").map(String.init), in: folder.path)
    }
    let listed = try run("list in.pdf")
    #expect(listed.status == 0 && listed.output.contains("[a]  Ann"), "\(listed)")
    let added = try run("add in.pdf --from new.json -o out.pdf")
    #expect(added.status == 0 && added.output == "2 added\n", "\(added)")
    #expect(folder.read("out.pdf")?.prefix(page.count) == Data(page))
    try folder.write("mine", to: "mine.xfdf")
    let refused = try run("export out.pdf -o mine.xfdf")
    #expect(refused.status == 73 && refused.errors.contains("--overwrite"), "\(refused)")
    #expect(folder.read("mine.xfdf") == Data("mine".utf8))
    #expect(try run("export out.pdf -o mine.xfdf --overwrite").status == 0)
    #expect(try run("export out.pdf -o out.pdf --json").status == 64)
    #expect(try run("add in.pdf --from new.json -o new.json").status == 64)
    #expect(try run("add --help").output.contains("--overwrite"))
    let exported = try run("export out.pdf -o out.xfdf")
    #expect(exported.status == 0 && folder.exists("out.xfdf"), "\(exported)")
    #expect(try run("list out.pdf --json").output.contains("\"quote\": \"words of the page\""))
    #expect(try run("delete out.pdf a h -o out.pdf").output == "2 deleted\n")
    #expect(try run("list out.pdf").output.contains("1 note on 1 of 1 page."))

    #expect(try run("--help").output.contains("USAGE: procd notes <subcommand>"))
    #expect(try run("list in.pdf --json --xfdf").status == 64)
    #expect(try run("add in.pdf -o out.pdf").status == 64)
    #expect(try run("lost in.pdf").status == 64)
    #expect(try run("delete in.pdf nobody -o out2.pdf").status == 65)
    #expect(!folder.exists("out2.pdf"))
    #expect(try run("add in.pdf --from missing.json -o out2.pdf").status == 65)
    #expect(try run("list missing.pdf").status == 65)
  }

  @Test func `files of notes that come with a document are written into it`() throws {
    let folder = TemporaryFolder()
    try folder.write(Data(page), to: "in.pdf")
    try folder.write(
      #"[{"type":"Square","page":1,"box":[10,10,50,50],"id":"s"},{"id":"a","delete":true}]"#,
      to: "notes-0.json")
    try folder.write("", to: "work/out/.keep")
    let input = StepInput(path: folder("in.pdf"), mime: "application/pdf", bytes: page.count)
    let notes = StepInput(
      path: folder("notes-0.json"), mime: "application/json", bytes: 1, name: "in.json")
    let run = StepRun(
      id: "1", step: "pdf.notes", job: "1", attempt: 1,
      inputs: ["source": [input], "notes": [notes]], sourceName: "in.pdf",
      options: Options(checked: ["json": true]), workFolder: folder("work").string)
    let output = try NotesStep.run(run, QuietHost())
    #expect(output.artifacts.map(\.role) == ["pdf", "json"])
    #expect(output.facts["added"] == 1 && output.facts["deleted"] == 1)
    #expect(output.facts["notes"] == 1)
    // The same files give the same result.
    let first = folder.read("work/out/pdf.pdf")
    try FileManager.default.removeItem(atPath: folder("work/out").string)
    try folder.write("", to: "work/out/.keep")
    _ = try NotesStep.run(run, QuietHost())
    #expect(folder.read("work/out/pdf.pdf") == first && first != nil)
  }

  private struct QuietHost: StepHost {
    func progress(_ done: Int, of total: Int, unit: String) {}
    func note(_ code: String, _ message: String, page: Int?) {}
  }
}
