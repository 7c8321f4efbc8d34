import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// The files that a document carries, whichever list names them.
struct AttachedFileTests {
  /// A document of one page; `entries` go into its catalog, and objects begin with number 5.
  private func extractor(
    _ entries: String, page: String = "", _ objects: [String]
  ) throws -> TextExtractor {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R\(entries)>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
    builder.add("<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]\(page)>>")
    builder.addStream(Array("<a/>".utf8), entries: "/Type/EmbeddedFile/Subtype/text#2Fxml")
    for object in objects { builder.add(object) }
    return try TextExtractor(PDFFile(FileBytes(builder.file(root: 1))))
  }

  private func names(
    _ entries: String, page: String = "", _ objects: [String]
  ) throws -> [String] {
    try extractor(entries, page: page, objects).attachedFiles.files.map(\.name)
  }

  private let specification = "<</Type/Filespec/F(a.xml)/UF(a.xml)/EF<</F 4 0 R>>>>"

  @Test func `the list, associated files and annotations name files, each once`() throws {
    let list = "/Names<</EmbeddedFiles<</Kids[6 0 R]>>>>/AF[5 0 R 7 0 R]"
    let found = try extractor(
      list, page: "/Annots[<</Subtype/FileAttachment/FS 8 0 R>><</Subtype/Link>>]",
      [
        specification, "<</Names[(key) 5 0 R]>>",
        "<</Type/Filespec/F(b.csv)/EF<</F 9 0 R>>>>", "<</F(c.txt)/EF<</UF 10 0 R>>>>",
        "<</Length 1>>\nstream\nb\nendstream", "<</Length 1>>\nstream\nc\nendstream",
      ]
    ).attachedFiles
    #expect(found.files.map(\.name) == ["a.xml", "b.csv", "c.txt"])
    #expect(found.files.map { $0.mime ?? "" } == ["text/xml", "", ""])
    #expect(found.sentence == "3 files are attached to the document: a.xml, b.csv, c.txt")
    #expect(try names("/AF 5 0 R", [specification]) == ["a.xml"])
    #expect(try names("", page: "/AF[5 0 R]", [specification]) == ["a.xml"])
    #expect(try extractor("", []).attachedFiles.sentence == nil)
  }

  @Test func `a key that is a name of the same kind is the name of the file`() throws {
    for (key, name) in [("factur-x.xml", "factur-x.xml"), ("0001", "a.xml"), ("x.1", "a.xml")] {
      let list = "/Names<</EmbeddedFiles<</Names[(\(key)) 5 0 R]>>>>"
      #expect(try names(list, [specification]) == [name])
    }
  }

  @Test(arguments: [
    ("../../etc/passwd", "passwd"), ("C:\\\\Users\\\\a\\\\b.pdf", "b.pdf"), ("/", "k"), ("..", "k"),
    ("a\\nb\\000.txt", "ab.txt"),
    ("  two  blanks .txt", "two blanks .txt"),
  ])
  func `names are without folders and control characters`(written: String, name: String) throws {
    let list = "/Names<</EmbeddedFiles<</Names[(k) 5 0 R]>>>>"
    #expect(try names(list, ["<</F(\(written))/EF<</F 4 0 R>>>>"]) == [name])
  }

  @Test func `names that turn the direction of writing, and long ones, are made harmless`() throws {
    let list = "/Names<</EmbeddedFiles<</Names[(k) 5 0 R]>>>>"
    #expect(
      try names(list, ["<</UF<FEFF0061202E0066006400700078002E00650078>/EF<</F 4 0 R>>>>"])
        == ["afdpx.ex"])
    let long = String(repeating: "x", count: 3_000) + ".pdf"
    let name = try #require(try names(list, ["<</F(\(long))/EF<</F 4 0 R>>>>"]).first)
    #expect(name.count == 80 && name.hasSuffix(".pdf"))
  }

  @Test func `lists that name one another, and too many files, end`() throws {
    let loop = "/Names<</EmbeddedFiles 6 0 R>>"
    #expect(
      try names(
        loop, [specification, "<</Kids[6 0 R 7 0 R]/Names[(a) 5 0 R]>>", "<</Kids[6 0 R]>>"])
        == ["a.xml"])
    let many = (0..<600).map { "(\($0).xml)<</F(\($0).xml)/EF<</F \($0 + 6) 0 R>>>>" }.joined()
    let found = try extractor(
      "/Names<</EmbeddedFiles<</Names[\(many)]>>>>", []
    ).attachedFiles
    #expect(found.files.count == AttachedFiles.limit && found.isCut)
  }

  // MARK: Forms

  private static func form(
    _ data: String, page text: String, form: String = "", catalog: String = "",
    annotations: String = ""
  ) throws -> Bool {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]/XFA 6 0 R\(form)>>\(catalog)>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R\(annotations)"
        + "/Resources<</Font<</F1 5 0 R>>>>>>")
    builder.addStream(Array("BT /F1 12 Tf 20 700 Td (\(text)) Tj ET".utf8))
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    builder.addStream(Array(data.utf8))
    return try TextExtractor(PDFFile(FileBytes(builder.file(root: 1)))).isFormBesidePages
  }

  private static let data =
    "<xdp:xdp><xfa:datasets><xfa:data><f><surname>Example</surname><given/><no>4711</no></f></xfa:data></xfa:datasets></xdp:xdp>"
  private static let template =
    "<template><draw><value><text>Application for a permit</text></value></draw><script>var please</script></template>"

  @Test func `a form that the pages do not show is told from one that they show`() throws {
    let wait = "Please wait... If this message is not eventually replaced"
    #expect(try Self.form(Self.data, page: wait))
    #expect(try Self.form(Self.template, page: wait, catalog: "/NeedsRendering true"))
    #expect(try Self.form("<template/>", page: wait, catalog: "/NeedsRendering true"))
    #expect(try !Self.form(Self.data, page: "Surname: Example, number 4711"))
    #expect(try !Self.form(Self.template, page: "Application for a permit"))
    #expect(try !Self.form("<template/>", page: wait))
    // Fields on the page are those of the form.
    let field = "/Annots[<</Subtype/Widget/Rect[0 0 9 9]/FT/Tx/T(a)>>]"
    #expect(try !Self.form(Self.data, page: "Your name", annotations: field))
  }
}
