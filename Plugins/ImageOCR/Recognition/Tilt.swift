internal import CTesseract
internal import Glibc

/// How far a page lies askew, by the direction in which its strokes stand in lines.
///
/// Strokes are thrown onto an axis for each angle. Across level lines they fall into narrow heaps with gaps between them;
/// the angle at which neighboring heaps differ most is that of the lines. (Leptonica's own search reaches seven degrees,
/// and takes the sides of a photo for lines.)
struct Tilt: Equatable {
  /// Radians clockwise that make the lines level, or upright where they run down.
  var angle = 0.0
  /// What the picture must be larger by on its left and right, and above and below, to keep its ink when it is turned;
  /// in pixels.
  var margin = Margin()
  /// Whether the lines run from top to bottom then: the page lies on its side.
  var runsDown = false

  /// How many pixels are added on the left and right each, and above and below.
  struct Margin: Sendable, Equatable, Codable {
    var x = 0
    var y = 0
  }

  /// The angles that are tried, in degrees: at more than this a page stands on its side.
  private static let most = 46
  /// The longer side of the picture that is looked at, in pixels, at most.
  private static let side = 900
  /// Strokes are this much darker than what is on both sides of them within some pixels.
  private static let contrast: UInt8 = 40
  private static let reach = 8
  /// More strokes say nothing more; fewer are enough to find about where the angle is.
  private static let mostPoints = 30_000
  private static let mostRoughPoints = 12_000
  private static let fewestPoints = 400
  /// How many times steeper the heaps are than at most angles, and than without turning or across the lines.
  private static let leastContrast = 4.0
  private static let leastGain = 2.0

  /// Where level lines are this many times clearer than other angles, no other one is tried.
  private static let clearlyLevel = 8.0

  /// The tilt of a picture in grey or bilevel that stands upright; nil where its strokes stand in no lines, or in level
  /// ones.
  static func find(in pixels: borrowing Pixels) -> Tilt? {
    let tilt = sought(in: pixels) { points in
      points.areClearlyLevel ? Tilt() : points.tilt(of: points.peak(most: most))
    }
    return tilt?.angle == 0 ? nil : tilt
  }

  /// What a look at the strokes tells, and where it tells nothing, a look from twice as near: the lines of a page whose
  /// picture was halved once too often are not clear.
  private static func sought(
    in pixels: borrowing Pixels, _ look: (Points) -> Tilt?
  ) -> Tilt? {
    guard let points = Points(pixels) else { return nil }
    if let tilt = look(points) { return tilt }
    return points.nearer(pixels).flatMap { look($0) }
  }

  /// The tilt of a page in grey or bilevel at whatever angle it lies, none where its lines are level; nil where its strokes
  /// stand in no lines.
  ///
  /// Letters stand in rows across the lines too, but in far less clear ones: on pages of text the lines are 2 to 60 times
  /// as clear.
  static func ofPage(in pixels: borrowing Pixels) -> Tilt? {
    sought(in: pixels) { points in
      if points.areClearlyLevel { return Tilt() }
      let upright = points.peak(most: most), sideways = points.peak(turned: 90, most: 90 - most - 1)
      if sideways.score > leastGain * upright.score, let tilt = points.tilt(of: sideways) {
        return tilt
      }
      return points.tilt(of: upright)
    }
  }

  /// The tilt of the picture turned by quarters.
  func turned(_ quarters: Int) -> Tilt {
    guard quarters % 2 != 0 else { return self }
    return Tilt(angle: angle, margin: Margin(x: margin.y, y: margin.x), runsDown: !runsDown)
  }

  /// Where the strokes of a picture are, from its middle.
  private struct Points {
    private var places: [SIMD2<Float>] = []
    /// One of so many is looked at to find about where the angle is.
    private let stride: Int
    /// Of the small picture to the large one.
    private let scale: Double
    private let halfWidth: Double
    private let halfHeight: Double

    /// Nil where there are too few, and where that fails.
    init?(_ pixels: borrowing Pixels) {
      // Halving is cheap and keeps strokes sharper than other scales do.
      var scale = 1.0
      while Double(max(pixels.width, pixels.height)) * scale > Double(Tilt.side) { scale /= 2 }
      self.init(pixels, scale: scale)
      // A line or two of text on a large page show enough of them in twice the size.
      if places.count < Tilt.fewestPoints, scale < 1 { self.init(pixels, scale: 2 * scale) }
      guard places.count >= Tilt.fewestPoints else { return nil }
    }

