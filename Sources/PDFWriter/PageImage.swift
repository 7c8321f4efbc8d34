public import PDFSyntax

/// One raster image as it is stored in a file (PDF 32000-1, 8.9.5): its coded bytes and how to read
/// them.
public struct PageImage: Sendable, Codable {
  /// How the samples are coded. All keep the samples exactly.
  public enum Coding: Sendable, Codable, Equatable {
    /// A whole JPEG file, carried over byte for byte. Adobe's CMYK files are `inverted`.
    case jpeg(inverted: Bool)
    /// A whole JPEG 2000 file, carried over byte for byte; it names its own colours.
    case jpeg2000
    /// Bilevel rows in ITU-T T.6 (CCITT Group 4); `blackIs1` as in CCITTFaxDecode.
    case group4(blackIs1: Bool)
    /// Bilevel rows as the segments of one JBIG2 page (ITU-T T.88).
    case jbig2
    /// zlib data of rows that each begin with the tag of a PNG filter, as in a PNG file.
    case png
    /// Plain rows, compressed here.
    case samples
  }

  /// How samples become colours.
  public enum Colour: Sendable, Codable, Equatable {
    case gray
    case rgb
    case cmyk
    /// Indices into red, green, blue triples, three bytes each.
    case indexed([UInt8])

    /// Samples per pixel.
    public var components: Int {
      switch self {
      case .gray, .indexed: 1
      case .rgb: 3
      case .cmyk: 4
      }
    }
  }

  /// Columns, in pixels.
  public var width: Int
  /// Rows, in pixels.
  public var height: Int
  /// Bits of one sample: 1, 2, 4, 8 or 16. Not written for JPEG 2000, which states its own.
  public var bitsPerComponent: Int
  /// How many samples a pixel has, and what color they mean.
  public var colour: Colour
  /// What ``bytes`` hold.
  public var coding: Coding
  /// The coded samples.
  public var bytes: [UInt8] = []

  /// What is written of it as text; its bytes stand elsewhere.
  private enum CodingKeys: CodingKey { case width, height, bitsPerComponent, colour, coding }

  /// - Parameters:
  ///   - width: in pixels.
  ///   - height: in pixels.
  ///   - bitsPerComponent: 1, 2, 4, 8 or 16.
  ///   - colour: how the samples become colors.
  ///   - coding: what the bytes are.
  ///   - bytes: the coded samples.
  public init(
    width: Int, height: Int, bitsPerComponent: Int, colour: Colour, coding: Coding, bytes: [UInt8]
  ) {
    (self.width, self.height, self.bitsPerComponent) = (width, height, bitsPerComponent)
    (self.colour, self.coding, self.bytes) = (colour, coding, bytes)
  }

  /// Why PDF/A-2 does not allow the image without further proof of its colours; nil where it does.
  public var archiveObstacle: ArchiveObstacle? {
    if coding == .jpeg2000 { return .jpeg2000 }
    return colour == .cmyk ? .cmyk : nil
  }

  /// The image XObject.
  public var stream: PDFStream {
    var dictionary: PDFDictionary = [
      "Type": .name("XObject"), "Subtype": .name("Image"), "Width": .integer(width),
      "Height": .integer(height),
    ]
    if coding != .jpeg2000 {
      dictionary["ColorSpace"] = colourSpace
      dictionary["BitsPerComponent"] = .integer(bitsPerComponent)
    }
    switch coding {
    case .jpeg(let inverted):
      dictionary["Filter"] = .name("DCTDecode")
      if inverted { dictionary["Decode"] = .numbers(1, 0, 1, 0, 1, 0, 1, 0) }
    case .jpeg2000: dictionary["Filter"] = .name("JPXDecode")
    case .group4(let blackIs1):
      dictionary["Filter"] = .name("CCITTFaxDecode")
      var parameters: PDFDictionary = [
        "K": .integer(-1), "Columns": .integer(width), "Rows": .integer(height),
      ]
      if blackIs1 { parameters["BlackIs1"] = .boolean(true) }
      dictionary["DecodeParms"] = .dictionary(parameters)
    case .jbig2: dictionary["Filter"] = .name("JBIG2Decode")
    case .png:
      dictionary["Filter"] = .name("FlateDecode")
      dictionary["DecodeParms"] = .dictionary([
        "Predictor": .integer(15), "Colors": .integer(colour.components),
        "BitsPerComponent": .integer(bitsPerComponent), "Columns": .integer(width),
      ])
    case .samples: return .compressed(dictionary, bytes: bytes)
    }
    return PDFStream(dictionary, bytes: bytes)
  }

  private var colourSpace: PDFObject {
    switch colour {
    case .gray: .name("DeviceGray")
    case .rgb: .name("DeviceRGB")
    case .cmyk: .name("DeviceCMYK")
    case .indexed(let palette):
      .array([
        .name("Indexed"), .name("DeviceRGB"), .integer(max(0, palette.count / 3 - 1)),
        .string(palette),
      ])
    }
  }
}
