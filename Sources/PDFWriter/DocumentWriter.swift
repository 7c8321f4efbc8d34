internal import Bytes
public import PDFSyntax

/// Writes a new PDF file object by object (PDF 32000-1, 7.5), with a cross-reference table.
///
/// Objects are serialised as they are added. ``takeBytes()`` hands out what was written so far, so
/// that a long document need not be held in memory. The same calls give the same bytes: there is no
/// clock and no chance in them.
///
///     var document = DocumentWriter()
///     let pages = document.reserve()
///     ...
///     document.finish(root: catalog)
///     file.append(document.takeBytes())
public struct DocumentWriter: ObjectSink, Sendable {
  private var pending: [UInt8] = []
  private var written = 0
  private var identifier = FileIdentifier()
  /// The offset of each object by number - 1; nil while it is only reserved.
  private var offsets: [Int?] = []

  /// - Parameter version: the version in the header, `1.7` as a rule.
  public init(version: String = "1.7") {
    pending.append(contentsOf: "%PDF-\(version)\n".utf8)
    // A comment of bytes over 127 tells transfer programs that the file is binary (7.5.2).
    pending.append(contentsOf: [0x25, 0xE2, 0xE3, 0xCF, 0xD3, 0x0A])
  }

  /// The number of objects added or reserved so far.
  public var objectCount: Int { offsets.count }

  /// A number for an object that is added later.
  public mutating func reserve() -> PDFReference {
    offsets.append(nil)
    return PDFReference(offsets.count)
  }

  /// Writes the object for which a number was reserved. Numbers this writer did not give out, and
  /// those that have their object already, are left alone.
  public mutating func put(_ object: PDFObject, as reference: PDFReference) {
    let index = reference.number - 1
    guard offsets.indices.contains(index), offsets[index] == nil else { return }
    offsets[index] = written + pending.count
    var serializer = ObjectSerializer()
    serializer.write(object, as: reference)
    pending.append(contentsOf: serializer.writer.bytes)
  }

  /// Hands out the bytes written since the last call, in file order.
  public mutating func takeBytes() -> [UInt8] {
    defer { pending = [] }
    written += pending.count
    identifier.add(pending)
    return pending
  }

  /// Writes the cross-reference table and the trailer. Reserved objects without content are free.
  ///
  /// - Parameters:
  ///   - root: the catalog.
  ///   - info: the document information dictionary, if any.
  public mutating func finish(root: PDFReference, info: PDFReference? = nil) {
    var sum = identifier
    sum.add(pending)
    let start = written + pending.count
    var writer = ByteWriter(reserving: offsets.count * 20 + 200)
    writer.append("xref\n0 ")
    writer.append(decimal: offsets.count + 1)
    writer.append("\n0000000000 65535 f \n")
    for offset in offsets {
      writer.append(decimal: offset ?? 0, width: 10)
      if offset == nil { writer.append(" 00001 f \n") } else { writer.append(" 00000 n \n") }
    }
    var trailer: PDFDictionary = [
      "Size": .integer(offsets.count + 1), "Root": .reference(root),
    ]
    if let info { trailer["Info"] = .reference(info) }
    trailer["ID"] = .array([.string(sum.bytes), .string(sum.bytes)])
    writer.append("trailer\n")
    writer.append(contentsOf: ObjectSerializer.bytes(of: .dictionary(trailer)))
    writer.append("\nstartxref\n")
    writer.append(decimal: start)
    writer.append("\n%%EOF\n")
    pending.append(contentsOf: writer.bytes)
  }
}
