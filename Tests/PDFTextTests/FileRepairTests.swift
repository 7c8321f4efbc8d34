import PDFSyntax
import TestSupport
import Testing

/// Files that are wrong in one place and give their text nevertheless.
struct FileRepairTests {
  private func whole() -> FileAssembler {
    var file = FileAssembler()
    file.page()
    file.stream(4, FileAssembler.line("first"))
    return file
  }

  @Test func `one wrong offset is mended without the whole file`() throws {
    var file = whole()
    var entries = file.used(1...5)
    entries[4] = .used(9)
    file.end(file.table(entries, trailer: "/Size 6/Root 1 0 R"))
    let opened = try PDFFile(FileBytes(file.bytes))
    #expect(opened.object(4).dictionary != nil)
    #expect(!opened.wasRebuilt)
    #expect(opened.diagnostics.list.map(\.object?.number) == [4])
    #expect(try text(file.bytes) == "first\n")
  }

  @Test func `an object that no section names is found`() throws {
    var file = whole()
    file.end(file.table(file.used([1, 2, 3, 4]), trailer: "/Size 6/Root 1 0 R"))
    #expect(try text(file.bytes) == "first\n")
  }

  @Test func `offsets that are all wrong make the cross-references anew`() throws {
    var file = whole()
    var entries = file.used(1...5)
    for number in 1...5 { entries[number] = .used((file.offsets[number] ?? 0) + 7) }
    file.end(file.table(entries, trailer: "/Size 6/Root 1 0 R"))
    #expect(try text(file.bytes) == "first\n")
  }

  @Test(arguments: [1, 3_000, 99_999_999, -5])
  func `a Prev that leads nowhere loses nothing`(previous: Int) throws {
    var file = whole()
    let first = file.table(file.used(1...5), trailer: "/Size 6/Root 1 0 R")
    file.end(first)
    file.stream(4, FileAssembler.line("second"))
    file.end(file.table(file.used([4]), trailer: "/Size 6/Root 1 0 R/Prev \(previous)"))
    #expect(try text(file.bytes) == "second\n")
  }

  @Test func `a block of zeros in the middle costs only what it covers`() throws {
    var bytes = PDFBuilder.pages((0..<5).map { PDFBuilder.lines(["page \($0)"]) })
    let wanted = Array("(page 2)".utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: wanted) })
    for index in (place - 20)..<(place + 20) { bytes[index] = 0 }
    let file = try PDFFile(FileBytes(bytes))
    #expect(try PageTree(file).count == 5)
    let all = try (0..<5).map { try text(bytes, page: $0) }
    #expect(all == ["page 0\n", "page 1\n", "", "page 3\n", "page 4\n"])
  }

  @Test func `zeros at the end in place of the cross-references are repaired`() throws {
    var bytes = PDFBuilder.pages([PDFBuilder.lines(["text"])])
    let table = Array("xref\n0".utf8)
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: table) })
    for index in start..<bytes.count { bytes[index] = 0 }
    #expect(try text(bytes) == "text\n")
  }

  @Test func `a table with more entries than it announces, or fewer, is read or repaired`() throws {
    for count in [4, 9] {
      var file = whole()
      let start = file.bytes.count
      file.append("xref\n0 \(count)\n0000000000 65535 f \n")
      for number in 1...5 {
        let digits = String(try #require(file.offsets[number]))
        file.append(String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n")
      }
      file.append("trailer\n<</Size 6/Root 1 0 R>>\n")
      file.end(start)
      #expect(try text(file.bytes) == "first\n", "\(count) entries announced")
    }
  }

  @Test(
    arguments: [
      ("6 0 R", "right"), ("6 0 R", "missing"), ("6 0 R", "short"),
      ("6 0 R", "long"), ("4 0 R", "itself"),
    ])
  func `a length that is a reference is followed, or measured`(
    object: String, value: String
  ) throws {
    var file = FileAssembler()
    file.page()
    let content = FileAssembler.line("endstream is no end")
    file.stream(4, content, length: object)
    let length = content.utf8.count
    switch value {
    case "right": file.object(6, "\(length)")
    case "short": file.object(6, "\(length - 20)")
    case "long": file.object(6, "\(length + 2000)")
    default: break
    }
    let numbers = file.offsets.keys.sorted()
    file.end(file.table(file.used(numbers), trailer: "/Size 7/Root 1 0 R"))
    let opened = try PDFFile(FileBytes(file.bytes))
    _ = opened.object(4)
    #expect(opened.diagnostics.list.isEmpty == (value == "right"))
    // Only a right length can tell that the word belongs to the text.
    let expected = value == "right" ? "endstream is no end\n" : ""
    #expect(try text(file.bytes) == expected)
  }

  @Test func `content goes on over several streams, cut between operands and operator`() throws {
    var file = FileAssembler()
    file.page("/Contents[4 0 R 6 0 R 7 0 R 8 0 R]")
    file.stream(4, "BT /F1 12 Tf 72")
    file.stream(6, "700 Td [(cut)")
    file.stream(7, "-500 (in)")
    file.stream(8, "] TJ ET")
    file.end(file.table(file.used(file.offsets.keys), trailer: "/Size 9/Root 1 0 R"))
    #expect(try text(file.bytes) == "cut in\n")
  }

  @Test func `an operator that is cut in two costs no more than itself`() throws {
    var file = FileAssembler()
    file.page("/Contents[4 0 R 6 0 R]")
    file.stream(4, "BT /F1 12 Tf 72 700 Td (one) Tj T")
    file.stream(6, "j 0 -20 Td (two) Tj ET")
    file.end(file.table(file.used(file.offsets.keys), trailer: "/Size 7/Root 1 0 R"))
    #expect(try text(file.bytes) == "one\ntwo\n")
  }

  @Test func `a content stream that is missing or no stream loses only itself`() throws {
    var file = FileAssembler()
    file.page("/Contents[99 0 R null 5 0 R 4 0 R (text)]")
    file.stream(4, FileAssembler.line("first"))
    file.end(file.table(file.used([1, 2, 3, 4, 5]), trailer: "/Size 6/Root 1 0 R"))
    #expect(try text(file.bytes) == "first\n")
  }

  @Test func `a page without content is empty`() throws {
    var file = FileAssembler()
    file.page("")
    file.end(file.table(file.used([1, 2, 3, 5]), trailer: "/Size 6/Root 1 0 R"))
    #expect(try text(file.bytes) == "")
  }
}
