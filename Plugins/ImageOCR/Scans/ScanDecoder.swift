internal import CTesseract
internal import ImageHeaders
internal import PDFSyntax

/// Decodes the picture of a scanned page to grey or bilevel pixels.
struct ScanDecoder {
  let file: PDFFile
  let limits: OCRLimits

  /// - Returns: the picture in grey, or in its colours where it is damaged and something of it could be
  ///   decoded; nil where nothing could, or where it is coded in a way that is not known.
  /// - Throws: ``OCRFailure`` with the code `limit.pixels`.
  func decode(
    _ picture: PageContent.Picture, page: Int
  ) throws(OCRFailure) -> PixelDecoder.Decoded? {
    let dictionary = picture.stream.dictionary
    try limits.check(
      width: file.integer(dictionary, "Width") ?? 0,
      height: file.integer(dictionary, "Height") ?? 0, page: page)
    let decoded = file.decode(picture.stream)
    let pixels: Pixels?
    switch decoded.pending {
    case "DCTDecode", "DCT": return try whole(decoded.bytes, format: .jpeg, page: page)
    case "JPXDecode": return try whole(decoded.bytes, format: .jpeg2000, page: page)
    case nil:
      pixels = SampleReader(dictionary, resources: picture.resources, file: file)?
        .pixels(decoded.bytes)
    case "CCITTFaxDecode", "CCF": pixels = fax(decoded, dictionary)
    case "JBIG2Decode": pixels = jbig2(decoded, dictionary)
    default: pixels = nil
    }
    guard let pixels else { return nil }
    return PixelDecoder.Decoded(pixels: pixels, isDamaged: false)
  }

  private func jbig2(_ decoded: DecodedStream, _ dictionary: PDFDictionary) -> Pixels? {
    guard let width = file.integer(dictionary, "Width"),
      let height = file.integer(dictionary, "Height"), width > 0, height > 0
    else { return nil }
    let globals = decoded.pendingParameters.flatMap {
      file.resolve($0["JBIG2Globals"]).stream
    }.map { file.decode($0).bytes }
    var decoder = JBIG2Decoder(width: width, height: height)
    guard let bitmap = decoder.decode(decoded.bytes, globals: globals) else { return nil }
    let decode = file.numbers(dictionary, "Decode")
    return SampleReader.pixels(
      bitmap, isInverted: decode.map { $0.count >= 2 && $0[0] > $0[1] } ?? false)
  }

  /// A picture that is a file of its own, with limits checked against its own header.
  private func whole(
    _ bytes: [UInt8], format: ImageFormat, page: Int
  ) throws(OCRFailure) -> PixelDecoder.Decoded? {
    guard let header = ImageHeader.read(bytes.span), header.format == format,
      let first = header.pages.first
    else { return nil }
    try limits.check(width: first.width, height: first.height, page: page)
    return PixelDecoder.decode(bytes.span, format: format, page: first, onlyLuminance: true)
  }

  private func fax(_ decoded: DecodedStream, _ dictionary: PDFDictionary) -> Pixels? {
    guard let width = file.integer(dictionary, "Width"),
      let height = file.integer(dictionary, "Height")
    else { return nil }
    let columns = decoded.pendingParameters?.integer("Columns") ?? 1728
    guard columns > 0, columns <= limits.side else { return nil }
    let wrapped = FaxFile.bytes(
      decoded.bytes, parameters: decoded.pendingParameters, width: width, height: height)
    guard let header = ImageHeader.read(wrapped.span), let page = header.pages.first,
      let unpacked = PixelDecoder.decode(wrapped.span, format: .tiff, page: page)
    else { return nil }
    let pixels = unpacked.pixels
    let decode = file.numbers(dictionary, "Decode")
    let isInverted = decode.map { $0.count >= 2 && $0[0] > $0[1] } ?? false
    let blackIs1 = decoded.pendingParameters?.boolean("BlackIs1") ?? false
    if isInverted != blackIs1 { return unsafe Pixels(taking: pixInvert(nil, pixels.pix)) }
    return pixels
  }
}
