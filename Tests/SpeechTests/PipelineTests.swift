import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import procd_speech

/// The plugin as procd finds it: dropped files, and the command.
@Suite struct PipelineTests {
  private func folder(with options: String = "") throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try ForeignPlugin.layOut("speech", of: "Speech", in: folder)
    try folder.write(
      """
      {
        "version": 1,
        "inbox": { "path": "inbox", "settle": "100ms" },
        "plugins": ["plugins"],
        "pipelines": [
          { "id": "aloud", "match": { "mime": ["text/*", "application/pdf"] },
            "steps": [{ "id": "narrate", "use": "speech.narrate", "with": {\(options)} }],
            "emit": ["narrate.listen", "narrate.opus", "narrate.sync", "narrate.captions"] }
        ]
      }
      """, to: "pipelines.json")
    return folder
  }

  private func object(_ path: String, in folder: TemporaryFolder) throws -> [String: Any] {
    let data = try #require(folder.read(path), "\(path) is missing; there are \(folder.files())")
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func `the command reads a locked file with the passwords of another`() throws {
    let folder = try folder()
    let locked = Programs.repository.appending("docs/samples/locked.pdf").string
    try folder.write("wrong\nharbour\n", to: "passwords")
    let refused = try Programs.run("procd", ["speak", locked, "-o", "a.json"], in: folder.path)
    #expect(refused.status == 65 && refused.errors.contains("--passwords"))
    // The second is how it was called once.
    for option in ["--passwords", "--password-file"] {
      let read = try Programs.run(
        "procd", ["speak", locked, option, "passwords", "-o", "\(option).json"], in: folder.path)
      #expect(read.status == 0 && folder.exists("\(option).json"), "\(read.errors)")
    }
  }

  @Test func `what is dropped becomes audio, times, captions and a page`() throws {
    let folder = try folder()
    let pdf = PDFBuilder.pages(
      ["A page of a letter.", "Another page."].map { PDFBuilder.lines([$0]) })
    try folder.write(Data(pdf), to: "inbox/2026/letter.pdf")
    try folder.write("A note in a few words.\n", to: "inbox/note.txt")
    try folder.write("...\n", to: "inbox/dots.txt")
    let result = try Programs.run("procd", ["run", "--once"], in: folder.path)
    #expect(result.status == 65, "\(result.errors)")

    #expect(
      folder.files(below: "outbox")
        == [
          "2026/letter.listen.html", "2026/letter.opus", "2026/letter.pdf.report.json",
          "2026/letter.sync.json", "2026/letter.vtt", "note.listen.html", "note.opus",
          "note.sync.json", "note.txt.report.json", "note.vtt",
        ])
    let map = try object("outbox/2026/letter.sync.json", in: folder)
    #expect(map["pages"] as? Int == 2)
    let report = try object("outbox/2026/letter.pdf.report.json", in: folder)
    #expect(report["outcome"] as? String == "done")
    let step = try #require((report["steps"] as? [[String: Any]])?.first)
    #expect(step["plugin"] as? String == "speech 1.0.0")
    #expect((step["isolation"] as? [String: Any])?["profile"] as? String == "tool")
    let facts = try #require(step["facts"] as? [String: Any])
    #expect(facts["pages"] as? Int == 2 && facts["words"] as? Int == 7)
    #expect(facts["title"] as? String == "letter")

    let refused = try object("quarantine/dots.txt.report.json", in: folder)
    #expect((refused["error"] as? [String: Any])?["code"] as? String == "speech.empty")
  }

  @Test func `options are checked, those of the engine when it is asked`() throws {
    let wrong = try folder(with: #""speed": 20"#)
    #expect(try Programs.run("procd", ["check"], in: wrong.path).status == 78)
    let voice = try folder(with: #""voice": "no-such""#)
    try voice.write("A note.\n", to: "inbox/note.txt")
    #expect(try Programs.run("procd", ["run", "--once"], in: voice.path).status == 65)
    let report = try object("quarantine/note.txt.report.json", in: voice)
    let error = try #require(report["error"] as? [String: Any])
    #expect(error["code"] as? String == "speech.voice" && error["class"] as? String == "options")
  }

  @Test func `procd speak writes what is asked for, and reads standard input`() throws {
    let folder = try folder()
    try folder.write("# A note\n\nIn a few words.\n", to: "note.md")
    let result = try Programs.run(
      "procd", ["speak", "note.md", "-o", "note.html", "-o", "note.wav", "--json"], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("\"chapters\": 1"))
    let page = String(decoding: folder.read("note.html") ?? Data(), as: UTF8.self)
    #expect(page.contains("<h2 data-t=") && page.contains("T2dnUw"))
    #expect(folder.read("note.wav")?.starts(with: Data("RIFF".utf8)) == true)

    // Another file stays, and the same bytes are none.
    try folder.write("mine", to: "mine.json")
    let taken = try Programs.run("procd", ["speak", "note.md", "-o", "mine.json"], in: folder.path)
    #expect(taken.status == 73 && taken.errors.contains("--overwrite"), "\(taken.errors)")
    #expect(folder.read("mine.json") == Data("mine".utf8))
    for words in [["--overwrite"], []] {
      let made = try Programs.run(
        "procd", ["speak", "note.md", "-o", "mine.json"] + words, in: folder.path)
      #expect(made.status == 0, "\(made.errors)")
    }
    #expect(folder.read("mine.json")?.starts(with: Data("{".utf8)) == true)

    let bad = try Programs.run("procd", ["speak", "note.md", "-o", "note.mp3"], in: folder.path)
    #expect(bad.status == 64 && !folder.exists("note.mp3"))
    let help = try Programs.run("procd", ["speak", "--help"], in: folder.path)
    #expect(help.status == 0 && help.output.contains("--speed"))
    #expect(help.output.contains("--overwrite"))
  }

  @Test func `pictures and pages without text are recognized before they are read`() throws {
    let folder = try folder()
    func speak(_ file: String) throws -> (errors: String, text: String) {
      let path = Programs.repository.appending("docs/samples/\(file)").string
      let result = try Programs.run(
        "procd", ["speak", path, "-o", "a.json", "-o", "a.opus", "--overwrite"], in: folder.path)
      #expect(result.status == 0, "\(result.errors)")
      let map = try object("a.json", in: folder)
      #expect(map["title"] as? String == FilePath(file).stem)
      let passages = map["passages"] as? [[String: Any]] ?? []
      let words = passages.flatMap { $0["words"] as? [[String: Any]] ?? [] }
      return (result.errors, words.compactMap { $0["text"] as? String }.joined(separator: " "))
    }
    let photo = try speak("letter-photo.jpg")
    #expect(photo.text.contains("harbour"), "\(photo)")
    #expect(photo.errors.contains("this is no text; recognizing it first"))
    let report = try speak("report-mixed.pdf")
    #expect(report.errors.contains("has no text; recognizing it first"), "\(report)")

    // What cannot be recognized says why, and what has some text is read all the same.
    try folder.write(Data([0x50, 0x4B, 3, 4, 0, 0, 0, 0]), to: "a.zip")
    let zip = try Programs.run("procd", ["speak", "a.zip", "-o", "b.json"], in: folder.path)
    #expect(zip.status == 65 && zip.errors.contains("[speech.empty]"), "\(zip.errors)")
    let blank = PDFBuilder.pages([PDFBuilder.lines(["A page of a letter."]), ""])
    try folder.write(Data(blank), to: "blank.pdf")
    let read = try Programs.run(
      "procd", ["speak", "blank.pdf", "-o", "c.json"], in: folder.path,
      environment: ["TESSDATA_PREFIX": "/nowhere"])
    #expect(read.status == 0 && folder.exists("c.json"), "\(read.errors)")
  }

  @Test func `procd plugins lists it, and without its program the rest goes on`() throws {
    let folder = try folder()
    let listed = try Programs.run("procd", ["plugins"], in: folder.path)
    #expect(listed.output.contains("speech.narrate") && listed.output.contains("speak"))
    try FileManager.default.removeItem(atPath: folder("plugins/speech").string)
    let gone = try Programs.run("procd", ["plugins"], in: folder.path)
    #expect(!gone.output.contains("speech.narrate") && gone.output.contains("pdf.text"))
  }
}
