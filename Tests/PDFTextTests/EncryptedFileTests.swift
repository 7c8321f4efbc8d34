import PDFSyntax
import TestSupport
import Testing

@testable import PDFText

/// Files that another program encrypted; Tests/Fixtures/encrypted/make says how.
struct EncryptedFileTests {
  private func bytes(_ name: String) throws -> [UInt8] {
    try Fixture.bytes("encrypted/\(name).pdf")
  }

  private static let revisions = [
    "r2", "r3", "r4-rc4", "r4-aes", "r4-clear-metadata", "r5", "r6", "r6-clear-metadata",
    "r6-object-streams",
  ]

  @Test(arguments: revisions, ["user", "owner"])
  func `every revision opens with either password`(name: String, password: String) throws {
    let bytes = try bytes(name)
    #expect(try text(bytes, password: password) == "secret text\n")
    let file = try PDFFile(FileBytes(bytes), passwords: [password].compactMap(\.self))
    #expect(file.isEncrypted && !file.wasRebuilt)
    let information = DocumentInformation(file)
    #expect(information.title == "secret title" && information.language == "en-GB")
  }

  @Test(arguments: revisions, [nil, "", "wrong", "User", "owner "] as [String?])
  func `no other password opens a file`(name: String, password: String?) throws {
    let bytes = try bytes(name)
    #expect(throws: PDFError.passwordNeeded) {
      _ = try PDFFile(FileBytes(bytes), passwords: [password].compactMap(\.self))
    }
  }

  @Test(arguments: ["r3-no-user", "r6-no-user"])
  func `a file with an owner password only opens without any`(name: String) throws {
    let bytes = try bytes(name)
    #expect(try text(bytes) == "secret text\n")
    #expect(try text(bytes, password: "owner") == "secret text\n")
    #expect(try text(bytes, password: "a wrong one does no harm") == "secret text\n")
  }

  @Test(arguments: ["r3-no-owner", "r6-no-owner"])
  func `a file with a user password only opens with it`(name: String) throws {
    #expect(try text(bytes(name), password: "user") == "secret text\n")
  }

  @Test func `without an owner password the user password is asked for`() throws {
    // Algorithm 3: the user password is taken in the place of the owner password.
    let bytes = try bytes("r3-no-owner")
    #expect(throws: PDFError.passwordNeeded) { _ = try PDFFile(FileBytes(bytes)) }
  }

  @Test(arguments: ["r3-latin", "r6-utf8"])
  func `passwords beyond ASCII are tried as the revision wants them`(name: String) throws {
    #expect(try text(bytes(name), password: "straße") == "secret text\n")
  }

  @Test(arguments: ["r4-clear-metadata", "r6-clear-metadata"])
  func `metadata that was left in the clear is read as it is`(name: String) throws {
    let file = try PDFFile(FileBytes(bytes(name)), passwords: ["user"])
    let metadata = try #require(file.resolve(file.catalog["Metadata"]).stream)
    let text = String(decoding: file.decode(metadata).bytes, as: UTF8.self)
    #expect(text.contains("plain metadata"))
  }

  @Test(arguments: ["r3", "r4-aes", "r6"])
  func `metadata that was encrypted is decrypted`(name: String) throws {
    let file = try PDFFile(FileBytes(bytes(name)), passwords: ["user"])
    let metadata = try #require(file.resolve(file.catalog["Metadata"]).stream)
    let text = String(decoding: file.decode(metadata).bytes, as: UTF8.self)
    #expect(text.contains("plain metadata"))
  }

  @Test(arguments: revisions)
  func `an encrypted file whose cross-references are lost is decrypted`(name: String) throws {
    var bytes = try bytes(name)
    let wanted = Array("startxref".utf8)
    let place = try #require(bytes.indices.last { bytes[$0...].starts(with: wanted) })
    bytes.replaceSubrange(place..<bytes.count, with: Array("startxref\n7\n%%EOF".utf8))
    let file = try PDFFile(FileBytes(bytes), passwords: ["user"])
    #expect(file.wasRebuilt)
    #expect(try text(bytes, password: "user") == "secret text\n")
  }

  @Test(arguments: [nil, "user", "owner"] as [String?])
  func `files that alone are encrypted open with a password, the pages without`(
    password: String?
  ) throws {
    let bytes = try bytes("attached-only")
    let extractor = try TextExtractor(
      PDFFile(FileBytes(bytes), passwords: [password].compactMap(\.self)))
    #expect(extractor.page(0)?.text == "secret text\n")
    let attached = try #require(extractor.attachedFiles.files.first)
    #expect(attached.name == "rows.csv")
    let text = String(
      decoding: extractor.file.decode(try #require(attached.stream)).bytes, as: UTF8.self)
    #expect((text == "number\n1\n") == (password != nil))
    #expect(extractor.file.locksAttachedFiles == (password == nil))
  }
}
