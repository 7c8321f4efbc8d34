import Bytes
import Foundation
import PDFSyntax
import PDFText
import PDFWriter
import TestSupport
import Testing

/// Files attached to a document by what is appended to it.
@Suite struct AttachingTests {
  static let rows = [
    EmbeddedFile(
      name: "rows.csv", mime: "text/csv", about: "Rows", bytes: Array("number\r\n1\r\n".utf8)),
    EmbeddedFile(
      name: "rows.jsonl", mime: "application/jsonl", about: "Rows",
      bytes: Array(String(repeating: "{\"number\":1}\n", count: 50).utf8)),
  ]

  /// A file of one page with a line of text.
  ///
  /// - Parameters:
  ///   - catalog: entries of the catalog.
  ///   - more: writes further objects, from 6 on.
  static func document(
    _ catalog: String = "", trailer: String = "", _ more: (inout FileAssembler) -> Void = { _ in }
  ) -> [UInt8] {
    var file = FileAssembler()
    file.page()
    file.object(1, "<</Type/Catalog/Pages 2 0 R \(catalog)>>")
    file.stream(4, FileAssembler.line("a line"))
    more(&file)
    let numbers = file.offsets.keys.sorted()
    file.end(
      file.table(
        file.used(numbers).merging([0: .free]) { one, _ in one },
        trailer: "/Size \((numbers.last ?? 0) + 1)/Root 1 0 R\(trailer)"))
    return file.bytes
  }

  private func attach(
    _ document: [UInt8], passwords: [String] = []
  ) throws -> (bytes: [UInt8], update: AttachingUpdate) {
    let file = try PDFFile(FileBytes(document), passwords: passwords)
    let update = try AttachingUpdate(attaching: Self.rows, to: file)
    return (document + update.bytes, update)
  }

  /// The names and contents of all files that a document carries, with how each is associated.
  private func carried(_ bytes: [UInt8], passwords: [String] = []) throws -> [String: String] {
    let file = try PDFFile(FileBytes(bytes), passwords: passwords)
    #expect(!file.wasRebuilt)
    let names = try #require(file.dictionary(file.catalog, "Names"))
    let tree = try #require(file.dictionary(names, "EmbeddedFiles"))
    let pairs = try #require(file.array(tree, "Names"))
    let associated = file.array(file.catalog, "AF") ?? []
    var found: [String: String] = [:], before: [UInt8] = []
    for place in stride(from: 0, to: pairs.count, by: 2) {
      let key = file.resolve(pairs[place]).string ?? []
      #expect(!key.lexicographicallyPrecedes(before))
      before = key
      let specification = try #require(file.resolve(pairs[place + 1]).dictionary)
      let contents = try #require(file.dictionary(specification, "EF"))
      let stream = try #require(file.resolve(contents["F"]).stream)
      let text = String(decoding: file.decode(stream).bytes, as: UTF8.self)
      found[TextString.text(key)] = text
      if text == "number\r\n1\r\n" {
        #expect(associated.contains(pairs[place + 1]))
        #expect(specification["AFRelationship"] == .name("Data"))
        #expect(specification["F"] == specification["UF"] && specification["F"] != nil)
        #expect(stream.dictionary["Subtype"] == .name("text/csv"))
        #expect(file.dictionary(stream.dictionary, "Params")?.integer("Size") == 11)
      }
    }
    return found
  }

  private func qpdf(_ bytes: [UInt8], _ password: String) throws -> (status: Int32, text: String)? {
    try withFile(bytes) { output(of: "qpdf", ["--password=\(password)", "--check", $0]) }
  }

  /// - Parameter before: the document as it was, where other programs may not read that either.
  private func isSound(_ bytes: [UInt8], before: [UInt8]? = nil, password: String = "") throws {
    let wasRead = try before.map { try qpdf($0, password)?.status == 0 } ?? true
    if wasRead, let check = try qpdf(bytes, password) {
      #expect(check.status == 0, "\(check.text)")
    }
    try withFile(bytes) { path in
      if let listed = output(of: "pdfdetach", ["-upw", password, "-list", path]) {
        #expect(listed.text.contains(": rows.csv\n"), "\(listed.text)")
      }
    }
  }

