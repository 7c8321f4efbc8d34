import Bytes
import PDFSyntax
import PluginKit
import TestSupport
import Testing

@testable import Notes

@Suite struct HostileNotesTests {
  @Test func `loops, nonsense and numbers without measure are passed over`() throws {
    let notes = try NotesPage.notes([
      "/Subtype/Square/Rect $1 0 R/IRT $1 0 R/Popup $1 0 R/BS $1 0 R/AP $1 0 R",
      "/Subtype/Ink/Rect[1 2 3]/InkList[[1][2 3][/a(b)][[]]]/C[1 2 3 4 5 6]/CA 7",
      "/Subtype/Line/Rect[1e300 -1e300 99999999999999999999 4]/L[1 2]/LE 7/F -1/BS<</W -5>>",
      "/Subtype/Highlight/Rect(x)/QuadPoints[1 2 3 4 5 6 7]/T[1]/Contents/Name/RC 5/M(D:99)",
      "/Subtype/FreeText/Rect[0 0 1 1]/DA(1e999 nan inf rg /F -5 Tf)/Q 99",
      "/Subtype/Link/Rect[0 0 1 1]/A<</S/GoTo/D $6 0 R>>/Dest $6 0 R",
      "/Subtype/FileAttachment/Rect[0 0 1 1]/FS<</F $7 0 R/EF $7 0 R>>",
    ])
    #expect(notes.map(\.kind) == [.square, .ink, .line, .highlight, .freeText, .fileAttachment])
    #expect(notes[0].rectangle == nil && notes[0].inReplyTo == nil)
    #expect(notes[1].strokes == [[NotePoint(2, 3)]] && notes[1].opacity == nil)
    #expect(notes[2].rectangle == nil && notes[2].borderWidth == nil)
    #expect(notes[4].style.size == nil && notes[4].style.alignment == nil)
  }

  @Test func `all that is read can be written out, however odd`() throws {
    let document = try NotesPage.read(
      NotesPage.file(annotations: [
        "/Subtype/Text/Rect[0 0 9 9]/Contents<00010B0C1F7F80FFFE>/NM(<>&\\000\"')/T<FEFFD800>",
        "/Subtype/Polygon/Rect[0 0 9 9]/Vertices[]/C[]/LE[]/RC(<a><b><p>&bomb;&#x110000;&#0;)",
      ]))
    let json = NotesJSON(document: document).bytes
    #expect((try? JSONReader.read(json)) != nil)
    let xfdf = XFDFWriter(document: document, name: "<&>\u{1}").bytes
    #expect((try? XMLReader.read(xfdf, markupOf: "")) != nil)
    #expect(try !ChangeReader.read(xfdf, name: "x").isEmpty)
    _ = NotesMarkdown(document: document, name: "x").bytes
    _ = NotesListing(document: document).text
  }

  @Test func `who wrote notes steers nothing in the line that sums them up`() throws {
    let document = try NotesPage.read(
      NotesPage.file(annotations: [
        "/Subtype/Text/Rect[0 0 9 9]/T(<b>[x]\\(javascript:1\\))/Contents(a)",
        "/Subtype/Text/Rect[0 0 9 9]/T<FEFF202E00610062061C>/Contents(b)",
      ]))
    let markdown = String(
      decoding: NotesMarkdown(document: document, name: "<i>").bytes, as: UTF8.self)
    #expect(markdown.contains("2 notes by \\<b>[x\\](javascript:1), "), "\(markdown)")
    #expect(!markdown.contains(" <b>") && !markdown.contains(" <i>"))
    let listing = NotesListing(document: document).text
    #expect(listing.contains("2 notes by <b>[x](javascript:1), ab on"), "\(listing)")
    for steering in ["\u{202E}", "\u{61C}"] { #expect(!listing.contains(steering)) }
  }

  @Test func `notes without an author are no one's in the line that sums them up`() throws {
    let document = try NotesPage.read(
      NotesPage.file(annotations: [
        "/Subtype/Text/Rect[0 0 9 9]/T(Ann)/Contents(a)", "/Subtype/Text/Rect[0 0 9 9]/Contents(b)",
        "/Subtype/Text/Rect[9 0 19 9]/Contents(c)",
      ]))
    let listing = NotesListing(document: document).text
    #expect(
      listing.contains("3 notes (1 by Ann, 2 without an author) on 1 of 1 page"), "\(listing)")
  }

  @Test func `too many annotations end with a failure`() throws {
    let entries = String(repeating: "6 0 R ", count: NotesLimits.annotations + 1)
    let file = NotesPage.file(
      annotations: [], page: "/Annots[\(entries)]", trailer: "")
    #expect(NotesPage.code { _ = try NotesPage.read(file) } == "notes.many")
  }

