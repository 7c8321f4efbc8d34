internal import Bytes
internal import ImageHeaders
internal import PDFSyntax
internal import PluginKit

/// Decodes the images of PDF pages to grey or bilevel pixels.
struct ScanDecoder {
  let file: PDFFile
  let limits: OCRLimits

  /// Decodes an image.
  ///
  /// - Parameter stream: an image XObject or an inline image with its keys in full.
  /// - Returns: the picture in grey, or in its colours where it is a damaged JPEG and something of it
  ///   could be decoded; a stencil black where it paints. Nil where nothing could be decoded, or where it
  ///   is coded in a way that is not known.
  /// - Throws: ``PluginFailure`` with the code `limit.pixels`.
  func decode(
    _ stream: PDFStream, resources: PDFDictionary, page: Int
  ) throws(PluginFailure) -> PixelDecoder.Decoded? {
    let dictionary = stream.dictionary
    try limits.check(
      width: file.integer(dictionary, "Width") ?? 0,
      height: file.integer(dictionary, "Height") ?? 0, page: page)
    let decoded = file.decode(stream)
    var made = try picture(of: decoded, dictionary, resources: resources, page: page)
    if decoded.isBroken { made?.isDamaged = true }
    return made
  }

  private func picture(
    of decoded: DecodedStream, _ dictionary: PDFDictionary, resources: PDFDictionary, page: Int
  ) throws(PluginFailure) -> PixelDecoder.Decoded? {
    switch decoded.pending {
    case "DCTDecode", "DCT":
      return try jpeg(decoded.bytes, dictionary, resources: resources, page: page)
    case "JPXDecode":
      return try jpeg2000(decoded.bytes, dictionary, resources: resources, page: page)
    case nil:
      guard let reader = SampleReader(dictionary, resources: resources, file: file),
        let pixels = reader.pixels(decoded.bytes)
      else { return nil }
      return PixelDecoder.Decoded(pixels: pixels, rows: reader.rows(of: decoded))
    case "CCITTFaxDecode", "CCF": return fax(decoded, dictionary, resources: resources)
    case "JBIG2Decode": return jbig2(decoded, dictionary, resources: resources)
    default: return nil
    }
  }

  /// An image in color where it is a JPEG with colored ink; one that was decoded before, so that it is within the limits.
  func colored(_ stream: PDFStream) -> Pixels? {
    let decoded = file.decode(stream)
    guard decoded.pending == "DCTDecode" || decoded.pending == "DCT",
      let header = ImageHeader.read(decoded.bytes.span), header.format == .jpeg,
      let page = header.pages.first
    else { return nil }
    return ColoredInk.picture(ofJPEG: decoded.bytes.span, page: page)
  }

  private func jbig2(
    _ decoded: DecodedStream, _ dictionary: PDFDictionary, resources: PDFDictionary
  ) -> PixelDecoder.Decoded? {
    guard
      let reader = SampleReader(
        dictionary, resources: resources, file: file, bitsPerComponent: 1)
    else { return nil }
    let globals = decoded.pendingParameters.flatMap {
      file.resolve($0["JBIG2Globals"]).stream
    }.map { file.decode($0).bytes }
    var decoder = JBIG2Decoder(width: reader.width, height: reader.height)
    guard let bitmap = decoder.decode(decoded.bytes, globals: globals),
      let pixels = reader.pixels(bitmap)
    else { return nil }
    return PixelDecoder.Decoded(pixels: pixels, isDamaged: decoder.damage != nil)
  }

  private func fax(
    _ decoded: DecodedStream, _ dictionary: PDFDictionary, resources: PDFDictionary
  ) -> PixelDecoder.Decoded? {
    guard
      let reader = SampleReader(
        dictionary, resources: resources, file: file, bitsPerComponent: 1)
    else { return nil }
    let parameters = decoded.pendingParameters
    let columns = parameters?.integer("Columns") ?? 1728
    let (area, overflow) = columns.multipliedReportingOverflow(by: reader.height)
    guard columns > 0, columns <= limits.side, !overflow, area <= limits.pixels else {
      return nil
    }
    var decoder = FaxDecoder(
      decoded.bytes, in: 0..<decoded.bytes.count,
      FaxDecoder.Parameters(
        k: parameters?.integer("K") ?? 0, columns: columns,
        isByteAligned: parameters?.boolean("EncodedByteAlign") ?? false,
        hasEndsOfLine: parameters?.boolean("EndOfLine") ?? false))
    let result = decoder.decode(rows: reader.height)
    guard result.rows > 0 || !result.isDamaged else { return nil }
    let bitmap =
      columns == reader.width
      ? result.bitmap
      : result.bitmap.part(x: 0, y: 0, width: reader.width, height: reader.height)
    guard
      let pixels = reader.pixels(bitmap, blackIs1: parameters?.boolean("BlackIs1") ?? false)
    else { return nil }
    return PixelDecoder.Decoded(pixels: pixels, isDamaged: result.isDamaged)
  }

