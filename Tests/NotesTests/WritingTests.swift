import Bytes
import PDFSyntax
import PDFText
import PluginKit
import TestSupport
import Testing

@testable import Notes

@Suite struct NoteWritingTests {
  private let plain = NotesPage.file(
    PDFBuilder.lines(["Some words of the page, an exam-", "ple of all; some words again."]))

  /// A note of each kind.
  static let all = ##"""
    [{"type":"FreeText","page":1,"box":[60,200,260,240],"contents":"Text","color":"#ffee00","id":"FreeText"},
     {"type":"Text","page":1,"box":[300,200,320,220],"contents":"A comment","author":"Ann","id":"Text"},
     {"type":"Highlight","words":"an example","id":"Highlight"},
     {"type":"Underline","words":"SOME  words","occurrence":2,"id":"Underline"},
     {"type":"StrikeOut","page":1,"box":[72,60,120,80],"id":"StrikeOut"},
     {"type":"Squiggly","page":1,"quads":[[72,60,120,60,72,80,120,80]],"id":"Squiggly"},
     {"type":"Square","page":1,"box":[60,300,100,340],"interiorColor":"#eeeeee","id":"Square"},
     {"type":"Circle","page":1,"box":[110,300,150,340],"opacity":0.5,"dashes":[3,1],"id":"Circle"},
     {"type":"Line","page":1,"vertices":[160,300,200,340],"lineEnds":["None","OpenArrow"],"id":"Line"},
     {"type":"Polygon","page":1,"vertices":[210,300,250,340,210,340],"id":"Polygon"},
     {"type":"PolyLine","page":1,"vertices":[260,300,300,340,260,340],"id":"PolyLine"},
     {"type":"Ink","page":1,"strokes":[[310,300,350,340],[310,340,350,300]],"id":"Ink"},
     {"type":"Stamp","page":1,"box":[360,300,460,340],"icon":"Approved","id":"Stamp"},
     {"type":"Caret","page":1,"box":[470,300,480,310],"id":"Caret"},
     {"type":"FileAttachment","page":1,"box":[490,300,510,320],"id":"FileAttachment",
      "file":{"name":"ü.txt","data":"aGVsbG8=","mime":"text/plain"}},
     {"type":"Link","page":1,"box":[60,400,100,420],"target":{"uri":"https://example.org/"},"id":"Link"}]
    """##

  @Test func `every kind is written with an appearance, and every byte stays`() throws {
    let (bytes, outcome) = try NotesPage.write(Self.all, into: plain)
    #expect(outcome.added.count == NoteKind.allCases.count)
    #expect(Array(bytes.prefix(plain.count)) == plain)
    let document = try NotesPage.read(bytes)
    #expect(document.notes.map(\.kind.rawValue) == document.notes.map(\.id))
    for note in document.notes where note.kind != .link {
      let dictionary = try NotesPage.dictionary(note.id, in: document)
      let appearance = document.file.dictionary(dictionary, "AP")
      #expect(document.file.resolve(appearance?["N"]).stream != nil, "\(note.id)")
      #expect(dictionary.integer("F") == (note.kind == .text ? 28 : 4))
    }
    let notes = Dictionary(uniqueKeysWithValues: document.notes.map { ($0.kind, $0) })
    #expect(notes[.highlight]?.quote == "an example" && notes[.highlight]?.quads.count == 2)
    #expect(notes[.underline]?.quote == "some words")
    #expect(notes[.circle]?.opacity == 0.5 && notes[.circle]?.dashes == [3, 1])
    #expect(notes[.line]?.lineEnds == ["None", "OpenArrow"])
    #expect(notes[.fileAttachment]?.attachment?.bytes == 5)
    #expect(notes[.text]?.popup?.rectangle != nil && notes[.square]?.popup == nil)
  }

  @Test func `what was written is read as JSON and XFDF, and written again as it was`() throws {
    let (bytes, _) = try NotesPage.write(Self.all, into: plain)
    let document = try NotesPage.read(bytes)
    let json = String(decoding: NotesJSON(document: document).bytes, as: UTF8.self)
    let xfdf = String(
      decoding: XFDFWriter(document: document, name: "x.pdf").bytes, as: UTF8.self)
    // A list of what there is asks for nothing.
    let again = try NotesPage.write(xfdf, into: bytes)
    #expect(again.outcome.unchanged == document.notes.count, "\(again.outcome)")
    #expect(again.bytes == bytes)
    // Into the bare page it makes the same notes.
    let moved = try NotesPage.read(try NotesPage.write(xfdf, into: plain).bytes)
    #expect(String(decoding: NotesJSON(document: moved).bytes, as: UTF8.self) == json)
  }

  @Test func `a note with a known identifier is changed, its other keys kept`() throws {
    let file = NotesPage.file(annotations: [
      "/Subtype/Square/Rect[10 700 50 740]/NM(s)/C[1 0 0]/Contents(old)/RC(<p>old</p>)/Odd(kept)"
    ])
    let (bytes, outcome) = try NotesPage.write(
      #"[{"id":"s","contents":"new","author":"Ann"}]"#, into: file,
      now: NoteDate(year: 2026, zone: 0))
    #expect(outcome.changed == ["s"] && outcome.added.isEmpty)
    let document = try NotesPage.read(bytes)
    let dictionary = try NotesPage.dictionary("s", in: document)
    #expect(dictionary.string("Odd") == Array("kept".utf8) && dictionary["RC"] == nil)
    // How it looks was not asked for.
    #expect(dictionary["AP"] == nil && document.notes.count == 1)
    #expect(document.notes[0].contents == "new" && document.notes[0].modified?.year == 2026)
    let (moved, _) = try NotesPage.write(
      ##"[{"id":"s","box":[100,100,140,150],"color":"#00ff00"}]"##, into: bytes)
    let note = try NotesPage.read(moved).notes[0]
    #expect(note.rectangle == Rectangle(x0: 100, y0: 642, x1: 140, y1: 692))
    #expect(note.color?.text == "#00ff00" && note.contents == "new")
  }

  @Test func `deleting takes popup and states along, and keeps answers`() throws {
    let file = NotesPage.file(annotations: [
      "/Subtype/Text/Rect[0 0 9 9]/NM(a)/Popup $5 0 R",
      "/Subtype/Text/Rect[0 0 9 9]/NM(b)/IRT $1 0 R",
      "/Subtype/Text/Rect[0 0 9 9]/NM(c)/IRT $2 0 R",
      "/Subtype/Text/Rect[0 0 9 9]/NM(d)/IRT $1 0 R/StateModel(Review)/State(Accepted)",
      "/Subtype/Popup/Rect[0 0 9 9]/Parent $1 0 R",
    ])
    let one = try NotesPage.read(try NotesPage.delete(["b"], from: file))
    #expect(one.notes.map(\.id) == ["a", "c", "d"] && one.notes[1].inReplyTo == "a")
    let other = try NotesPage.read(try NotesPage.delete(["a"], from: file))
    #expect(other.notes.map(\.id) == ["b", "c"] && other.notes.map(\.inReplyTo) == [nil, "b"])
    let page = try #require(other.extractor.pageObject(0))
    #expect(other.file.array(page.dictionary, "Annots")?.count == 2)
    let (bytes, outcome) = try NotesPage.write(#"[{"id":"c","delete":true}]"#, into: file)
    #expect(outcome.deleted == ["c"])
    #expect(try NotesPage.read(bytes).notes.count == 3)
    #expect(NotesPage.code { _ = try NotesPage.delete(["x"], from: file) } == "notes.unknown")
  }

  @Test func `arrays of annotations are found where they are, shared ones are not shared on`()
    throws
  {
    var builder = PDFBuilder()
    let root = builder.add(""), tree = builder.add("")
    let list = builder.add("[]")
    let pages = (0..<3).map { index in
      builder.add(
        "<</Type/Page/Parent \(tree) 0 R/MediaBox[0 0 600 700]"
          + (index < 2 ? "/Annots \(list) 0 R" : "") + ">>")
    }
    builder.replace(root, "<</Type/Catalog/Pages \(tree) 0 R>>")
    builder.replace(
      tree, "<</Type/Pages/Kids[\(pages.map { "\($0) 0 R" }.joined(separator: " "))]/Count 3>>")
    let file = builder.file(root: root)
    let changes =
      #"[{"type":"Square","page":1,"box":[1,1,9,9]},{"type":"Square","page":3,"box":[1,1,9,9]}]"#
    let (bytes, _) = try NotesPage.write(changes, into: file)
    #expect(try NotesPage.read(bytes).notes.map(\.page) == [1, 3])
  }

  @Test func `a note in the page's own array is changed and deleted there`() throws {
    let file = NotesPage.file(
      annotations: ["/Subtype/Square/Rect[0 0 9 9]/NM(a)", "/Subtype/Square/Rect[0 0 9 9]/NM(b)"],
      isIndirect: false)
    let (bytes, _) = try NotesPage.write(#"[{"id":"b","contents":"new"}]"#, into: file)
    #expect(try NotesPage.read(bytes).notes.map(\.contents) == [nil, "new"])
    #expect(try NotesPage.read(NotesPage.delete(["a"], from: bytes)).notes.map(\.id) == ["b"])
  }

  @Test func `answers may stand before what they answer`() throws {
    let (bytes, _) = try NotesPage.write(
      #"""
      [{"type":"Text","page":1,"box":[1,1,9,9],"id":"b","inReplyTo":"a","contents":"no"},
       {"type":"Text","page":1,"box":[1,1,9,9],"id":"a","contents":"why?"}]
      """#, into: plain)
    #expect(try NotesPage.read(bytes).notes.first { $0.id == "b" }?.inReplyTo == "a")
  }

  @Test(arguments: [
    (#"[{"type":"Square","page":2,"box":[1,1,9,9]}]"#, "notes.request"),
    (#"[{"type":"Square","page":1}]"#, "notes.request"),
    (#"[{"type":"Square","page":1,"box":[1,1,9]}]"#, "notes.request"),
    (#"[{"type":"Square","page":1,"box":[5000,1,5009,9]}]"#, "notes.request"),
    (#"[{"type":"Square","page":1,"box":[1,1,1e300,9]}]"#, "notes.request"),
    (#"[{"type":"Oval","page":1,"box":[1,1,9,9]}]"#, "notes.request"),
    (##"[{"type":"Square","page":1,"box":[1,1,9,9],"colour":"#fff"}]"##, "notes.request"),
    (#"[{"type":"Square","page":1,"box":[1,1,9,9],"color":"red"}]"#, "notes.request"),
    (#"[{"type":"Text","page":1,"box":[1,1,9,9],"inReplyTo":"nobody"}]"#, "notes.request"),
    (#"[{"type":"Highlight","words":"not there"}]"#, "notes.words"),
    (#"[{"type":"Highlight","words":"ome"}]"#, "notes.words"),
    (#"[{"type":"Highlight","words":"some","occurrence":3}]"#, "notes.words"),
    (#"[{"id":"nobody","delete":true}]"#, "notes.unknown"),
    (#"{"no":[]}"#, "notes.file"), ("[", "notes.file"), ("", "notes.file"), ("%FDF", "notes.file"),
    ("<xfdf", "notes.file"), ("<html/>", "notes.file"),
    ("<!DOCTYPE xfdf [<!ENTITY a \"b\">]><xfdf>&a;</xfdf>", "notes.file"),
    ("<xfdf><annots><square page=\"0\" rect=\"1,2,3\"/></annots></xfdf>", "notes.request"),
    ("<xfdf><annots><square page=\"0\" rect=\"1,2,nan,inf\"/></annots></xfdf>", "notes.request"),
  ])
  func `what cannot be written is told`(changes: String, code: String) {
    #expect(NotesPage.code { _ = try NotesPage.write(changes, into: plain) } == code, "\(changes)")
  }

  @Test func `a damaged file is written anew, and keeps its pages`() throws {
    var broken = Array(plain.prefix(plain.count - 200))
    broken += Array("garbage".utf8)
    let (bytes, outcome) = try NotesPage.write(
      #"[{"type":"Square","page":1,"box":[1,1,9,9],"id":"x"}]"#, into: broken)
    #expect(outcome.complaints.count == 1)
    let document = try NotesPage.read(bytes)
    #expect(!document.file.wasRebuilt && document.notes.map(\.id) == ["x"])
    #expect(document.extractor.page(0)?.text.contains("Some words of the page") == true)
  }

  @Test func `encrypted files stay encrypted, and are written only when forced`() throws {
    for name in ["r3-no-user", "r4-aes", "r6", "r6-object-streams"] {
      let file = try Fixture.bytes("encrypted/\(name).pdf")
      let document = try NotesDocument(FileBytes(file), passwords: ["user"])
      #expect(NotesPage.code { try WritePermission.check(document.file) } == "notes.encrypted")
      let (bytes, _) = try NotesPage.write(
        #"[{"type":"FreeText","page":1,"box":[60,60,200,90],"contents":"Readable to those","id":"x"}]"#,
        into: file, passwords: ["user"])
      #expect(Array(bytes.prefix(file.count)) == file)
      #expect(!bytes.contains("Readable to those"))
      let again = try NotesPage.read(bytes, passwords: ["user"])
      #expect(again.notes.first?.contents == "Readable to those" && again.file.isEncrypted)
    }
  }

  @Test func `signed files are told apart`() throws {
    let form = "/AcroForm<</SigFlags 3/Fields[$1 0 R]>>"
    let signed = NotesPage.file(
      annotations: ["/Subtype/Widget/FT/Sig/T(s)/Rect[0 0 0 0]/V<</Type/Sig/ByteRange[0 1 2 3]>>"],
      catalog: form)
    let certified = NotesPage.file(
      catalog:
        "/Perms<</DocMDP<</Reference[<</TransformMethod/DocMDP/TransformParams<</P 1>>>>]>>>>")
    let unsigned = NotesPage.file(
      annotations: ["/Subtype/Widget/FT/Sig/T(s)/Rect[0 0 0 0]"], catalog: form)
    func code(_ bytes: [UInt8]) throws -> String? {
      let document = try NotesDocument(FileBytes(bytes))
      return NotesPage.code { try WritePermission.check(document.file) }
    }
    #expect(try code(signed) == "notes.signed")
    #expect(try code(certified) == "notes.signed")
    #expect(try code(unsigned) == nil)
    #expect(try code(plain) == nil)
  }
}

extension [UInt8] {
  fileprivate func contains(_ text: StaticString) -> Bool {
    span.first(of: text, in: 0..<count) != nil
  }
}
