/// The generic region of JBIG2 (ITU-T T.88, 6.2): each pixel is coded in the context of its
/// neighbours.
struct GenericRegion {
  let template: Int
  /// Whether rows that repeat the one above are marked.
  let typicalPrediction: Bool
  /// The neighbours in the order of their bits in the context, from the lowest.
  private let neighbours: [(x: Int, y: Int)]

  /// Bytes of adaptive pixel positions that each template has.
  static func adaptiveBytes(template: Int) -> Int { template == 0 ? 8 : 2 }

  /// - Parameter adaptive: the positions of the adaptive pixels as in the file.
  init?(template: Int, typicalPrediction: Bool, adaptive: [UInt8]) {
    guard adaptive.count >= Self.adaptiveBytes(template: template) else { return nil }
    self.template = template
    self.typicalPrediction = typicalPrediction
    let moved = stride(from: 0, to: adaptive.count - 1, by: 2).map { index in
      (x: Int(Int8(bitPattern: adaptive[index])), y: Int(Int8(bitPattern: adaptive[index + 1])))
    }
    // An adaptive pixel must have been decoded before the one it helps to decode.
    guard moved.allSatisfy({ $0.y < 0 || ($0.y == 0 && $0.x < 0) }) else { return nil }
    switch template {
    case 0:
      neighbours = [
        (-1, 0), (-2, 0), (-3, 0), (-4, 0), moved[0], (2, -1), (1, -1), (0, -1), (-1, -1), (-2, -1),
        moved[1], moved[2], (1, -2), (0, -2), (-1, -2), moved[3],
      ]
    case 1:
      neighbours = [
        (-1, 0), (-2, 0), (-3, 0), moved[0], (2, -1), (1, -1), (0, -1), (-1, -1), (-2, -1),
        (2, -2), (1, -2), (0, -2), (-1, -2),
      ]
    case 2:
      neighbours = [
        (-1, 0), (-2, 0), moved[0], (1, -1), (0, -1), (-1, -1), (-2, -1), (1, -2), (0, -2),
        (-1, -2),
      ]
    default:
      neighbours = [
        (-1, 0), (-2, 0), (-3, 0), (-4, 0), moved[0], (1, -1), (0, -1), (-1, -1), (-2, -1),
        (-3, -1),
      ]
    }
  }

  /// Fresh contexts for the template.
  var contexts: ArithmeticDecoder.Contexts { .init(count: 1 << 16) }

  /// The context that tells whether a row repeats (figures 8 to 11).
  private var predictionContext: Int {
    switch template {
    case 0: 0x9B25
    case 1: 0x0795
    case 2: 0x00E5
    default: 0x0195
    }
  }

  /// Decodes a bitmap. Where the data ends early the rest is white.
  func decode(
    width: Int, height: Int, _ decoder: inout ArithmeticDecoder,
    _ contexts: inout ArithmeticDecoder.Contexts
  ) -> BilevelBitmap {
    // Rows and columns of white around the picture spare a check for each neighbour.
    let side = neighbours.reduce(4) { max($0, $1.x.magnitude.asInt) }
    let above = neighbours.reduce(2) { max($0, -$1.y) }
    let stride = width + 2 * side
    var field = [UInt8](repeating: 0, count: stride * (height + above))
    let offsets = neighbours.map { $0.y * stride + $0.x }
    var repeats = false
    for row in 0..<height {
      let start = (row + above) * stride + side
      if decoder.isExhausted { break }
      if typicalPrediction {
        if decoder.bit(&contexts, predictionContext) == 1 { repeats.toggle() }
        if repeats {
          for column in 0..<width { field[start + column] = field[start + column - stride] }
          continue
        }
      }
      for place in start..<(start + width) {
        var context = 0
        for (index, offset) in offsets.enumerated() {
          context |= Int(field[place + offset]) << index
        }
        field[place] = UInt8(truncatingIfNeeded: decoder.bit(&contexts, context))
      }
    }
    var bitmap = BilevelBitmap(width: width, height: height)
    for row in 0..<height {
      let start = (row + above) * stride + side
      for column in 0..<width { bitmap.pixels[row * width + column] = field[start + column] }
    }
    return bitmap
  }
}

extension UInt {
  fileprivate var asInt: Int { Int(truncatingIfNeeded: self) }
}
