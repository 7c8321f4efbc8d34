internal import CTesseract
internal import Glibc
internal import PDFSyntax
internal import PDFWriter

/// Makes a picture easier to read: even paper, and level lines.
enum Preprocessing {
  /// Angles below this one in degrees are left alone.
  static let leastAngle = 0.3

  /// Paper at least this light, and everywhere so light within this, is even.
  private static let evenPaper: l_uint32 = 205
  private static let evenWithin: l_uint32 = 12

  /// The paper made evenly light, for 8-bit pictures; others, those whose paper is even, and those where it fails stay.
  ///
  /// Making even paper even again changes edges just so much that the recognizer takes a 7 for a 1: of 1,800 amounts on clean
  /// pages it read about 30 wrongly, and 14 without.
  static func evened(_ pixels: borrowing Pixels) -> Pixels? {
    guard pixels.depth == 8, pixels.width >= 50, pixels.height >= 50, !hasEvenPaper(pixels) else {
      return pixels.shared()
    }
    return unsafe Pixels(taking: pixBackgroundNormSimple(pixels.pix, nil, nil)) ?? pixels.shared()
  }

  /// Whether the paper is light and equally so all over.
  private static func hasEvenPaper(_ pixels: borrowing Pixels) -> Bool {
    var map: UnsafeMutablePointer<PIX>?
    // The limits with which paper is made even, in a picture that is looked at four times as fast.
    guard let small = unsafe Pixels(taking: pixScaleBySampling(pixels.pix, 0.5, 0.5)),
      unsafe pixGetBackgroundGrayMap(small.pix, nil, 10, 15, 60, 40, &map) == 0,
      let paper = unsafe Pixels(taking: map)
    else { return false }
    var (low, high): (l_uint32, l_uint32) = (0, 0)
    guard
      unsafe pixGetRankValue(paper.pix, 1, 0.01, &low) == 0,
      unsafe pixGetRankValue(paper.pix, 1, 0.99, &high) == 0
    else { return false }
    return low >= evenPaper && high - low <= evenWithin
  }

  /// The picture turned clockwise about its centre, larger by the margins.
  static func levelled(_ pixels: borrowing Pixels, by tilt: Tilt) -> Pixels? {
    guard tilt.angle != 0 else { return pixels.shared() }
    // Bilevel pictures are turned as grey ones: their own rotation shears, which is not exact.
    guard let grey = pixels.grey8(), let large = grey.enlarged(tilt.margin.x, tilt.margin.y) else {
      return nil
    }
    return large.rotated(tilt.angle)
  }

  /// Leads from the picture to the levelled one, in pixels from the top left.
  static func levelling(by angle: Double, width: Double, height: Double) -> Matrix {
    guard angle != 0 else { return .identity }
    // The centre of turning is the middle of the pixel at half the width and height.
    let x = (width / 2).rounded(.down) + 0.5
    let y = (height / 2).rounded(.down) + 0.5
    let (sine, cosine) = (sin(angle), cos(angle))
    return Matrix.translation(-x, -y)
      .then(Matrix(cosine, sine, -sine, cosine, 0, 0))
      .then(.translation(x, y))
  }

  /// Pages whose ink is at most this many grey values darker than their paper are faint.
  private static let faintContrast = 100

  /// Whether an even 8-bit page has faint ink. One pixel of eight in each direction is looked at.
  static func isFaint(_ pixels: borrowing Pixels) -> Bool {
    guard pixels.depth == 8, !pixels.hasColourMap, min(pixels.width, pixels.height) >= 50 else {
      return false
    }
    var dark: l_uint32 = 0
    var light: l_uint32 = 0
    guard unsafe pixGetRankValue(pixels.pix, 8, 0.003, &dark) == 0,
      unsafe pixGetRankValue(pixels.pix, 8, 0.9, &light) == 0
    else { return false }
    return light > dark && Int(light - dark) <= faintContrast
  }

  /// How many grey values the ink of a page is darker than its paper, at least, to be stretched.
  private static let leastContrast = 24

  /// Noise smoothed away and faint ink made black, for 8-bit pictures; nil for others, for pictures
  /// without contrast and where it fails.
  static func strengthened(_ pixels: borrowing Pixels) -> Pixels? {
    guard pixels.depth == 8, !pixels.hasColourMap, min(pixels.width, pixels.height) >= 16 else {
      return nil
    }
    // Twice the mean of three by three pixels is nearly a bell of one pixel.
    guard let once = unsafe Pixels(taking: pixBlockconv(pixels.pix, 1, 1)),
      let smooth = unsafe Pixels(taking: pixBlockconv(once.pix, 1, 1)),
      let (dark, light) = range(of: smooth), light - dark >= leastContrast
    else { return nil }
    return unsafe Pixels(
      taking: pixGammaTRC(nil, smooth.pix, 1, Int32(clamping: dark), Int32(clamping: light)))
  }

  /// The grey values that one in a hundred pixels is darker than, and lighter than.
  private static func range(of pixels: borrowing Pixels) -> (dark: Int, light: Int)? {
    var histogram = [Int](repeating: 0, count: 256)
    let values = pixels.samples()
    for value in values { histogram[Int(value)] += 1 }
    let part = values.count / 100
    var (dark, light, below, above) = (0, 255, 0, 0)
    while dark < 255, below + histogram[dark] <= part {
      below += histogram[dark]
      dark += 1
    }
    while light > 0, above + histogram[light] <= part {
      above += histogram[light]
      light -= 1
    }
    return values.isEmpty ? nil : (dark, light)
  }
}
