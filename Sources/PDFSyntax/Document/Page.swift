/// One page with its inherited attributes (PDF 32000-1, 7.7.3.3).
public struct Page {
  /// The page object; nil where it is direct, which is against the standard.
  public let reference: PDFReference?
  /// The page object (7.7.3.3), without what it inherits.
  public let dictionary: PDFDictionary
  /// The number of the page in the document, from 1.
  public let number: Int
  /// What its content names: fonts, forms, images (7.8.3); its own or inherited.
  public let resources: PDFDictionary
  /// In user space; US letter where the file gives none.
  public let mediaBox: Rectangle
  /// What is shown of the page, inside the media box.
  public let cropBox: Rectangle
  /// The clockwise rotation at which the page is shown: 0, 90, 180 or 270.
  public let rotation: Int

  /// The width of the page as shown, in points.
  public var width: Double { rotation % 180 == 0 ? cropBox.width : cropBox.height }
  /// The height of the page as shown, in points.
  public var height: Double { rotation % 180 == 0 ? cropBox.height : cropBox.width }

  init(
    reference: PDFReference?, dictionary: PDFDictionary, inherited: InheritedAttributes,
    number: Int, file: PDFFile
  ) {
    self.reference = reference
    self.dictionary = dictionary
    self.number = number
    let attributes = inherited.overridden(by: dictionary)
    resources = file.resolve(attributes.resources).dictionary ?? PDFDictionary()
    func box(_ object: PDFObject?) -> Rectangle? {
      guard let numbers = file.resolve(object).array?.map({ file.resolve($0).number ?? 0 }),
        let box = Rectangle(numbers), !box.isEmpty
      else { return nil }
      return box
    }
    let letter = Rectangle(x0: 0, y0: 0, x1: 612, y1: 792)
    let mediaBox = box(attributes.mediaBox) ?? letter
    self.mediaBox = mediaBox
    cropBox = box(attributes.cropBox).flatMap { $0.intersection(mediaBox) } ?? mediaBox
    let degrees = file.resolve(attributes.rotate).number ?? 0
    let quarter = degrees.magnitude < 1e6 ? Int((degrees / 90).rounded()) : 0
    rotation = ((quarter % 4) + 4) % 4 * 90
  }

  /// The content streams in order (7.7.3.3); they are to be read as if joined by white space.
  public func contents(_ file: PDFFile) -> [PDFStream] {
    switch file.resolve(dictionary["Contents"]) {
    case .stream(let stream): [stream]
    case .array(let items):
      file.spend(64 * min(items.count, 100_000))
        ? items.prefix(100_000).compactMap { file.resolve($0).stream } : []
    default: []
    }
  }

  /// Says so where content streams are gone from a file that had to be searched for its objects; in a
  /// sound file a reference that leads nowhere is the null object (7.3.10).
  private func noteMissingContents(_ file: PDFFile) {
    guard file.wasRebuilt else { return }
    let declared = dictionary["Contents"]
    var parts = [declared]
    if let items = file.resolve(declared).array { parts = items.prefix(100_000).map { $0 } }
    let isMissing = parts.contains { $0?.reference != nil && file.resolve($0).isNull }
    if isMissing {
      file.diagnostics.add(.lost, "the content of page \(number) is missing", object: reference)
    }
  }

  /// The decoded bytes of all content streams, joined by line feeds.
  ///
  /// - Parameters:
  ///   - file: that of the page; what is missing is told in its diagnostics.
  ///   - limit: the bytes to stop at, for all streams together.
  public func content(_ file: PDFFile, limit: Int) -> [UInt8] {
    var result: [UInt8] = []
    noteMissingContents(file)
    for stream in contents(file) {
      guard result.count < limit else {
        file.diagnostics.add(.lost, "the content of page \(number) is too large", object: reference)
        break
      }
      let decoded = file.decode(stream, limit: limit - result.count)
      // A stream that some image filter encodes is no content.
      if let filter = decoded.pending {
        file.diagnostics.add(
          .lost,
          "the content of page \(number) is encoded by \(filter.display.prefix(64)), "
            + "which gives no text", object: reference)
        continue
      }
      if !decoded.isComplete {
        file.diagnostics.add(.lost, "the content of page \(number) is damaged", object: reference)
      }
      if result.isEmpty {
        result = decoded.bytes
      } else {
        result.append(0x0A)
        result += decoded.bytes
      }
    }
    return result
  }
}

/// The attributes that pages inherit from the nodes of the page tree (7.7.3.4).
struct InheritedAttributes {
  var resources: PDFObject?
  var mediaBox: PDFObject?
  var cropBox: PDFObject?
  var rotate: PDFObject?

  func overridden(by dictionary: PDFDictionary) -> InheritedAttributes {
    InheritedAttributes(
      resources: dictionary["Resources"] ?? resources,
      mediaBox: dictionary["MediaBox"] ?? mediaBox, cropBox: dictionary["CropBox"] ?? cropBox,
      rotate: dictionary["Rotate"] ?? rotate)
  }
}
