internal import Glibc
internal import PDFSyntax

/// How high a sheet of paper is for its width, by its corners in a photo taken aslant.
///
/// Parallel sides of a rectangle meet where its planes vanish; from there and the focal length follow the directions of
/// its sides in space and their lengths (Z. Zhang, L. He: Whiteboard scanning and image enhancement, Digital Signal
/// Processing 17, 2007, section 4). The focal length follows from the right angle between the sides, but hardly where two
/// of them stay parallel in the photo. So it is weighed against what is usual, which decides where nothing else does.
enum SheetProportion {
  /// Focal lengths in diagonals of the photo: the usual one, of 27 mm for film of 35 mm, and by what factors others are
  /// tried; the natural logarithm of what deviates no more than usual.
  private static let usualLength = 0.62
  private static let lengths = 0.6...4.5
  private static let usualSpread = 0.35
  /// By how many radians the sides deviate from a right angle where corners are a pixel off; and where the photo is not
  /// whole, at most.
  private static let usualError = 1.0 * .pi / 180
  private static let mostError = 5.0 * .pi / 180
  /// The square of the usual errors that a focal length is chosen for, at most.
  private static let mostBlame = 16.0
  /// More than this factor away from the proportion in the photo it is no proportion of a sheet that can be read.
  private static let mostFactor = 1.5
  /// The height of formats for their width: A4 and the like, US Letter, US Legal, upright or not.
  private static let formats = [Double(2).squareRoot(), 11 / 8.5, 14 / 8.5]
  /// What is this close to a format is one.
  private static let near = 0.02

  /// The height of a sheet for its width; as in the photo where nothing can be told, or this cannot be the whole photo.
  ///
  /// - Parameters:
  ///   - corners: the four of a convex quadrilateral, clockwise from the top left, in pixels.
  ///   - middle: of the photo, in pixels; where the camera was pointed if nothing was cut off.
  static func height(of corners: [PixelPoint], middle: PixelPoint) -> Double {
    let seen = meanHeight(of: corners)
    let flat = inSpace(of: corners, middle: middle) ?? seen
    let height = (1 / mostFactor...mostFactor).contains(flat / seen) ? flat : seen
    let all = formats + formats.map { 1 / $0 }
    return all.first { (height / $0 - 1).magnitude <= near } ?? height
  }

  /// By the mean of opposite sides in the photo.
  private static func meanHeight(of corners: [PixelPoint]) -> Double {
    let sides = corners.indices.map { index in
      let run = corners[(index + 1) % corners.count] - corners[index]
      return hypot(run.x, run.y)
    }
    guard sides.count == 4, sides[0] + sides[2] > 0 else { return 1 }
    return (sides[1] + sides[3]) / (sides[0] + sides[2])
  }

  /// By the sides' lengths in space; nil where no focal length makes right angles of them.
  private static func inSpace(of corners: [PixelPoint], middle: PixelPoint) -> Double? {
    let diagonal = 2 * hypot(middle.x, middle.y)
    guard diagonal > 0, let square = Projection(width: 1, height: 1, to: corners) else {
      return nil
    }
    // Where the upper and the left side of the unit square lead, with the focal length as the unit of depth.
    let m = square.coefficients
    let across = Side(x: m[0] - m[6] * middle.x, y: m[3] - m[6] * middle.y, depth: m[6])
    let down = Side(x: m[1] - m[7] * middle.x, y: m[4] - m[7] * middle.y, depth: m[7])
    var best: (cost: Double, error: Double, height: Double)?
    for step in 0...80 {
      let factor =
        lengths.lowerBound * pow(lengths.upperBound / lengths.lowerBound, Double(step) / 80)
      let length = usualLength * factor * diagonal
      let (a, b) = (across.vector(length), down.vector(length))
      let product = (a * a).sum().squareRoot() * (b * b).sum().squareRoot()
      guard product > 0 else { return nil }
      let error = asin(max(-1, min(1, (a * b).sum() / product)))
      // The more it is, the less a focal length is to blame for it.
      let off = pow(error / usualError, 2)
      let cost = off / (1 + off / mostBlame) + pow(log(factor) / usualSpread, 2)
      if cost < best?.cost ?? .infinity {
        best = (cost, error.magnitude, ((b * b).sum() / (a * a).sum()).squareRoot())
      }
    }
    guard let best, best.error <= mostError else { return nil }
    return best.height
  }

  /// A side of the sheet as a direction: in pixels of the photo, the depth in focal lengths.
  private struct Side {
    var x: Double
    var y: Double
    var depth: Double

    func vector(_ length: Double) -> SIMD3<Double> { [x / length, y / length, depth] }
  }
}
