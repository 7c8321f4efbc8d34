internal import PDFSyntax
internal import PDFText

/// The picture of a page, ready to be shown by a browser.
struct PagePicture: Sendable, Equatable {
  /// A JPEG file.
  var jpeg: [UInt8]
  /// Its pixels as shown.
  var width: Int
  var height: Int
  /// What it covers of the page as shown, in points from the top left.
  var box: TextPage.Box

  /// Where a word stands in the picture: left, top, width and height in thousandths of it.
  func place(of word: TextPage.Box) -> [Int] {
    let (wide, high) = (max(box.x1 - box.x0, 1), max(box.y1 - box.y0, 1))
    func share(_ value: Double, of whole: Double) -> Int {
      Int((min(max(value / whole, 0), 1) * 1000).rounded())
    }
    let left = share(word.x0 - box.x0, of: wide), top = share(word.y0 - box.y0, of: high)
    return [
      left, top, share(word.x1 - box.x0, of: wide) - left, share(word.y1 - box.y0, of: high) - top,
    ]
  }
}

extension PagePicture {
  /// The picture of a page that is one JPEG and nothing that is seen beside it; nil for others, which
  /// are drawn (``PageDrawing``).
  init?(page index: Int, of extractor: TextExtractor, most: Int) {
    guard let drawn = extractor.pageFillingImage(index),
      // Of layers laid over each other, one alone would lack what the others show.
      extractor.images(index).allSatisfy({
        $0.reference == drawn.reference || Self.area($0.box) < 0.05 * Self.area(drawn.box)
      }),
      extractor.seenText(index)?.isEmpty != false,
      let turn = Self.turn(drawn.matrix)
    else { return nil }
    let dictionary = drawn.stream.dictionary
    // What the PDF changes about the picture, a browser would not know.
    guard dictionary["Decode"] == nil, dictionary["SMask"] == nil, dictionary["Mask"] == nil
    else { return nil }
    let decoded = extractor.file.decode(drawn.stream, limit: most)
    guard decoded.isComplete, decoded.pending == "DCTDecode" || decoded.pending == "DCT",
      decoded.bytes.count <= most, let picture = JPEGCopy(decoded.bytes, turn: turn)
    else { return nil }
    jpeg = picture.bytes
    (width, height) = turn > 4 ? (picture.height, picture.width) : (picture.width, picture.height)
    let box = drawn.box
    self.box = TextPage.Box(x0: box.x0, y0: box.y0, x1: box.x1, y1: box.y1)
  }

  private static func area(_ box: Rectangle) -> Double { box.width * box.height }

  /// How the stored picture is turned and mirrored for the page, as EXIF counts it; nil where it stands askew.
  ///
  /// - Parameter matrix: from the unit square, whose y goes up, to the page as shown, whose y goes down.
  static func turn(_ matrix: Matrix) -> Int? {
    let (right, down) = ((matrix.a, matrix.b), (-matrix.c, -matrix.d))
    func isLevel(_ along: Double, _ across: Double) -> Bool { abs(across) < 0.05 * abs(along) }
    if isLevel(right.0, right.1), isLevel(down.1, down.0) {
      return right.0 > 0 ? (down.1 > 0 ? 1 : 4) : (down.1 > 0 ? 2 : 3)
    }
    if isLevel(right.1, right.0), isLevel(down.0, down.1) {
      return down.0 > 0 ? (right.1 > 0 ? 5 : 8) : (right.1 > 0 ? 6 : 7)
    }
    return nil
  }
}

/// A JPEG file without what its camera said of it, and with the turn that its page gives it: a PDF goes by
/// its page alone, a browser by the picture's own mark.
struct JPEGCopy {
  var bytes: [UInt8] = [0xFF, 0xD8]
  var width = 0
  var height = 0

  /// - Parameter turn: 1 to 8 as in EXIF (JEITA CP-3451, tag 274).
  /// - Returns: nil where a browser may show other colors than a PDF reader, or nothing.
  init?(_ file: [UInt8], turn: Int) {
    guard file.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
    if turn != 1 { bytes += Self.exif(turn) }
    var place = 2
    while place + 4 <= file.count {
      guard file[place] == 0xFF else { return nil }
      let marker = file[place + 1]
      if marker == 0xFF {
        place += 1
        continue
      }
      let end = place + 2 + Int(file[place + 2]) << 8 + Int(file[place + 3])
      guard end <= file.count, end >= place + 4 else { return nil }
      switch marker {
      // EXIF, XMP, notes of programs, comments.
      case 0xE1, 0xE3...0xED, 0xEF, 0xFE: break
      case 0xC0...0xC2:
        guard end - place >= 10, [1, 3].contains(file[place + 9]) else { return nil }
        height = Int(file[place + 5]) << 8 + Int(file[place + 6])
        width = Int(file[place + 7]) << 8 + Int(file[place + 8])
        bytes += file[place..<end]
      case 0xDA:
        guard width > 0, height > 0 else { return nil }
        bytes += file[place...]
        return
      default: bytes += file[place..<end]
      }
      place = end
    }
    return nil
  }

  private static func exif(_ turn: Int) -> [UInt8] {
    [0xFF, 0xE1, 0, 0x22] + Array("Exif".utf8)
      + [0, 0, 0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1]
      + [0, UInt8(clamping: turn), 0, 0, 0, 0, 0, 0]
  }
}
