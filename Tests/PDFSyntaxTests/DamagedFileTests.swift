import TestSupport
import Testing

@testable import PDFSyntax

struct DamagedFileTests {
  private let sound = PDFBuilder.pages([PDFBuilder.lines(["one"]), PDFBuilder.lines(["two"])])

  private func pageCount(_ bytes: [UInt8]) throws -> Int {
    try PageTree(PDFFile(FileBytes(bytes))).count
  }

  private func replacing(_ old: String, _ new: String, all: Bool = true) -> [UInt8] {
    var result: [UInt8] = []
    let wanted = Array(old.utf8)
    var at = 0
    var done = false
    while at < sound.count {
      if !(done && !all), sound[at...].starts(with: wanted) {
        result += Array(new.utf8)
        at += wanted.count
        done = true
      } else {
        result.append(sound[at])
        at += 1
      }
    }
    return result
  }

  @Test func `a sound file needs no repair`() throws {
    let file = try PDFFile(FileBytes(sound))
    #expect(try PageTree(file).count == 2)
    #expect(!file.wasRebuilt && file.diagnostics.list.isEmpty)
  }

  @Test func `bytes before the header shift all offsets`() throws {
    let file = try PDFFile(FileBytes(Array("junk\r\n\r\n".utf8) + sound))
    #expect(try PageTree(file).count == 2)
    #expect(!file.wasRebuilt)
  }

  @Test func `a wrong startxref is searched for`() throws {
    #expect(try pageCount(replacing("startxref\n", "startxref\n9")) == 2)
  }

  @Test func `a file without trailer and cross-references is read`() throws {
    let end = sound.count - 160
    #expect(try pageCount(Array(sound[..<end])) == 2)
  }

  @Test func `a trailer without root finds the catalog`() throws {
    #expect(try pageCount(replacing("/Root", "/Boot")) == 2)
  }

  @Test func `a missing catalog finds the page tree`() throws {
    #expect(try pageCount(replacing("/Type/Catalog", "/Type/Cat")) == 2)
  }

  @Test func `missing endobj and endstream are no matter`() throws {
    #expect(try pageCount(replacing("endobj", "")) == 2)
    #expect(try pageCount(replacing("endstream", "")) == 2)
  }

  @Test func `a wrong length is measured again`() throws {
    let file = try PDFFile(FileBytes(replacing("/Length", "/Lenght")))
    let page = try #require(try PageTree(file).page(0))
    #expect(page.content(file, limit: 1 << 20).starts(with: Array("BT".utf8)))
  }

  @Test func `half a file gives the pages that are there`() throws {
    let many = PDFBuilder.pages((0..<20).map { PDFBuilder.lines(["page \($0)"]) })
    let half = Array(many[..<(many.count / 2)])
    let count = try pageCount(half)
    #expect(count >= 8 && count < 20)
  }

  @Test func `a page tree that leads to itself ends`() throws {
    var builder = PDFBuilder()
    let catalog = builder.add("<</Type/Catalog/Pages 2 0 R>>")
    builder.add("<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2>>")
    builder.add("<</Type/Page/Parent 2 0 R>>")
    #expect(try pageCount(builder.file(root: catalog)) == 1)
  }

  @Test func `cross-references that lead to themselves end`() throws {
    let text =
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
      + "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page>>endobj\n"
    let start = text.utf8.count
    let tail =
      "xref\n0 1\n0000000000 65535 f \ntrailer<</Root 1 0 R/Prev \(start)>>\n"
      + "startxref\n\(start)\n%%EOF"
    #expect(try pageCount(Array((text + tail).utf8)) == 1)
  }

  @Test func `what is no PDF says so`() {
    #expect(throws: PDFError.empty) { try PDFFile(FileBytes([])) }
    #expect(throws: PDFError.notPDF) { try PDFFile(FileBytes(Array("plain text".utf8))) }
  }

  @Test func `a reference to itself is null`() throws {
    var builder = PDFBuilder()
    let catalog = builder.add("<</Type/Catalog/Pages 2 0 R/X 3 0 R>>")
    builder.add("<</Type/Pages/Kids[<</Type/Page>>]/Count 1>>")
    builder.add("3 0 R")
    let file = try PDFFile(FileBytes(builder.file(root: catalog)))
    #expect(file.resolve(file.catalog["X"]) == .null)
  }

  /// A page whose content is not in the file.
  private static let withoutContent = [
    "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/Contents 4 0 R>>",
  ]

  private func contentIsLost(_ text: String) throws -> Bool {
    let file = try PDFFile(FileBytes(Array(text.utf8)))
    let page = try #require(PageTree(file).page(0))
    #expect(page.content(file, limit: 1000).isEmpty)
    return file.diagnostics.isPartial
  }

  @Test func `a file that was cut off anywhere gives all, or says that something may be missing`()
    throws
  {
    let whole = PDFBuilder.pages((1...3).map { PDFBuilder.lines(["The words of page \($0)."]) })
    func contents(_ file: PDFFile) throws -> [[UInt8]] {
      let tree = try PageTree(file)
      return (0..<tree.count).map { tree.page($0)?.content(file, limit: 10_000) ?? [] }
    }
    let all = try contents(PDFFile(FileBytes(whole)))
    #expect(all.count == 3 && all.allSatisfy { !$0.isEmpty })
    var partial = 0
    for end in stride(from: whole.count - 1, to: 20, by: -7) {
      guard let file = try? PDFFile(FileBytes(Array(whole[..<end]))),
        let found = try? contents(file)
      else { continue }
      if file.diagnostics.isPartial { partial += 1 } else { #expect(found == all, "\(end)") }
    }
    #expect(partial > 20)
    // An update that was cut off leaves the file as it was before, and says so.
    let update =
      whole + Array("\n4 0 obj<</Length 100>>stream\nBT (later) Tj".utf8)
      + [UInt8](repeating: 0x20, count: 1100)
    let older = try PDFFile(FileBytes(update))
    #expect(!older.wasRebuilt && older.diagnostics.isPartial)
    // What is no object may stand behind.
    #expect(
      try !PDFFile(FileBytes(whole + [UInt8](repeating: 0, count: 5000))).diagnostics.isPartial)
  }

  @Test func `a page whose content was cut off is told`() throws {
    var text = "%PDF-1.4\n"
    for (index, object) in Self.withoutContent.enumerated() {
      text += "\(index + 1) 0 obj\(object)endobj\n"
    }
    #expect(try contentIsLost(text))
  }

  @Test func `in a sound file a reference that leads nowhere is null`() throws {
    var text = "%PDF-1.4\n", table = "0000000000 65535 f \n"
    for (index, object) in Self.withoutContent.enumerated() {
      let offset = String(text.utf8.count)
      table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
      text += "\(index + 1) 0 obj\(object)endobj\n"
    }
    let start = text.utf8.count
    text += "xref\n0 4\n\(table)trailer<</Size 4/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n"
    #expect(try !contentIsLost(text))
  }
}
