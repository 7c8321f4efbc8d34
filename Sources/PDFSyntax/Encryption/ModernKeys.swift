/// The keys of revisions 5 and 6 of the standard security handler (PDF 32000-2, 7.6.4.3).
struct ModernKeys {
  private let owner: [UInt8]
  private let user: [UInt8]
  private let ownerKey: [UInt8]
  private let userKey: [UInt8]
  private let revision: Int

  init?(_ dictionary: PDFDictionary, revision: Int) {
    guard let owner = dictionary.string("O"), owner.count >= 48,
      let user = dictionary.string("U"), user.count >= 48,
      let ownerKey = dictionary.string("OE"), ownerKey.count >= 32,
      let userKey = dictionary.string("UE"), userKey.count >= 32
    else { return nil }
    self.owner = Array(owner.prefix(48))
    self.user = Array(user.prefix(48))
    self.ownerKey = Array(ownerKey.prefix(32))
    self.userKey = Array(userKey.prefix(32))
    self.revision = revision
  }

  /// Algorithm 2.A: the file's key, or nil where no password opens the file.
  func fileKey(passwords: [[UInt8]]) -> [UInt8]? {
    let zeros = [UInt8](repeating: 0, count: 16)
    for password in passwords {
      let password = Array(password.prefix(127))
      if hash(password, salt: user[32..<40], more: []) == Array(user[..<32]) {
        let key = hash(password, salt: user[40..<48], more: [])
        return AESBlocks.decryptBlocks(userKey, key: key, vector: zeros)
      }
      if hash(password, salt: owner[32..<40], more: user) == Array(owner[..<32]) {
        let key = hash(password, salt: owner[40..<48], more: user)
        return AESBlocks.decryptBlocks(ownerKey, key: key, vector: zeros)
      }
    }
    return nil
  }

  /// Algorithm 2.B; for revision 5 only its first step.
  private func hash(_ password: [UInt8], salt: ArraySlice<UInt8>, more: [UInt8]) -> [UInt8] {
    var key = Digests.sha256(password + salt + more)
    guard revision >= 6 else { return key }
    var round = 0
    while true {
      let unit = password + key + more
      var repeated: [UInt8] = []
      repeated.reserveCapacity(unit.count * 64)
      for _ in 0..<64 { repeated += unit }
      guard
        let mixed = AESBlocks.encryptBlocks(
          repeated, key: Array(key[..<16]), vector: Array(key[16..<32])), let last = mixed.last
      else { return [] }
      switch mixed[..<16].reduce(0, { $0 + Int($1) }) % 3 {
      case 0: key = Digests.sha256(mixed)
      case 1: key = Digests.sha384(mixed)
      default: key = Digests.sha512(mixed)
      }
      round += 1
      if round >= 64, Int(last) <= round - 32 { break }
    }
    return Array(key[..<32])
  }
}
