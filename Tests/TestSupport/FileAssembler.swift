/// Puts PDF files together piece by piece, sound or not: bodies, object streams, cross-reference
/// tables and streams, several sections one behind the other.
public struct FileAssembler {
  /// What was put together so far.
  public private(set) var bytes: [UInt8]
  /// Where each object was written last.
  public private(set) var offsets: [Int: Int] = [:]

  /// A file that begins with a header; `""` for a piece without one.
  public init(header: String = "%PDF-1.7\n") { bytes = Array(header.utf8) }

  /// Appends a text as it stands, in UTF-8.
  public mutating func append(_ text: String) { bytes += Array(text.utf8) }
  /// Appends bytes as they stand.
  public mutating func append(_ more: [UInt8]) { bytes += more }

  /// Writes an object of generation 0 by its text, and notes where.
  public mutating func object(_ number: Int, _ text: String) {
    offsets[number] = bytes.count
    append("\(number) 0 obj\n\(text)\nendobj\n")
  }

  /// - Parameter length: what stands behind `Length`; the right number if nil.
  public mutating func stream(
    _ number: Int, _ content: [UInt8], entries: String = "", length: String? = nil
  ) {
    offsets[number] = bytes.count
    append("\(number) 0 obj\n<</Length \(length ?? String(content.count)) \(entries)>>\nstream\n")
    append(content)
    append("\nendstream\nendobj\n")
  }

  /// The same for content that is a text.
  public mutating func stream(
    _ number: Int, _ content: String, entries: String = "", length: String? = nil
  ) {
    stream(number, Array(content.utf8), entries: entries, length: length)
  }

  /// Writes objects of generation 0 in a stream (PDF 32000-1, 7.5.7), in this order, uncompressed.
  public mutating func objectStream(_ number: Int, _ objects: [(number: Int, text: String)]) {
    var head = ""
    var body = ""
    for object in objects {
      head += "\(object.number) \(body.utf8.count) "
      body += object.text + " "
    }
    stream(
      number, head + body,
      entries: "/Type/ObjStm/N \(objects.count)/First \(head.utf8.count)")
  }

  /// What a cross-reference section says of an object.
  public enum Entry {
    case used(Int)
    case free
    case compressed(stream: Int, index: Int)
  }

  /// The entries of objects where they were written last.
  public func used(_ numbers: some Sequence<Int>) -> [Int: Entry] {
    var result: [Int: Entry] = [:]
    for number in numbers { result[number] = .used(offsets[number] ?? 0) }
    return result
  }

  /// Writes a table with one subsection for each entry, and answers where it begins.
  @discardableResult
  public mutating func table(_ entries: [Int: Entry], trailer: String) -> Int {
    let start = bytes.count
    append("xref\n")
    for (number, entry) in entries.sorted(by: { $0.key < $1.key }) {
      append("\(number) 1\n")
      switch entry {
      case .used(let offset): append("\(padded(offset)) 00000 n \n")
      default: append("0000000000 \(number == 0 ? "65535" : "00001") f \n")
      }
    }
    append("trailer\n<<\(trailer)>>\n")
    return start
  }

  /// Writes a cross-reference stream as object `number`, and answers where it begins.
  @discardableResult
  public mutating func crossReferenceStream(
    _ number: Int, _ entries: [Int: Entry], trailer: String
  ) -> Int {
    let start = bytes.count
    var all = entries
    all[number] = .used(start)
    var index = ""
    var data: [UInt8] = []
    for (number, entry) in all.sorted(by: { $0.key < $1.key }) {
      index += "\(number) 1 "
      let fields: (Int, Int, Int) =
        switch entry {
        case .used(let offset): (1, offset, 0)
        case .free: (0, 0, 1)
        case .compressed(let stream, let index): (2, stream, index)
        }
      data.append(UInt8(fields.0))
      for shift in [16, 8, 0] { data.append(UInt8(truncatingIfNeeded: fields.1 >> shift)) }
      data.append(UInt8(truncatingIfNeeded: fields.2))
    }
    stream(number, data, entries: "/Type/XRef/W[1 3 1]/Index[\(index)]\(trailer)")
    return start
  }

  /// The last lines of a section.
  public mutating func end(_ start: Int) { append("startxref\n\(start)\n%%EOF\n") }

  /// A catalog, a tree with one page and a font (objects 1, 2, 3 and 5); the page's content is
  /// object 4, which is left to be written.
  public mutating func page(_ entries: String = "/Contents 4 0 R") {
    object(1, Self.catalog)
    object(2, Self.tree)
    object(3, Self.leaf(entries))
    object(5, Self.font)
  }

  /// The catalog of ``page(_:)``, whose page tree is object 2.
  public static let catalog = "<</Type/Catalog/Pages 2 0 R>>"
  /// The page tree of ``page(_:)``: one page, object 3, of 612 by 792 points.
  public static let tree = "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 612 792]>>"
  /// The font of ``page(_:)``, Helvetica.
  public static let font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
  /// The page of ``page(_:)``: its font F1 is object 5.
  public static func leaf(_ entries: String = "/Contents 4 0 R") -> String {
    "<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 5 0 R>>>>\(entries)>>"
  }

  /// A content stream with one line of text.
  public static func line(_ text: String) -> String { "BT /F1 12 Tf 72 700 Td (\(text)) Tj ET" }

  private func padded(_ value: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, 10 - digits.count)) + digits
  }
}
