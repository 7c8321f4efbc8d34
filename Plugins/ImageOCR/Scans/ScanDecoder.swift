internal import CTesseract
internal import ImageHeaders
internal import PDFSyntax

/// Decodes the picture of a scanned page to grey or bilevel pixels.
struct ScanDecoder {
  let file: PDFFile
  let limits: OCRLimits

  /// - Returns: nil where the picture is damaged or coded in a way that is not known.
  /// - Throws: ``OCRFailure`` with the code `limit.pixels`.
  func pixels(_ picture: PageContent.Picture, page: Int) throws(OCRFailure) -> Pixels? {
    let dictionary = picture.stream.dictionary
    try limits.check(
      width: file.integer(dictionary, "Width") ?? 0,
      height: file.integer(dictionary, "Height") ?? 0, page: page)
    let decoded = file.decode(picture.stream)
    switch decoded.pending {
    case nil:
      return SampleReader(dictionary, resources: picture.resources, file: file)?
        .pixels(decoded.bytes)
    case "DCTDecode", "DCT": return try whole(decoded.bytes, format: .jpeg, page: page)
    case "JPXDecode": return try whole(decoded.bytes, format: .jpeg2000, page: page)
    case "CCITTFaxDecode", "CCF": return fax(decoded, dictionary)
    case "JBIG2Decode": return jbig2(decoded, dictionary)
    default: return nil
    }
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
  private func whole(_ bytes: [UInt8], format: ImageFormat, page: Int) throws(OCRFailure) -> Pixels?
  {
    guard let header = ImageHeader.read(bytes.span), header.format == format,
      let first = header.pages.first
    else { return nil }
    try limits.check(width: first.width, height: first.height, page: page)
    guard
      let decoded = PixelDecoder.decode(
        bytes.span, format: format, page: first, onlyLuminance: true)
    else { return nil }
    return decoded.pixels.grey()
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
