internal import Bytes
public import PDFSyntax

/// Adds and replaces objects of an existing file by what is appended to it (PDF 32000-1, 7.5.6), so
/// that every byte of the original stays.
public struct IncrementalUpdate: ObjectSink, Sendable {
  /// What the update builds on.
  public struct Base: Sendable {
    /// The length of the original file in bytes.
    public var length: Int
    /// Whether its last byte ends a line.
    public var endsWithNewline: Bool
    /// The offset of its last cross-reference section.
    public var crossReferenceOffset: Int
    /// Whether that section is a stream (7.5.8) and not a table.
    public var hasCrossReferenceStream: Bool
    /// Its trailer dictionary.
    public var trailer: PDFDictionary
    /// The highest object number in use.
    public var highestNumber: Int
    /// Encrypts what is added; nil for a file that is not encrypted.
    public var encryption: ObjectEncryption?

    /// What is known of the original; `PDFFile` tells most of it.
    public init(
      length: Int, endsWithNewline: Bool, crossReferenceOffset: Int,
      hasCrossReferenceStream: Bool, trailer: PDFDictionary, highestNumber: Int,
      encryption: ObjectEncryption? = nil
    ) {
      self.encryption = encryption
      (self.length, self.endsWithNewline) = (length, endsWithNewline)
      self.crossReferenceOffset = crossReferenceOffset
      self.hasCrossReferenceStream = hasCrossReferenceStream
      (self.trailer, self.highestNumber) = (trailer, highestNumber)
    }

    /// What a file tells of itself; nil where its cross-references are broken, so that nothing can build on them.
    public init?(_ file: PDFFile) {
      guard let start = file.startOfCrossReference else { return nil }
      let bytes = file.bytes
      let last = bytes.count > 0 ? bytes.span[bytes.count - 1] : 0x0A
      // A number that is not believed, where `Size` has one, is no number in use.
      let size = file.trailer.integer("Size") ?? 1
      self.init(
        length: bytes.count, endsWithNewline: last == 0x0A || last == 0x0D,
        crossReferenceOffset: start, hasCrossReferenceStream: file.trailer.name("Type") == "XRef",
        trailer: file.trailer,
        highestNumber: max(
          file.largestObjectNumber, size - 1 <= file.limits.objectNumber ? size - 1 : 0),
        encryption: file.objectEncryption)
    }
  }

  private let base: Base
  /// Whether the result is a file of its own, not an addition.
  private let isWholeFile: Bool
  private var pending: [UInt8] = []
  private var next: Int
  private var entries: [Int: (generation: Int, offset: Int)] = [:]

  /// Begins an addition to a file. New objects have the numbers behind its highest.
  public init(of base: Base) {
    self.base = base
    isWholeFile = false
    next = max(base.highestNumber, 0) + 1
    if !base.endsWithNewline { pending.append(0x0A) }
  }

