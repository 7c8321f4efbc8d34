/// Grey or opacity values of an image, row by row; 255 is white or covers what is below.
struct GreyValues {
  var width: Int
  var height: Int
  var values: [UInt8]

  init(width: Int, height: Int, values: [UInt8]) {
    (self.width, self.height, self.values) = (width, height, values)
  }

  /// The lightness of a picture.
  init(_ pixels: borrowing Pixels) {
    self.init(width: pixels.width, height: pixels.height, values: pixels.lightness())
  }
}

/// Grey values by their place in an image, averaged where there are more of them than pixels to paint,
/// and smooth between them where there are fewer.
struct ImageSampler {
  private let width: Int
  private let height: Int
  private let values: [UInt8]
  private let isSmooth: Bool

  /// - Parameters:
  ///   - wide: how many pixels are painted along its rows.
  ///   - high: the same along its columns.
  init(_ image: GreyValues, wide: Double, high: Double) {
    let (width, height, values) = (image.width, image.height, image.values)
    let (across, down) = (Double(width) / wide, Double(height) / high)
    let x = Self.factor(across, width)
    let y = Self.factor(down, height)
    if x > 1 || y > 1 {
      (self.width, self.height) = ((width + x - 1) / x, (height + y - 1) / y)
      self.values = Self.averaged(values, width: width, height: height, x: x, y: y)
    } else {
      (self.width, self.height, self.values) = (width, height, values)
    }
    let left = (across / Double(x), down / Double(y))
    // Pixels that meet pixels one by one are taken as they are.
    isSmooth = (left.0 - 1).magnitude > 0.02 || (left.1 - 1).magnitude > 0.02
  }

  private static func factor(_ ratio: Double, _ side: Int) -> Int {
    ratio.isFinite ? max(1, min(side, Int((min(ratio, 1e6) + 0.25).rounded(.down)))) : 1
  }

  private static func averaged(
    _ values: [UInt8], width: Int, height: Int, x: Int, y: Int
  ) -> [UInt8] {
    let columns = (width + x - 1) / x
    let rows = (height + y - 1) / y
    var result: [UInt8] = []
    result.reserveCapacity(columns * rows)
    var sums = [Int](repeating: 0, count: columns)
    for row in 0..<rows {
      for column in 0..<columns { sums[column] = 0 }
      let lines = (row * y)..<min(height, row * y + y)
      for line in lines {
        let start = line * width
        for column in 0..<columns {
          var sum = 0
          for place in (column * x)..<min(width, column * x + x) {
            sum += Int(values[start + place])
          }
          sums[column] += sum
        }
      }
      for column in 0..<columns {
        let count = lines.count * (min(width, column * x + x) - column * x)
        result.append(UInt8(truncatingIfNeeded: (sums[column] + count / 2) / count))
      }
    }
    return result
  }

  /// The value at a place in the unit square, from the top left.
  @inline(__always)
  func value(_ x: Double, _ y: Double) -> Int {
    let (u, v) = (x * Double(width), y * Double(height))
    guard isSmooth else {
      let column = min(width - 1, max(0, Int(u)))
      return Int(values[min(height - 1, max(0, Int(v))) * width + column])
    }
    let left = max(0, min(Double(width - 1), u - 0.5))
    let top = max(0, min(Double(height - 1), v - 0.5))
    let (column, row) = (Int(left), Int(top))
    let (next, below) = (min(width - 1, column + 1), min(height - 1, row + 1))
    let (s, t) = (left - Double(column), top - Double(row))
    let upper =
      Double(values[row * width + column]) * (1 - s) + Double(values[row * width + next]) * s
    let lower =
      Double(values[below * width + column]) * (1 - s) + Double(values[below * width + next]) * s
    return Int(upper * (1 - t) + lower * t + 0.5)
  }
}
