/// Why a file could not be converted: the engine's own error, which the plugin translates.
struct OCRFailure: Error, Equatable {
  enum Kind: Equatable {
    /// The file itself; trying again is useless.
    case input
    /// Something outside that may pass, such as a full disk.
    case transient
    /// The options, such as a language that is not installed.
    case options
    /// Something in this program or its libraries.
    case `internal`
  }

  var kind: Kind
  /// A stable name such as `image.unknown`.
  var code: String
  /// One sentence for people.
  var message: String
  /// The page it happened on, from 1.
  var page: Int?
  /// What to do about it.
  var hint: String?

  init(
    _ kind: Kind, _ code: String, _ message: String, page: Int? = nil, hint: String? = nil
  ) {
    (self.kind, self.code, self.message) = (kind, code, message)
    (self.page, self.hint) = (page, hint)
  }

  static let unknownImage = OCRFailure(
    .input, "image.unknown", "The file is not an image of a kind that can be read.",
    hint:
      "Its content decides, not its name: PNG, JPEG, TIFF, HEIC, AVIF, WebP, GIF, JPEG 2000, BMP "
      + "and PNM are read.")

  static func tooMuchText(page: Int) -> OCRFailure {
    OCRFailure(
      .input, "limit.output", "The text is larger than limits.output allows.", page: page)
  }

  static func damagedImage(page: Int? = nil) -> OCRFailure {
    OCRFailure(
      .input, "image.damaged", "The image is damaged: its pixels cannot be decoded.", page: page)
  }
}
