import PluginKit

/// The part of a page around a word, with some of the lines above and below; in parts of the page's width.
struct PageStrip {
  var x: Double
  var y: Double
  var width: Double

  /// How many times as wide as high it is.
  static let ratio = 7.0
  /// Its height in lines of the word's.
  private static let lines = 3.0
  /// It is no smaller, so that a page is drawn 8000 pixels wide at most.
  private static let leastWidth = 0.15

  /// - Parameter word: with its place, from the upper left corner of the page.
  init?(around word: JSON, of pageWidth: Double?, _ pageHeight: Double?) {
    guard let pageWidth, let pageHeight, pageWidth > 0, pageHeight > 0,
      let x = word["x"]?.measure, let y = word["y"]?.measure, let wide = word["w"]?.measure,
      let high = word["h"]?.measure
    else { return nil }
    width = min(
      1, max(Self.leastWidth, high * Self.lines * Self.ratio / pageWidth, wide * 1.2 / pageWidth))
    let height = width / Self.ratio
    self.x = min(1 - width, max(0, (x + wide / 2) / pageWidth - width / 2))
    self.y = max(0, min(pageHeight / pageWidth - height, (y + high / 2) / pageWidth - height / 2))
  }
}
