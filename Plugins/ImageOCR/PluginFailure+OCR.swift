internal import ImageHeaders
internal import PluginKit

extension PluginFailure {
  /// A file whose header is not one of an image.
  static func unknownImage(_ bytes: Span<UInt8>) -> PluginFailure {
    guard TIFFHeader.isBigTIFF(bytes) else { return unknownImage }
    return PluginFailure(
      .input, "image.unknown", "this is a BigTIFF, which cannot be read",
      hint: "save it as a plain TIFF")
  }

  private static let unknownImage = PluginFailure(
    .input, "image.unknown", "the file is not an image of a kind that can be read",
    hint:
      "its content counts, not its name: PNG, JPEG, TIFF, HEIC, AVIF, WebP, GIF, JPEG 2000, BMP, "
      + "PNM and PDF are read")

  static func tooMuchText(page: Int) -> PluginFailure {
    PluginFailure(
      .input, "limit.output", "the text is larger than limits.output allows", page: page)
  }

  /// An image of which nothing can be decoded.
  static func undecodable(_ header: ImageHeader, page: Int? = nil) -> PluginFailure {
    guard let kind = header.unreadableKind ?? header.pages.lazy.compactMap(\.unreadableKind).first
    else { return damagedImage(page: page) }
    return PluginFailure(
      .input, "image.unknown", "this is \(kind), which cannot be read", page: page,
      hint: "save it as PNG, TIFF or JPEG")
  }

  static func damagedImage(page: Int? = nil) -> PluginFailure {
    PluginFailure(
      .input, "image.damaged", "the image is damaged: its pixels cannot be decoded", page: page)
  }
}

extension ImageHeader.Page {
  /// The name of the kind of TIFF if the installed library cannot decode it, or nil.
  var unreadableKind: String? {
    TIFFDecoder.lacks(compression)
      ? "a TIFF with \(TIFFCompression.name(compression))" : nil
  }

  /// The note about a picture that is left out.
  func sentenceOfLoss(page: Int) -> String {
    guard let unreadableKind else { return "Page \(page) cannot be decoded and is left out." }
    return "Page \(page) is \(unreadableKind), which cannot be read, and is left out."
  }
}

extension ImageHeader {
  /// What is told of pictures that are not read.
  var sentenceOfLeftOut: String {
    format == .gif
      ? "Only the first of \(leftOut + 1) pictures was read: the file is an animation."
      : "Only the first picture of the file was read: others follow it."
  }
}
