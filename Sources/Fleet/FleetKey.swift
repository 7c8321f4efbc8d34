internal import Crypto
internal import Files
internal import FoundationEssentials
internal import Glibc
package import SystemPackage

/// The secret that the machines of a fleet share. Whoever has it can give work, answers and helpers; nobody else can
/// read or make anything that passes through the broker.
package struct FleetKey: Sendable {
  private let key: SymmetricKey
  /// What the broker calls those who share the key; it says nothing of the key.
  package let site: String

  /// Bytes of the key, and of what makes each sealed message different.
  private static let length = 32
  private static let saltLength = 16

  private init(_ bytes: [UInt8]) {
    key = SymmetricKey(data: bytes)
    let name = HMAC<SHA256>.authenticationCode(for: Array("procd site".utf8), using: key)
    site = name.prefix(6).map(Self.hexadecimal).joined()
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = Array("0123456789abcdef")
    return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
  }

  /// A new key, as its file holds it: a line of 64 hexadecimal digits.
  package static func make() -> String { random(bytes: length) + "\n" }

  /// A name that nobody has and nobody guesses.
  package static func random(bytes: Int = 12) -> String {
    randomBytes(bytes).map(hexadecimal).joined()
  }

  private static func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// - Throws: where it cannot be read, is none, or others may read it.
  package init(file: FilePath) throws(FleetFailure) {
    func failed(_ why: String) -> FleetFailure {
      FleetFailure("fleet.key", "the key \(file.printable) \(why)")
    }
    let text: [UInt8], mode: UInt32
    do throws(FileError) {
      let open = try Folder.open(file.removingLastComponent())
        .following(FilePath(file.lastComponent?.string ?? ""))
      mode = try open.status().mode
      text = try open.readAll(limit: 4096)
    } catch  where error.errno == .noSuchFileOrDirectory {
      throw failed("is not there: copy the others' key; `procd fleet key` makes the first one")
    } catch {
      throw failed(Accounts.cannotRead(file.string))
    }
    guard mode & 0o007 == 0 else {
      throw failed("may be read by every user of this machine: chmod 640 it")
    }
    let digits = text.filter { $0 > 0x20 }
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
    }
    guard bytes.count == Self.length, digits.count == 2 * Self.length else {
      throw failed("is no line of 64 hexadecimal digits; `procd fleet key` makes one")
    }
    self.init(bytes)
  }

  /// Seals bytes so that they open only as what they are said to be.
  ///
  /// Each message has a key of its own, derived with a random salt that goes before it: so no nonce is used twice,
  /// however many there are.
  package func seal(_ bytes: [UInt8], as purpose: String) -> [UInt8] {
    let salt = Self.randomBytes(Self.saltLength)
    let about = Array(purpose.utf8)
    guard
      let box = try? ChaChaPoly.seal(
        bytes, using: derived(salt, about), nonce: Self.nonce, authenticating: about)
    else { return [] }
    var sealed = salt
    sealed.reserveCapacity(salt.count + bytes.count + 16)
    // As a whole: byte by byte would cost more than the cipher.
    unsafe box.ciphertext.withUnsafeBytes { unsafe sealed.append(contentsOf: $0) }
    unsafe box.tag.withUnsafeBytes { unsafe sealed.append(contentsOf: $0) }
    return sealed
  }

  /// Nil where it was sealed with another key, as something else, or changed on the way.
  package func open(_ bytes: [UInt8], as purpose: String) -> [UInt8]? {
    let about = Array(purpose.utf8)
    guard bytes.count >= Self.saltLength + 16, let nonce = Self.nonce,
      let box = try? ChaChaPoly.SealedBox(
        nonce: nonce, ciphertext: bytes[Self.saltLength..<(bytes.count - 16)],
        tag: bytes.suffix(16)),
      let opened = try? ChaChaPoly.open(
        box, using: derived(Array(bytes.prefix(Self.saltLength)), about), authenticating: about)
    else { return nil }
    return [UInt8](opened)
  }

  private func derived(_ salt: [UInt8], _ about: [UInt8]) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: key, salt: salt, info: about, outputByteCount: Self.length)
  }

  private static let nonce = try? ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12))
}
