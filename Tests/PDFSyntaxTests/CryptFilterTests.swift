import TestSupport
import Testing

@testable import PDFSyntax

/// Which crypt filter is for what (PDF 32000-1, 7.6.5).
struct CryptFilterTests {
  private func opened(
    _ builder: EncryptingBuilder, password: String? = nil
  ) throws -> (string: String, streams: [String]) {
    let file = try PDFFile(FileBytes(builder.file()), passwords: [password].compactMap(\.self))
    #expect(!file.wasRebuilt)
    let string = try #require(file.string(file.catalog, "Lang"))
    let streams = file.array(file.catalog, "Streams")?.compactMap { file.resolve($0).stream } ?? []
    return (
      String(decoding: string, as: UTF8.self),
      streams.map { String(decoding: file.decode($0).bytes, as: UTF8.self) }
    )
  }

  private func filled(_ builder: EncryptingBuilder) -> EncryptingBuilder {
    var builder = builder
    builder.add("<</Type/Catalog/Pages 2 0 R/Lang{a string}/Streams[3 0 R 4 0 R 5 0 R]>>")
    builder.add("<</Type/Pages/Kids[<</Type/Page>>]/Count 1>>")
    builder.addStream("plain says nothing")
    return builder
  }

  @Test(arguments: [EncryptingBuilder.Method.rc4, .aes])
  func `one filter is for strings and streams`(method: EncryptingBuilder.Method) throws {
    var builder = EncryptingBuilder()
    builder.strings = method
    builder.streams = method
    let found = try opened(filled(builder))
    #expect(found.string == "a string" && found.streams == ["plain says nothing"])
  }

  @Test func `streams are in the clear where Identity is their filter`() throws {
    var builder = EncryptingBuilder()
    builder.filters = "/StmF/Identity/StrF/StdCF"
    builder.streams = .none
    let found = try opened(filled(builder))
    #expect(found.string == "a string" && found.streams == ["plain says nothing"])
  }

  @Test func `strings are in the clear where no filter is named for them`() throws {
    var builder = EncryptingBuilder()
    builder.filters = "/StmF/StdCF"
    builder.strings = .none
    let found = try opened(filled(builder))
    #expect(found.string == "a string" && found.streams == ["plain says nothing"])
  }

  @Test func `a stream may name a filter of its own`() throws {
    var builder = filled(EncryptingBuilder())
    builder.addStream(
      "in the clear", entries: "/Filter/Crypt", method: EncryptingBuilder.Method.none)
    builder.addStream(
      "in another way", entries: "/Filter[/Crypt]/DecodeParms[<</Name/Other>>]", method: .rc4)
    let found = try opened(builder)
    #expect(found.streams == ["plain says nothing", "in the clear", "in another way"])
  }

  @Test func `a file of which only attachments are encrypted needs no password`() throws {
    var builder = EncryptingBuilder()
    builder.filters = "/StmF/Identity/StrF/Identity/EFF/StdCF"
    builder.strings = .none
    builder.streams = .none
    builder.password = "for the attachment"
    let found = try opened(filled(builder))
    #expect(found.string == "a string" && found.streams == ["plain says nothing"])
  }

  @Test func `the password is needed where anything else is encrypted`() throws {
    var builder = EncryptingBuilder()
    builder.filters = "/StmF/Identity/StrF/StdCF/EFF/StdCF"
    builder.streams = .none
    builder.password = "right"
    let locked = filled(builder)
    #expect(throws: PDFError.passwordNeeded) { _ = try opened(locked) }
    #expect(try opened(locked, password: "right").string == "a string")
  }

  @Test func `the encryption dictionary may stand in the trailer`() throws {
    var builder = EncryptingBuilder()
    builder.isDirect = true
    let found = try opened(filled(builder))
    #expect(found.string == "a string" && found.streams == ["plain says nothing"])
  }

  @Test func `a file without identifier opens`() throws {
    var builder = EncryptingBuilder()
    builder.identifier = []
    #expect(try opened(filled(builder)).string == "a string")
  }

  @Test func `objects in object streams are not decrypted twice`() throws {
    // The stream is encrypted as a whole, the strings inside it are plain (7.5.7).
    var builder = filled(EncryptingBuilder())
    let head = "9 0 "
    builder.addStream(head + "(inside)", entries: "/Type/ObjStm/N 1/First \(head.utf8.count)")
    let file = try PDFFile(FileBytes(builder.file()))
    let index = try #require(file.objectStream(4))
    #expect(index.object(9, index: 0) == .string(Array("inside".utf8)))
  }

  @Test func `an unknown method is named`() {
    let dictionary: PDFDictionary = [
      "Filter": .name("Standard"), "V": .integer(4), "R": .integer(4),
      "CF": .dictionary(["New": .dictionary(["CFM": .name("ROT13")])]),
    ]
    #expect(throws: PDFError.unsupportedEncryption("crypt filter New")) {
      _ = try SecurityHandler(dictionary, identifier: [], passwords: [[]])
    }
  }

  @Test(arguments: [(0, 2), (6, 6), (5, 7), (-1, 3)])
  func `versions that do not exist are named`(version: Int, revision: Int) {
    let dictionary: PDFDictionary = [
      "Filter": .name("Standard"), "V": .integer(version), "R": .integer(revision),
    ]
    let expected = PDFError.unsupportedEncryption("version \(version), revision \(revision)")
    #expect(throws: expected) {
      _ = try SecurityHandler(dictionary, identifier: [], passwords: [[]])
    }
  }

  @Test func `a damaged key of a modern revision is no trap`() {
    for length in [0, 31, 47, 48] {
      let bytes = PDFObject.string([UInt8](repeating: 7, count: length))
      let dictionary: PDFDictionary = [
        "Filter": .name("Standard"), "V": .integer(5), "R": .integer(6), "O": bytes, "U": bytes,
        "OE": bytes, "UE": bytes, "StmF": .name("X"),
        "CF": .dictionary(["X": .dictionary(["CFM": .name("AESV3")])]),
      ]
      #expect(throws: PDFError.passwordNeeded) {
        _ = try SecurityHandler(dictionary, identifier: [], passwords: [[]])
      }
    }
  }
}
