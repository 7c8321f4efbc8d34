internal import Bytes
public import PDFSyntax

/// A page that shows one image, with text to search and select over it.
public struct ImagePage: Sendable {
  /// The picture that the page shows.
  public var image: PageImage
  /// The width of the page in points.
  public var width: Double
  /// The height of the page in points.
  public var height: Double
  /// Leads from the unit square of the image to the page (PDF 32000-1, 8.9.5.1). The image may
  /// stand out of the page, which cuts it off.
  public var placement: Matrix
  /// What can be searched and selected over the picture; empty for none.
  public var text: TextLayer

  /// A page without text, unless it is given.
  public init(
    image: PageImage, width: Double, height: Double, placement: Matrix,
    text: TextLayer = TextLayer()
  ) {
    (self.image, self.width, self.height) = (image, width, height)
    (self.placement, self.text) = (placement, text)
  }
}

/// A new document of image pages, and of pages copied from others.
///
/// Pages are written as they are appended; take the bytes between, so that only one page at a time
/// is held in memory.
public struct ImageDocument: Sendable {
  private var writer: DocumentWriter
  private var font = InvisibleFont()
  private let fontReference: PDFReference
  private let pagesReference: PDFReference
  private var kids: [PDFObject] = []
  private var obstacle: ArchiveObstacle?

  /// A document without pages, PDF 1.7.
  public init() {
    writer = DocumentWriter()
    pagesReference = writer.reserve()
    fontReference = writer.reserve()
  }

  /// How many pages were appended.
  public var pageCount: Int { kids.count }

  /// Appends a page; its image and its content are written at once.
  ///
  /// - Parameter rotation: degrees clockwise by which viewers turn it, a multiple of 90 (7.7.3.3).
  public mutating func append(_ page: ImagePage, rotated rotation: Int = 0) {
    obstacle = obstacle ?? page.image.archiveObstacle
    let image = writer.add(.stream(page.image.stream))
    var content = ByteWriter(reserving: 200)
    content.append(contentsOf: page.text.ruleContent)
    content.append("q\n")
    let placement = page.placement
    for value in [placement.a, placement.b, placement.c, placement.d, placement.e, placement.f] {
      content.append(fixed: value, digits: 5)
      content.append(0x20)
    }
    content.append("cm\n/Im0 Do\nQ\n")
    content.append(contentsOf: page.text.content(font: &font, name: "F0"))
    let contents = writer.add(.stream(.compressed(bytes: content.bytes)))
    var resources: PDFDictionary = ["XObject": .dictionary(["Im0": .reference(image)])]
    if !page.text.isEmpty {
      resources["Font"] = .dictionary(["F0": .reference(fontReference)])
    }
    let added = writer.add(
      .dictionary([
        "Type": .name("Page"), "Parent": .reference(pagesReference),
        "MediaBox": .numbers(
          0, 0, Self.rounded(page.width), Self.rounded(page.height)),
        "Resources": .dictionary(resources), "Contents": .reference(contents),
        "Rotate": rotation == 0 ? .null : .integer(rotation),
      ]))
    kids.append(.reference(added))
  }

  /// Appends a copy of a page of another file.
  ///
  /// - Parameters:
  ///   - index: the page from 0.
  ///   - copier: knows the other file, and what was copied of it already.
  ///   - rotation: degrees clockwise by which it is turned more than it was, a multiple of 90.
  /// - Returns: false where there is no such page.
  public mutating func append(
    _ index: Int, of copier: inout PageCopier, rotated rotation: Int = 0
  ) -> Bool {
    guard
      let page = copier.copy(index, into: &writer, parent: pagesReference, rotated: rotation)
    else { return false }
    obstacle = obstacle ?? .copiedPage
    kids.append(.reference(page))
    return true
  }

  /// Hands out the bytes written since the last call, in file order.
  public mutating func takeBytes() -> [UInt8] { writer.takeBytes() }

  /// Writes fonts, page tree, metadata and cross-reference table.
  ///
  /// - Parameters:
  ///   - title: the document's title, or nil.
  ///   - date: the day of the document as YYYY-MM-DD, or nil.
  ///   - producer: the program that made it.
  ///   - language: the language of the text as a BCP 47 tag, or nil.
  ///   - files: what it carries.
  /// - Returns: why the document does not claim PDF/A-2b, or PDF/A-3b where it carries files; nil where it does.
  @discardableResult
  public mutating func finish(
    title: String? = nil, date: String? = nil, producer: String, language: String? = nil,
    files: [EmbeddedFile] = []
  ) -> ArchiveObstacle? {
    if font.isUsed { font.write(as: fontReference, to: &writer) }
    writer.put(
      .dictionary([
        "Type": .name("Pages"), "Kids": .array(kids), "Count": .integer(kids.count),
      ]), as: pagesReference)
    var catalog: PDFDictionary = [
      "Type": .name("Catalog"), "Pages": .reference(pagesReference),
    ]
    if let language { catalog["Lang"] = .string(Array(language.utf8)) }
    EmbeddedFile.write(files, into: &catalog, of: &writer)
    // PDF/A-2 has no place for files that are no PDF/A themselves (ISO 19005-2, 6.8).
    let metadata = MetadataWriter(
      title: title, date: date, producer: producer,
      archivePart: obstacle == nil ? files.isEmpty ? 2 : 3 : nil)
    let info = metadata.write(into: &catalog, of: &writer)
    let root = writer.add(.dictionary(catalog))
    writer.finish(root: root, info: info)
    return obstacle
  }

  /// Thousandths of a point are below what any device shows.
  private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
}
