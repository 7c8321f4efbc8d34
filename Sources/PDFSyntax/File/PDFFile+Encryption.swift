import Bytes

extension PDFFile {
  /// Sets up decryption where the trailer asks for it.
  func unlock(passwords: [String]) throws(PDFError) {
    security = nil
    encryptionReference = trailer.reference("Encrypt")
    guard let entry = trailer["Encrypt"], !entry.isNull else { return }
    guard var dictionary = resolve(entry).dictionary else {
      diagnostics.add(.repaired, "the encryption dictionary is missing")
      return
    }
    dictionary = resolvedDeeply(dictionary, depth: 0)
    let identifier = array(trailer, "ID")?.first.map { resolve($0) }?.string ?? []
    var tried: [[UInt8]] = []
    for password in passwords.prefix(limits.passwords) {
      tried.append(Array(password.utf8))
      // Older revisions use PDFDocEncoding, which is Latin 1 for nearly all passwords.
      if !password.utf8.allSatisfy({ $0 < 0x80 }),
        password.unicodeScalars.allSatisfy({ $0.value < 256 })
      {
        tried.append(password.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
      }
    }
    tried.append([])
    security = try SecurityHandler(dictionary, identifier: identifier, passwords: tried)
    // What was read before, undecrypted, is void.
    forgetObjects()
  }

  /// The dictionary and those inside it, without references: crypt filters may be indirect too.
  private func resolvedDeeply(_ dictionary: PDFDictionary, depth: Int) -> PDFDictionary {
    guard depth < 4 else { return dictionary }
    var result = dictionary
    for (key, value) in zip(dictionary.keys, dictionary.values) {
      let resolved = resolve(value)
      if case .dictionary(let inner) = resolved {
        result[key] = .dictionary(resolvedDeeply(inner, depth: depth + 1))
      } else {
        result[key] = resolved
      }
    }
    return result
  }
}
