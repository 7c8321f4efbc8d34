import PDFSyntax
import PDFText
import PDFWriter
import TestSupport
import Testing

/// Encrypted documents that are written without their encryption.
struct DecryptingTests {
  private func text(_ file: PDFFile) throws -> String {
    String(decoding: try #require(TextExtractor(file).page(0)).utf8, as: UTF8.self)
  }

  @Test(
    arguments: [
      "r2", "r3", "r3-no-owner", "r4-aes", "r4-rc4", "r4-clear-metadata", "r5", "r6",
      "r6-object-streams", "r6-clear-metadata",
    ], ["user", "broken"])
  func `a copy opens without a password and has all that the document has`(
    name: String, kind: String
  ) throws {
    var bytes = try Fixture.bytes("encrypted/\(name).pdf")
    if kind == "broken",
      let place = bytes.indices.last(where: { bytes[$0...].starts(with: "startxref".utf8) })
    {
      bytes.replaceSubrange(place..<bytes.count, with: Array("startxref\n7\n%%EOF".utf8))
    }
    let locked = try PDFFile(FileBytes(bytes), passwords: ["user"])
    let made = IncrementalUpdate.decrypted(locked)
    let file = try PDFFile(FileBytes(made))
    #expect(!file.isEncrypted && !file.wasRebuilt && file.trailer["Encrypt"] == nil)
    #expect(try text(file) == "secret text\n")
    let information = DocumentInformation(file)
    #expect(information.title == "secret title" && information.language == "en-GB")
    if let metadata = file.resolve(file.catalog["Metadata"]).stream {
      let told = String(decoding: file.decode(metadata).bytes, as: UTF8.self)
      #expect(told.contains("plain metadata"))
    }
    try withFile(made) { path in
      if let check = output(of: "qpdf", ["--check", path]) {
        #expect(check.status == 0, "\(check.text)")
      }
      if let read = output(of: "pdftotext", [path, "-"]) {
        #expect(read.text.contains("secret text"), "\(read.text)")
      }
    }
  }

  @Test func `attached files that alone are encrypted are decrypted too`() throws {
    let bytes = try Fixture.bytes("encrypted/attached-only.pdf")
    let made = IncrementalUpdate.decrypted(try PDFFile(FileBytes(bytes), passwords: ["user"]))
    let file = try PDFFile(FileBytes(made))
    let attached = try #require(TextExtractor(file).attachedFiles.files.first)
    #expect(!file.isEncrypted && attached.name == "rows.csv")
    let content = file.decode(try #require(attached.stream)).bytes
    #expect(String(decoding: content, as: UTF8.self) == "number\n1\n")
  }
}
