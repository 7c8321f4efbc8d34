import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Replacement texts and optional content.
struct MarkedContentTests {
  // MARK: Replacement texts

  @Test func `a replacement over several lines stands on the first`() throws {
    let content =
      "BT /F1 12 Tf 14 TL 72 700 Td (before) Tj T* /Span<</ActualText(whole)>>BDC "
      + "(who-) Tj T* (le) Tj EMC T* (after) Tj ET"
    #expect(try shown(content) == "before\nwhole\nafter\n")
  }

  @Test func `of nested replacements the outer one counts`() throws {
    let content =
      "BT /F1 12 Tf 72 700 Td /Span<</ActualText(outer)>>BDC (a) Tj "
      + "/Span<</ActualText(inner)>>BDC (b) Tj EMC (c) Tj EMC ( d) Tj ET"
    #expect(try shown(content) == "outer d\n")
  }

  @Test func `an empty replacement takes the glyphs away`() throws {
    let content =
      "BT /F1 12 Tf 72 700 Td (one) Tj /Span<</ActualText()>>BDC (-) Tj EMC ( two) Tj ET"
    #expect(try shown(content) == "one two\n")
  }

  @Test func `a replacement without glyphs says nothing`() throws {
    let content = "BT /F1 12 Tf 72 700 Td /Span<</ActualText(ghost)>>BDC EMC (text) Tj ET"
    #expect(try shown(content) == "text\n")
  }

  @Test(
    arguments: [
      ("(plain)", "plain"), ("<FEFF041600660069>", "Жfi"), ("<FFFE16043604>", "Жж"),
      ("<EFBBBFD096>", "Ж"), ("(a\\200b)", "a•b"), ("<FEFF001B64650041001B0042>", "B"),
    ])
  func `replacements are text strings`(string: String, expected: String) throws {
    let content = "BT /F1 12 Tf 72 700 Td /Span<</ActualText\(string)>>BDC (xxxx) Tj EMC ET"
    #expect(try shown(content) == expected + "\n")
  }

  @Test func `a replacement may stand in the resources`() throws {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>"
        + "/Properties<</P 6 0 R>>>>>>")
    builder.addStream(Array("BT /F1 9 Tf 20 20 Td /Span/P BDC (x) Tj EMC ET".utf8))
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    builder.add("<</ActualText(there)>>")
    #expect(try text(builder.file(root: 1)) == "there\n")
  }

  @Test(arguments: ["EMC EMC ", "/Span BMC ", "/Span<</ActualText(x)>>BDC "])
  func `marks that are not paired lose nothing else`(before: String) throws {
    let text = try shown(before + "BT /F1 12 Tf 72 700 Td (text) Tj ET")
    #expect(text == (before.contains("ActualText") ? "x\n" : "text\n"))
  }

  // MARK: Optional content

  /// A page that shows "always", and "group" where the content named by `oc` is shown. Objects 6 and
  /// 7 are groups, the first of which is off unless `configuration` says otherwise; 8 is `extra`.
  private func optional(
    _ oc: String = "6 0 R", configuration: String = "/OFF[6 0 R]", extra: String = "null"
  ) throws -> Bool {
    var builder = PDFBuilder()
    builder.add(
      "<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R 7 0 R]/D<<\(configuration)>>>>>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>"
        + "/Properties<</P \(oc)>>>>>>")
    builder.addStream(
      Array(
        "BT /F1 9 Tf 20 90 Td (always) Tj 0 -20 Td /OC/P BDC (group) Tj EMC 0 -20 Td (end) Tj ET"
          .utf8))
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    builder.add("<</Type/OCG/Name(first)>>")
    builder.add("<</Type/OCG/Name(second)>>")
    builder.add(extra)
    let read = try text(builder.file(root: 1))
    #expect(read.hasPrefix("always\n") && read.hasSuffix("end\n"))
    return read.contains("group")
  }

  @Test func `a group that is off is not shown`() throws {
    #expect(try !optional())
    #expect(try optional("7 0 R"))
    #expect(try optional(configuration: ""))
  }

  @Test func `all groups may be off but some`() throws {
    #expect(try !optional(configuration: "/BaseState/OFF"))
    #expect(try optional(configuration: "/BaseState/OFF/ON[6 0 R]"))
    #expect(try !optional("7 0 R", configuration: "/BaseState/OFF/ON[6 0 R]"))
    #expect(try optional(configuration: "/BaseState/ON"))
  }

  @Test(
    arguments: [
      // The first group is off, the second on.
      ("AllOn", "[6 0 R 7 0 R]", false), ("AllOn", "[7 0 R]", true),
      ("AnyOn", "[6 0 R 7 0 R]", true), ("AnyOn", "[6 0 R]", false),
      ("AnyOff", "[6 0 R 7 0 R]", true), ("AnyOff", "[7 0 R]", false),
      ("AllOff", "[6 0 R 7 0 R]", false), ("AllOff", "[6 0 R]", true),
      ("AnyOn", "6 0 R", false), ("AllOff", "6 0 R", true), ("AnyOn", "[]", true),
      ("AnyOn", "null", true), ("Fancy", "[6 0 R]", false),
    ])
  func `a membership follows its policy`(policy: String, groups: String, isShown: Bool) throws {
    let extra = "<</Type/OCMD/P/\(policy)/OCGs \(groups)>>"
    #expect(try optional("8 0 R", extra: extra) == isShown)
  }

  @Test func `a membership without a policy wants any group on`() throws {
    #expect(try !optional("8 0 R", extra: "<</Type/OCMD/OCGs[6 0 R]>>"))
    #expect(try optional("8 0 R", extra: "<</Type/OCMD/OCGs[6 0 R 7 0 R]>>"))
  }

  @Test(arguments: [("AllOff", false), ("AnyOff", false), ("AllOn", true)])
  func `policies hold where all groups are on`(policy: String, isShown: Bool) throws {
    let extra = "<</Type/OCMD/P/\(policy)/OCGs[6 0 R 7 0 R]>>"
    #expect(try optional("8 0 R", configuration: "", extra: extra) == isShown)
  }

  @Test func `what is inside a hidden mark is hidden too`() throws {
    let content =
      "BT /F1 9 Tf 20 90 Td (a) Tj /OC/P BDC 0 -20 Td (b) Tj /Span BMC (c) Tj EMC (d) Tj EMC "
      + "0 -20 Td (e) Tj ET"
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R/OCProperties<</D<</OFF[6 0 R]>>>>>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>"
        + "/Properties<</P 6 0 R>>>>>>")
    builder.addStream(Array(content.utf8))
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    builder.add("<</Type/OCG/Name(first)>>")
    #expect(try text(builder.file(root: 1)) == "a\ne\n")
  }

  @Test func `forms and annotations may belong to a group`() throws {
    var builder = PDFBuilder()
    builder.add("<</Type/Catalog/Pages 2 0 R/OCProperties<</D<</OFF[6 0 R]>>>>>>")
    builder.add("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>")
    builder.add(
      "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[<</Subtype/FreeText/Rect[10 10 90 40]"
        + "/Contents(note)/OC 6 0 R>>]/Resources<</Font<</F1 5 0 R>>/XObject<</X 7 0 R>>>>>>")
    builder.addStream(Array("/X Do BT /F1 9 Tf 20 90 Td (page) Tj ET".utf8))
    builder.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    builder.add("<</Type/OCG/Name(first)>>")
    builder.addStream(
      Array("BT /F1 9 Tf 20 60 Td (form) Tj ET".utf8), entries: "/Subtype/Form/OC 6 0 R")
    #expect(try text(builder.file(root: 1)) == "page\n")
  }
}
