internal import PDFSyntax
internal import PDFWriter

/// A page of a PDF as it is shown: its crop box, turned.
struct ShownPage {
  /// In points.
  var width: Double
  var height: Double
  /// Leads from user space to the page as shown, in points from its top left.
  var fromUserSpace: Matrix
}

extension Page {
  /// The page as it is shown with a rotation of its own.
  ///
  /// - Parameter rotation: clockwise in degrees: 0, 90, 180 or 270.
  func shown(rotation: Int) -> ShownPage {
    let box = cropBox
    let matrix =
      switch rotation {
      case 90: Matrix(0, 1, 1, 0, -box.y0, -box.x0)
      case 180: Matrix(-1, 0, 0, 1, box.x1, -box.y0)
      case 270: Matrix(0, -1, -1, 0, box.y1, box.x1)
      default: Matrix(1, 0, 0, -1, -box.x0, box.y1)
      }
    let isSideways = rotation % 180 != 0
    return ShownPage(
      width: isSideways ? box.height : box.width, height: isSideways ? box.width : box.height,
      fromUserSpace: matrix)
  }
}
