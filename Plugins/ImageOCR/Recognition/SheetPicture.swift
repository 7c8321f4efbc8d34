internal import CTesseract
internal import Glibc

/// A photo made small, in which the sheet is sought.
struct SheetPicture {
  /// The longer side in pixels.
  static let side = 480
  private let width: Int
  private let height: Int
  private let grey: [UInt8]
  /// Grey values above this one are paper.
  let threshold: UInt8

  /// What part of the picture's frame must be darker than paper.
  private static let darkFrame = 0.75
  /// The same for a sheet that reaches beyond the picture, or lies askew in it.
  private static let darkCorners = 0.2
  /// The same for a picture of single pixels, with their noise.
  private static let darkFrameAtLeast = 0.6
  /// How many grey values paper is lighter than the ground beside it, at least.
  private static let leastContrast = 25.0
  /// What part of each side must lie on its line and have that contrast.
  private static let leastStraight = 0.75
  /// What part of the picture the sheet must fill, with what is beside its slanting sides: none that lies across could
  /// fill as much as one that lies straight.
  private static let leastArea = 0.2

  init?(_ pixels: borrowing Pixels, scale: Double) {
    self.init(unsafe Pixels(taking: pixScaleAreaMap(pixels.pix, Float(scale), Float(scale))))
  }

  /// A picture of some of the pixels as they are, which costs next to nothing.
  init?(sampling pixels: borrowing Pixels, scale: Double) {
    self.init(unsafe Pixels(taking: pixScaleBySampling(pixels.pix, Float(scale), Float(scale))))
  }

  private init?(_ scaled: consuming Pixels?) {
    guard let scaled, scaled.depth == 8 else { return nil }
    self.init(width: scaled.width, height: scaled.height, grey: scaled.samples())
  }

  /// - Parameter grey: a byte for each pixel, row by row.
  init?(width: Int, height: Int, grey: [UInt8]) {
    guard min(width, height) >= 30, grey.count == width * height else { return nil }
    (self.width, self.height, self.grey) = (width, height, grey)
    guard let threshold = Self.threshold(of: grey) else { return nil }
    self.threshold = threshold
  }

  /// The grey value between the ground and the paper (Otsu's), nil where they are not apart.
  private static func threshold(of grey: [UInt8]) -> UInt8? {
    var histogram = [Double](repeating: 0, count: 256)
    for value in grey { histogram[Int(value)] += 1 }
    let total = Double(grey.count)
    let sum = histogram.indices.reduce(0.0) { $0 + Double($1) * histogram[$1] }
    var (count, below) = (0.0, 0.0)
    var best: (value: Int, spread: Double)?
    for value in 0..<255 {
      count += histogram[value]
      below += Double(value) * histogram[value]
      guard count > 0, count < total else { continue }
      let apart = (sum - below) / (total - count) - below / count
      let spread = count * (total - count) * apart * apart
      if spread > best?.spread ?? 0, apart >= leastContrast { best = (value, spread) }
    }
    return best.map { UInt8(clamping: $0.value) }
  }

  private func isLight(_ x: Int, _ y: Int) -> Bool { grey[y * width + x] > threshold }

  /// By how many degrees the picture is turned for its sheet's sides to be about level and upright. That leaves half of
  /// the steepness with which they are found (`EdgeLine`) for a view aslant.
  private static let turns: [Double] = [0, 22.5, -22.5, 45]

  /// The corners clockwise from the top left, a little inside the sheet; nil where there is none.
  func outline() -> [PixelPoint]? {
    guard frameIsDark else { return nil }
    for degrees in Self.turns {
      if let corners = outline(turned: degrees) { return Self.fromTopLeft(corners) }
    }
    return nil
  }

  /// The same from whatever corner, for a sheet whose sides are nearly level and upright once the picture is turned.
  ///
  /// - Parameter degrees: clockwise.
  private func outline(turned degrees: Double) -> [PixelPoint]? {
    let angle = degrees * .pi / 180
    let (sine, cosine) = (sin(angle), cos(angle))
    let (halfWidth, halfHeight) = (Double(width) / 2, Double(height) / 2)
    let across = Int((2 * (halfWidth * cosine + halfHeight * sine.magnitude)).rounded(.up))
    let along = Int((2 * (halfWidth * sine.magnitude + halfHeight * cosine)).rounded(.up))
    let (x, y) = (Double(across) / 2, Double(along) / 2)
    /// Leads from the turned picture back.
    func back(_ place: PixelPoint) -> PixelPoint {
      let (right, down) = (place.x - x, place.y - y)
      return PixelPoint(
        x: halfWidth + right * cosine + down * sine, y: halfHeight - right * sine + down * cosine)
    }
    func isLight(_ column: Int, _ row: Int) -> Bool {
      let place = back(PixelPoint(x: Double(column) + 0.5, y: Double(row) + 0.5))
      return (value(place.x, place.y) ?? 0) > Double(threshold)
    }
    guard let left = EdgeLine.fit(edge(along: along, across: across) { isLight($1, $0) }),
      let right = EdgeLine.fit(
        edge(along: along, across: across) { isLight(across - 1 - $1, $0) }
          .map { EdgeLine.Point(t: $0.t, v: Double(across) - $0.v) }),
      let top = EdgeLine.fit(edge(along: across, across: along) { isLight($0, $1) }),
      let bottom = EdgeLine.fit(
        edge(along: across, across: along) { isLight($0, along - 1 - $1) }
          .map { EdgeLine.Point(t: $0.t, v: Double(along) - $0.v) }),
      let corners = Self.corners(left: left, top: top, right: right, bottom: bottom)?.map(back),
      isPlausible(corners),
      (0..<4).allSatisfy({ isClear(from: corners[$0], to: corners[($0 + 1) % 4]) })
    else { return nil }
    // What is just inside the edge belongs to it.
    let inset = 1.0
    return Self.corners(
      left: EdgeLine(slope: left.slope, offset: left.offset + inset),
      top: EdgeLine(slope: top.slope, offset: top.offset + inset),
      right: EdgeLine(slope: right.slope, offset: right.offset - inset),
      bottom: EdgeLine(slope: bottom.slope, offset: bottom.offset - inset))?.map(back)
  }