    /// The same from twice as near; nil where the picture is not that large.
    func nearer(_ pixels: borrowing Pixels) -> Points? {
      scale < 1 ? Points(pixels, scale: 2 * scale) : nil
    }

    private init?(_ pixels: borrowing Pixels, scale: Double) {
      guard let grey = pixels.grey8(),
        let small = scale < 1
          ? unsafe Pixels(taking: pixScaleAreaMap(grey.pix, Float(scale), Float(scale)))
          : grey.shared()
      else { return nil }
      let (width, height) = (small.width, small.height)
      let (halfWidth, halfHeight) = (Double(width) / 2, Double(height) / 2)
      let middle: SIMD2<Float> = [Float(halfWidth), Float(halfHeight)]
      var found: [SIMD2<Float>] = []
      Self.strokes(in: small.samples(), width: width, height: height) { x, y in
        found.append(SIMD2(Float(x), Float(y)) - middle)
      }
      let every = found.count / Tilt.mostPoints + 1
      if every > 1 {
        found = Swift.stride(from: 0, to: found.count, by: every).map { found[$0] }
      }
      (self.scale, self.halfWidth, self.halfHeight) = (scale, halfWidth, halfHeight)
      places = found
      stride = found.count / Tilt.mostRoughPoints + 1
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

    /// Most pages are level, which few angles show.
    var areClearlyLevel: Bool {
      func steepest(_ degrees: [Double]) -> Double {
        degrees.map { steepness(at: $0, every: stride) }.max() ?? 0
      }
      let level = steepness(at: 0, every: stride)
      return level > steepest([-1, -0.6, -0.3, 0.3, 0.6, 1])
        && level > Tilt.clearlyLevel * steepest([-40, -25, -15, -8, 8, 15, 25, 40])
    }

    /// The whole angle at which the heaps are steepest.
    struct Peak {
      /// From that without turning, or from a quarter of a circle.
      var degrees: Double
      var score: Double
      /// At which heaps are as steep as at most angles, and at about none.
      var usual: Double
      var level: Double
      /// What the picture is turned by before, in degrees.
      var turned: Double
    }

    /// - Parameter most: how many degrees are tried to each side.
    func peak(turned: Double = 0, most: Int) -> Peak {
      let scores = (-most...most).map { step in
        (degrees: Double(step), score: steepness(at: Double(step) + turned, every: stride))
      }
      let best = scores.max { $0.score < $1.score } ?? (0, 0)
      return Peak(
        degrees: best.degrees, score: best.score,
        usual: scores.map(\.score).sorted()[scores.count / 2],
        level: scores.filter { $0.degrees.magnitude <= 2 }.map(\.score).max() ?? 0,
        turned: turned)
    }

    /// The tilt that a peak shows, nil where it is not clear.
    func tilt(of peak: Peak) -> Tilt? {
      guard peak.score > Tilt.leastContrast * peak.usual,
        peak.degrees.magnitude <= 2 || peak.score > Tilt.leastGain * peak.level
      else { return nil }
      var (best, most) = (peak.degrees, steepness(at: peak.degrees + peak.turned))
      for step in [0.25, 0.05] {
        let middle = best
        for place in [-3, -2, -1, 1, 2, 3] {
          let degrees = middle + Double(place) * step
          let score = steepness(at: degrees + peak.turned)
          if score > most { (best, most) = (degrees, score) }
        }
      }
      let runsDown = peak.turned != 0
      guard best.magnitude >= Preprocessing.leastAngle else { return Tilt(runsDown: runsDown) }
      let angle = best * .pi / 180
      return Tilt(angle: angle, margin: margin(at: angle), runsDown: runsDown)
    }

    /// How much neighboring heaps differ where the picture is turned clockwise.
    ///
    /// - Parameter every: one of how many points is looked at.
    private func steepness(at degrees: Double, every: Int = 1) -> Double {
      let turn: SIMD2<Float> = [Float(sin(degrees * .pi / 180)), Float(cos(degrees * .pi / 180))]
      let reach = Float(halfWidth + halfHeight + 2)
      // Each is shared between the two places it lies between: whole ones would leave gaps of their own where the
      // pixels' grid meets that of the heaps, above all at 45 degrees.
      var heaps = [Float](repeating: 0, count: Int(2 * reach) + 3)
      for index in Swift.stride(from: 0, to: places.count, by: every) {
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
    private func margin(at angle: Double) -> Margin {
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
