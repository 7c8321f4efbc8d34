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
    guard let threshold = Self.threshold(of: grey) else { return nil }
    self.init(width: width, height: height, grey: grey, threshold: threshold)
  }

  private init(width: Int, height: Int, grey: [UInt8], threshold: UInt8) {
    (self.width, self.height, self.grey, self.threshold) = (width, height, grey, threshold)
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

  /// By how many degrees the picture is turned for its sheet's sides to be about level and upright. Those of a view aslant
  /// differ in how far they are from it: by up to 55 degrees at any angle, given the steepness with which `EdgeLine` finds
  /// them less one of these steps.
  private static let turns: [Double] = [0, 22.5, -22.5, 45]

  /// The corners clockwise from the top left, a little inside the sheet; nil where there is none.
  func outline() -> [PixelPoint]? {
    guard frameIsDark else { return nil }
    for degrees in Self.turns {
      if let corners = corners(turned: degrees) { return Self.inset(Self.fromTopLeft(corners)) }
    }
    return nil
  }

  /// The corners from whatever one, of a sheet whose sides are nearly level and upright once the picture is turned.
  ///
  /// - Parameter degrees: clockwise.
  private func corners(turned degrees: Double) -> [PixelPoint]? {
    let turn = Turn(degrees: degrees, width: width, height: height)
    guard let corners = (degrees == 0 ? self : turned(by: turn)).cornersOfEdges()?.map(turn.back),
      isPlausible(corners),
      (0..<4).allSatisfy({ isClear(from: corners[$0], to: corners[($0 + 1) % 4]) })
    else { return nil }
    return corners
  }

  /// Where the four edges of what is light meet.
  private func cornersOfEdges() -> [PixelPoint]? {
    guard
      let left = EdgeLine.fit(edge(along: height, across: width) { $0 * width + $1 }),
      let right = EdgeLine.fit(
        edge(along: height, across: width) { $0 * width + width - 1 - $1 }
          .map { EdgeLine.Point(t: $0.t, v: Double(width) - $0.v) }),
      let top = EdgeLine.fit(edge(along: width, across: height) { $1 * width + $0 }),
      let bottom = EdgeLine.fit(
        edge(along: width, across: height) { (height - 1 - $1) * width + $0 }
          .map { EdgeLine.Point(t: $0.t, v: Double(height) - $0.v) })
    else { return nil }
    return Self.corners(left: left, top: top, right: right, bottom: bottom)
  }

  /// The picture with what lies beyond it dark, and with as much of that as turning it needs.
  private func turned(by turn: Turn) -> SheetPicture {
    var grey: [UInt8] = []
    grey.reserveCapacity(turn.across * turn.along)
    for row in 0..<turn.along {
      for column in 0..<turn.across {
        let place = turn.back(PixelPoint(x: Double(column) + 0.5, y: Double(row) + 0.5))
        grey.append(UInt8(clamping: Int(between(place.x, place.y).rounded())))
      }
    }
    return SheetPicture(
      width: turn.across, height: turn.along, grey: grey, threshold: threshold)
  }

  /// The grey value at a place among the middles of four pixels; 0 beyond the picture.
  private func between(_ x: Double, _ y: Double) -> Double {
    guard x >= 0, y >= 0, x < Double(width), y < Double(height) else { return 0 }
    let (right, down) = (max(0, x - 0.5), max(0, y - 0.5))
    let (column, row) = (min(Int(right), width - 2), min(Int(down), height - 2))
    let (u, v) = (min(1, right - Double(column)), min(1, down - Double(row)))
    func grey(_ place: Int) -> Double {
      Double(self.grey[place]) * (1 - u) + Double(self.grey[place + 1]) * u
    }
    let place = row * width + column
    return grey(place) * (1 - v) + grey(place + width) * v
  }

  /// A little inside, as what is just inside the edge belongs to it; by as much of the width as of the height, so that the
  /// proportion stays.
  private static func inset(_ corners: [PixelPoint]) -> [PixelPoint]? {
    let sides = corners.indices.map { index in
      let run = corners[(index + 1) % 4] - corners[index]
      return hypot(run.x, run.y)
    }
    guard let shortest = sides.min(), let sheet = Projection(width: 1, height: 1, to: corners)
    else { return nil }
    let part = 1 / shortest
    return [(part, part), (1 - part, part), (1 - part, 1 - part), (part, 1 - part)]
      .map { sheet.apply(PixelPoint(x: $0.0, y: $0.1)) }
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
  /// - Parameter place: the pixel at a place along the side and one across it.
  private func edge(
    along: Int, across: Int, place: (Int, Int) -> Int
  ) -> [EdgeLine.Point] {
    // Less than this many light pixels in a row are noise.
    let run = 4
    var points: [EdgeLine.Point] = []
    for t in 0..<along {
      var light = 0
      for v in 0..<across {
        light = grey[place(t, v)] > threshold ? light + 1 : 0
        guard light == run else { continue }
        let begin = begin(at: v + 1 - run) { Double(grey[place(t, $0)]) }
        points.append(EdgeLine.Point(t: Double(t) + 0.5, v: begin))
        break
      }
    }
    return points
  }

  /// Where paper begins to a fraction of a pixel: how grey the two pixels there are, between the ground before and the
  /// paper behind them, tells how much of them is paper.
  ///
  /// - Parameter first: the first light pixel.
  private func begin(at first: Int, grey: (Int) -> Double) -> Double {
    guard first >= 2 else { return Double(first) }
    let ground = grey(first - 2), paper = grey(first + 1)
    guard paper - ground >= Self.leastContrast else { return Double(first) }
    let share = (grey(first - 1) + grey(first) - 2 * ground) / (paper - ground)
    return Double(first) + 1 - max(0, min(2, share))
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

  /// How a picture is turned about its middle, all of it in a larger one.
  private struct Turn {
    /// The size of the larger one.
    let across: Int
    let along: Int
    private let sine: Double
    private let cosine: Double
    private let middle: PixelPoint

    /// - Parameter degrees: clockwise.
    init(degrees: Double, width: Int, height: Int) {
      (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
      middle = PixelPoint(x: Double(width) / 2, y: Double(height) / 2)
      across = Int((2 * (middle.x * cosine + middle.y * sine.magnitude)).rounded(.up))
      along = Int((2 * (middle.x * sine.magnitude + middle.y * cosine)).rounded(.up))
    }

    /// Leads from the turned picture back.
    func back(_ place: PixelPoint) -> PixelPoint {
      let (right, down) = (place.x - Double(across) / 2, place.y - Double(along) / 2)
      return PixelPoint(
        x: middle.x + right * cosine + down * sine, y: middle.y - right * sine + down * cosine)
    }
  }
}
