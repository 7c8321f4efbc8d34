internal import CTesseract
internal import CTiff
internal import Glibc
internal import ImageHeaders

/// Decodes what Leptonica does not read of TIFF, by the library beneath it: tiles, and opacity, which Leptonica leaves out
/// or applies twice.
enum TIFFDecoder {
  /// The picture as it is stored, on white; nil where the library refuses it or reads another size than the header.
  ///
  /// - Parameter page: within the limits.
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>, page: ImageHeader.Page) -> Pixels? {
    var source = unsafe Source(bytes: bytes)
    return unsafe withUnsafeMutablePointer(to: &source) { source -> Pixels? in
      // No tile or strip need be much larger than the picture.
      let most = max(64 << 20, page.width * page.height * 8)
      guard let tiff = unsafe open(source, most: most) else { return nil }
      defer { unsafe TIFFClose(tiff) }
      guard unsafe TIFFSetDirectory(tiff, UInt32(clamping: page.index)) == 1 else { return nil }
      let form = unsafe ctiff_form(tiff)
      guard form.width == page.width, form.height == page.height,
        let pixels = unsafe form.samples <= 2 && form.photometric <= 1
          ? grey(tiff, form, most: most) : coloured(tiff, form)
      else { return nil }
      guard form.bits == 1, form.samples <= 2 else { return pixels }
      return unsafe Pixels(taking: pixConvertTo1(pixels.pix, 128))
    }
  }

  /// Grey values: the library's own way leaves out their opacity, and puts those of 16 bits in tiles out of place.
  private static func grey(_ tiff: OpaquePointer, _ form: ctiff_form, most: Int) -> Pixels? {
    let isTiled = unsafe TIFFIsTiled(tiff) != 0
    let across = isTiled ? Int(form.tile_width) : Int(form.width)
    let down = isTiled ? Int(form.tile_height) : 1
    let perRow = Int(unsafe isTiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff))
    let size = isTiled ? Int(unsafe TIFFTileSize(tiff)) : perRow, bits = Int(form.bits),
      samples = Int(form.samples)
    guard [1, 2, 4, 8, 16].contains(bits), (1...2).contains(samples),
      samples == 1 || form.planar == PLANARCONFIG_CONTIG, across > 0, down > 0, size <= most,
      perRow >= (across * samples * bits + 7) / 8, size / perRow >= down,
      let pixels = unsafe Pixels(taking: pixCreate(Int32(form.width), Int32(form.height), 8))
    else { return nil }
    var block = [UInt8](repeating: 0, count: size)
    for top in stride(from: 0, to: Int(form.height), by: down) {
      for left in stride(from: 0, to: Int(form.width), by: across) {
        let isRead = unsafe block.withUnsafeMutableBytes { block in
          unsafe isTiled
            ? TIFFReadTile(tiff, block.baseAddress, UInt32(left), UInt32(top), 0, 0) >= 0
            : TIFFReadScanline(tiff, block.baseAddress, UInt32(top), 0) == 1
        }
        guard isRead else { return nil }
        for y in top..<min(top + down, Int(form.height)) {
          let start = (y - top) * perRow
          let row = block.span.extracting(start..<start + perRow)
          for x in left..<min(left + across, Int(form.width)) {
            let index = (x - left) * samples
            let value = sample(row, index, bits: bits)
            let grey = onWhite(
              value, samples == 1 ? 255 : sample(row, index + 1, bits: bits), form)
            _ = unsafe pixSetPixel(pixels.pix, Int32(x), Int32(y), UInt32(grey))
          }
        }
      }
    }
    return pixels
  }

  /// A sample of a row as one of 8 bits. Those of 16 are in the order of this machine.
  private static func sample(_ row: Span<UInt8>, _ index: Int, bits: Int) -> Int {
    if bits == 16 { return Int(row[2 * index + 1]) }
    let shift = 8 - bits - index * bits % 8
    return (Int(row[index * bits / 8]) >> shift & (1 << bits - 1)) * 255 / (1 << bits - 1)
  }

  /// A grey value as it looks on white.
  private static func onWhite(_ value: Int, _ opacity: Int, _ form: ctiff_form) -> Int {
    let isDark = form.photometric == 0
    let opacity = form.extra == 0 ? 255 : opacity
    let ink =
      form.extra == 1
      ? isDark ? value : max(0, opacity - value)
      : ((isDark ? value : 255 - value) * opacity + 127) / 255
    return 255 - ink
  }

  /// Whatever else the library can show, in colour.
  private static func coloured(_ tiff: OpaquePointer, _ form: ctiff_form) -> Pixels? {
    guard
      let pixels = unsafe Pixels(taking: pixCreate(Int32(form.width), Int32(form.height), 32)),
      let data = unsafe pixGetData(pixels.pix),
      // As it is stored: asked for in its own orientation, it is not turned. With errors there is no picture.
      unsafe TIFFReadRGBAImageOriented(
        tiff, form.width, form.height, data, Int32(form.orientation), 1) == 1
    else { return nil }
    for index in 0..<Int(form.width) * Int(form.height) {
      let pixel = unsafe data[index]
      // Red is the lowest byte, opacity the highest, and colours were multiplied by it.
      let white = 255 - pixel >> 24
      let red = min(255, pixel & 0xFF + white)
      let green = min(255, pixel >> 8 & 0xFF + white)
      let blue = min(255, pixel >> 16 & 0xFF + white)
      unsafe data[index] = red << 24 | green << 16 | blue << 8
    }
    return pixels
  }
}

