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
  var margin: Margin

  /// How many pixels are added on the left and right each, and above and below.
  struct Margin: Sendable, Equatable, Codable {
    var x = 0
    var y = 0
  }

  /// The angles that are tried, in degrees: at more than this a page stands on its side.
  private static let most = 46.0
  /// The longer side of the picture that is looked at, in pixels, at most.
  private static let side = 900
  /// Strokes are this much darker than what is on both sides of them within some pixels.
  private static let contrast: UInt8 = 40
  private static let reach = 8
  /// More strokes say nothing more; fewer are enough to find about where the angle is.
  private static let mostPoints = 30_000
  private static let mostRoughPoints = 12_000
  private static let fewestPoints = 400
  /// How many times steeper the heaps are than at most angles, and than without turning.
  private static let leastContrast = 4.0
  private static let leastGain = 2.0

  /// Where level lines are this many times clearer than other angles, no other one is tried.
  private static let clearlyLevel = 8.0

  /// The tilt of a picture in grey or bilevel; nil where its strokes stand in no lines, or in level ones.
  static func find(in pixels: borrowing Pixels) -> Tilt? {
    // Halving is cheap and keeps strokes sharper than other scales do.
    var scale = 1.0
    while Double(max(pixels.width, pixels.height)) * scale > Double(side) { scale /= 2 }
    guard let points = Points(pixels, scale: scale), points.places.count >= fewestPoints else {
      return nil
    }
    let stride = points.places.count / mostRoughPoints + 1
    if isClearlyLevel(points, every: stride) { return nil }
    var scores: [(degrees: Double, score: Double)] = []
    for step in -Int(most)...Int(most) {
      scores.append((Double(step), points.steepness(at: Double(step), every: stride)))
    }
    let usual = scores.map(\.score).sorted()[scores.count / 2]
    guard var best = scores.max(by: { $0.score < $1.score }), best.score > leastContrast * usual
    else { return nil }
    let level = scores.filter { $0.degrees.magnitude <= 2 }.map(\.score).max() ?? 0
    guard best.degrees.magnitude <= 2 || best.score > leastGain * level else { return nil }
    best.score = points.steepness(at: best.degrees)
    for step in [0.25, 0.05] {
      let middle = best.degrees
      for place in [-3, -2, -1, 1, 2, 3] {
        let degrees = middle + Double(place) * step
        let score = points.steepness(at: degrees)
        if score > best.score { best = (degrees, score) }
      }
    }
    guard best.degrees.magnitude >= Preprocessing.leastAngle else { return nil }
    let angle = best.degrees * .pi / 180
    return Tilt(angle: angle, margin: points.margin(at: angle, scale: scale))
  }

  /// Most pages are level, which few angles show.
  private static func isClearlyLevel(_ points: Points, every stride: Int) -> Bool {
    func steepest(_ degrees: [Double]) -> Double {
      degrees.map { points.steepness(at: $0, every: stride) }.max() ?? 0
    }
    let level = points.steepness(at: 0, every: stride)
    return level > steepest([-1, -0.6, -0.3, 0.3, 0.6, 1])
      && level > clearlyLevel * steepest([-40, -25, -15, -8, 8, 15, 25, 40])
  }

  /// Where the strokes of a picture are, from its middle.
  private struct Points {
    var places: [SIMD2<Float>] = []
    private var halfWidth: Double
    private var halfHeight: Double

    init?(_ pixels: borrowing Pixels, scale: Double) {
      guard let grey = pixels.grey8(),
        let small = scale < 1
          ? unsafe Pixels(taking: pixScaleAreaMap(grey.pix, Float(scale), Float(scale)))
          : grey.shared()
      else { return nil }
      let (width, height) = (small.width, small.height)
      (halfWidth, halfHeight) = (Double(width) / 2, Double(height) / 2)
      let middle: SIMD2<Float> = [Float(halfWidth), Float(halfHeight)]
      Self.strokes(in: small.samples(), width: width, height: height) { x, y in
        places.append(SIMD2(Float(x), Float(y)) - middle)
      }
      let stride = places.count / Tilt.mostPoints + 1
      if stride > 1 {
        places = Swift.stride(from: 0, to: places.count, by: stride).map { places[$0] }
      }
    }

    /// Tells each pixel that is darker than what is near it on the left and on the right, or above and below: strokes,
    /// but neither shadows nor a dark ground.
    private static func strokes(
      in values: [UInt8], width: Int, height: Int, _ found: (Int, Int) -> Void
    ) {
      let reach = Tilt.reach
      guard width > 2 * reach, height > 2 * reach, let light = values.max(), light > Tilt.contrast
      else { return }
      let values = values.span
      let darkest = light - Tilt.contrast
      func isBetween(_ place: Int, _ step: Int, _ least: UInt8) -> Bool {
        max(values[place - reach * step], values[place - reach / 2 * step]) >= least
          && max(values[place + reach * step], values[place + reach / 2 * step]) >= least
      }
      for y in reach..<height - reach {
        for x in reach..<width - reach {
          let place = y * width + x, value = values[place]
          guard value <= darkest else { continue }
          let least = value + Tilt.contrast
          if isBetween(place, 1, least) || isBetween(place, width, least) { found(x, y) }
        }
      }
    }

    /// How much neighboring heaps differ where the picture is turned clockwise.
    ///
    /// - Parameter every: one of how many points is looked at.
    func steepness(at degrees: Double, every: Int = 1) -> Double {
      let turn: SIMD2<Float> = [Float(sin(degrees * .pi / 180)), Float(cos(degrees * .pi / 180))]
      let reach = Float(halfWidth + halfHeight + 2)
      // Each is shared between the two places it lies between: whole ones would leave gaps of their own where the
      // pixels' grid meets that of the heaps, above all at 45 degrees.
      var heaps = [Float](repeating: 0, count: Int(2 * reach) + 3)
      for index in stride(from: 0, to: places.count, by: every) {
        let at = (places[index] * turn).sum() + reach
        let whole = Int(at)
        let part = at - Float(whole)
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
    func margin(at angle: Double, scale: Double) -> Margin {
      let (sine, cosine) = (sin(angle), cos(angle))
      var (x, y) = (0.0, 0.0)
      for place in places {
        let (left, top) = (Double(place.x), Double(place.y))
        x = max(x, (left * cosine - top * sine).magnitude)
        y = max(y, (left * sine + top * cosine).magnitude)
      }
      func more(_ reach: Double, _ half: Double) -> Int {
        reach <= half ? 0 : Int(((reach - half) / scale).rounded(.up)) + 8
      }
      return Margin(x: more(x, halfWidth), y: more(y, halfHeight))
    }
  }
}
