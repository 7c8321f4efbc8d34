import PDFSyntax
import PluginKit
import TestSupport
import Testing

@testable import Notes

@Suite struct NoteReadingTests {
  @Test func `every kind of note is read, and nothing else`() throws {
    let kinds = NoteKind.allCases.filter { $0 != .link }
    var texts = kinds.map { "/Subtype/\($0.rawValue)/Rect[10 20 30 40]/Contents(\($0.rawValue))" }
    texts.append("/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.org/)>>")
    texts.append("/Subtype/Link/Rect[0 0 9 9]/Dest[$page 0 R/XYZ 0 700 null]")
    texts.append("/Subtype/Link/Rect[0 0 9 9]")
    for other in ["Widget", "Popup", "Screen", "Redact", "Watermark", "Nonsense"] {
      texts.append("/Subtype/\(other)/Rect[0 0 9 9]/Contents(no)")
    }
    let notes = try NotesPage.notes(texts)
    #expect(notes.map(\.kind) == kinds + [.link, .link])
    #expect(notes.prefix(kinds.count).map(\.contents) == kinds.map(\.rawValue))
    #expect(notes[kinds.count].target == .uri("https://example.org/"))
    #expect(notes[kinds.count + 1].target == .page(1, top: 92))
  }

  @Test func `what a note says of itself is read`() throws {
    let note = try #require(
      try NotesPage.notes([
        "/Subtype/Square/NM(n1)/T(Ann)/Subj<FEFF00FC>/Contents(two\\rlines)/C[1 0 0.5]/IC[0.5]"
          + "/CA 0.25/BS<</W 3/S/D/D[4 2]>>/F 132/Rect[30 40 10 20]"
          + "/CreationDate(D:20240501102233+02'00')/M(D:20240502)"
      ]).first)
    #expect(note.id == "n1" && note.author == "Ann" && note.subject == "ü")
    #expect(note.contents == "two\nlines")
    #expect(note.color?.text == "#ff0080" && note.interior?.text == "#808080")
    #expect(note.opacity == 0.25 && note.borderWidth == 3 && note.dashes == [4, 2])
    #expect(note.flags.names == ["print", "locked"])
    #expect(note.rectangle == Rectangle(x0: 10, y0: 20, x1: 30, y1: 40))
    #expect(note.created?.iso == "2024-05-01T10:22:33+02:00")
    #expect(note.modified?.iso == "2024-05-02T00:00:00")
  }

  @Test func `a note without a name is known by page and object, twins too`() throws {
    let notes = try NotesPage.notes([
      "/Subtype/Text/Rect[0 0 9 9]", "/Subtype/Text/Rect[0 0 9 9]/NM(a)",
      "/Subtype/Text/Rect[0 0 9 9]/NM(a)",
    ])
    #expect(notes.map(\.id) == ["1-6", "a", "1-8"])
    let direct = NotesPage.file(
      annotations: ["/Subtype/Text/Rect[0 0 9 9]/Contents(x)"], isIndirect: false)
    #expect(try NotesPage.read(direct).notes.map(\.id) == ["1-i0"])
  }

  @Test func `contents come from the rich text where they are missing`() throws {
    let note = try #require(
      try NotesPage.notes([
        "/Subtype/Text/Rect[0 0 9 9]/RC(<body><p>Hello <b>big</b>&#32;world &amp; all</p>"
          + "<p>second</p></body>)"
      ]).first)
    #expect(note.contents == "Hello big world & all\nsecond")
  }

  @Test func `answers, groups and states are joined to their notes`() throws {
    let document = try NotesPage.read(
      NotesPage.file(annotations: [
        "/Subtype/Text/Rect[0 0 9 9]/NM(first)/Contents(Question)/T(Ann)",
        "/Subtype/Text/Rect[0 0 9 9]/NM(second)/Contents(Answer)/IRT $1 0 R/T(Bob)",
        "/Subtype/Text/Rect[0 0 9 9]/NM(third)/IRT $2 0 R/StateModel(Review)/State(Accepted)",
        "/Subtype/Square/Rect[0 0 9 9]/NM(fourth)/IRT $1 0 R/RT/Group",
      ]))
    let notes = document.notes
    #expect(notes.map(\.inReplyTo) == [nil, "first", "second", "first"])
    #expect(notes[2].state == "Accepted" && notes[2].stateModel == "Review")
    #expect(notes.map(\.isGrouped) == [false, false, false, true])
    let threads = NoteThreads(notes)
    #expect(threads.roots.map(\.id) == ["first"])
    #expect(threads.answers(to: notes[0]).map(\.note.id) == ["second", "third", "fourth"])
    #expect(threads.answers(to: notes[0]).map(\.depth) == [0, 1, 0])
    let markdown = String(
      decoding: NotesMarkdown(document: document, name: "x").bytes, as: UTF8.self)
    #expect(markdown.contains("- **Text** · Bob: Answer\n  - **Text** · state: Accepted\n"))
  }

  @Test func `notes that answer each other in a circle all stay`() throws {
    let notes = try NotesPage.notes([
      "/Subtype/Text/Rect[0 0 9 9]/NM(a)/IRT $2 0 R",
      "/Subtype/Text/Rect[0 0 9 9]/NM(b)/IRT $1 0 R",
      "/Subtype/Text/Rect[0 0 9 9]/NM(c)/IRT $3 0 R",
    ])
    let threads = NoteThreads(notes)
    let shown = threads.roots + threads.roots.flatMap { threads.answers(to: $0).map(\.note) }
    #expect(Set(shown.map(\.id)) == ["a", "b", "c"] && shown.count == 3)
  }

  @Test(arguments: [0, 90, 180, 270])
  func `boxes are on the page as shown`(rotation: Int) throws {
    let document = try NotesPage.read(
      NotesPage.file(
        annotations: ["/Subtype/Square/Rect[10 20 110 70]"],
        page: "/Rotate \(rotation)/CropBox[0 0 600 700]"))
    let box = NotesJSON(document: document).values().first?["box"]?.arrayValue?
      .compactMap(\.doubleValue)
    let wanted: [Int: [Double]] = [
      0: [10, 630, 110, 680], 90: [20, 10, 70, 110], 180: [490, 20, 590, 70],
      270: [630, 490, 680, 590],
    ]
    #expect(box == wanted[rotation])
  }

  @Test(arguments: [
    // Upper left, upper right, lower left, lower right; the standard's; clockwise.
    "72 730 140 730 72 718 140 718", "72 718 140 718 140 730 72 730",
    "72 730 140 730 140 718 72 718", "72 718 140 718 72 730 140 730",
  ])
  func `quads are read in any order`(points: String) throws {
    let note = try #require(
      try NotesPage.notes(["/Subtype/Highlight/Rect[0 0 9 9]/QuadPoints[\(points)]"]).first)
    let quad = try #require(note.quads.first)
    #expect(quad.topLeft == NotePoint(72, 730) && quad.topRight == NotePoint(140, 730))
    #expect(quad.bottomLeft == NotePoint(72, 718) && quad.bottomRight == NotePoint(140, 718))
  }

  @Test func `shapes, ends, files and popups are read`() throws {
    let notes = try NotesPage.notes([
      "/Subtype/Line/Rect[0 0 9 9]/L[1 2 3 4]/LE[/OpenArrow/None]",
      "/Subtype/Polygon/Rect[0 0 9 9]/Vertices[1 2 3 4 5 6]",
      "/Subtype/Ink/Rect[0 0 9 9]/InkList[[1 2 3 4][5 6]]",
      "/Subtype/FileAttachment/Rect[0 0 9 9]/FS<</F(a.txt)/EF<</F 5 0 R>>>>",
      "/Subtype/Text/Rect[0 0 9 9]/Popup<</Rect[1 2 3 4]/Open true>>",
      "/Subtype/FreeText/Rect[0 0 9 9]/DA(1 0 0 rg /F 14 Tf)/Q 2",
    ])
    #expect(notes[0].vertices == [NotePoint(1, 2), NotePoint(3, 4)])
    #expect(notes[0].lineEnds == ["OpenArrow", "None"])
    #expect(notes[1].vertices.count == 3 && notes[2].strokes.map(\.count) == [2, 1])
    #expect(notes[3].attachment?.name == "a.txt" && notes[3].attachment?.bytes == 0)
    #expect(notes[4].popup?.isOpen == true)
    #expect(notes[5].style.size == 14 && notes[5].style.color?.text == "#ff0000")
    #expect(notes[5].style.alignment == .right)
  }
}
