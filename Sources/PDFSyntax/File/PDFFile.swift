import Bytes

/// An open PDF file: gives objects by reference and the decoded bytes of streams.
///
/// Objects are read when they are asked for. Whatever is wrong with the file's structure is repaired
/// on the way and told in ``diagnostics``; an object that cannot be found is null.
///
/// ```swift
/// let file = try PDFFile(FileBytes(MappedFile(path: "letter.pdf")))
/// let catalog = file.catalog
/// ```
///
/// A file is used by one thread at a time.
public final class PDFFile {
  /// The bytes of the whole file, as they stand.
  public let bytes: FileBytes
  /// What reading may cost.
  public let limits: Limits
  /// The offset of `%PDF-`; 0 where there is no header.
  public let headerOffset: Int
  /// The version in the header, such as "1.7"; empty where there is none.
  public let headerVersion: String
  /// The trailer dictionary (7.5.5), that of the newest section.
  public internal(set) var trailer = PDFDictionary()
  /// What was odd about the file, as far as it has been read.
  public var diagnostics = Diagnostics()

  var table = CrossReference()
  var security: SecurityHandler?
  var encryptionReference: PDFReference?
  var scan: ObjectScan?
  var isRebuilt = false
  private var cache: [Int: PDFObject] = [:]
  private var loading: Set<Int> = []
  private var objectStreams: [Int: ObjectStreamIndex] = [:]
  private var objectStreamBytes = 0
  private var structureBudget: Int
  private var decodingBudget: DecodingBudget
  let search: SearchBudget
  /// What others have made of streams of this file and would make again, by keys of theirs; the oldest of many
  /// is forgotten with all.
  private var derived: [String: Any] = [:]
  /// How often something was made so.
  package private(set) var derivations = 0
  private let passwords: [String]

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - bytes: the whole file; what stands before its header is skipped.
  ///   - passwords: tried in turn, as user and as owner password, before the empty one.
  ///   - limits: what reading may cost.
  /// - Throws: ``PDFError`` where nothing can be read: not a PDF, or locked. A damaged file is no
  ///   error as long as any object is found.
  public init(
    _ bytes: FileBytes, passwords: [String] = [], limits: Limits = .standard
  ) throws(PDFError) {
    self.bytes = bytes
    self.limits = limits
    self.passwords = passwords
    structureBudget = limits.decodedStructure
    decodingBudget = DecodingBudget(limits.decodedFile, forFileOf: bytes.count)
    search = SearchBudget(forFileOf: bytes.count)
    guard bytes.count > 0 else { throw .empty }
    let head = bytes.span.first(of: "%PDF-", in: 0..<1032)
    headerOffset = head ?? 0
    headerVersion = head.map { Self.version(bytes.span, at: $0 + 5) } ?? ""
    if head == nil { diagnostics.add(.repaired, "the file has no PDF header") }
    var reader = CrossReferenceReader(headerOffset: headerOffset, limits: limits)
    reader.read(bytes.span)
    table = reader.table
    trailer = reader.trailer ?? PDFDictionary()
    if !reader.isSound || trailer["Root"] == nil {
      try rebuild(passwords: passwords)
    } else {
      try unlock(passwords: passwords)
      if catalogIsBroken { try rebuild(passwords: passwords) }
    }
    if !isRebuilt, endsInUpdate {
      diagnostics.add(
        .lost, "the file ends early, within its last changes: what they changed is missing")
    }
  }

  private static func version(_ bytes: Span<UInt8>, at offset: Int) -> String {
    var end = offset
    while end < bytes.count, end < offset + 8, CharacterClass.isRegular(bytes[end]) { end += 1 }
    return String(decoding: bytes.array(offset..<end), as: UTF8.self)
  }

  /// The document catalog (7.7.2); empty where there is none.
  public var catalog: PDFDictionary { resolve(trailer["Root"]).dictionary ?? PDFDictionary() }

  /// Whether the file is encrypted.
  public var isEncrypted: Bool { security != nil }

  /// Whether all can be read but the files that are attached, which need a password.
  public var locksAttachedFiles: Bool { security?.locksAttachedFiles ?? false }

  /// Whether the cross-references were broken and had to be made anew.
  public var wasRebuilt: Bool { isRebuilt }

  /// The largest object number in use; for writers of incremental updates.
  public var largestObjectNumber: Int { table.numbersInUse.last ?? 0 }