  /// Begins a file of its own that takes the place of one whose cross-references are broken.
  /// Objects keep their numbers; those that are to stay must be put or copied.
  ///
  /// - Parameters:
  ///   - trailer: gives `Root`, `Info` and `ID`.
  ///   - highestNumber: the highest object number in use.
  ///   - encryption: encrypts the objects; nil for a file that is not encrypted.
  public init(
    rewriting trailer: PDFDictionary, highestNumber: Int, encryption: ObjectEncryption? = nil
  ) {
    base = Base(
      length: 0, endsWithNewline: true, crossReferenceOffset: 0, hasCrossReferenceStream: false,
      trailer: trailer, highestNumber: highestNumber, encryption: encryption)
    isWholeFile = true
    next = max(highestNumber, 0) + 1
    pending = Array("%PDF-1.7\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
  }

  /// Copies the objects that an object leads to and that were not put yet, with their numbers.
  public mutating func copy(_ object: PDFObject, from file: PDFFile) {
    var waiting = [object]
    var seen: Set<Int> = []
    while let object = waiting.popLast() {
      switch object {
      case .reference(let reference):
        guard seen.insert(reference.number).inserted else { continue }
        var target = file.object(reference.number)
        waiting.append(target)
        guard entries[reference.number] == nil else { continue }
        if case .stream(let stream) = target {
          target = .stream(
            base.encryption == nil
              ? file.decrypted(stream)
              : PDFStream(stream.dictionary, bytes: file.rawBytes(stream)))
        }
        put(target, as: reference)
      case .array(let items): waiting += items
      case .dictionary(let dictionary): waiting += dictionary.values
      case .stream(let stream): waiting += stream.dictionary.values
      default: break
      }
    }
  }

  /// A whole file with all that an encrypted one has, and without its encryption: without its restrictions, too
  /// (7.6.4.2).
  public static func decrypted(_ file: PDFFile) -> [UInt8] {
    var trailer = file.trailer
    trailer["Encrypt"] = nil
    var copy = IncrementalUpdate(rewriting: trailer, highestNumber: file.largestObjectNumber)
    for key: PDFName in ["Root", "Info"] { copy.copy(trailer[key] ?? .null, from: file) }
    return copy.finish()
  }

  /// A number for a new object, generation 0.
  public mutating func reserve() -> PDFReference {
    defer { next += 1 }
    return PDFReference(next)
  }

  /// Writes an object that was reserved, or a new version of one of the original's.
  public mutating func put(_ object: PDFObject, as reference: PDFReference) {
    entries[reference.number] = (reference.generation, base.length + pending.count)
    var serializer = ObjectSerializer()
    serializer.write(
      base.encryption?.encrypted(object, as: reference) ?? object, as: reference)
    pending.append(contentsOf: serializer.writer.bytes)
  }

  /// The bytes to append to the original file.
  public consuming func finish() -> [UInt8] {
    var trailer: PDFDictionary = [:]
    for key: PDFName in ["Root", "Info", "ID", "Encrypt"] { trailer[key] = base.trailer[key] }
    renewIdentifier(in: &trailer)
    if !isWholeFile { trailer["Prev"] = .integer(base.crossReferenceOffset) }
    let start = base.length + pending.count
    if base.hasCrossReferenceStream {
      writeStream(trailer: trailer, start: start)
    } else {
      writeTable(trailer: trailer)
    }
    var ending = ByteWriter()
    ending.append("startxref\n")
    ending.append(decimal: start)
    ending.append("\n%%EOF\n")
    return pending + ending.bytes
  }

  /// The second identifier changes with each update, the first stays (14.4).
  private func renewIdentifier(in trailer: inout PDFDictionary) {
    var sum = FileIdentifier()
    sum.add(pending)
    // The keys of an encrypted file hang on the first identifier, or on there being none.
    if trailer["ID"] == nil, base.encryption != nil { return }
    let first = trailer.array("ID")?.first ?? .string(sum.bytes)
    trailer["ID"] = .array([first, .string(sum.bytes)])
  }

  /// The numbers in runs without gaps.
  private func runs(of numbers: [Int]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for number in numbers.sorted() {
      if let last = runs.last, last.upperBound == number {
        runs[runs.count - 1] = last.lowerBound..<(number + 1)
      } else {
        runs.append(number..<(number + 1))
      }
    }
    return runs
  }

  private mutating func writeTable(trailer: PDFDictionary) {
    var writer = ByteWriter()
    writer.append("xref\n")
    // A file of its own has one run of all numbers, in which those not in use are free.
    let runs = isWholeFile ? [0..<next] : runs(of: Array(entries.keys))
    for run in runs {
      writer.append(decimal: run.lowerBound)
      writer.append(0x20)
      writer.append(decimal: run.count)
      writer.append(0x0A)
      for number in run {
        guard let entry = entries[number] else {
          writer.append("0000000000 65535 f \n")
          continue
        }
        writer.append(decimal: entry.offset, width: 10)
        writer.append(0x20)
        writer.append(decimal: entry.generation, width: 5)
        writer.append(" n \n")
      }
    }
    var trailer = trailer
    trailer["Size"] = .integer(next)
    writer.append("trailer\n")
    writer.append(contentsOf: ObjectSerializer.bytes(of: .dictionary(trailer)))
    writer.append(0x0A)
    pending += writer.bytes
  }

  private mutating func writeStream(trailer: PDFDictionary, start: Int) {
    let own = reserve()
    entries[own.number] = (0, start)
    let runs = runs(of: Array(entries.keys))
    var rows: [UInt8] = []
    for number in runs.joined() {
      guard let entry = entries[number] else { continue }
      rows.append(1)
      rows += bigEndian(entry.offset).suffix(5)
      rows += bigEndian(UInt16(truncatingIfNeeded: entry.generation))
    }
    var dictionary = trailer
    dictionary["Type"] = .name("XRef")
    dictionary["Size"] = .integer(next)
    dictionary["W"] = .numbers(1, 5, 2)
    dictionary["Index"] = .array(
      runs.flatMap { [.integer($0.lowerBound), .integer($0.count)] })
    var serializer = ObjectSerializer()
    serializer.write(.stream(.compressed(dictionary, bytes: rows)), as: own)
    pending += serializer.writer.bytes
  }
}
