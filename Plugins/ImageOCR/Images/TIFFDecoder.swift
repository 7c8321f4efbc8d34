internal import CTesseract
internal import CTiff
internal import Glibc
internal import ImageHeaders

/// Decodes the pictures of TIFF files. Leptonica makes the pixels of those that it reads as they are, the library beneath
/// it those of tiles, of opacity, which Leptonica leaves out or applies twice, and of what is damaged: Leptonica goes on
/// behind a fault as if there were none. Which picture is damaged, `TIFFBlocks` says.
enum TIFFDecoder {
  /// Whether the library that is here cannot decode a compression (tag 259).
  static func lacks(_ compression: Int) -> Bool {
    TIFFIsCODECConfigured(UInt16(clamping: compression)) == 0
  }

  /// The picture as it is stored, on white; nil where the library refuses it or reads another size than the header.
  ///
  /// - Parameter page: within the limits.
  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, page: ImageHeader.Page
  ) -> PixelDecoder.Decoded? {
    guard !lacks(page.compression) else { return nil }
    var source = unsafe Source(bytes: bytes)
    var complaints: UInt32 = 0
    return unsafe withUnsafeMutablePointer(to: &source) { source in
      unsafe withUnsafeMutablePointer(to: &complaints) { complaints in
        // No tile or strip need be much larger than the picture.
        let most = max(64 << 20, page.width * page.height * 8)
        guard let tiff = unsafe open(source, complaints: complaints, most: most) else { return nil }
        defer { unsafe TIFFClose(tiff) }
        guard unsafe TIFFSetDirectory(tiff, UInt32(clamping: page.index)) == 1 else { return nil }
        let form = unsafe ctiff_form(tiff)
        guard form.width == page.width, form.height == page.height else { return nil }
        if Int32(form.compression) == COMPRESSION_OJPEG {
          // The library alone knows where this has its data.
          guard let pixels = unsafe oldJPEG(tiff, form) else { return nil }
          return PixelDecoder.Decoded(
            pixels: pixels, rows: unsafe complaints.pointee == 0 ? page.height : 0)
        }
        unsafe ctiff_ask_for_8_bits(tiff, form)
        guard
          let blocks = unsafe TIFFBlocks(tiff, form, of: bytes, complaints: complaints, most: most),
          blocks.filled.contains(where: { $0 > 0 }),
          let pixels = unsafe pixels(of: blocks, bytes, page)
        else { return nil }
        return PixelDecoder.Decoded(pixels: pixels, rows: blocks.soundRows)
      }
    }
  }

  private static func pixels(
    of blocks: TIFFBlocks, _ bytes: UnsafeBufferPointer<UInt8>, _ page: ImageHeader.Page
  ) -> Pixels? {
    let form = blocks.form
    // Leptonica applies opacity twice, and turns the picture itself, in color not always rightly.
    if blocks.soundRows == page.height, page.orientation == 1,
      !page.components.isMultiple(of: 2),
      let pixels = unsafe Pixels(
        taking: pixReadMemTiff(bytes.baseAddress, bytes.count, Int32(page.index)))
    {
      return pixels
    }
    guard
      let pixels = form.samples <= 2 && form.photometric <= 1
        ? grey(blocks) : coloured(blocks)
    else { return nil }
    guard form.bits == 1, form.samples <= 2 else { return pixels }
    return unsafe Pixels(taking: pixConvertTo1(pixels.pix, 128))
  }

  /// Grey values: the library's own way leaves out their opacity, and puts those of 16 bits in tiles out of place.
  private static func grey(_ blocks: TIFFBlocks) -> Pixels? {
    let form = blocks.form
    let (bits, samples) = (Int(form.bits), Int(form.samples))
    let (across, down, perRow) = (blocks.across, blocks.down, blocks.rowBytes)
    guard [1, 2, 4, 8, 16].contains(bits), (1...2).contains(samples),
      samples == 1 || form.planar == PLANARCONFIG_CONTIG,
      perRow >= (across * samples * bits + 7) / 8, blocks.size / perRow >= down,
      let pixels = unsafe Pixels(taking: pixCreate(Int32(form.width), Int32(form.height), 8))
    else { return nil }
    _ = unsafe pixSetAll(pixels.pix)
    var block = [UInt8](repeating: 0, count: blocks.size)
    for band in 0..<blocks.bands {
      for column in 0..<blocks.columns {
        let index = blocks.index(band: band, column: column, plane: 0)
        unsafe block.withUnsafeMutableBytes { unsafe blocks.decode(index, into: $0) }
        let (left, top) = (column * across, band * down)
        for y in top..<top + min(blocks.filled[index], blocks.rows(ofBand: band)) {
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
  private static func coloured(_ blocks: TIFFBlocks) -> Pixels? {
    let form = blocks.form
    let (width, size) = (Int(form.width), blocks.size)
    var message = [CChar](repeating: 0, count: 1024)
    var image = unsafe TIFFRGBAImage()
    guard unsafe TIFFRGBAImageOK(blocks.tiff, &message) == 1,
      unsafe TIFFRGBAImageBegin(&image, blocks.tiff, 0, &message) == 1
    else { return nil }
    defer { unsafe TIFFRGBAImageEnd(&image) }
    guard let pixels = unsafe Pixels(taking: pixCreate(Int32(form.width), Int32(form.height), 32)),
      let data = unsafe pixGetData(pixels.pix)
    else { return nil }
    _ = unsafe pixSetAll(pixels.pix)
    // The planes that are shown: of grey values or of a palette one, else three, and opacity or black.
    let isDivided = unsafe image.isContig == 0
    let colours =
      isDivided && form.photometric != 0 && form.photometric != 1
        && form.photometric != 3 ? 3 : 1
    let count = unsafe isDivided && image.alpha != 0 ? colours + 1 : colours
    guard count <= max(1, blocks.planes) else { return nil }
    var storage = [UInt8](repeating: 0, count: count * size)
    unsafe storage.withUnsafeMutableBytes { storage in
      let starts = unsafe (0..<4).map { place -> UnsafeMutablePointer<UInt8>? in
        let plane = place < colours ? place : place < 3 ? 0 : colours
        guard plane < count else { return nil }
        guard let start = storage.baseAddress else { return nil }
        return unsafe start.assumingMemoryBound(to: UInt8.self) + plane * size
      }
      for band in 0..<blocks.bands {
        for column in 0..<blocks.columns {
          var rows = blocks.rows(ofBand: band)
          for plane in 0..<count {
            let index = blocks.index(band: band, column: column, plane: plane)
            let part = unsafe storage[plane * size..<(plane + 1) * size]
            unsafe blocks.decode(index, into: UnsafeMutableRawBufferPointer(rebasing: part))
            rows = min(rows, blocks.filled[index])
          }
          guard rows > 0 else { continue }
          let (left, top) = (column * blocks.across, band * blocks.down)
          let wide = min(blocks.across, width - left)
          unsafe ctiff_put(
            &image, data + top * width + left, UInt32(left), UInt32(top), UInt32(wide),
            UInt32(rows), Int32(blocks.across - wide), Int32(width - wide), starts)
        }
      }
    }
    unsafe composeOnWhite(data, count: width * Int(form.height))
    return pixels
  }

  /// Decodes the JPEG compression of TIFF 6.0 (tag value 6), or returns nil if the library finds a fault.
  private static func oldJPEG(_ tiff: OpaquePointer, _ form: ctiff_form) -> Pixels? {
    guard
      let pixels = unsafe Pixels(taking: pixCreate(Int32(form.width), Int32(form.height), 32)),
      let data = unsafe pixGetData(pixels.pix),
      // As it is stored: asked for in its own orientation, it is not turned.
      unsafe TIFFReadRGBAImageOriented(
        tiff, form.width, form.height, data, Int32(form.orientation), 1) == 1
    else { return nil }
    unsafe composeOnWhite(data, count: Int(form.width) * Int(form.height))
    return pixels
  }

  /// Makes pixels of Leptonica of those of the library: red is their lowest byte, opacity the highest, and colours were
  /// multiplied by it.
  private static func composeOnWhite(_ data: UnsafeMutablePointer<UInt32>, count: Int) {
    for index in 0..<count {
      let pixel = unsafe data[index]
      let white = 255 - pixel >> 24
      let red = min(255, pixel & 0xFF + white)
      let green = min(255, pixel >> 8 & 0xFF + white)
      let blue = min(255, pixel >> 16 & 0xFF + white)
      unsafe data[index] = red << 24 | green << 16 | blue << 8
    }
  }
}

// MARK: - Bytes in memory as a file

extension TIFFDecoder {
  @unsafe private struct Source {
    let bytes: UnsafeBufferPointer<UInt8>
    var offset = 0
  }

  /// - Parameters:
  ///   - complaints: counts what the library warns of while it decodes.
  ///   - most: the bytes that the library may ask for at once.
  private static func open(
    _ source: UnsafeMutablePointer<Source>, complaints: UnsafeMutablePointer<UInt32>, most: Int
  ) -> OpaquePointer? {
    ctiff_be_quiet()
    let options = unsafe TIFFOpenOptionsAlloc()
    defer { unsafe TIFFOpenOptionsFree(options) }
    unsafe TIFFOpenOptionsSetMaxSingleMemAlloc(options, tmsize_t(most))
    unsafe ctiff_count_complaints(options, complaints)
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
