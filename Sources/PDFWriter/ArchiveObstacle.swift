/// Why a document of images does not claim PDF/A-2b (ISO 19005-2).
public enum ArchiveObstacle: String, Sendable {
  /// Inks need the profile of the press they are meant for, and the only one here is of a screen
  /// (6.2.4.3).
  case cmyk
  /// What the colours of a JPEG 2000 image mean stands in the image, in more ways than PDF/A allows
  /// (6.2.8.3).
  case jpeg2000
  /// Nothing is known of the fonts and colours of a page that another program made.
  case copiedPage

  /// For people.
  public var reason: String {
    switch self {
    case .cmyk: "a picture has the colours of print (CMYK) without a profile"
    case .jpeg2000: "a picture is JPEG 2000, whose colours are not checked"
    case .copiedPage: "it holds pages that another program made"
    }
  }
}
