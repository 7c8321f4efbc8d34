internal import ImageHeaders

/// What one input may ask for; checked on the header, before anything is decoded.
struct OCRLimits: Sendable {
  /// Pixels of one page.
  var pixels = 250_000_000
  /// Pages of one file.
  var pages = 5_000
  /// The longest side in pixels; the recognition library counts in 16 bits.
  var side = 32_000
  /// Bytes of the text in all its forms together.
  var output = 1 << 30

  /// - Throws: ``OCRFailure`` with the code `limit.pixels` or `limit.pages`.
  func check(_ header: ImageHeader) throws(OCRFailure) {
    guard header.pages.count <= pages else {
      throw OCRFailure(
        .input, "limit.pages",
        "The file has \(header.pages.count) pages; at most \(pages) are processed.")
    }
    for (index, page) in header.pages.enumerated() {
      try check(width: page.width, height: page.height, page: index + 1)
      guard page.furtherPixels <= pixels else {
        throw OCRFailure(
          .input, "limit.pixels",
          "The pictures of the animation have \(page.furtherPixels) pixels; at most "
            + "\(pixels / 1_000_000) million are decoded.", page: index + 1)
      }
    }
  }

  func check(width: Int, height: Int, page: Int) throws(OCRFailure) {
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, area <= pixels, width <= side, height <= side else {
      throw OCRFailure(
        .input, "limit.pixels",
        "The image is \(width) by \(height) pixels; at most \(pixels / 1_000_000) million pixels "
          + "and \(side) on a side are decoded.", page: page)
    }
  }
}
