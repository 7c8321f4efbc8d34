internal import Crypto
internal import CryptoExtras

/// A password as it is kept: scrypt (RFC 7914) with a salt of its own.
package enum PasswordHash {
  private static let rounds = 1 << 15, blockSize = 8, parallelism = 1

  /// `scrypt:SALT:KEY`, both hexadecimal.
  package static func make(_ password: String) -> String? {
    let salt = hexadecimal(SymmetricKey(size: .bits128))
    return key(password, salt).map { "scrypt:\(salt):\($0)" }
  }

  /// Takes about 100 ms and 32 MiB.
  package static func matches(_ password: String, _ kept: String) -> Bool {
    let parts = kept.split(separator: ":")
    guard parts.count == 3, parts[0] == "scrypt", let key = key(password, String(parts[1])) else {
      return false
    }
    return isSame(key, String(parts[2]))
  }

  private static func key(_ password: String, _ salt: String) -> String? {
    let key = try? KDF.Scrypt.deriveKey(
      from: Array(password.utf8), salt: Array(salt.utf8), outputByteCount: 32, rounds: rounds,
      blockSize: blockSize, parallelism: parallelism)
    return key.map(hexadecimal)
  }

  private static func hexadecimal(_ key: SymmetricKey) -> String {
    var text = ""
    let digits = Array("0123456789abcdef")
    for byte in unsafe key.withUnsafeBytes({ unsafe Array($0) }) {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text
  }

  /// Compares without telling by its time how much is alike.
  package static func isSame(_ one: String, _ other: String) -> Bool {
    let one = Array(one.utf8), other = Array(other.utf8)
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// A new secret of 64 hexadecimal digits.
  package static func makeToken() -> String { hexadecimal(SymmetricKey(size: .bits256)) }
}
