/// Writes small PDF files for tests: objects as text, with a classic cross-reference table.
public struct PDFBuilder {
  private var objects: [Int: [UInt8]] = [:]
  private var next = 1

  /// A file without objects.
  public init() {}

  /// Adds an object by its text and answers its number.
  @discardableResult
  public mutating func add(_ text: String) -> Int { add(bytes: Array(text.utf8)) }

  /// Adds a stream with a correct length; `entries` go into its dictionary.
  @discardableResult
  public mutating func addStream(_ bytes: [UInt8], entries: String = "") -> Int {
    add(
      bytes: Array("<</Length \(bytes.count) \(entries)>>\nstream\n".utf8) + bytes
        + Array("\nendstream".utf8))
  }

  private mutating func add(bytes: [UInt8]) -> Int {
    defer { next += 1 }
    objects[next] = bytes
    return next
  }

  /// Puts another text in the place of an object.
  public mutating func replace(_ number: Int, _ text: String) {
    objects[number] = Array(text.utf8)
  }

  /// The whole file.
  public func file(root: Int, trailer: String = "") -> [UInt8] {
    var bytes = Array("%PDF-1.7\n".utf8)
    var offsets: [Int] = []
    for number in 1..<next {
      offsets.append(bytes.count)
      bytes += Array("\(number) 0 obj\n".utf8) + (objects[number] ?? []) + Array("\nendobj\n".utf8)
    }
    let start = bytes.count
    bytes += Array("xref\n0 \(next)\n0000000000 65535 f \n".utf8)
    for offset in offsets {
      let digits = String(offset)
      let padded = String(repeating: "0", count: 10 - digits.count) + digits
      bytes += Array("\(padded) 00000 n \n".utf8)
    }
    bytes += Array(
      "trailer\n<</Size \(next) /Root \(root) 0 R \(trailer)>>\nstartxref\n\(start)\n%%EOF\n".utf8)
    return bytes
  }

  /// A file with one page for each content stream, all with the font F1, Helvetica in WinAnsi.
  public static func pages(_ contents: [String], page: String = "") -> [UInt8] {
    var builder = PDFBuilder()
    let catalog = builder.add("")
    let tree = builder.add("")
    let font = builder.add(
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    builder.replace(catalog, "<</Type/Catalog/Pages \(tree) 0 R>>")
    var kids = ""
    for content in contents {
      let stream = builder.addStream(Array(content.utf8))
      let kid = builder.add(
        "<</Type/Page/Parent \(tree) 0 R/Contents \(stream) 0 R"
          + "/Resources<</Font<</F1 \(font) 0 R>>>>\(page)>>")
      kids += "\(kid) 0 R "
    }
    builder.replace(
      tree, "<</Type/Pages/Kids[\(kids)]/Count \(contents.count)/MediaBox[0 0 612 792]>>")
    return builder.file(root: catalog)
  }

  /// A content stream that shows lines of text from the top of the page.
  public static func lines(_ lines: [String], size: Int = 12) -> String {
    let shown = lines.map { "(\($0)) Tj T*" }.joined(separator: "\n")
    return "BT /F1 \(size) Tf \(size + 4) TL 72 720 Td\n\(shown)\nET"
  }
}