  @Test(.timeLimit(.minutes(1))) func `a million quads are too many, and cost little`() throws {
    let quads = String(repeating: "1 2 3 2 1 1 3 1 ", count: 1_000_000)
    let document = try NotesPage.read(
      NotesPage.file(
        PDFBuilder.lines(["word"]),
        annotations: ["/Subtype/Highlight/Rect[0 0 9 9]/QuadPoints[\(quads)]"]))
    #expect(document.notes.first?.quads.count == NotesLimits.pointsOfNote / 4)
    #expect(document.isPartial)
    #expect(
      NotesPage.code {
        let own = "/Subtype/Highlight/Rect[0 0 9 9]/QuadPoints[\(quads.prefix(16 * 100_000))]"
        let shared = NotesPage.file(
          annotations: [own], page: "",
          catalog: "")
        _ = try NotesPage.read(shared)
      } == nil)
  }

  @Test(.timeLimit(.minutes(1))) func `a chain of states is as long as it likes`() throws {
    let count = 60_000
    let states = (1..<count).map { place in
      "/Subtype/Text/Rect[0 0 9 9]/NM(n\(place))/IRT $\(place) 0 R/StateModel(Review)/State(None)"
    }
    let document = try NotesPage.read(
      NotesPage.file(annotations: ["/Subtype/Text/Rect[0 0 9 9]/NM(n0)"] + states))
    try #require(document.notes.count == count && document.notes[count - 1].inReplyTo != nil)
    var editor = NotesEditor(document, now: nil)
    try editor.delete(["n0"])
    #expect(editor.outcome.deleted == ["n0"])
    _ = NotesMarkdown(document: document, name: "x").bytes
    _ = XFDFWriter(document: document, name: "x").bytes
  }

  /// Each mark covers the whole page: marks times words would be looked at.
  @Test func `marks on all words of a page have one budget`() throws {
    let lines = (1...20).map { "these are twenty lines of words, number \($0)" }
    let mark = "/Subtype/Highlight/Rect[0 0 612 792]/QuadPoints[0 792 612 792 0 0 612 0]"
    let bytes = NotesPage.file(
      PDFBuilder.lines(lines), annotations: [String](repeating: mark, count: 300))
    var whole = try NotesDocument(FileBytes(bytes))
    whole.readPages()
    #expect(!whole.isPartial && whole.notes.allSatisfy { $0.quote?.hasSuffix("number 20") == true })
    var document = try NotesDocument(
      FileBytes(bytes), budget: ReadingBudget(comparisons: 100 * (160 + 20)))
    document.readPages()
    let read = document.notes.count { $0.quote != nil }
    #expect(read == 100, "\(read)")
    #expect(document.isPartial)
    #expect(document.complaints.contains { $0.contains("200 marks") }, "\(document.complaints)")
  }

  @Test func `one occurrence after the other is found in one reading`() throws {
    let lines = [String](repeating: "go and go on and go", count: 30)
    let document = try NotesDocument(FileBytes(NotesPage.file(PDFBuilder.lines(lines))))
    func request(_ words: String, _ occurrence: Int?) -> NoteRequest {
      NoteRequest(
        origin: "test", kind: .highlight, page: 1, words: words, occurrence: occurrence)
    }
    let letters = 30 * 20
    var places = WordPlaces(document.extractor, ReadingBudget(comparisons: 2 * letters))
    for occurrence in 1...90 {
      #expect(try places.expand(request("go", occurrence)).count == 1)
    }
    #expect(NotesPage.code { _ = try places.expand(request("go", 91)) } == "notes.words")
    // What is looked for anew is searched for anew.
    let code = NotesPage.code {
      for number in 0..<9 {
        _ = try places.expand(request("and go\(number % 2 == 0 ? "" : " on")", nil))
      }
    }
    #expect(code == "notes.request")
  }

  @Test func `a file of changes may not add notes without end`() throws {
    let lines = [String](repeating: String(repeating: "a ", count: 250), count: 44)
    let document = try NotesDocument(FileBytes(NotesPage.file(PDFBuilder.lines(lines, size: 1))))
    var editor = NotesEditor(document, now: nil)
    let request = NoteRequest(origin: "test", kind: .highlight, page: 1, words: "a")
    let code = NotesPage.code {
      try editor.apply([NoteRequest](repeating: request, count: 11))
    }
    #expect(code == "notes.request")
    #expect(editor.outcome.added.isEmpty)
  }

  @Test func `identifiers that are asked for twice are counted on`() throws {
    let requests = (0..<4).map { _ in
      NoteRequest(
        origin: "test", id: "a", kind: .square, page: 1,
        box: [NotePoint(10, 10), NotePoint(20, 20)])
    }
    let document = try NotesDocument(FileBytes(NotesPage.file()))
    var editor = NotesEditor(document, now: nil)
    try editor.apply(requests)
    #expect(editor.outcome.added == ["a", "a-2", "a-3", "a-4"])
  }

  @Test func `rich text of any depth becomes plain`() {
    let deep = String(repeating: "<p><span>", count: 200_000) + "x &lt; y" + "</p>"
    #expect(RichText.plain(deep) == "x < y")
    #expect(RichText.plain("<") == "" && RichText.plain("&") == "&" && RichText.plain("a<b") == "a")
    #expect(RichText.plain("<p>a</p><p></p><p>b</p>") == "a\n\nb")
    #expect(XMLReader.body(of: deep) == nil)
    #expect(
      XMLReader.body(of: "<?xml version=\"1.0\"?><body><p>a</p></body>") == "<body><p>a</p></body>")
  }

  /// Each of these kept libxml2 busy for minutes.
  @Test(.timeLimit(.minutes(1)), arguments: [false, true])
  func `attributes and prefixes beyond number are refused before they are compared`(isWide: Bool) {
    let attributes = (0..<200_000).map { " a\($0)=''" }.joined()
    let spaces = (0..<200_000).map { " xmlns:a\($0)='b'" }.joined()
    for hidden in ["", "<!-- ' -->", "<a b='>'/>"] {
      for document in [
        "<xfdf>\(hidden)<a\(attributes)/></xfdf>", "<xfdf>\(hidden)<a\(spaces)/></xfdf>",
      ] {
        var bytes = Array(document.utf8)
        if isWide { bytes = [0xFF, 0xFE] + bytes.flatMap { [$0, 0] } }
        let failure = NotesPage.failure { _ = try ChangeReader.read(bytes, name: "x") }
        #expect(
          failure?.message.contains("100 attributes") == true, "\(String(describing: failure))")
      }
    }
  }

  @Test func `notes are read in the encodings that programs write`() throws {
    let text =
      "<xfdf><annots><text page=\"0\" rect=\"1,2,3,4\"><contents>Größe</contents></text></annots></xfdf>"
    let latin = #"<?xml version="1.0" encoding='ISO-8859-1'?>"# + text
    let wide = #"<?xml version="1.0" encoding="UTF-16"?>"# + text
    let files: [[UInt8]] = [
      Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8),
      latin.unicodeScalars.map { UInt8($0.value) },
      [0xFE, 0xFF] + wide.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
      [0xFF, 0xFE] + wide.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
      wide.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
    ]
    for file in files {
      #expect(try ChangeReader.read(file, name: "x").first?.contents == "Größe")
    }
    let other = #"<?xml version="1.0" encoding="ISO-2022-JP"?>"# + text
    #expect(
      NotesPage.code { _ = try ChangeReader.read(Array(other.utf8), name: "x") } == "notes.file")
  }

  @Test func `entities of a document are never expanded`() {
    let bomb = """
      <?xml version="1.0"?><!DOCTYPE xfdf [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">
      <!ENTITY c SYSTEM "file:///etc/passwd">]><xfdf><annots><text page="0" title="&b;"/></annots></xfdf>
      """
    #expect(
      NotesPage.code { _ = try ChangeReader.read(Array(bomb.utf8), name: "x") } == "notes.file")
    var wide: [UInt8] = [0xFE, 0xFF]
    for unit in bomb.utf16 { wide += [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
    #expect(NotesPage.code { _ = try ChangeReader.read(wide, name: "x") } == "notes.file")
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(
      NotesPage.code { _ = try ChangeReader.read(Array("<xfdf>\(deep)".utf8), name: "x") }
        == "notes.file")
  }

  @Test(.timeLimit(.minutes(2))) func `bytes at random change nothing but the result`() throws {
    var random = SeededNumbers(seed: 7)
    let written = try NotesPage.write(
      NoteWritingTests.all,
      into: NotesPage.file(PDFBuilder.lines(["Some words of an exam-", "ple, some words"]))
    ).bytes
    for _ in 0..<300 {
      var bytes = written
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      guard let document = try? NotesPage.read(bytes) else { continue }
      _ = NotesJSON(document: document).bytes
      let xfdf = XFDFWriter(document: document, name: "x").bytes
      _ = try? NotesPage.write(String(decoding: xfdf, as: UTF8.self), into: bytes)
    }
  }

  @Test func `a text of any length ends within its page`() throws {
    let text = String(repeating: "long words without end ", count: 3000)
    let (bytes, outcome) = try NotesPage.write(
      #"[{"type":"FreeText","page":1,"box":[60,700,200,720],"contents":"\#(text)","id":"x"}]"#,
      into: NotesPage.file())
    #expect(outcome.complaints.contains { $0.contains("too long") })
    let box = try #require(try NotesPage.read(bytes).notes.first?.rectangle)
    #expect(box.y0 >= -0.01 && box.y1 == 92)
  }
}
