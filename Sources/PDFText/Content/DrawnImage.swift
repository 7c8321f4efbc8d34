public import PDFSyntax

/// One image XObject as a page draws it.
public struct DrawnImage {
  /// The image object; nil where the stream is direct.
  public let reference: PDFReference?
  /// The image (PDF 32000-1, 8.9.5); decode it with ``/PDFSyntax/PDFFile/decode(_:limit:)``.
  public let stream: PDFStream
  /// From the unit square of the image to the page as shown: points, origin at the top left.
  public let matrix: Matrix

  /// What the image covers of the page as shown, in points from the top left.
  public var box: Rectangle { matrix.bounds(.unit) }
}
