import PDFSyntax
import TestSupport
import Testing

/// Where objects are: tables, streams, both, one behind the other.
struct FileStructureTests {
  private typealias Entry = FileAssembler.Entry

  private func sound(_ bytes: [UInt8]) throws -> Bool {
    let file = try PDFFile(FileBytes(bytes))
    _ = try PageTree(file)
    return !file.wasRebuilt && file.diagnostics.list.isEmpty
  }

  private func whole() -> FileAssembler {
    var file = FileAssembler()
    file.page()
    file.stream(4, FileAssembler.line("first"))
    return file
  }

  @Test func `a cross-reference stream tells where objects are`() throws {
    var file = whole()
    file.end(file.crossReferenceStream(6, file.used(1...5), trailer: "/Size 7/Root 1 0 R"))
    #expect(try text(file.bytes) == "first\n")
    #expect(try sound(file.bytes))
  }

  @Test func `a width of zero in a cross-reference stream means objects in use`() throws {
    var file = whole()
    let start = file.bytes.count
    var data: [UInt8] = [0, 0]
    for number in 1...5 {
      let offset = try #require(file.offsets[number])
      data += [UInt8(offset >> 8), UInt8(offset & 255)]
    }
    data += [UInt8(start >> 8), UInt8(start & 255)]
    file.stream(6, data, entries: "/Type/XRef/W[0 2 0]/Size 7/Root 1 0 R")
    file.end(start)
    #expect(try text(file.bytes) == "first\n")
    #expect(try sound(file.bytes))
  }

  @Test func `objects are read out of an object stream`() throws {
    var file = FileAssembler()
    file.stream(4, FileAssembler.line("packed"))
    file.objectStream(
      7,
      [
        (1, FileAssembler.catalog), (2, FileAssembler.tree), (3, FileAssembler.leaf()),
        (5, FileAssembler.font),
      ])
    var entries = file.used([4, 7])
    for (index, number) in [1, 2, 3, 5].enumerated() {
      entries[number] = .compressed(stream: 7, index: index)
    }
    file.end(file.crossReferenceStream(8, entries, trailer: "/Size 9/Root 1 0 R"))
    #expect(try text(file.bytes) == "packed\n")
    #expect(try sound(file.bytes))
  }

  @Test func `objects are found in an object stream though their index is wrong`() throws {
    var file = FileAssembler()
    file.object(1, FileAssembler.catalog)
    file.stream(4, FileAssembler.line("first"))
    file.object(5, FileAssembler.font)
    file.objectStream(7, [(9, "(nine)"), (3, FileAssembler.leaf()), (2, FileAssembler.tree)])
    var entries = file.used([1, 4, 5, 7])
    entries[3] = .compressed(stream: 7, index: 0)
    entries[2] = .compressed(stream: 7, index: 200)
    file.end(file.crossReferenceStream(8, entries, trailer: "/Size 9/Root 1 0 R"))
    #expect(try text(file.bytes) == "first\n")
    #expect(try sound(file.bytes))
  }

  @Test func `object streams are found when the cross-references are lost`() throws {
    var file = FileAssembler()
    file.stream(4, FileAssembler.line("packed"))
    file.objectStream(
      7,
      [
        (1, FileAssembler.catalog), (2, FileAssembler.tree), (3, FileAssembler.leaf()),
        (5, FileAssembler.font),
      ])
    #expect(try text(file.bytes) == "packed\n")
  }

  @Test func `a hybrid file has objects that its table calls free`() throws {
    // PDF 32000-1, 7.5.8.4: old readers take them as free, new ones look into the stream.
    var file = FileAssembler()
    file.object(1, FileAssembler.catalog)
    file.stream(4, FileAssembler.line("hidden"))
    file.object(5, FileAssembler.font)
    file.objectStream(7, [(2, FileAssembler.tree), (3, FileAssembler.leaf())])
    let hidden: [Int: Entry] = [
      2: .compressed(stream: 7, index: 0), 3: .compressed(stream: 7, index: 1),
    ]
    let stream = file.crossReferenceStream(8, hidden, trailer: "/Size 9")
    var entries = file.used([1, 4, 5, 7, 8])
    for number in [0, 2, 3] { entries[number] = .free }
    file.end(file.table(entries, trailer: "/Size 9/Root 1 0 R/XRefStm \(stream)"))
    #expect(try text(file.bytes) == "hidden\n")
    #expect(try sound(file.bytes))
  }

