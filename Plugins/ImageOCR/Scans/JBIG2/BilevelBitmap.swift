/// Black and white pixels, one in a byte, 1 for black.
struct BilevelBitmap {
  let width: Int
  let height: Int
  var pixels: [UInt8]

  init(width: Int, height: Int, filledWith value: UInt8 = 0) {
    self.width = width
    self.height = height
    pixels = [UInt8](repeating: value, count: width * height)
  }

  /// The pixel at a place, 0 outside.
  @inline(__always)
  func pixel(_ x: Int, _ y: Int) -> Int {
    guard x >= 0, x < width, y >= 0, y < height else { return 0 }
    return Int(pixels[y * width + x])
  }

  /// How a region is combined with what is below it (ITU-T T.88, 7.4.1.5).
  enum Operator: Int {
    case or, and, xor, xnor, replace
  }

  /// Draws another bitmap with its top left corner at a place; what stands out is cut off.
  mutating func draw(_ other: BilevelBitmap, x: Int, y: Int, by operation: Operator) {
    guard x.magnitude < 1 << 40, y.magnitude < 1 << 40 else { return }
    let columns = max(0, -x)..<max(max(0, -x), min(other.width, width - x))
    let rows = max(0, -y)..<max(max(0, -y), min(other.height, height - y))
    for row in rows {
      let from = row * other.width
      let to = (y + row) * width + x
      for column in columns {
        let new = other.pixels[from + column]
        switch operation {
        case .or: pixels[to + column] |= new
        case .and: pixels[to + column] &= new
        case .xor: pixels[to + column] ^= new
        case .xnor: pixels[to + column] = 1 - (pixels[to + column] ^ new)
        case .replace: pixels[to + column] = new
        }
      }
    }
  }

  /// A part of it, white where that stands out.
  func part(x: Int, y: Int, width: Int, height: Int) -> BilevelBitmap {
    var result = BilevelBitmap(width: width, height: height)
    result.draw(self, x: -x, y: -y, by: .replace)
    return result
  }
}
