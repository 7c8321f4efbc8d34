/// The keys of revisions 2 to 4 of the standard security handler (PDF 32000-1, 7.6.3).
struct ClassicKeys {
  private let owner: [UInt8]
  private let user: [UInt8]
  private let permissions: UInt32
  private let revision: Int
  private let identifier: [UInt8]
  private let keyLengths: [Int]
  private let encryptsMetadata: Bool

  private static let padding: [UInt8] = [
    0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08,
    0x2E, 0x2E, 0x00, 0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
  ]

  init?(
    _ dictionary: PDFDictionary, revision: Int, identifier: [UInt8], keyLengths: [Int],
    encryptsMetadata: Bool
  ) {
    guard let owner = dictionary.string("O"), let user = dictionary.string("U") else { return nil }
    self.owner = Array(owner.prefix(32))
    self.user = user
    permissions = UInt32(truncatingIfNeeded: dictionary.integer("P") ?? 0)
    self.revision = revision
    self.identifier = identifier
    self.keyLengths = keyLengths
    self.encryptsMetadata = encryptsMetadata
  }

  /// The file's key, or nil where no password opens the file.
  func fileKey(passwords: [[UInt8]]) -> [UInt8]? {
    var tried: Set<Int> = []
    for length in keyLengths where tried.insert(length).inserted {
      let length = revision == 2 ? 5 : length
      for password in passwords {
        if let key = userKey(password, length: length) { return key }
        let asUser = userPassword(fromOwner: password, length: length)
        if let key = userKey(asUser, length: length) { return key }
      }
    }
    return nil
  }

  private func padded(_ password: [UInt8]) -> [UInt8] {
    Array((password.prefix(32) + Self.padding).prefix(32))
  }

  /// Algorithms 2, 4, 5 and 6: the key that a user password gives, where it is the right one.
  private func userKey(_ password: [UInt8], length: Int) -> [UInt8]? {
    var seed = padded(password) + owner
    for shift in [0, 8, 16, 24] { seed.append(UInt8(truncatingIfNeeded: permissions >> shift)) }
    seed += identifier
    if revision >= 4, !encryptsMetadata { seed += [0xFF, 0xFF, 0xFF, 0xFF] }
    var key = Array(Digests.md5(seed).prefix(length))
    if revision >= 3 {
      for _ in 0..<50 { key = Array(Digests.md5(key).prefix(length)) }
    }
    if revision == 2 {
      return RC4.apply(key: key, to: Self.padding) == Array(user.prefix(32)) ? key : nil
    }
    var check = RC4.apply(key: key, to: Digests.md5(Self.padding + identifier))
    for round in 1...19 {
      check = RC4.apply(key: key.map { $0 ^ UInt8(round) }, to: check)
    }
    return user.count >= 16 && check == Array(user.prefix(16)) ? key : nil
  }

  /// Algorithm 7: the user password that an owner password unlocks, if it is the right one.
  private func userPassword(fromOwner password: [UInt8], length: Int) -> [UInt8] {
    var key = Digests.md5(padded(password))
    if revision >= 3 {
      for _ in 0..<50 { key = Digests.md5(key) }
    }
    key = Array(key.prefix(length))
    if revision == 2 { return RC4.apply(key: key, to: owner) }
    var result = owner
    for round in (0...19).reversed() {
      result = RC4.apply(key: key.map { $0 ^ UInt8(round) }, to: result)
    }
    return result
  }
}