  @Test func `a hybrid section does not bring back what a newer section deleted`() throws {
    var file = whole()
    file.objectStream(7, [(6, "(old)")])
    let stream = file.crossReferenceStream(
      8, [6: .compressed(stream: 7, index: 0)], trailer: "/Size 9")
    var entries = file.used([1, 2, 3, 4, 5, 7])
    entries[6] = .free
    let first = file.table(entries, trailer: "/Size 9/Root 1 0 R/XRefStm \(stream)")
    file.end(first)
    #expect(try PDFFile(FileBytes(file.bytes)).object(6) == .string(Array("old".utf8)))
    file.end(file.table([6: .free], trailer: "/Size 9/Root 1 0 R/Prev \(first)"))
    #expect(try PDFFile(FileBytes(file.bytes)).object(6) == .null)
  }

  @Test func `of an object written twice the later one counts`() throws {
    var file = whole()
    let first = file.table(file.used(1...5), trailer: "/Size 6/Root 1 0 R")
    file.end(first)
    file.stream(4, FileAssembler.line("second"))
    file.end(file.table(file.used([4]), trailer: "/Size 6/Root 1 0 R/Prev \(first)"))
    #expect(try text(file.bytes) == "second\n")
    #expect(try sound(file.bytes))
  }

  @Test func `an update by a stream goes on top of a table`() throws {
    var file = whole()
    let first = file.table(file.used(1...5), trailer: "/Size 6/Root 1 0 R")
    file.end(first)
    file.stream(4, FileAssembler.line("second"))
    file.end(
      file.crossReferenceStream(7, file.used([4]), trailer: "/Size 8/Root 1 0 R/Prev \(first)"))
    #expect(try text(file.bytes) == "second\n")
    #expect(try sound(file.bytes))
  }

  @Test func `a deleted object is gone`() throws {
    var file = FileAssembler()
    file.page("/Contents[4 0 R 6 0 R]")
    file.stream(4, FileAssembler.line("kept"))
    file.stream(6, "BT /F1 12 Tf 72 600 Td (deleted) Tj ET")
    let first = file.table(file.used(1...6), trailer: "/Size 7/Root 1 0 R")
    file.end(first)
    #expect(try text(file.bytes) == "kept\ndeleted\n")
    file.end(file.table([0: .free, 6: .free], trailer: "/Size 7/Root 1 0 R/Prev \(first)"))
    #expect(try text(file.bytes) == "kept\n")
    #expect(try sound(file.bytes))
  }

  @Test func `the first section of a linearised file leads to the other`() throws {
    // The first page's section stands at the front and its Prev leads to the rest, further back.
    var file = FileAssembler()
    file.object(6, "<</Linearized 1/L 9999/O 3/E 9999/N 1/T 9999/H[0 0]>>")
    let placeOfFront = file.bytes.count
    // The same length whatever the number, so that it can be put in later.
    func front(_ offsets: [Int: Int], previous: Int) -> String {
      var piece = FileAssembler(header: "")
      let entries = [3, 4, 5].map { ($0, Entry.used(offsets[$0] ?? 0)) }
      let digits = String(previous)
      let padded = String(repeating: "0", count: 6 - digits.count) + digits
      piece.table(
        Dictionary(uniqueKeysWithValues: entries),
        trailer: "/Size 7/Root 1 0 R/Prev \(padded)")
      piece.append("startxref\n0\n%%EOF\n")
      return String(decoding: piece.bytes, as: UTF8.self)
    }
    func made(_ offsets: [Int: Int], previous: Int) -> (FileAssembler, Int) {
      var whole = file
      whole.append(front(offsets, previous: previous))
      whole.object(3, FileAssembler.leaf())
      whole.stream(4, FileAssembler.line("linear"))
      whole.object(5, FileAssembler.font)
      whole.object(1, FileAssembler.catalog)
      whole.object(2, FileAssembler.tree)
      let second = whole.table(whole.used([1, 2]), trailer: "/Size 3")
      whole.end(placeOfFront)
      return (whole, second)
    }
    let (draft, second) = made([:], previous: 0)
    let (final, _) = made(draft.offsets, previous: second)
    #expect(try text(final.bytes) == "linear\n")
    #expect(try sound(final.bytes))
  }

  @Test func `a table that begins at 1 though its first entry is that of object 0 is read`() throws
  {
    var file = whole()
    let start = file.bytes.count
    file.append("xref\n1 6\n0000000000 65535 f \n")
    for number in 1...5 {
      let digits = String(try #require(file.offsets[number]))
      file.append(String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n")
    }
    file.append("trailer\n<</Size 6/Root 1 0 R>>\n")
    file.end(start)
    #expect(try text(file.bytes) == "first\n")
    #expect(try sound(file.bytes))
  }
}
