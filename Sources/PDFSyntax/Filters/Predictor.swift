/// The predictors of FlateDecode and LZWDecode (PDF 32000-1, 7.4.4.4).
enum Predictor {
  static func undo(_ parameters: PDFDictionary?, _ input: FilterResult) -> FilterResult {
    guard let parameters, let kind = parameters.integer("Predictor"), kind > 1 else { return input }
    let colors = max(1, min(32, parameters.integer("Colors") ?? 1))
    let bits = max(1, min(16, parameters.integer("BitsPerComponent") ?? 8))
    let columns = max(1, min(1 << 24, parameters.integer("Columns") ?? 1))
    let row = (columns * colors * bits + 7) / 8
    let pixel = max(1, colors * bits / 8)
    var result = input
    if kind == 2 {
      result.bytes = tiff(input.bytes, row: row, colors: colors, bits: bits)
    } else {
      let made = png(input.bytes, row: row, pixel: pixel)
      (result.bytes, result.isBroken) = (made.bytes, input.isBroken || !made.isSound)
    }
    return result
  }

  /// Each row is led by a byte that names its predictor, whatever the dictionary says.
  private static func png(_ input: [UInt8], row: Int, pixel: Int) -> (
    bytes: [UInt8], isSound: Bool
  ) {
    let rows = (input.count + row) / (row + 1)
    guard rows > 0 else { return ([], true) }
    var isSound = true
    var output = [UInt8](repeating: 0, count: input.count - rows)
    var read = 0
    var write = 0
    for index in 0..<rows where read < input.count {
      let kind = input[read]
      read += 1
      let length = min(row, input.count - read)
      let above = index > 0 ? write - row : -1
      switch kind {
      case 1:
        for at in 0..<length {
          let left = at >= pixel ? output[write + at - pixel] : 0
          output[write + at] = input[read + at] &+ left
        }
      case 2:
        for at in 0..<length {
          output[write + at] = input[read + at] &+ (above >= 0 ? output[above + at] : 0)
        }
      case 3:
        for at in 0..<length {
          let left = at >= pixel ? Int(output[write + at - pixel]) : 0
          let up = above >= 0 ? Int(output[above + at]) : 0
          output[write + at] = input[read + at] &+ UInt8(truncatingIfNeeded: (left + up) / 2)
        }
      case 4:
        for at in 0..<length {
          let left = at >= pixel ? Int(output[write + at - pixel]) : 0
          let up = above >= 0 ? Int(output[above + at]) : 0
          let corner = above >= 0 && at >= pixel ? Int(output[above + at - pixel]) : 0
          output[write + at] = input[read + at] &+ paeth(left, up, corner)
        }
      default:
        // 0 is none; there are no others than these five.
        if kind != 0 { isSound = false }
        for at in 0..<length { output[write + at] = input[read + at] }
      }
      read += length
      write += length
    }
    return (output, isSound)
  }

  private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> UInt8 {
    let estimate = left + up - corner
    let toLeft = abs(estimate - left)
    let toUp = abs(estimate - up)
    let toCorner = abs(estimate - corner)
    if toLeft <= toUp, toLeft <= toCorner { return UInt8(truncatingIfNeeded: left) }
    return UInt8(truncatingIfNeeded: toUp <= toCorner ? up : corner)
  }

  private static func tiff(_ input: [UInt8], row: Int, colors: Int, bits: Int) -> [UInt8] {
    var output = input
    var start = 0
    while start < output.count {
      let end = min(start + row, output.count)
      if bits == 8 {
        for at in start..<end where at - start >= colors { output[at] &+= output[at - colors] }
      } else if bits == 16 {
        var at = start + 2 * colors
        while at + 1 < end {
          let before = UInt16(output[at - 2 * colors]) << 8 | UInt16(output[at - 2 * colors + 1])
          let sum = (UInt16(output[at]) << 8 | UInt16(output[at + 1])) &+ before
          output[at] = UInt8(sum >> 8)
          output[at + 1] = UInt8(truncatingIfNeeded: sum)
          at += 2
        }
      } else {
        addBits(&output, start..<end, colors: colors, bits: bits)
      }
      start = end
    }
    return output
  }

  private static func addBits(
    _ bytes: inout [UInt8], _ range: Range<Int>, colors: Int, bits: Int
  ) {
    var before = [Int](repeating: 0, count: colors)
    let mask = (1 << bits) - 1
    var color = 0
    for sample in 0..<(range.count * 8 / bits) {
      let bit = sample * bits
      let at = range.lowerBound + bit / 8
      let shift = 8 - bits - bit % 8
      guard shift >= 0, at < range.upperBound else { continue }
      let value = (Int(bytes[at]) >> shift + before[color]) & mask
      bytes[at] = bytes[at] & ~UInt8(mask << shift) | UInt8(value << shift)
      before[color] = value
      color = (color + 1) % colors
    }
  }
}
