internal import CTesseract
internal import Glibc

/// How far a page lies askew, by the direction in which its strokes stand in lines.
///
/// Strokes are thrown onto an axis for each angle. Across level lines they fall into narrow heaps with gaps between them;
/// the angle at which neighboring heaps differ most is that of the lines. (Leptonica's own search reaches seven degrees,
/// and takes the sides of a photo for lines.)
struct Tilt: Equatable {
  /// Radians clockwise that make the lines level.
  var angle: Double
  /// What the picture must be larger by on its left and right, and above and below, to keep its ink when it is turned;
  /// in pixels.
  var margin: (x: Int, y: Int)

  static func == (left: Tilt, right: Tilt) -> Bool {
    left.angle == right.angle && left.margin == right.margin
  }

  /// The angles that are tried, in degrees: at more than this a page stands on its side.
  private static let most = 46.0
  /// The longer side of the picture that is looked at, in pixels.
  private static let side = 1000.0
  /// Strokes are this much darker than what is beside them within some pixels.
  private static let contrast = 40
  private static let reach: Int32 = 13
  /// More strokes say nothing more.
  private static let mostPoints = 30_000
  private static let fewestPoints = 400
  /// How many times steeper the heaps are than at most angles, and than without turning.
  private static let leastContrast = 4.0
  private static let leastGain = 2.0

  /// The tilt of a picture in grey or bilevel; nil where its strokes stand in no lines, or in level ones.
  static func find(in pixels: borrowing Pixels) -> Tilt? {
    let scale = min(1, side / Double(max(pixels.width, pixels.height)))
    guard let points = Points(pixels, scale: scale), points.places.count >= fewestPoints else {
      return nil
    }
    var scores: [(degrees: Double, score: Double)] = []
    for step in -Int(most)...Int(most) {
      scores.append((Double(step), points.steepness(at: Double(step))))
    }
    let usual = scores.map(\.score).sorted()[scores.count / 2]
    guard var best = scores.max(by: { $0.score < $1.score }), best.score > leastContrast * usual
    else { return nil }
    let level = scores.filter { $0.degrees.magnitude <= 2 }.map(\.score).max() ?? 0
    guard best.degrees.magnitude <= 2 || best.score > leastGain * level else { return nil }
    for step in [0.25, 0.05] {
      for place in -6...6 {
        let degrees = best.degrees + Double(place) * step
        let score = points.steepness(at: degrees)
        if score > best.score { best = (degrees, score) }
      }
    }
    guard best.degrees.magnitude >= Preprocessing.leastAngle else { return nil }
    let angle = best.degrees * .pi / 180
    return Tilt(angle: angle, margin: points.margin(at: angle, scale: scale))
  }

  /// Where the strokes of a picture are, from its middle.
  private struct Points {
    var places: [(x: Double, y: Double)] = []
    private var halfWidth: Double
    private var halfHeight: Double

    init?(_ pixels: borrowing Pixels, scale: Double) {
      guard let grey = pixels.grey8(),
        let small = scale < 1
          ? unsafe Pixels(taking: pixScaleAreaMap(grey.pix, Float(scale), Float(scale)))
          : grey.shared(),
        // What is darker than the lighter places near it: strokes, but neither shadows nor a dark ground.
        let strokes = unsafe Pixels(
          taking: pixTophat(small.pix, Tilt.reach, Tilt.reach, Int32(L_TOPHAT_BLACK)))
      else { return nil }
      let (width, height) = (strokes.width, strokes.height)
      (halfWidth, halfHeight) = (Double(width) / 2, Double(height) / 2)
      let values = strokes.greyValues()
      let count = values.count { $0 > Tilt.contrast }
      let stride = max(1, count / Tilt.mostPoints)
      var seen = 0
      for y in 0..<height {
        for x in 0..<width where values[y * width + x] > Tilt.contrast {
          seen += 1
          if seen % stride == 0 { places.append((Double(x) - halfWidth, Double(y) - halfHeight)) }
        }
      }
    }

    /// How much neighboring heaps differ where the picture is turned clockwise.
    func steepness(at degrees: Double) -> Double {
      let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
      let reach = halfWidth + halfHeight + 2
      // Each is shared between the two places it lies between: whole ones would leave gaps of their own where the
      // pixels' grid meets that of the heaps, above all at 45 degrees.
      var heaps = [Float](repeating: 0, count: Int(2 * reach) + 3)
      for place in places {
        let at = place.x * sine + place.y * cosine + reach
        let whole = Int(at)
        let part = Float(at - Double(whole))
        heaps[whole] += 1 - part
        heaps[whole + 1] += part
      }
      var sum = 0.0
      for index in 2..<heaps.count {
        let step = Double(heaps[index] - heaps[index - 2])
        sum += step * step
      }
      return sum
    }

    /// What the strokes reach beyond the picture where it is turned, in pixels of the large one.
    func margin(at angle: Double, scale: Double) -> (x: Int, y: Int) {
      let (sine, cosine) = (sin(angle), cos(angle))
      var (x, y) = (0.0, 0.0)
      for place in places {
        x = max(x, (place.x * cosine - place.y * sine).magnitude)
        y = max(y, (place.x * sine + place.y * cosine).magnitude)
      }
      func more(_ reach: Double, _ half: Double) -> Int {
        reach <= half ? 0 : Int(((reach - half) / scale).rounded(.up)) + 8
      }
      return (more(x, halfWidth), more(y, halfHeight))
    }
  }
}
