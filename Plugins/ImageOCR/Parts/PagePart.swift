internal import PDFSyntax
internal import PDFWriter

/// What one page's recognition gives to the document: all that is dear to compute, so that pages can be
/// read on several cores and joined by one run that decodes nothing.
struct PagePart: Sendable {
  /// What a page that could be decoded gave.
  struct Recognized: Sendable, Codable {
    var reading: PageReader.Reading
    /// The size of the stored picture in pixels.
    var storedWidth: Int
    var storedHeight: Int
    var resolution: PageResolution
    /// The picture as it is written; nil where the page of a PDF keeps its own, as all do that are not
    /// damaged.
    var image: PageImage?
    /// Whether the picture is only a part of what was stored.
    var isDamaged: Bool
    /// Whether the picture is the sheet alone out of a photo, upright as it was shown.
    var isCropped = false
    /// Of a page of a PDF: leads from the unit square of the picture that was read to user space.
    var placement: Matrix?
    /// The object of the file in whose place `image` comes.
    var replaces: Int?
  }

  /// The page's number from 1.
  var number: Int
  /// Nil where the page's picture cannot be decoded.
  var recognized: Recognized?
}
