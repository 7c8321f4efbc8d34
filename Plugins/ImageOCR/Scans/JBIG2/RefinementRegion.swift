/// The refinement of JBIG2 (ITU-T T.88, 6.3): each pixel is coded in the context of its neighbours and
/// of a bitmap that is nearly the same.
struct RefinementRegion {
  let template: Int
  /// Whether pixels with a plain neighbourhood in the reference may be left out.
  let typicalPrediction: Bool
  private let adaptive: (own: (x: Int, y: Int), reference: (x: Int, y: Int))

  /// Bytes of adaptive pixel positions that each template has.
  static func adaptiveBytes(template: Int) -> Int { template == 0 ? 4 : 0 }

  /// - Parameter adaptive: the positions of the adaptive pixels as in the file.
  init(
    template: Int, typicalPrediction: Bool, adaptive: [UInt8]
  ) throws(JBIG2Damage) {
    self.template = template
    self.typicalPrediction = typicalPrediction
    guard template == 0 else {
      self.adaptive = ((-1, -1), (-1, -1))
      return
    }
    guard adaptive.count >= 4 else { throw .damaged }
    let places = adaptive.map { Int(Int8(bitPattern: $0)) }
    self.adaptive = ((places[0], places[1]), (places[2], places[3]))
    // An adaptive pixel must have been decoded before the one it helps to decode.
    guard places[1] < 0 || (places[1] == 0 && places[0] < 0) else { throw .damaged }
  }

  /// Fresh contexts for the template.
  static var contexts: ArithmeticDecoder.Contexts { .init(count: 1 << 13) }

  /// Decodes a bitmap.
  ///
  /// - Parameters:
  ///   - reference: what it is nearly the same as.
  ///   - dx: where the reference's left column lies in the bitmap.
  ///   - dy: where its top row lies.
  func decode(
    width: Int, height: Int, reference: BilevelBitmap, dx: Int, dy: Int,
    _ decoder: inout ArithmeticDecoder, _ contexts: inout ArithmeticDecoder.Contexts,
    _ work: inout DecodingWork
  ) throws(JBIG2Damage) -> BilevelBitmap {
    // A pixel here costs several times as much as one of a generic region.
    for _ in 0..<4 { try work.spend(width: width, height: height) }
    guard dx.magnitude < 1 << 30, dy.magnitude < 1 << 30 else { throw .damaged }
    var bitmap = BilevelBitmap(width: width, height: height)
    var predicts = false
    for y in 0..<height {
      if decoder.isExhausted { break }
      if typicalPrediction, decoder.bit(&contexts, template == 0 ? 0x100 : 0x80) == 1 {
        predicts.toggle()
      }
      for x in 0..<width {
        if predicts, let plain = Self.plain(reference, x: x - dx, y: y - dy) {
          bitmap.pixels[y * width + x] = plain
          continue
        }
        let context = context(bitmap, reference, x: x, y: y, dx: dx, dy: dy)
        bitmap.pixels[y * width + x] = UInt8(
          truncatingIfNeeded: decoder.bit(&contexts, context))
      }
    }
    return bitmap
  }

  /// The neighbours in figures 12 and 13; the middle of the reference is bit 8 or bit 7.
  private func context(
    _ own: BilevelBitmap, _ reference: BilevelBitmap, x: Int, y: Int, dx: Int, dy: Int
  ) -> Int {
    let (u, v) = (x - dx, y - dy)
    var context = own.pixel(x - 1, y) | own.pixel(x + 1, y - 1) << 1 | own.pixel(x, y - 1) << 2
    if template == 0 {
      context |= own.pixel(x + adaptive.own.x, y + adaptive.own.y) << 3
      context |= reference.pixel(u + 1, v + 1) << 4 | reference.pixel(u, v + 1) << 5
      context |= reference.pixel(u - 1, v + 1) << 6 | reference.pixel(u + 1, v) << 7
      context |= reference.pixel(u, v) << 8 | reference.pixel(u - 1, v) << 9
      context |= reference.pixel(u + 1, v - 1) << 10 | reference.pixel(u, v - 1) << 11
      context |= reference.pixel(u + adaptive.reference.x, v + adaptive.reference.y) << 12
    } else {
      context |= own.pixel(x - 1, y - 1) << 3
      context |= reference.pixel(u + 1, v + 1) << 4 | reference.pixel(u, v + 1) << 5
      context |= reference.pixel(u + 1, v) << 6 | reference.pixel(u, v) << 7
      context |= reference.pixel(u - 1, v) << 8 | reference.pixel(u, v - 1) << 9
    }
    return context
  }

  /// The value that the nine pixels around a place have in common.
  private static func plain(_ bitmap: BilevelBitmap, x: Int, y: Int) -> UInt8? {
    let value = bitmap.pixel(x, y)
    for row in (y - 1)...(y + 1) {
      for column in (x - 1)...(x + 1) where bitmap.pixel(column, row) != value { return nil }
    }
    return UInt8(truncatingIfNeeded: value)
  }
}
