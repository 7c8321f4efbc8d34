internal import Bytes
internal import CTesseract
internal import ImageHeaders
internal import PDFSyntax
internal import PluginKit

/// Looks for barcodes on the pages of a file.
struct StackReader {
  let barcodes: BarcodeReader
  let limits: OCRLimits

  /// Pictures are looked at with this many pixels on a side at most: enough for the finest bars that are printed.
  private static let mostPixels = 4000.0

  /// The texts of the barcodes on a page; none where it has no picture that can be decoded.
  ///
  /// - Parameter index: the page from 0.
  func texts(on index: Int, of source: PageJoin.Source) throws(PluginFailure) -> [String] {
    switch source {
    case .image(let bytes, let header):
      guard
        let decoded = PixelDecoder.decode(
          bytes.span, format: header.format, page: header.pages[index])
      else { return [] }
      return texts(in: decoded.pixels)
    case .pdf(let file, let pages):
      guard let page = pages.page(index) else { return [] }
      let content = PageContent(of: page, in: file)
      guard content.hasPicturesToRead,
        let picture = try ScanConversion.Picture.of(page, content, in: file, limits: limits)
      else { return [] }
      return texts(in: picture.pixels)
    }
  }

  private func texts(in pixels: borrowing Pixels) -> [String] {
    guard let grey = pixels.grey8() else { return [] }
    let scale = Self.mostPixels / Double(max(grey.width, grey.height, 1))
    guard scale < 1 else { return barcodes.texts(in: grey) }
    guard
      let small = unsafe Pixels(taking: pixScaleAreaMap(grey.pix, Float(scale), Float(scale)))
    else { return [] }
    return barcodes.texts(in: small)
  }
}
