internal import Glibc
internal import PDFSyntax
internal import PDFWriter
internal import PluginKit

/// Makes the picture of a page that a viewer would show of its images and areas, in grey: white paper,
/// all painted in order, at the resolution of the finest image. Text and thin lines are left out.
struct PageComposer {
  let file: PDFFile
  let decoder: ScanDecoder
  let limits: OCRLimits

  /// Pages are not composed finer than this, in pixels per inch, nor areas coarser than that.
  private static let finest = 600.0
  private static let coarsestWithAreas = 200.0
  private static let coarsest = 36.0
  /// The most pixels of one page, however many are allowed for a single image.
  private static let mostPixels = 120_000_000

  /// - Returns: nil where no image could be decoded.
  /// - Throws: ``PluginFailure`` with the code `limit.pixels`.
  func compose(_ content: PageContent, of page: Page) throws(PluginFailure)
    -> ScanConversion.Picture?
  {
    let box = page.cropBox
    var scale = resolution(content, of: page) / 72
    let most = Double(min(limits.pixels, Self.mostPixels))
    scale = min(scale, (most / (box.width * box.height)).squareRoot())
    scale = min(scale, Double(limits.side) / max(box.width, box.height))
    let width = max(1, min(limits.side, Int((box.width * scale).rounded())))
    let height = max(1, min(limits.side, Int((box.height * scale).rounded())))
    let placement = Matrix(box.width, 0, 0, box.height, box.x0, box.y0)
    let unitToPixels = Matrix(Double(width), 0, 0, -Double(height), 0, Double(height))
    guard let inverse = placement.inverse else { return nil }
    var canvas = Canvas(
      width: width, height: height, fromUserSpace: inverse.then(unitToPixels))
    var painter = ImagePainter(decoder: decoder, limits: limits, page: page.number)
    for item in content.items {
      switch item {
      case .area(let area): canvas.fill(area)
      case .picture(let picture):
        guard content.visibleShare(of: picture) > 0 else { continue }
        try painter.paint(picture, on: &canvas)
      }
    }
    guard painter.painted > 0 else { return nil }
    let isBilevel = canvas.pixels.allSatisfy { $0 == 0 || $0 == 255 }
    let values = canvas.pixels
    let pixels =
      isBilevel
      ? Pixels.bilevel(width: width, height: height, values, black: 0)
      : Pixels.grey(width: width, height: height) { values[$0 * width + $1] }
    guard let pixels else { return nil }
    return ScanConversion.Picture(
      pixels: pixels, placement: placement, isDamaged: painter.isDamaged || canvas.isCut)
  }

  /// The size of an image in pixels, or that of its mask where that is finer: scans are often kept as
  /// blurred colours with a sharp mask.
  private func size(of stream: PDFStream) -> (width: Double, height: Double) {
    let dictionaries =
      [stream.dictionary]
      + ["SMask", "Mask"].compactMap { file.resolve(stream.dictionary[$0]).stream?.dictionary }
    let widths = dictionaries.map { Double(file.integer($0, "Width") ?? 0) }
    let heights = dictionaries.map { Double(file.integer($0, "Height") ?? 0) }
    return (widths.max() ?? 0, heights.max() ?? 0)
  }

  /// Pixels per inch of user space, those of the finest image that is not tiny.
  private func resolution(_ content: PageContent, of page: Page) -> Double {
    var finest = 0.0
    var finestOfAll = 0.0
    for picture in content.pictures {
      let share = content.visibleShare(of: picture)
      guard share > 0 else { continue }
      let (width, height) = size(of: picture.stream)
      let placement = picture.placement
      let across = width * 72 / max(1e-6, hypot(placement.a, placement.b))
      let down = height * 72 / max(1e-6, hypot(placement.c, placement.d))
      let own = min(Self.finest, max(across, down))
      finestOfAll = max(finestOfAll, own)
      // Strips and tiles are small, but there are many of them.
      if share >= 0.01 || own <= 300 { finest = max(finest, own) }
    }
    if finest == 0 { finest = finestOfAll }
    let hasAreas = content.items.contains { item in
      if case .area(let area) = item { return area.look.ink < 0.5 }
      return false
    }
    return max(hasAreas ? Self.coarsestWithAreas : Self.coarsest, finest)
  }
}
