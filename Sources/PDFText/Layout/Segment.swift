/// Glyphs that stand on one baseline one behind the other, in a frame turned so that text is read
/// along u, and lines follow one another along v.
struct Segment: OnBaseline {
  var directionX: Double
  var directionY: Double
  /// Its glyphs, a stretch of ``GlyphRun/order``, in the order of drawing. A list of its own would be an allocation for
  /// each segment, and a count of references wherever one is copied.
  var glyphs: Range<Int> = 0..<0
  var start: Double
  var end: Double
  /// The baseline.
  var v: Double
  var size: Double
  /// The place in the order of drawing.
  var order: Int
  var isSorted = true
  /// Whether its glyphs turn one against the next, so that only their own advances tell how far they stand apart.
  var isCurved = false

  /// The places of its glyphs in the run.
  @inline(__always)
  func places(_ run: GlyphRun) -> ArraySlice<Int32> { run.order[glyphs] }

  @inline(__always)
  func u(_ x: Double, _ y: Double) -> Double { x * directionX + y * directionY }

  @inline(__always)
  func v(_ x: Double, _ y: Double) -> Double { y * directionX - x * directionY }
}

/// What tells lines of text.
private enum Bound {
  /// The least cosine between directions that are the same.
  static let parallel = 0.995
  /// How far apart baselines of one line are at most, in units of the larger size.
  static let baseline = 0.3
}

/// What stands on a baseline of some direction.
protocol OnBaseline {
  var directionX: Double { get }
  var directionY: Double { get }
  /// The baseline.
  var v: Double { get }
  var size: Double { get }
}

extension OnBaseline {
  /// Whether both run the same way.
  @inline(__always)
  func isParallel(_ other: some OnBaseline) -> Bool {
    directionX * other.directionX + directionY * other.directionY > Bound.parallel
  }

  /// Whether both stand on one line of text.
  @inline(__always)
  func sharesBaseline(_ other: some OnBaseline) -> Bool {
    (v - other.v).magnitude < Bound.baseline * max(size, other.size)
  }
}