  // MARK: Files of their own

  /// The header of a picture that is a file of its own, held against the limits.
  private func header(
    _ bytes: [UInt8], format: ImageFormat, page: Int
  ) throws(PluginFailure) -> ImageHeader.Page? {
    guard let header = ImageHeader.read(bytes.span), header.format == format,
      let first = header.pages.first
    else { return nil }
    try limits.check(width: first.width, height: first.height, page: page)
    return first
  }

  private func jpeg(
    _ bytes: [UInt8], _ dictionary: PDFDictionary, resources: PDFDictionary, page: Int
  ) throws(PluginFailure) -> PixelDecoder.Decoded? {
    guard let header = try header(bytes, format: .jpeg, page: page) else { return nil }
    if header.components == 4 { return inks(bytes, dictionary, header) }
    guard
      let reader = SampleReader(
        dictionary, resources: resources, file: file, bitsPerComponent: 8, width: header.width,
        height: header.height)
    else { return nil }
    let isUsual =
      header.components == 1
      ? reader.isIdentity || reader.samplesPerPixel != 1
      : reader.samplesPerPixel != 3 || reader.isPlainRGB
    guard
      let decoded = PixelDecoder.decode(
        bytes.span, format: .jpeg, page: header, onlyLuminance: isUsual)
    else { return nil }
    if isUsual { return decoded }
    let isDamaged = decoded.isDamaged
    let samples = header.components == 1 ? decoded.pixels.lightness() : decoded.pixels.samples()
    guard samples.count == header.width * header.height * header.components,
      let pixels = reader.pixels(samples)
    else { return decoded }
    return PixelDecoder.Decoded(pixels: pixels, isDamaged: isDamaged)
  }

  /// A JPEG file of cyan, magenta, yellow and black.
  private func inks(
    _ bytes: [UInt8], _ dictionary: PDFDictionary, _ header: ImageHeader.Page
  ) -> PixelDecoder.Decoded? {
    let decode = file.numbers(dictionary, "Decode") ?? []
    let isInverted = decode.count >= 2 && decode[0] > decode[1]
    switch JPEGColours.inks(bytes, isInverted: isInverted) {
    case .once(let bytes):
      return PixelDecoder.decode(bytes.span, format: .jpeg, page: header)
    case .apart(let inkBytes, let black):
      guard let inks = PixelDecoder.decode(inkBytes.span, format: .jpeg, page: header),
        let key = PixelDecoder.decode(black.span, format: .jpeg, page: header)
      else { return nil }
      let light = inks.pixels.lightness()
      let dark = key.pixels.lightness()
      let isDamaged = inks.isDamaged || key.isDamaged
      guard light.count == dark.count, light.count == header.width * header.height,
        let pixels = Pixels.grey(
          width: header.width, height: header.height,
          { row, column in
            let place = row * header.width + column
            let ink = min(255, Int(light[place]) * 255 / 128)
            let black = min(255, Int(dark[place]) * 255 / 128)
            return UInt8(max(0, 255 - ink - black))
          })
      else { return nil }
      return PixelDecoder.Decoded(pixels: pixels, isDamaged: isDamaged)
    }
  }

  private func jpeg2000(
    _ bytes: [UInt8], _ dictionary: PDFDictionary, resources: PDFDictionary, page: Int
  ) throws(PluginFailure) -> PixelDecoder.Decoded? {
    guard let header = try header(bytes, format: .jpeg2000, page: page) else { return nil }
    let whole = PixelDecoder.decode(
      bytes.span, format: .jpeg2000, page: header, onlyLuminance: true)
    // The library does not know every order of boxes around the code.
    guard
      let decoded = whole
        ?? Self.codestream(bytes).flatMap({ code in
          PixelDecoder.decode(code.span, format: .jpeg2000, page: header, onlyLuminance: true)
        })
    else { return nil }
    // The file names its colours itself, unless the image does (7.4.9).
    guard dictionary["ColorSpace"] != nil, header.components == 1, decoded.pixels.depth == 8,
      let reader = SampleReader(
        dictionary, resources: resources, file: file, bitsPerComponent: 8,
        width: decoded.pixels.width, height: decoded.pixels.height),
      reader.samplesPerPixel == 1, !reader.isIdentity,
      let pixels = reader.pixels(decoded.pixels.samples())
    else { return decoded }
    return PixelDecoder.Decoded(pixels: pixels, isDamaged: decoded.isDamaged)
  }

  /// The code of a JPEG 2000 file without the boxes around it (ITU-T T.800, annex I).
  private static func codestream(_ bytes: [UInt8]) -> [UInt8]? {
    let span = bytes.span
    var offset = 0
    while let length = span.bigEndian32(at: offset).map(Int.init) {
      if span.matches("jp2c", at: offset + 4) { return Array(bytes[(offset + 8)...]) }
      guard length >= 8 else { return nil }
      offset += length
    }
    return nil
  }
}
