import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// What annotations and form fields show.
struct AnnotationTests {
  /// A page with some content, else the line "page", and annotations; objects 6, 7 and 8 are forms that show "on", "off"
  /// and "stamp" in a box of 100 by 20.
  private func page(
    _ annotations: String..., form: String = "",
    content: String = "BT /F1 10 Tf 72 700 Td (page) Tj ET"
  ) throws -> TextPage {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R/AcroForm<<\(form)>>>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 612 792]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>"
        + "/Annots[\(annotations.joined())]>>")
    builder.addStream(Array(content.utf8))
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    for text in ["on", "off", "stamp"] {
      builder.addStream(
        Array("BT /F1 10 Tf 2 5 Td (\(text)) Tj ET".utf8),
        entries: "/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<</F1 5 0 R>>>>")
    }
    let extractor = try TextExtractor(PDFFile(FileBytes(builder.file(root: 1))))
    return try #require(extractor.page(0))
  }

  private let place = "/Rect[72 600 172 620]"

  @Test func `an appearance is read behind the page`() throws {
    let page = try page("<</Subtype/Stamp\(place)/AP<</N 8 0 R>>>>")
    #expect(page.text == "page\nstamp\n")
    // 2 and 5 from the corner of the rectangle.
    let box = try #require(page.words.last).box
    #expect((box.x0 - 74).magnitude < 0.01 && (box.y1 - (792 - 605 + 2)).magnitude < 0.01)
  }

  @Test func `an appearance is fitted into its rectangle`() throws {
    let page = try page("<</Subtype/Stamp/Rect[100 100 300 140]/AP<</N 8 0 R>>>>")
    let word = try #require(page.words.last)
    #expect((word.box.x0 - 104).magnitude < 0.01 && (word.size - 20).magnitude < 0.01)
  }

  @Test(arguments: [("/Yes", "on"), ("/Off", "off"), ("/Other", nil), ("", nil)])
  func `the state chooses the appearance`(state: String, expected: String?) throws {
    let entry = state.isEmpty ? "" : "/AS\(state)"
    let page = try page(
      "<</Subtype/Widget/FT/Btn\(place)\(entry)/AP<</N<</Yes 6 0 R/Off 7 0 R>>>>>>")
    #expect(page.text == (expected.map { "page\n\($0)\n" } ?? "page\n"))
  }

  @Test(arguments: [(2, false), (32, false), (34, false), (0, true), (4, true), (64, true)])
  func `hidden annotations are not shown`(flags: Int, isShown: Bool) throws {
    let page = try page("<</Subtype/Stamp\(place)/F \(flags)/AP<</N 8 0 R>>>>")
    #expect(page.text == (isShown ? "page\nstamp\n" : "page\n"))
  }

  @Test func `popups, links and notes without appearance say nothing`() throws {
    let page = try page(
      "<</Subtype/Popup\(place)/AP<</N 8 0 R>>>>", "<</Subtype/Link\(place)/Contents(link)>>",
      "<</Subtype/Text\(place)/Contents(note)>>", "<</Subtype/Highlight\(place)/Contents(x)>>")
    #expect(page.text == "page\n")
  }

  @Test func `a link with an appearance shows it`() throws {
    #expect(
      try page("<</Subtype/Link\(place)/AP<</N 8 0 R>>>>").text == "page\nstamp\n")
  }

  @Test func `free text without appearance shows its contents`() throws {
    let page = try page("<</Subtype/FreeText\(place)/DA(/F1 8 Tf)/Contents(written here)>>")
    #expect(page.text == "page\nwritten here\n")
    #expect(try #require(page.words.last).size == 8)
  }

  @Test func `free text is wrapped at its edge and at its line ends`() throws {
    let page = try page(
      "<</Subtype/FreeText/Rect[72 500 122 620]/DA(/F1 10 Tf)/Contents(aaaa bbbb cccc\\rnext)>>")
    #expect(page.text == "page\naaaa bbbb\ncccc\nnext\n")
  }

  @Test func `an appearance goes before the contents`() throws {
    let page = try page("<</Subtype/FreeText\(place)/Contents(x)/AP<</N 8 0 R>>>>")
    #expect(page.text == "page\nstamp\n")
  }

  // MARK: Fields

  @Test func `a field shows its appearance`() throws {
    let field = "<</Subtype/Widget/FT/Tx/V(value)\(place)/AP<</N 8 0 R>>>>"
    #expect(try page(field).text == "page\nstamp\n")
  }

  @Test(arguments: ["", "/NeedAppearances true"])
  func `a field without an appearance shows its value`(form: String) throws {
    let field = "<</Subtype/Widget/FT/Tx/V(typed value)\(place)/DA(/F1 8 Tf)>>"
    #expect(try page(field, form: form).text == "page\ntyped value\n")
  }

  @Test func `type and value of a field are inherited`() throws {
    let field = "<</Subtype/Widget\(place)/Parent<</FT/Tx/Parent<</V<FEFF0416>>>>>>>>"
    #expect(try page(field).text == "page\nЖ\n")
  }

  @Test(arguments: [
    ("/V[(red)(green)]", ["red", "green"]), ("/V(red)", ["red"]),
    ("/V(r)/Opt[[(r)(Red)][(b)(Blue)]]", ["Red"]),
    ("/V[(r)(b)]/Opt[[(r)(Red)][(g)(Green)][(b)(Blue)]]", ["Red", "Blue"]),
    ("/V[(Red)(Blue)]/Opt[(Red)(Green)(Blue)]", ["Red", "Blue"]),
    ("/I[0 2]/Opt[[(r)(Red)][(g)(Green)][(b)(Blue)]]", ["Red", "Blue"]),
    ("/V null/I[1]/Opt[(Red)(Green)]", ["Green"]),
    ("/V[(r)(r)]/I[0 1]/Opt[[(r)(Red)][(r)(Rose)]]", ["Red", "Rose"]),
    ("/V[(r)]/I[1]/Opt[[(r)(Red)][(g)(Green)]]", ["Red"]),
    ("/V<FEFF0072>/Opt[[(r)(Red)]]", ["Red"]), ("/V(typed)/Opt[[(r)(Red)]]", ["typed"]),
    ("/V(r)/I[7 -1]/Opt[[(r)(Red)] null 3 []]", ["Red"]), ("/I[0]", []),
    ("/Parent<</V[(b)]/Opt[[(b)(Blue)]]>>", ["Blue"]),
  ])
  func `a choice shows the texts of all that is selected`(entries: String, texts: [String]) throws {
    let field = "<</Subtype/Widget/FT/Ch/Rect[72 500 272 600]\(entries)>>"
    #expect(try page(field).text == (["page"] + texts).map { "\($0)\n" }.joined())
  }

  @Test(arguments: [
    (#"Gr\303\274\303\237e aus K\303\266ln"#, "Grüße aus Köln"), (#"\316\261\316\262"#, "αβ"),
    // These are PDFDocEncoding.
    (#"K\303\266l\303"#, "KÃ¶lÃ"), (#"caf\351"#, "café"), (#"Gr\374\337e"#, "Grüße"),
  ])
  func `values in UTF-8 without a mark are read`(value: String, text: String) throws {
    let field = "<</Subtype/Widget/FT/Tx/V(\(value))\(place)>>"
    #expect(try page(field).text == "page\n\(text)\n")
  }

  @Test func `buttons and signatures show no value`() throws {
    let page = try page(
      "<</Subtype/Widget/FT/Btn/V/Yes\(place)>>", "<</Subtype/Widget/FT/Sig/V<<>>\(place)>>")
    #expect(page.text == "page\n")
  }

  @Test func `values from right to left are read in their order`() throws {
    // "שלום 12"
    let field = "<</Subtype/Widget/FT/Tx/V<FEFF05E905DC05D505DD002000310032>\(place)>>"
    #expect(try page(field).text == "page\nשלום 12\n")
  }

  private func line(_ text: String, _ x: Int, _ y: Int) -> String {
    "BT /F1 10 Tf \(x) \(y) Td (\(text)) Tj ET "
  }

  @Test func `fields are read behind the labels beside them`() throws {
    let content =
      line("First:", 72, 700) + line("Second:", 72, 670) + line("Third:", 260, 670)
      + line("Please send this form to the harbour office.", 72, 640)
    func field(_ x: Int, _ y: Int, _ form: Int) -> String {
      "<</Subtype/Widget/FT/Tx/Rect[\(x) \(y) \(x + 100) \(y + 20)]/AP<</N \(form) 0 R>>>>"
    }
    // In the order of tabs, which is not that of the lines.
    let page = try page(
      field(310, 664, 8), field(140, 694, 6), field(140, 666, 7), content: content)
    #expect(
      page.text
        == "First: on\nSecond: off Third: stamp\nPlease send this form to the harbour office.\n")
  }

  @Test func `a value without appearance stands on the line of its label`() throws {
    let content = line("Name:", 72, 700) + line("Street:", 72, 670)
    func field(_ value: String, _ y: Int) -> String {
      "<</Subtype/Widget/FT/Tx/V(\(value))/DA(/F1 10 Tf)/Rect[140 \(y) 340 \(y + 20)]>>"
    }
    let page = try page(field("Iris", 694), field("Ferry Lane", 664), content: content)
    #expect(page.text == "Name: Iris\nStreet: Ferry Lane\n")
    #expect(page.layoutText().count { $0 == 0x0A } == 2)
  }

  @Test func `a value of several lines begins at the top`() throws {
    let content = line("Remark:", 72, 700) + line("Signed:", 72, 600)
    let page = try page(
      "<</Subtype/Widget/FT/Tx/Ff 4096/V(one\\rtwo)/DA(/F1 10 Tf)/Rect[140 640 340 709]>>",
      "<</Subtype/Widget/FT/Tx/V(Iris)/DA(/F1 10 Tf)/Rect[140 594 340 614]>>", content: content)
    #expect(page.text == "Remark: one\ntwo\nSigned: Iris\n")
  }

  @Test func `a mark is read before the text that it stands at`() throws {
    let content =
      line("One", 90, 700) + line("Three", 90, 680) + line("Two", 190, 700) + line("Four", 190, 680)
    func box(_ x: Int, _ y: Int) -> String {
      "<</Subtype/Widget/FT/Btn/Rect[\(x) \(y) \(x + 100) \(y + 20)]/AP<</N 6 0 R>>>>"
    }
    let page = try page(box(172, 695), box(72, 675), box(172, 675), content: content)
    #expect(page.text == "One\non Three\non Two\non Four\n")
  }

  @Test func `a field beside a paragraph does not divide it`() throws {
    var content = "", lines = ""
    for row in 0..<4 {
      let text = "Prose of a column that stands beside a form, line \(row)"
      content += line(text, 72, 700 - 12 * row)
      lines += text + "\n"
    }
    let page = try page(
      "<</Subtype/Widget/FT/Tx/Rect[380 683 480 703]/AP<</N 8 0 R>>>>", content: content)
    #expect(page.text == lines + "stamp\n")
  }

  @Test func `a list beside several texts belongs to none of them`() throws {
    let content = (0..<4).map { line("Text \($0)", 72, 700 - 22 * $0) }.joined()
    let page = try page(
      "<</Subtype/Widget/FT/Tx/Ff 4096/V(one\\rtwo\\rthree\\rfour)/DA(/F1 10 Tf)"
        + "/Rect[340 640 440 709]>>", content: content)
    #expect(page.text == "Text 0\nText 1\nText 2\nText 3\none\ntwo\nthree\nfour\n")
  }

  @Test func `parents without end and annotations that are none are no trap`() throws {
    let page = try page(
      "<</Subtype/Widget\(place)/Parent 3 0 R>>", "null 42 (x) [1] 99 0 R",
      "<</Subtype/Stamp/AP<</N 8 0 R>>>>", "<</Subtype/Stamp/Rect[1 2]/AP<</N 8 0 R>>>>",
      "<</Subtype/Stamp/Rect[0 0 0 0]/AP<</N 8 0 R>>>>", "<</Subtype/Stamp\(place)/AP 3>>")
    #expect(page.text.hasPrefix("page\n"))
  }
}
