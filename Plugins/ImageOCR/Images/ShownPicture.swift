internal import PDFSyntax
internal import PDFWriter

/// The way of a picture from the file to the page: turned as EXIF says, its pixels made square,
/// turned and levelled as its text wants, and scaled to points.
struct ShownPicture {
  /// Leads from the stored picture to the shown one, both in pixels from the top left.
  private let toShown: Matrix
  /// What the shown picture is scaled by to get square pixels.
  private let stretch: (x: Double, y: Double)
  private let orientation: Orientation
  private let storedWidth: Double
  private let storedHeight: Double
  /// Pixels per inch of the shown picture.
  let dotsPerInch: Double
  /// The size of the shown picture in pixels.
  private let width: Double
  private let height: Double

  /// Pixels whose sides differ by less than this count as square.
  private static let squareWithin = 0.02

  init(width: Int, height: Int, orientation: Orientation, resolution: PageResolution) {
    (storedWidth, storedHeight) = (Double(width), Double(height))
    self.orientation = orientation
    let sideways = orientation.quarters % 2 != 0
    let (x, y) = sideways ? (resolution.y, resolution.x) : (resolution.x, resolution.y)
    dotsPerInch = max(x, y)
    if (x / y - 1).magnitude < Self.squareWithin {
      stretch = (1, 1)
    } else {
      stretch = (dotsPerInch / x, dotsPerInch / y)
    }
    let turned = sideways ? (storedHeight, storedWidth) : (storedWidth, storedHeight)
    (self.width, self.height) = (turned.0 * stretch.x, turned.1 * stretch.y)
    toShown = orientation.transform(width: storedWidth, height: storedHeight)
      .then(.scale(stretch.x, stretch.y))
  }

  /// The shown picture of the stored pixels.
  func shown(_ stored: borrowing Pixels) -> Pixels? {
    guard let turned = orientation.apply(to: stored) else { return nil }
    if stretch == (1, 1) { return turned }
    return turned.scaled(x: stretch.x, y: stretch.y)
  }

  /// Leads from the recognized picture, in pixels from its top left, to the unit square of the
  /// image; with `levelled` false as if the picture had been turned by quarters only.
  func recognizedToUnit(_ reading: PageReader.Reading, levelled: Bool = true) -> Matrix {
    let fromShown: Matrix =
      levelled ? reading.transform : reading.turned
    let unitToStored = Matrix(storedWidth, 0, 0, -storedHeight, 0, storedHeight)
    return unitToStored.then(toShown).then(fromShown).inverse ?? .identity
  }

  /// The picture as its file shows it, before its pixels were made square.
  func picture(of reading: PageReader.Reading) -> ReadPage.Picture {
    let recognizedToShown = reading.transform.inverse ?? .identity
    return ReadPage.Picture(
      width: width / stretch.x, height: height / stretch.y,
      resolution: (dotsPerInch / stretch.x, dotsPerInch / stretch.y),
      fromRecognized: recognizedToShown.then(.scale(1 / stretch.x, 1 / stretch.y)))
  }

  /// A page and what lies where on it.
  struct Sheet {
    /// In points.
    var width: Double
    var height: Double
    /// Leads from the unit square of the image to the page.
    var placement: Matrix
    /// Leads from the recognized picture, in pixels from its top left, to the page.
    var recognizedToPage: Matrix
  }

  /// The page that shows the picture as its file says.
  var sheet: Sheet {
    let reading = PageReader.Reading(
      page: RecognizedPage(), quarters: 0, angle: 0, width: Int(width), height: Int(height))
    return page(of: reading, straightening: .none)
  }

  /// The page that shows the picture as straight as wanted.
  func page(of reading: PageReader.Reading, straightening: Straightening) -> Sheet {
    var shownToSheet = Matrix.identity
    var (sheetWidth, sheetHeight) = (width, height)
    if straightening != .none {
      if reading.quarters % 2 != 0 { swap(&sheetWidth, &sheetHeight) }
      if straightening == .full, reading.margin != .init() {
        (sheetWidth, sheetHeight) = (Double(reading.width), Double(reading.height))
      }
      shownToSheet =
        straightening == .full
        ? reading.transform : .turn(reading.quarters, width: width, height: height)
    }
    let points = 72 / dotsPerInch
    let sheetToPage = Matrix(points, 0, 0, -points, 0, sheetHeight * points)
    let shownToPage = shownToSheet.then(sheetToPage)
    let unitToStored = Matrix(storedWidth, 0, 0, -storedHeight, 0, storedHeight)
    return Sheet(
      width: sheetWidth * points, height: sheetHeight * points,
      placement: unitToStored.then(toShown).then(shownToPage),
      recognizedToPage: (reading.transform.inverse ?? .identity).then(shownToPage))
  }
}
