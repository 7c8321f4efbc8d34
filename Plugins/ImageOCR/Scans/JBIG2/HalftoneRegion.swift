/// Pattern dictionaries and halftone regions of JBIG2 (ITU-T T.88, 6.6, 6.7 and annex C): grey values
/// shown by patterns on a grid.
enum HalftoneRegion {
  private static let mostPatterns = 1 << 16

  /// The patterns of a segment (7.4.4).
  static func patterns(
    _ input: inout JBIG2Input, _ work: inout DecodingWork
  ) throws(JBIG2Damage) -> [BilevelBitmap] {
    let flags = try input.byte()
    let width = try input.byte()
    let height = try input.byte()
    let count = try input.number(bytes: 4) + 1
    guard count <= mostPatterns, width > 0, height > 0 else { throw .damaged }
    try work.spend(width: count * width, height: height)
    let row: BilevelBitmap
    if flags & 1 == 1 {
      var fax = FaxDecoder(
        input.bytes, in: input.rest, FaxDecoder.Parameters(k: -1, columns: count * width))
      row = fax.decode(rows: height).bitmap
    } else {
      let first = UInt8(bitPattern: Int8(truncatingIfNeeded: -width))
      let region = try GenericRegion(
        template: flags >> 1 & 3, typicalPrediction: false, adaptive: adaptive([first, 0]))
      var decoder = ArithmeticDecoder(input.bytes, in: input.rest)
      var contexts = GenericRegion.contexts
      row = try region.decode(
        width: count * width, height: height, &decoder, &contexts, &work)
    }
    return (0..<count).map { row.part(x: $0 * width, y: 0, width: width, height: height) }
  }

  private static func adaptive(_ first: [UInt8]) -> [UInt8] {
    first + [-3, -1, 2, -2, -2, -2].map { UInt8(bitPattern: $0) }
  }

  /// Decodes the data of a segment behind the region's place and size (7.4.5).
  static func segment(
    _ input: inout JBIG2Input, width: Int, height: Int, patterns: [BilevelBitmap],
    _ work: inout DecodingWork
  ) throws(JBIG2Damage) -> BilevelBitmap {
    guard let pattern = patterns.first else { throw .damaged }
    let flags = try input.byte()
    let gridWidth = try input.number(bytes: 4)
    let gridHeight = try input.number(bytes: 4)
    let left = try input.signed()
    let top = try input.signed()
    let stepX = try input.number(bytes: 2)
    let stepY = try input.number(bytes: 2)
    guard gridWidth <= JBIG2Damage.longestSide, gridHeight <= JBIG2Damage.longestSide else {
      throw .damaged
    }
    try work.spend(width: width, height: height)
    let planes = TextCoder.bits(for: patterns.count)
    try work.spend(width: gridWidth, height: gridHeight)
    try work.spend(gridWidth * gridHeight * (planes + 1))
    func place(_ column: Int, _ row: Int) -> (x: Int, y: Int) {
      (
        (left + row * stepY + column * stepX) >> 8,
        (top + row * stepX - column * stepY) >> 8
      )
    }
    var skipped: BilevelBitmap?
    if flags & 8 != 0 {
      var outside = BilevelBitmap(width: gridWidth, height: gridHeight)
      for row in 0..<gridHeight {
        for column in 0..<gridWidth {
          let (x, y) = place(column, row)
          if x + pattern.width <= 0 || x >= width || y + pattern.height <= 0 || y >= height {
            outside.pixels[row * gridWidth + column] = 1
          }
        }
      }
      skipped = outside
    }
    let greys = try greys(
      input, flags: flags, planes: planes, width: gridWidth, height: gridHeight, skipped, &work)
    var bitmap = BilevelBitmap(
      width: width, height: height, filledWith: flags & 0x80 != 0 ? 1 : 0)
    let operation = BilevelBitmap.Operator(rawValue: flags >> 4 & 7) ?? .or
    for row in 0..<gridHeight {
      try work.spend(gridWidth * (pattern.width * pattern.height + 16))
      for column in 0..<gridWidth {
        let number = min(greys[row * gridWidth + column], patterns.count - 1)
        let (x, y) = place(column, row)
        bitmap.draw(patterns[number], x: x, y: y, by: operation)
      }
    }
    return bitmap
  }

  /// The grey values of the grid (annex C), coded as bit planes from the highest in Gray code.
  private static func greys(
    _ input: JBIG2Input, flags: Int, planes: Int, width: Int, height: Int,
    _ skipped: BilevelBitmap?, _ work: inout DecodingWork
  ) throws(JBIG2Damage) -> [Int] {
    var values = [Int](repeating: 0, count: width * height)
    let template = flags >> 1 & 3
    let region = try GenericRegion(
      template: template, typicalPrediction: false,
      adaptive: adaptive([template <= 1 ? 3 : 2, 0xFF]))
    var decoder = ArithmeticDecoder(input.bytes, in: input.rest)
    var contexts = GenericRegion.contexts
    var rest = input.rest
    for _ in 0..<planes {
      let plane: BilevelBitmap
      if flags & 1 == 1 {
        var fax = FaxDecoder(
          input.bytes, in: rest, FaxDecoder.Parameters(k: -1, columns: width))
        plane = fax.decode(rows: height).bitmap
        rest = min(fax.positionBehindEnd, rest.upperBound)..<rest.upperBound
      } else {
        plane = try region.decode(
          width: width, height: height, skipping: skipped, &decoder, &contexts, &work)
      }
      for index in values.indices {
        let bit = Int(plane.pixels[index]) ^ (values[index] & 1)
        values[index] = values[index] << 1 | bit
      }
    }
    return values
  }
}