  /// The offset of the newest cross-reference section as `startxref` gives it, where it is sound.
  public var startOfCrossReference: Int? {
    let bytes = bytes
    return isRebuilt ? nil : CrossReferenceReader.startOffset(bytes.span)
  }

  private var catalogIsBroken: Bool { resolve(catalog["Pages"]).dictionary == nil }

  /// Makes the cross-references anew because the page tree led to no page.
  func rebuildForPages() throws(PDFError) { try rebuild(passwords: passwords) }

  // MARK: Objects

  /// The object itself, or what a reference leads to; null where that cannot be found.
  public func resolve(_ object: PDFObject?) -> PDFObject {
    guard let object else { return .null }
    guard case .reference(var reference) = object else { return object }
    for _ in 0..<limits.referenceChain {
      let target = self.object(reference.number)
      guard case .reference(let next) = target else { return target }
      reference = next
    }
    return .null
  }

  /// The indirect object with a number, or null.
  public func object(_ number: Int) -> PDFObject {
    if let cached = cache[number] { return cached }
    guard number > 0, number <= limits.objectNumber, loading.insert(number).inserted else {
      return .null
    }
    defer { loading.remove(number) }
    let object = load(number)
    // Pages are read one after another: what was read long ago is read again when it is needed.
    if cache.count >= 20_000 { cache.removeAll(keepingCapacity: true) }
    cache[number] = object
    return object
  }

  /// Where an object came from, so that a program can tell a file's own object from a repair.
  func load(_ number: Int) -> PDFObject {
    let entry = table[number]
    switch entry.kind {
    case .free: return .null
    case .offset:
      for offset in [entry.place, entry.place &+ headerOffset].prefix(headerOffset > 0 ? 2 : 1) {
        if let object = readObject(number, at: offset) { return object }
      }
    case .compressed:
      if let object = compressedObject(number, in: entry.place, index: Int(entry.generation)) {
        return object
      }
    case .unknown: break
    }
    guard !isRebuilt else {
      if entry.kind != .unknown {
        diagnostics.add(.repaired, "an object is missing", object: PDFReference(number))
      }
      return .null
    }
    // One object is missing or not where it should be: look for it in the whole file.
    let places = scanned.lastPlace
    guard let place = places[number], let object = readObject(number, at: place) else {
      if entry.kind != .unknown {
        diagnostics.add(.repaired, "an object is missing", object: PDFReference(number))
      }
      return .null
    }
    diagnostics.add(
      .repaired, "an object was not where the cross-references say",
      object: PDFReference(number), offset: place)
    return object
  }

  /// The scan of the whole file, made when it is first needed.
  var scanned: ObjectScan {
    if let scan { return scan }
    let bytes = bytes
    let made = ObjectScan(bytes.span, limits: limits)
    scan = made
    return made
  }

  func readObject(_ number: Int, at offset: Int) -> PDFObject? {
    let bytes = bytes
    let found = IndirectObject.read(bytes.span, at: offset, search) { length in
      // The length of a stream may stand in another, whose length may: each step is a call within a call.
      loading.count < limits.referenceChain ? resolve(length).integer : length.integer
    }
    guard let found, found.reference.number == number else { return nil }
    if !found.lengthIsRight {
      diagnostics.add(.repaired, "a stream's length is wrong", object: found.reference)
    }
    guard let security, found.reference.number != encryptionReference?.number else {
      return found.object
    }
    return found.object.mapStrings { security.decrypt(string: $0, of: found.reference) }
  }

  private func compressedObject(_ number: Int, in stream: Int, index: Int) -> PDFObject? {
    objectStream(stream)?.object(number, index: index)
  }

  func objectStream(_ number: Int) -> ObjectStreamIndex? {
    if let known = objectStreams[number] { return known }
    guard table[number].kind != .compressed, structureBudget > 0,
      case .stream(let stream) = object(number), stream.dictionary["N"] != nil
    else { return nil }
    let decoded = decode(stream, limit: min(limits.decodedStream, structureBudget))
    structureBudget -= decoded.bytes.count
    if !decoded.isComplete {
      diagnostics.add(.lost, "an object stream is damaged", object: PDFReference(number))
    }
    let made = ObjectStreamIndex(stream.dictionary, bytes: decoded.bytes, limits: limits)
    if objectStreamBytes > 32 << 20 {
      objectStreams.removeAll()
      objectStreamBytes = 0
    }
    objectStreams[number] = made
    objectStreamBytes += decoded.bytes.count
    return made
  }

