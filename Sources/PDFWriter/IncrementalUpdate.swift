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

    public init(
      length: Int, endsWithNewline: Bool, crossReferenceOffset: Int,
      hasCrossReferenceStream: Bool, trailer: PDFDictionary, highestNumber: Int
    ) {
      (self.length, self.endsWithNewline) = (length, endsWithNewline)
      self.crossReferenceOffset = crossReferenceOffset
      self.hasCrossReferenceStream = hasCrossReferenceStream
      (self.trailer, self.highestNumber) = (trailer, highestNumber)
    }
  }

  private let base: Base
  private var pending: [UInt8] = []
  private var next: Int
  private var entries: [Int: (generation: Int, offset: Int)] = [:]

  public init(of base: Base) {
    self.base = base
    next = max(base.highestNumber, (base.trailer.integer("Size") ?? 1) - 1, 0) + 1
    if !base.endsWithNewline { pending.append(0x0A) }
  }

  public mutating func reserve() -> PDFReference {
    defer { next += 1 }
    return PDFReference(next)
  }

  /// Writes an object that was reserved, or a new version of one of the original's.
  public mutating func put(_ object: PDFObject, as reference: PDFReference) {
    entries[reference.number] = (reference.generation, base.length + pending.count)
    var serializer = ObjectSerializer()
    serializer.write(object, as: reference)
    pending.append(contentsOf: serializer.writer.bytes)
  }

  /// The bytes to append to the original file.
  public consuming func finish() -> [UInt8] {
    var trailer: PDFDictionary = [:]
    for key: PDFName in ["Root", "Info", "ID", "Encrypt"] { trailer[key] = base.trailer[key] }
    renewIdentifier(in: &trailer)
    trailer["Prev"] = .integer(base.crossReferenceOffset)
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
    for run in runs(of: Array(entries.keys)) {
      writer.append(decimal: run.lowerBound)
      writer.append(0x20)
      writer.append(decimal: run.count)
      writer.append(0x0A)
      for number in run {
        guard let entry = entries[number] else { continue }
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
      for shift in stride(from: 32, through: 0, by: -8) {
        rows.append(UInt8(truncatingIfNeeded: entry.offset >> shift))
      }
      rows.append(UInt8(truncatingIfNeeded: entry.generation >> 8))
      rows.append(UInt8(truncatingIfNeeded: entry.generation))
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