  /// The corners so that the side from the first to the second runs to the right, and more so than up or down.
  private static func fromTopLeft(_ corners: [PixelPoint]) -> [PixelPoint] {
    let first = corners.indices.max { left, right in
      func run(_ index: Int) -> PixelPoint { corners[(index + 1) % 4] - corners[index] }
      func level(_ index: Int) -> Double { run(index).x / hypot(run(index).x, run(index).y) }
      return level(left) < level(right)
    }
    let start = first ?? 0
    return Array(corners[start...] + corners[..<start])
  }

  private static func corners(
    left: EdgeLine, top: EdgeLine, right: EdgeLine, bottom: EdgeLine
  ) -> [PixelPoint]? {
    guard let a = EdgeLine.meeting(upright: left, level: top),
      let b = EdgeLine.meeting(upright: right, level: top),
      let c = EdgeLine.meeting(upright: right, level: bottom),
      let d = EdgeLine.meeting(upright: left, level: bottom)
    else { return nil }
    return [a, b, c, d]
  }

  /// Whether the frame may be dark enough for a sheet on a darker ground.
  var mayShowGround: Bool { darkShareOfFrame >= Self.darkFrameAtLeast }

  /// Whether some of the frame is dark.
  var showsGround: Bool { darkShareOfFrame >= Self.darkCorners }

  private var frameIsDark: Bool { darkShareOfFrame >= Self.darkFrame }

  private var darkShareOfFrame: Double {
    var dark = 0
    for x in 0..<width { dark += (isLight(x, 1) ? 0 : 1) + (isLight(x, height - 2) ? 0 : 1) }
    for y in 0..<height { dark += (isLight(1, y) ? 0 : 1) + (isLight(width - 2, y) ? 0 : 1) }
    return Double(dark) / Double(2 * (width + height))
  }

  /// Where paper begins in each row (or column) when one comes from the picture's frame.
  ///
  /// - Parameter isLight: tells it of a place along the side and one across it.
  private func edge(
    along: Int, across: Int, isLight: (Int, Int) -> Bool
  ) -> [EdgeLine.Point] {
    // Less than this many light pixels in a row are noise.
    let run = 4
    var points: [EdgeLine.Point] = []
    for t in 0..<along {
      var light = 0
      for v in 0..<across {
        light = isLight(t, v) ? light + 1 : 0
        guard light == run else { continue }
        points.append(EdgeLine.Point(t: Double(t) + 0.5, v: Double(v + 1 - run)))
        break
      }
    }
    return points
  }

  /// Whether the corners lie in the picture and make a convex quadrilateral of some size.
  private func isPlausible(_ corners: [PixelPoint]) -> Bool {
    for index in corners.indices {
      let (a, b, c) = (corners[index], corners[(index + 1) % 4], corners[(index + 2) % 4])
      guard a.x > 1, a.y > 1, a.x < Double(width) - 1, a.y < Double(height) - 1 else {
        return false
      }
      guard (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) > 0 else { return false }
    }
    let (x, y) = (corners.map(\.x), corners.map(\.y))
    let across = (x.max() ?? 0) - (x.min() ?? 0), down = (y.max() ?? 0) - (y.min() ?? 0)
    return across * down >= Self.leastArea * Double(width * height)
  }

  /// Whether there is paper inside and darker ground outside nearly all along a side.
  private func isClear(from start: PixelPoint, to end: PixelPoint) -> Bool {
    let run = end - start
    let length = hypot(run.x, run.y)
    guard length >= 40 else { return false }
    // Clockwise round the sheet its inside is to the right.
    let inward = PixelPoint(x: -run.y / length, y: run.x / length)
    var (clear, count) = (0, 0)
    for step in stride(from: 3.0, to: length - 3, by: 2) {
      let x = start.x + run.x * step / length
      let y = start.y + run.y * step / length
      guard let inside = value(x + inward.x * 3, y + inward.y * 3),
        let outside = value(x - inward.x * 3, y - inward.y * 3)
      else { continue }
      count += 1
      if inside - outside >= Self.leastContrast { clear += 1 }
    }
    return Double(clear) >= Self.leastStraight * max(Double(count), length / 2 * 0.6)
  }

  private func value(_ x: Double, _ y: Double) -> Double? {
    guard x >= 0, y >= 0, x < Double(width), y < Double(height) else { return nil }
    return Double(grey[Int(y) * width + Int(x)])
  }
}
