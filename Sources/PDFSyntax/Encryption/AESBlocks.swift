import Crypto
import CryptoExtras
import FoundationEssentials

/// AES in cipher block chaining, as PDF uses it. Failures of the library (wrong sizes) are nil.
enum AESBlocks {
  /// Decrypts data that is led by its initialisation vector and ended by padding (7.6.2).
  ///
  /// Whole blocks are decrypted whatever the padding; padding is removed where it is sound, so that
  /// a cut stream gives what it has.
  static func decrypt(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    guard bytes.count >= 32 else { return [] }
    let length = (bytes.count - 16) / 16 * 16
    guard
      var plain = decryptBlocks(
        Array(bytes[16..<(16 + length)]), key: key, vector: Array(bytes[..<16]))
    else { return [] }
    if let pad = plain.last, pad >= 1, pad <= 16, plain.count >= Int(pad) {
      plain.removeLast(Int(pad))
    }
    return plain
  }

  /// Encrypts data: its initialisation vector goes before it, padding up to whole blocks behind it.
  static func encrypt(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) -> [UInt8] {
    let padding = 16 - bytes.count % 16
    let padded = bytes + [UInt8](repeating: UInt8(padding), count: padding)
    return vector + (encryptBlocks(padded, key: key, vector: vector) ?? [])
  }

  /// Decrypts whole blocks without padding.
  static func decryptBlocks(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) -> [UInt8]? {
    guard let vector = try? AES._CBC.IV(ivBytes: vector),
      let plain = try? AES._CBC.decrypt(
        bytes, using: SymmetricKey(data: key), iv: vector, noPadding: true)
    else { return nil }
    return Array(plain)
  }

  /// Encrypts whole blocks without padding.
  static func encryptBlocks(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) -> [UInt8]? {
    guard let vector = try? AES._CBC.IV(ivBytes: vector),
      let cipher = try? AES._CBC.encrypt(
        bytes, using: SymmetricKey(data: key), iv: vector, noPadding: true)
    else { return nil }
    return Array(cipher)
  }
}
