internal import PluginKit

extension PluginFailure {
  static let unknownImage = PluginFailure(
    .input, "image.unknown", "the file is not an image of a kind that can be read",
    hint:
      "Its content decides, not its name: PNG, JPEG, TIFF, HEIC, AVIF, WebP, GIF, JPEG 2000, BMP "
      + "and PNM are read.")

  static func tooMuchText(page: Int) -> PluginFailure {
    PluginFailure(
      .input, "limit.output", "the text is larger than limits.output allows", page: page)
  }

  static func damagedImage(page: Int? = nil) -> PluginFailure {
    PluginFailure(
      .input, "image.damaged", "the image is damaged: its pixels cannot be decoded", page: page)
  }
}
