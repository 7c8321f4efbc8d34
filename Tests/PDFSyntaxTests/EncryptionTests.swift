import Testing

@testable import PDFSyntax

struct EncryptionTests {
  private func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.utf8.compactMap { CharacterClass.hexadecimal($0) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  @Test(arguments: [
    ("Key", "Plaintext", "BBF316E8D940AF0AD3"), ("Wiki", "pedia", "1021BF0420"),
    ("Secret", "Attack at dawn", "45A01F645FC35B383552544B9BF5"),
  ])
  func `RC4 gives the published vectors`(key: String, text: String, cipher: String) {
    #expect(RC4.apply(key: Array(key.utf8), to: Array(text.utf8)) == bytes(cipher))
  }

  @Test func `MD5 gives the vectors of RFC 1321`() {
    #expect(Digests.md5([]) == bytes("d41d8cd98f00b204e9800998ecf8427e"))
    #expect(Digests.md5(Array("abc".utf8)) == bytes("900150983cd24fb0d6963f7d28e17f72"))
  }

  @Test func `AES in CBC gives the vector of SP 800-38A`() {
    let key = bytes("2b7e151628aed2a6abf7158809cf4f3c")
    let vector = bytes("000102030405060708090a0b0c0d0e0f")
    let plain = bytes("6bc1bee22e409f96e93d7e117393172a")
    let cipher = bytes("7649abac8119b246cee98e9b12e9197d")
    #expect(AESBlocks.encryptBlocks(plain, key: key, vector: vector) == cipher)
    #expect(AESBlocks.decryptBlocks(cipher, key: key, vector: vector) == plain)
  }

  @Test func `sizes that fit no block are no trap`() {
    #expect(AESBlocks.decrypt([1, 2, 3], key: [UInt8](repeating: 0, count: 16)) == [])
    #expect(AESBlocks.decryptBlocks([1, 2, 3], key: [1], vector: []) == nil)
  }

  @Test func `an unknown handler is named`() {
    #expect(throws: PDFError.unsupportedEncryption("handler Fancy")) {
      _ = try SecurityHandler(["Filter": .name("Fancy")], identifier: [], passwords: [[]])
    }
  }

  @Test func `a wrong password asks for the right one`() {
    let dictionary: PDFDictionary = [
      "Filter": .name("Standard"), "V": .integer(2), "R": .integer(3), "Length": .integer(128),
      "P": .integer(-4), "O": .string([UInt8](repeating: 1, count: 32)),
      "U": .string([UInt8](repeating: 2, count: 32)),
    ]
    #expect(throws: PDFError.passwordNeeded) {
      _ = try SecurityHandler(dictionary, identifier: [], passwords: [[]])
    }
  }
}