  func forgetObjects() {
    cache.removeAll()
    objectStreams.removeAll()
    objectStreamBytes = 0
  }

  // MARK: Streams

  /// What is made of an indirect stream, made once however many objects share it.
  ///
  /// - Parameter kind: tells apart what is made of one stream in several ways.
  package func derived<Value>(
    _ kind: String, of stream: PDFStream, _ make: () -> Value
  ) -> Value {
    guard let number = stream.reference?.number else { return make() }
    let key = "\(kind) \(number)"
    if let known = derived[key] as? Value { return known }
    let made = make()
    derivations += 1
    if derived.count >= 256 { derived.removeAll() }
    derived[key] = made
    return made
  }

  /// The decoded bytes of a stream (7.4), as far as its filters are known; see ``DecodedStream``.
  ///
  /// - Parameters:
  ///   - stream: of this file, or in memory.
  ///   - limit: the number of bytes to stop at; ``Limits/decodedStream`` if nil.
  public func decode(_ stream: PDFStream, limit: Int? = nil) -> DecodedStream {
    // What is shown again and again may be one stream, whose bytes nobody gets to see.
    guard spend(256) else { return DecodedStream(bytes: [], isComplete: false) }
    let chain = FilterChain(stream.dictionary) { self.resolve($0) }
    let limit = min(limit ?? limits.decodedStream, limits.decodedStream)
    let bytes = bytes
    let decoded: DecodedStream
    if case .file(let range) = stream.source, security == nil || stream.reference == nil {
      let range = range.clamped(to: 0..<bytes.count)
      decoded = chain.decode(bytes.span.extracting(range), limit: limit)
    } else {
      decoded = chain.decode(rawBytes(stream).span, limit: limit)
    }
    decodingBudget.left -= min(decodingBudget.left, decoded.work)
    return decoded
  }

  /// Counts something that many objects may share, and that is gone through for each, as if so many bytes of
  /// it were decoded. False where the file has no more of them.
  package func spend(_ bytes: Int) -> Bool {
    guard decodingBudget.left > 0 else {
      diagnostics.add(.lost, "the document is too large to be read to its end")
      return false
    }
    decodingBudget.left -= min(decodingBudget.left, bytes)
    return true
  }

  /// The bytes of a stream before any filter, decrypted.
  public func rawBytes(_ stream: PDFStream) -> [UInt8] {
    switch stream.source {
    case .memory(let raw): return raw
    case .file(let range):
      let bytes = bytes
      let raw = bytes.span.array(range)
      guard let security, let reference = stream.reference else { return raw }
      return security.decrypt(stream: raw, dictionary: stream.dictionary, of: reference)
    }
  }
}

// Values of dictionary keys with references followed.
extension PDFFile {
  /// The dictionary of a key, references followed; that of a stream too.
  public func dictionary(_ dictionary: PDFDictionary, _ key: PDFName) -> PDFDictionary? {
    dictionary[key].flatMap { resolve($0).dictionary }
  }

  /// The array of a key, references to it followed, those in it not.
  public func array(_ dictionary: PDFDictionary, _ key: PDFName) -> [PDFObject]? {
    dictionary[key].flatMap { resolve($0).array }
  }

  /// The name of a key, references followed.
  public func name(_ dictionary: PDFDictionary, _ key: PDFName) -> PDFName? {
    dictionary[key].flatMap { resolve($0).name }
  }

  /// The integer of a key, references followed; reals are cut towards zero.
  public func integer(_ dictionary: PDFDictionary, _ key: PDFName) -> Int? {
    dictionary[key].flatMap { resolve($0).integer }
  }

  /// The number of a key, references followed.
  public func number(_ dictionary: PDFDictionary, _ key: PDFName) -> Double? {
    dictionary[key].flatMap { resolve($0).number }
  }

  /// The bytes of the string of a key, decrypted, references followed.
  public func string(_ dictionary: PDFDictionary, _ key: PDFName) -> [UInt8]? {
    dictionary[key].flatMap { resolve($0).string }
  }

  /// The numbers of an array, 0 for what is none.
  public func numbers(_ dictionary: PDFDictionary, _ key: PDFName) -> [Double]? {
    array(dictionary, key)?.map { resolve($0).number ?? 0 }
  }
}
