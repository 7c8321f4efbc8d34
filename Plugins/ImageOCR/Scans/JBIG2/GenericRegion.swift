/// The generic region of JBIG2 (ITU-T T.88, 6.2): each pixel is coded in the context of its
/// neighbours.
struct GenericRegion {
  let template: Int
  /// Whether rows that repeat the one above are marked.
  let typicalPrediction: Bool
  private let shape: Shape
  /// Adaptive pixels that are not at their usual place, with their bits in the context.
  private let moved: [(bit: Int, x: Int, y: Int)]

  /// The neighbours of a template with the adaptive pixels at their usual places: runs of pixels in the
  /// row itself and in the two above, from the highest bit of the context the upper row first.
  private struct Shape {
    /// Pixels before this one in its row.
    var own: Int
    /// Pixels in the row above, and how far they reach to the right.
    var above: (count: Int, right: Int)
    var second: (count: Int, right: Int)
    /// The usual places of the adaptive pixels and their bits.
    var adaptive: [(bit: Int, x: Int, y: Int)]
    /// The context that tells whether a row repeats (figures 8 to 11).
    var prediction: Int
  }

  private static let shapes: [Shape] = [
    Shape(
      own: 4, above: (7, 3), second: (5, 2),
      adaptive: [(4, 3, -1), (10, -3, -1), (11, 2, -2), (15, -2, -2)], prediction: 0x9B25),
    Shape(own: 3, above: (6, 3), second: (4, 2), adaptive: [(3, 3, -1)], prediction: 0x0795),
    Shape(own: 2, above: (5, 2), second: (3, 1), adaptive: [(2, 2, -1)], prediction: 0x00E5),
    Shape(own: 4, above: (6, 2), second: (0, 0), adaptive: [(4, 2, -1)], prediction: 0x0195),
  ]

  /// Bytes of adaptive pixel positions that each template has.
  static func adaptiveBytes(template: Int) -> Int { template == 0 ? 8 : 2 }

  /// - Parameter adaptive: the positions of the adaptive pixels as in the file; nil for the usual ones.
  init(
    template: Int, typicalPrediction: Bool, adaptive: [UInt8]?
  ) throws(JBIG2Damage) {
    self.template = template & 3
    self.typicalPrediction = typicalPrediction
    shape = Self.shapes[template & 3]
    guard let adaptive else {
      moved = []
      return
    }
    guard adaptive.count >= 2 * shape.adaptive.count else { throw .damaged }
    var moved: [(bit: Int, x: Int, y: Int)] = []
    for (index, usual) in shape.adaptive.enumerated() {
      let x = Int(Int8(bitPattern: adaptive[2 * index]))
      let y = Int(Int8(bitPattern: adaptive[2 * index + 1]))
      // An adaptive pixel must have been decoded before the one it helps to decode.
      guard y < 0 || (y == 0 && x < 0) else { throw .damaged }
      if x != usual.x || y != usual.y { moved.append((usual.bit, x, y)) }
    }
    self.moved = moved
  }

  /// Fresh contexts for any template.
  static var contexts: ArithmeticDecoder.Contexts { .init(count: 1 << 16) }

  /// Decodes a bitmap. Where the data ends early the rest is white.
  ///
  /// - Parameter skipping: pixels that are white and not coded, 1 for each of them.
  func decode(
    width: Int, height: Int, skipping: BilevelBitmap? = nil, _ decoder: inout ArithmeticDecoder,
    _ contexts: inout ArithmeticDecoder.Contexts, _ work: inout DecodingWork
  ) throws(JBIG2Damage) -> BilevelBitmap {
    try work.spend(width: width, height: height)
    var bitmap = BilevelBitmap(width: width, height: height)
    guard width > 0 else { return bitmap }
    let ownMask = 1 << shape.own - 1
    let aboveMask = 1 << shape.above.count - 1
    let secondMask = 1 << shape.second.count - 1
    let secondShift = shape.own + shape.above.count
    var keep = Int.max
    for pixel in moved { keep &= ~(1 << pixel.bit) }
    var repeats = false
    for y in 0..<height {
      if decoder.isExhausted { break }
      let start = y * width
      if typicalPrediction {
        if decoder.bit(&contexts, shape.prediction) == 1 { repeats.toggle() }
        if repeats {
          if y > 0 {
            for x in start..<(start + width) { bitmap.pixels[x] = bitmap.pixels[x - width] }
          }
          continue
        }
      }
      var own = 0
      var above = 0
      var second = 0
      for x in 0..<shape.above.right { above = above << 1 | bitmap.pixel(x, y - 1) }
      for x in 0..<shape.second.right { second = second << 1 | bitmap.pixel(x, y - 2) }
      for x in 0..<width {
        above = (above << 1 | bitmap.pixel(x + shape.above.right, y - 1)) & aboveMask
        second = (second << 1 | bitmap.pixel(x + shape.second.right, y - 2)) & secondMask
        var bit = 0
        if skipping?.pixel(x, y) != 1 {
          var context = second << secondShift | above << shape.own | own
          if !moved.isEmpty {
            context &= keep
            for pixel in moved {
              context |= bitmap.pixel(x + pixel.x, y + pixel.y) << pixel.bit
            }
          }
          bit = decoder.bit(&contexts, context)
        }
        own = (own << 1 | bit) & ownMask
        if bit == 1 { bitmap.pixels[start + x] = 1 }
      }
    }
    return bitmap
  }
}