// MARK: - Bytes in memory as a file

extension TIFFDecoder {
  @unsafe private struct Source {
    let bytes: UnsafeBufferPointer<UInt8>
    var offset = 0
  }

  /// - Parameter most: the bytes that the library may ask for at once.
  private static func open(
    _ source: UnsafeMutablePointer<Source>, most: Int
  ) -> OpaquePointer? {
    ctiff_be_quiet()
    let options = unsafe TIFFOpenOptionsAlloc()
    defer { unsafe TIFFOpenOptionsFree(options) }
    unsafe TIFFOpenOptionsSetMaxSingleMemAlloc(options, tmsize_t(most))
    return unsafe TIFFClientOpenExt(
      "picture", "r", source,
      { handle, target, count in
        guard let source = unsafe handle?.assumingMemoryBound(to: Source.self),
          let target = unsafe target, count > 0
        else { return 0 }
        let rest = unsafe source.pointee.bytes.dropFirst(source.pointee.offset).prefix(Int(count))
        unsafe UnsafeMutableRawBufferPointer(start: target, count: Int(count)).copyBytes(from: rest)
        unsafe source.pointee.offset += rest.count
        return unsafe tmsize_t(rest.count)
      },
      { _, _, _ in 0 },
      { handle, offset, origin in
        guard let source = unsafe handle?.assumingMemoryBound(to: Source.self) else { return .max }
        let start =
          unsafe origin == SEEK_CUR
          ? source.pointee.offset : origin == SEEK_END ? source.pointee.bytes.count : 0
        let (place, overflows) = start.addingReportingOverflow(Int(truncatingIfNeeded: offset))
        guard !overflows, place >= 0 else { return .max }
        unsafe source.pointee.offset = place
        return UInt64(place)
      },
      { _ in 0 },
      { handle in
        unsafe UInt64(handle?.assumingMemoryBound(to: Source.self).pointee.bytes.count ?? 0)
      },
      // Of a file that is not mapped, tiles without compression are refused (4.5.0).
      { handle, base, size in
        guard let source = unsafe handle?.assumingMemoryBound(to: Source.self) else { return 0 }
        unsafe base?.pointee = UnsafeMutableRawPointer(mutating: source.pointee.bytes.baseAddress)
        unsafe size?.pointee = UInt64(source.pointee.bytes.count)
        return 1
      },
      { _, _, _ in }, options)
  }
}
