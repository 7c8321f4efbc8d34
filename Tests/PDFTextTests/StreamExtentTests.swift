import PDFSyntax
import TestSupport
import Testing

/// Where the data of a stream begins and ends.
struct StreamExtentTests {
  /// A file whose content stream is written as given.
  private func read(_ object: String) throws -> (text: String, diagnostics: Int) {
    var file = FileAssembler()
    file.page()
    file.object(4, object)
    file.end(file.table(file.used(1...5), trailer: "/Size 6/Root 1 0 R"))
    let opened = try PDFFile(FileBytes(file.bytes))
    _ = opened.object(4)
    return (try text(file.bytes), opened.diagnostics.list.count)
  }

  private let line = FileAssembler.line("content")

  @Test(arguments: ["\n", "\r\n", "\r", " \n", "\t \r\n", ""])
  func `the keyword may be followed by any end of line`(end: String) throws {
    let whole = "<</Length \(line.utf8.count)>>stream\(end)\(line)\nendstream"
    #expect(try read(whole).text == "content\n")
  }

  @Test(arguments: ["\n", "\r\n", "\r", "", "  "])
  func `the data may be followed by any white space`(end: String) throws {
    let found = try read("<</Length \(line.utf8.count)>>stream\n\(line)\(end)endstream")
    #expect(found.text == "content\n" && found.diagnostics == 0)
  }

  @Test(arguments: ["0", "3", "40", "99999999999", "-1", "null", "(x)", "12.5", "4 0 R"])
  func `a length that cannot be is measured`(length: String) throws {
    let found = try read("<</Length \(length)>>stream\n\(line)\nendstream")
    #expect(found.text == "content\n" && found.diagnostics == 1)
  }

  @Test func `a stream without an end reaches to the end of its object`() throws {
    let found = try read("<</Length 99999>>stream\n\(line)")
    #expect(found.text == "content\n" && found.diagnostics == 1)
  }

  @Test func `the last stream of a file that is cut off reaches to its end`() throws {
    var file = FileAssembler()
    file.page()
    file.append("4 0 obj\n<</Length 99999>>stream\n\(line)")
    #expect(try text(file.bytes) == "content\n")
  }

  @Test func `objects may have generations`() throws {
    var file = FileAssembler()
    file.object(1, FileAssembler.catalog)
    file.object(2, FileAssembler.tree)
    file.object(3, FileAssembler.leaf("/Contents 4 7 R"))
    file.object(5, FileAssembler.font)
    let place = file.bytes.count
    file.append("4 7 obj\n<</Length \(line.utf8.count)>>stream\n\(line)\nendstream\nendobj\n")
    var entries = file.used([1, 2, 3, 5])
    entries[4] = .used(place)
    file.end(file.table(entries, trailer: "/Size 6/Root 1 0 R"))
    #expect(try text(file.bytes) == "content\n")
  }

  @Test(arguments: ["4 0 obj<<", "4\n0\nobj\n<<", "4 0 obj%comment\n<<", "  4 0  obj <<"])
  func `the head of an object may be written in any way`(head: String) throws {
    var file = FileAssembler()
    file.page()
    let place = file.bytes.count
    file.append("\(head)/Length \(line.utf8.count)>>stream\n\(line)\nendstream endobj\n")
    var entries = file.used([1, 2, 3, 5])
    entries[4] = .used(place)
    file.end(file.table(entries, trailer: "/Size 6/Root 1 0 R"))
    #expect(try text(file.bytes) == "content\n")
    #expect(try !PDFFile(FileBytes(file.bytes)).wasRebuilt)
  }
}