  private func text(_ bytes: [UInt8], passwords: [String] = []) throws -> String {
    let file = try PDFFile(FileBytes(bytes), passwords: passwords)
    return String(decoding: try #require(TextExtractor(file).page(0)).utf8, as: UTF8.self)
  }

  @Test func `a document keeps every byte and carries the files`() throws {
    let document = Self.document()
    let made = try attach(document)
    #expect(made.bytes.starts(with: document) && made.update.archive == .none)
    #expect(!made.update.isSigned && made.update.remarkOnSignature == nil)
    #expect(try attach(document).bytes == made.bytes)
    #expect(
      try carried(made.bytes) == [
        "rows.csv": "number\r\n1\r\n",
        "rows.jsonl": String(repeating: "{\"number\":1}\n", count: 50),
      ])
    #expect(try text(made.bytes) == text(document))
    try isSound(made.bytes)
  }

  @Test func `the date of the files is that of the document, or none`() throws {
    func date(_ bytes: [UInt8]) throws -> PDFObject? {
      let file = try PDFFile(FileBytes(bytes))
      let specification = try #require(file.array(file.catalog, "AF")?.last)
      let contents = try #require(
        file.resolve(specification).dictionary.flatMap { file.dictionary($0, "EF") })
      let stream = try #require(file.resolve(contents["F"]).stream)
      return file.dictionary(stream.dictionary, "Params")?["ModDate"]
    }
    let dated = Self.document(trailer: "/Info 6 0 R") {
      $0.object(6, "<</CreationDate(D:2011)/ModDate(D:20120615120000+02'00')>>")
    }
    #expect(
      try date(attach(dated).bytes) == .string(Array("D:20120615120000+02'00'".utf8)))
    let odd = Self.document(trailer: "/Info 6 0 R") { $0.object(6, "<</ModDate(yesterday)>>") }
    #expect(try date(attach(odd).bytes) == nil)
    #expect(try date(attach(Self.document()).bytes) == nil)
  }

  @Test func `what a document carries already stays, and names are told apart`() throws {
    let document = Self.document("/Names 6 0 R/AF 10 0 R") { file in
      file.object(6, "<</Dests<</Names[]>>/EmbeddedFiles 7 0 R>>")
      file.object(7, "<</Kids[8 0 R 9 0 R]>>")
      file.object(8, "<</Limits[(a)(a)]/Names[(a) 11 0 R]>>")
      file.object(9, "<</Limits[(z)(z)]/Names[(z) 12 0 R]>>")
      file.object(10, "[11 0 R]")
      file.object(
        11, "<</Type/Filespec/F(a)/UF<FEFF0072006F00770073002E006300730076>/EF<</F 13 0 R>>>>")
      file.object(12, "<</Type/Filespec/F(rows~2.csv)/EF<</F 13 0 R>>>>")
      file.stream(13, "old", entries: "/Type/EmbeddedFile")
    }
    let once = try attach(document).bytes
    let found = try carried(once)
    #expect(Set(found.keys) == ["a", "rows.jsonl", "rows~3.csv", "z"])
    #expect(found["a"] == "old" && found["z"] == "old")
    let file = try PDFFile(FileBytes(once))
    #expect(file.array(file.catalog, "AF")?.count == 3)
    #expect(file.dictionary(file.catalog, "Names")?["Dests"] != nil)
    let twice = try attach(once).bytes
    #expect(
      try Set(carried(twice).keys) == [
        "a", "rows.jsonl", "rows~2.jsonl", "rows~3.csv", "rows~4.csv", "z",
      ])
  }

  @Test func `streams and hybrids of cross-references are built on`() throws {
    var streams = FileAssembler(header: "%PDF-1.5\n")
    streams.objectStream(
      6,
      [
        (1, FileAssembler.catalog), (2, FileAssembler.tree), (3, FileAssembler.leaf()),
        (5, FileAssembler.font),
      ])
    streams.stream(4, FileAssembler.line("a line"))
    var entries = streams.used([4, 6])
    for (index, number) in [1, 2, 3, 5].enumerated() {
      entries[number] = .compressed(stream: 6, index: index)
    }
    var hybrid = streams
    streams.end(
      streams.crossReferenceStream(
        7, entries.merging([0: .free]) { one, _ in one }, trailer: "/Size 8/Root 1 0 R"))
    // The table hides what is compressed.
    let hidden = entries.filter { if case .compressed = $0.value { true } else { false } }
    let place = hybrid.crossReferenceStream(7, hidden, trailer: "/Size 8/Root 1 0 R")
    var table = hybrid.used([4, 6, 7])
    for number in [0, 1, 2, 3, 5] { table[number] = .free }
    hybrid.end(hybrid.table(table, trailer: "/Size 8/Root 1 0 R/XRefStm \(place)"))
    for document in [streams.bytes, hybrid.bytes] {
      let made = try attach(document).bytes
      #expect(try carried(made).count == 2)
      #expect(try text(made) == "a line\n")
      // From version 12 on qpdf finds no catalog that only the stream has.
      try isSound(made, before: document)
      #expect(try carried(attach(made).bytes).count == 4)
    }
  }

  @Test(arguments: [
    "r2", "r3", "r4-aes", "r4-rc4", "r4-clear-metadata", "r5", "r6", "r6-object-streams",
    "r6-clear-metadata",
  ])
  func `an encrypted document encrypts the files as all else`(name: String) throws {
    let document = try Fixture.bytes("encrypted/\(name).pdf")
    let made = try attach(document, passwords: ["user"])
    #expect(made.bytes.starts(with: document))
    #expect(made.update.bytes.span.first(of: "number", in: 0..<made.update.bytes.count) == nil)
    #expect(try carried(made.bytes, passwords: ["owner"]).count == 2)
    #expect(try text(made.bytes, passwords: ["user"]).contains("secret text"))
    try isSound(made.bytes, password: "user")
  }

  @Test func `what cannot be built on is refused with a sentence`() throws {
    func obstacle(_ bytes: [UInt8]) -> AttachingUpdate.Obstacle? {
      do throws(AttachingUpdate.Obstacle) {
        guard let file = try? PDFFile(FileBytes(bytes)) else { return nil }
        _ = try AttachingUpdate(attaching: Self.rows, to: file)
      } catch { return error }
      return nil
    }
    let document = Self.document()
    #expect(obstacle(Array(document.dropLast(60))) == .damaged)
    #expect(obstacle(Array("junk\n".utf8) + document) == .damaged)
    #expect(
      obstacle(
        document + Array("6 0 obj\n(\(String(repeating: "cut ", count: 300))".utf8)) == .damaged)
    #expect(obstacle(Self.document(trailer: "/Encrypt(no)")) == .damaged)
    #expect(
      obstacle(Self.document(trailer: "/Root<</Type/Catalog/Pages 2 0 R>>")) == .catalog)
    // No number is left for more objects.
    #expect(obstacle(Self.document { $0.object(8_388_606, "(last)") }) == .catalog)
    // A size that no file has says nothing of numbers in use.
    let large = try attach(Self.document(trailer: "/Size 999999999999"))
    #expect(try carried(large.bytes).count == 2)
    #expect(
      obstacle(
        Self.document(
          "/Names<</EmbeddedFiles<</Names[\(String(repeating: "(a) 5 0 R ", count: 20_000))]>>>>"))
        == .manyFiles)
    #expect(
      obstacle(
        Self.document(
          "/Names<</EmbeddedFiles<</Kids[\(String(repeating: "5 0 R ", count: 20_000))]>>>>"))
        == .manyFiles)
    #expect(AttachingUpdate.Obstacle.damaged.sentence.hasSuffix("it is damaged"))
  }

  @Test func `odd trees of names end, and odd values do no harm`() throws {
    for names in [
      "/Names 6 0 R", "/Names(no)", "/Names<</EmbeddedFiles 6 0 R>>",
      "/Names<</EmbeddedFiles<</Kids 6 0 R/Names[(only)]>>>>", "/AF 6 0 R/Metadata 6 0 R",
      "/Names<</EmbeddedFiles<</Names[/a 5 0 R 9 9 R null]>>>>/AF(no)/Metadata(no)", "/AF 99 0 R",
    ] {
      for six in ["[6 0 R 6 0 R]", "<</Kids[6 0 R 6 0 R]/Kids[6 0 R]>>", "6 0 R", "null"] {
        let document = Self.document(names) { $0.object(6, six) }
        let made = try attach(document).bytes
        let file = try PDFFile(FileBytes(made))
        #expect(
          !file.wasRebuilt && file.dictionary(file.catalog, "Names") != nil, "\(names) \(six)")
        #expect(try text(made) == "a line\n")
      }
    }
  }

  @Test func `damaged documents are refused, or carry the files and open as before`() throws {
    let seed = Self.document("/Names 6 0 R/AF[8 0 R]/Metadata 9 0 R", trailer: "/Info 10 0 R") {
      $0.object(6, "<</EmbeddedFiles<</Kids[7 0 R]>>>>")
      $0.object(7, "<</Names[(a) 8 0 R]>>")
      $0.object(8, "<</Type/Filespec/F(a)/UF(a)/AFRelationship/Data/EF<</F 11 0 R>>>>")
      $0.stream(9, "<pdfaid:part>2</pdfaid:part>", entries: "/Type/Metadata")
      $0.object(10, "<</ModDate(D:20120615)>>")
      $0.stream(11, "old")
    }
    var numbers = SeededNumbers(seed: 7)
    var kept = 0
    for _ in 0..<3000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        let place = Int.random(in: 9..<bytes.count - 8, using: &numbers)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
        case 1: bytes.removeSubrange(place..<place + Int.random(in: 1...8, using: &numbers))
        default:
          let from = Int.random(in: 9..<bytes.count - 8, using: &numbers)
          bytes.replaceSubrange(place..<place + 2, with: bytes[from..<from + 8])
        }
      }
      guard let file = try? PDFFile(FileBytes(bytes)), let pages = try? PageTree(file),
        let update = try? AttachingUpdate(attaching: Self.rows, to: file)
      else { continue }
      let again = try PDFFile(FileBytes(bytes + update.bytes))
      #expect(!again.wasRebuilt)
      #expect(try PageTree(again).count == pages.count)
      #expect(again.array(again.catalog, "AF")?.count ?? 0 >= 2)
      kept += 1
    }
    // Both ways were gone.
    #expect(kept > 300 && kept < 2900, "\(kept)")
  }

  @Test func `a signed document is told of, and its bytes stay`() throws {
    let signed = Self.document("/AcroForm<</Fields[6 0 R]>>") { file in
      file.object(6, "<</T(s)/Kids[7 0 R]/FT/Sig>>")
      file.object(7, "<</Parent 6 0 R/V<</Type/Sig/ByteRange[0 1 2 3]>>>>")
    }
    let made = try attach(signed)
    #expect(made.bytes.starts(with: signed) && made.update.isSigned)
    #expect(made.update.remarkOnSignature?.contains("is signed") == true)
    let certified = try attach(Self.document("/Perms<</DocMDP<<>>>>"))
    #expect(certified.update.isSigned)
    let form = try attach(
      Self.document("/AcroForm<</Fields[6 0 R]>>") { $0.object(6, "<</FT/Sig/Kids[6 0 R]>>") })
    #expect(!form.update.isSigned)
  }

  // MARK: PDF/A

  private static func archive(_ claim: String, catalog: String = "", filter: String = "")
    -> [UInt8]
  {
    document("/Metadata 6 0 R \(catalog)") { file in
      file.stream(
        6, "<x><rdf:Description \(claim)</rdf:Description></x>",
        entries: "/Type/Metadata/Subtype/XML\(filter)")
      file.object(7, "<</Type/Filespec/F(a)/UF(a)/EF<</F 8 0 R>>>>")
      file.stream(8, "old", entries: "/Type/EmbeddedFile")
    }
  }

  private func packet(_ bytes: [UInt8]) throws -> String {
    let file = try PDFFile(FileBytes(bytes))
    let stream = try #require(file.resolve(file.catalog["Metadata"]).stream)
    #expect(stream.dictionary["Filter"] == nil && stream.dictionary["Subtype"] == .name("XML"))
    return String(decoding: file.decode(stream).bytes, as: UTF8.self)
  }

  private static func elements(_ part: String, _ level: String) -> String {
    "><pdfaid:part>\(part)</pdfaid:part><pdfaid:conformance>\(level)</pdfaid:conformance>"
  }

  @Test func `PDF/A-2 becomes PDF/A-3 of the same level, PDF/A-3 stays`() throws {
    let attributes = "pdfaid:part = '2'\npdfaid:conformance=\"u\">"
    for (before, after, claim) in [
      (Self.elements("2", "B"), Self.elements("3", "B"), "3B"),
      (Self.elements("3", "A"), Self.elements("3", "A"), "3A"),
      (Self.elements(" 2\n", "B"), Self.elements(" 3\n", "B"), "3B"),
      (attributes, attributes.replacing("'2'", with: "'3'"), "3U"),
    ] {
      let made = try attach(Self.archive(before))
      #expect(made.update.archive == .claimed(claim) && made.update.remarkOnArchive == nil)
      #expect(
        try packet(made.bytes) == "<x><rdf:Description \(after)</rdf:Description></x>")
    }
    // The document as procd makes it.
    let own = ImageDocumentTests.document([ImageDocumentTests.page()])
    let made = try attach(own)
    #expect(made.update.archive == .claimed("3B"))
    #expect(try packet(made.bytes).contains("<pdfaid:part>3</pdfaid:part>"))
    try isSound(made.bytes)
  }

  @Test func `a document that may not carry files says PDF/A no more`() throws {
    for (part, level) in [("1", "A"), ("4", ""), ("1", "b")] {
      let made = try attach(Self.archive(Self.elements(part, level)))
      #expect(made.update.archive == .withdrawn(part + level.uppercased()))
      #expect(made.update.remarkOnArchive?.contains("PDF/A-\(part)\(level.lowercased()),") == true)
      let text = try packet(made.bytes)
      #expect(!text.contains("pdfaid") && text.hasSuffix(" </rdf:Description></x>"))
    }
    // Part 3 wants all files described, and this one is not.
    let carrying = Self.archive(
      Self.elements("2", "B"), catalog: "/Names<</EmbeddedFiles<</Names[(a) 7 0 R]>>>>")
    #expect(try attach(carrying).update.archive == .withdrawn("2B"))
    #expect(try attach(Self.archive(Self.elements("4", "F"))).update.archive == .claimed("4F"))
  }

  @Test func `metadata that says nothing clear of PDF/A stays as it is`() throws {
    for claim in [
      "", "><pdfaid:part/>", "><pdfaid:part>x</pdfaid:part>", "pdfaid:part=", "pdfaid:part='2",
      "><pdfaid:part>", "pdfaid:part=2", "><pdfaid:part>2<b/></pdfaid:part>",
      "><pdfaid:part>   ", "pdfaid:part", "><pdfaid:part>22</pdfaid:part>",
    ] {
      let document = Self.archive(claim)
      let made = try attach(document)
      #expect(made.update.archive == .none, "\(claim)")
      #expect(try packet(made.bytes) == packet(document))
    }
    let cut = try attach(Self.archive(Self.elements("2", "B"), filter: "/Filter/FlateDecode"))
    #expect(cut.update.archive == .none)
  }
}
