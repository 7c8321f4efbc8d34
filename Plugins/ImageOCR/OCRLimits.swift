internal import ImageHeaders
internal import PluginKit

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

  /// The standard limits.
  init() {}

  /// Those of a run.
  init(_ run: StepRun) {
    (pixels, pages, output) = (run.limits.pixels, run.limits.pages, run.limits.output)
  }

  /// - Parameter what: has the pages, for people.
  /// - Throws: ``PluginFailure`` with the code `limit.pages`.
  func check(pages count: Int, of what: String = "the file has") throws(PluginFailure) {
    guard count <= pages else {
      throw PluginFailure(
        .input, "limit.pages", "\(what) \(count) pages; at most \(pages) are processed")
    }
  }

  /// - Throws: ``PluginFailure`` with the code `limit.pixels` or `limit.pages`.
  func check(_ header: ImageHeader) throws(PluginFailure) {
    try check(pages: header.pages.count)
    for (index, page) in header.pages.enumerated() {
      try check(width: page.width, height: page.height, page: index + 1)
      guard page.furtherPixels <= pixels else {
        throw PluginFailure(
          .input, "limit.pixels",
          "the pictures of the animation have \(page.furtherPixels) pixels; at most "
            + "\(pixels / 1_000_000) million are decoded", page: index + 1, hint: Self.pixelHint)
      }
    }
  }

  func check(width: Int, height: Int, page: Int) throws(PluginFailure) {
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, area <= pixels, width <= side, height <= side else {
      throw PluginFailure(
        .input, "limit.pixels",
        "the image is \(width) by \(height) pixels; at most \(pixels / 1_000_000) million pixels "
          + "and \(side) on a side are decoded", page: page, hint: Self.pixelHint)
    }
  }

  private static let pixelHint =
    "scan or save it at a lower resolution, or raise \"pixels\" in defaults.limits"
}
