/// The standard security handler (PDF 32000-1, 7.6.3; PDF 32000-2, 7.6.4), opened.
struct SecurityHandler {
  enum Method { case identity, rc4, aes128, aes256 }

  let fileKey: [UInt8]
  let stringMethod: Method
  let streamMethod: Method
  /// How files are encrypted that are attached to the document (`EFF`).
  let attachedMethod: Method
  /// The crypt filters by name, for streams that name their own.
  let filters: [PDFName: Method]
  let encryptsMetadata: Bool

  /// Opens the file with a password, or else with the empty one, as user and as owner.
  ///
  /// - Parameters:
  ///   - dictionary: the encryption dictionary, with its values resolved.
  ///   - identifier: the first string of the trailer's `ID`, empty where there is none.
  ///   - passwords: the bytes of the passwords to try, in order.
  init(
    _ dictionary: PDFDictionary, identifier: [UInt8], passwords: [[UInt8]]
  ) throws(PDFError) {
    if let filter = dictionary.name("Filter"), filter != "Standard" {
      throw .unsupportedEncryption("handler \(filter.display)")
    }
    let version = dictionary.integer("V") ?? 0
    let revision = dictionary.integer("R") ?? (version >= 5 ? 6 : version >= 2 ? 3 : 2)
    guard [1, 2, 3, 4, 5].contains(version), (2...6).contains(revision) else {
      throw .unsupportedEncryption("version \(version), revision \(revision)")
    }
    encryptsMetadata = dictionary.boolean("EncryptMetadata") ?? true
    var lengths = [dictionary.integer("Length") ?? 40]
    if version >= 4 {
      var filters: [PDFName: Method] = ["Identity": .identity]
      let declared = dictionary.dictionary("CF") ?? PDFDictionary()
      for (name, value) in zip(declared.keys, declared.values) {
        guard let filter = value.dictionary else { continue }
        switch filter.name("CFM") {
        case "V2": filters[name] = .rc4
        case "AESV2": filters[name] = .aes128
        case "AESV3": filters[name] = .aes256
        case "None", nil: filters[name] = .identity
        default: throw .unsupportedEncryption("crypt filter \(name.display)")
        }
        // In bytes by the standard, in bits by many producers.
        if let length = filter.integer("Length"), (1...256).contains(length) {
          lengths.append(length < 40 ? length * 8 : length)
        }
      }
      lengths.insert(128, at: 0)
      self.filters = filters
      streamMethod = filters[dictionary.name("StmF") ?? "Identity"] ?? .identity
      stringMethod = filters[dictionary.name("StrF") ?? "Identity"] ?? .identity
      attachedMethod = dictionary.name("EFF").flatMap { filters[$0] } ?? streamMethod
    } else {
      filters = ["Identity": .identity]
      streamMethod = .rc4
      stringMethod = .rc4
      attachedMethod = .rc4
      if version == 1 { lengths = [40] }
    }
    lengths += [128, 40]
    let opened: [UInt8]?
    if revision >= 5 {
      opened = ModernKeys(dictionary, revision: revision)?.fileKey(passwords: passwords)
    } else {
      opened = ClassicKeys(
        dictionary, revision: revision, identifier: identifier,
        keyLengths: lengths.map { max(5, min(16, $0 / 8)) }, encryptsMetadata: encryptsMetadata)?
        .fileKey(passwords: passwords)
    }
    if let opened {
      fileKey = opened
    } else if streamMethod == .identity, stringMethod == .identity {
      // Only attachments are encrypted: all else can be read without a key.
      fileKey = []
    } else {
      throw .passwordNeeded
    }
  }

  /// Whether no password was given, and only attached files need one.
  var locksAttachedFiles: Bool { fileKey.isEmpty && attachedMethod != .identity }

  func decrypt(string: [UInt8], of reference: PDFReference) -> [UInt8] {
    decrypt(string, of: reference, by: stringMethod)
  }

  /// Decrypts the raw bytes of a stream, unless its dictionary says that they are in the clear.
  func decrypt(
    stream bytes: [UInt8], dictionary: PDFDictionary, of reference: PDFReference
  ) -> [UInt8] {
    return decrypt(bytes, of: reference, by: method(of: dictionary))
  }

  /// Encrypts a string of an object.
  func encrypt(string: [UInt8], of reference: PDFReference) -> [UInt8] {
    encrypt(string, of: reference, by: stringMethod)
  }

  /// Encrypts the raw bytes of a stream, unless its dictionary says that they are in the clear.
  func encrypt(
    stream bytes: [UInt8], dictionary: PDFDictionary, of reference: PDFReference
  ) -> [UInt8] {
    return encrypt(bytes, of: reference, by: method(of: dictionary))
  }

  private func encrypt(
    _ bytes: [UInt8], of reference: PDFReference, by method: Method
  ) -> [UInt8] {
    switch method {
    case .identity: bytes
    case .rc4: RC4.apply(key: objectKey(reference, aes: false), to: bytes)
    case .aes128:
      AESBlocks.encrypt(
        bytes, key: objectKey(reference, aes: true), vector: vector(for: bytes, of: reference))
    case .aes256:
      AESBlocks.encrypt(bytes, key: fileKey, vector: vector(for: bytes, of: reference))
    }
  }

  /// An initialisation vector that nobody without the key can foresee, the same for the same bytes, so
  /// that a file is written the same each time.
  private func vector(for bytes: [UInt8], of reference: PDFReference) -> [UInt8] {
    var seed = fileKey
    for shift in [0, 8, 16, 24] {
      seed.append(UInt8(truncatingIfNeeded: reference.number >> shift))
    }
    return Array(Digests.sha256(seed + bytes + fileKey)[..<16])
  }

  private func method(of dictionary: PDFDictionary) -> Method {
    let type = dictionary.name("Type")
    if type == "XRef" || type == "Metadata" && !encryptsMetadata { return .identity }
    let names = dictionary["Filter"]?.array?.map(\.name) ?? [dictionary.name("Filter")]
    guard let place = names.firstIndex(of: "Crypt") else {
      return type == "EmbeddedFile" ? attachedMethod : streamMethod
    }
    let parameters: PDFDictionary?
    if let list = dictionary.array("DecodeParms") {
      parameters = place < list.count ? list[place].dictionary : nil
    } else {
      parameters = dictionary.dictionary("DecodeParms")
    }
    return filters[parameters?.name("Name") ?? "Identity"] ?? .identity
  }

  private func decrypt(
    _ bytes: [UInt8], of reference: PDFReference, by method: Method
  ) -> [UInt8] {
    switch method {
    case .identity: bytes
    case .rc4: RC4.apply(key: objectKey(reference, aes: false), to: bytes)
    case .aes128: AESBlocks.decrypt(bytes, key: objectKey(reference, aes: true))
    case .aes256: AESBlocks.decrypt(bytes, key: fileKey)
    }
  }

  /// Algorithm 1 (7.6.2): the key of one object.
  private func objectKey(_ reference: PDFReference, aes: Bool) -> [UInt8] {
    var seed = fileKey
    for shift in [0, 8, 16] { seed.append(UInt8(truncatingIfNeeded: reference.number >> shift)) }
    for shift in [0, 8] { seed.append(UInt8(truncatingIfNeeded: reference.generation >> shift)) }
    if aes { seed += [0x73, 0x41, 0x6C, 0x54] }
    return Array(Digests.md5(seed).prefix(min(16, fileKey.count + 5)))
  }
}
