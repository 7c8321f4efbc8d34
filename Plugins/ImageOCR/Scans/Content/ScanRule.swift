internal import PDFSyntax
internal import PDFWriter

/// When a page counts as a scan, and when it is read from its one picture.
extension PageContent {
  /// Pages whose pictures cover less than this share of them are not read.
  private static let leastShare = 0.02

  /// Whether pictures make up enough of the page to hold text.
  var hasPicturesToRead: Bool { pictureShare >= Self.leastShare }

  /// Whether the page shows little else than pictures.
  var isMostlyPictures: Bool { !text.isSeen && pictureShare >= 0.5 }

  /// The shares of the page that its pictures cover, added up.
  private var pictureShare: Double { pictures.reduce(0) { $0 + visibleShare(of: $1) } }

  /// The picture that is all there is to see on the page, so that its own pixels can be read as they
  /// are; nil where the page must be composed.
  func onlyPicture(on page: Page, in file: PDFFile) -> Picture? {
    // White areas below all else cannot be seen on a white page.
    let rest = items.drop { item in
      if case .area(let area) = item { return area.look.ink > 0.999 }
      return false
    }
    guard rest.count == 1, case .picture(let picture)? = rest.first else { return nil }
    let dictionary = picture.stream.dictionary
    let look = picture.look
    guard look.opacity > 0.99, look.blend == .normal || look.blend == .multiply,
      dictionary["SMask"] == nil, dictionary["Mask"] == nil, look.clip.paths.isEmpty,
      picture.stream.reference != nil
    else { return nil }
    if file.resolve(dictionary["ImageMask"]).boolean ?? false {
      guard look.ink < 0.25 else { return nil }
    }
    // Most of it is to be seen, and it lies level or nearly so.
    let placement = picture.placement
    let area = (placement.a * placement.d - placement.b * placement.c).magnitude
    let shown = visibleShare(of: picture) * page.cropBox.width * page.cropBox.height
    guard area > 0, shown >= 0.97 * area else { return nil }
    return picture
  }
}
