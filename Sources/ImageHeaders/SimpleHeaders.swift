internal import Bytes

/// The information header of a Windows bitmap.
enum BMPHeader {
  static func read(_ bytes: Span<UInt8>) -> ImageHeader? {
    guard let size = bytes.littleEndian32(at: 14), size >= 40,
      let width = bytes.littleEndian32(at: 18), let height = bytes.littleEndian32(at: 22),
      let bits = bytes.littleEndian16(at: 28)
    else { return nil }
    // A negative height means that rows go from the top down.
    let columns = Int(Int32(bitPattern: width))
    let rows = Int(Int32(bitPattern: height)).magnitude
    guard columns > 0, rows > 0, let rows = Int(exactly: rows) else { return nil }
    let x = Double(bytes.littleEndian32(at: 38) ?? 0) * 0.0254
    let y = Double(bytes.littleEndian32(at: 42) ?? 0) * 0.0254
    let page = ImageHeader.Page(
      width: columns, height: rows, components: bits >= 24 ? 3 : 1,
      bitsPerSample: bits >= 24 ? 8 : Int(bits),
      resolution: ImageHeader.Resolution(x: x, y: y))
    var header = ImageHeader(format: .bmp, pages: [page])
    // Of the kinds of bitmaps, the plain ones with a palette or three bytes a pixel are read.
    switch bytes.littleEndian32(at: 30) {
    case 1, 2: header.unreadableKind = "a compressed BMP"
    case let kind? where kind > 2 || bits == 16 || bits == 32:
      header.unreadableKind = "a BMP of \(bits) bits a pixel"
    default: break
    }
    return header
  }
}

/// The header of a PBM, PGM or PPM file, plain or raw.
enum PNMHeader {
  static func read(_ bytes: Span<UInt8>) -> ImageHeader? {
    guard bytes.count > 6, bytes[0] == 0x50, (0x31...0x36).contains(bytes[1]) else { return nil }
    let kind = bytes[1] - 0x30
    var offset = 2
    guard isBlank(bytes[offset]), let width = number(bytes, &offset),
      let height = number(bytes, &offset), width > 0, height > 0
    else { return nil }
    let isBitmap = kind == 1 || kind == 4
    let most = isBitmap ? 1 : number(bytes, &offset) ?? 255
    let page = ImageHeader.Page(
      width: width, height: height, components: kind == 3 || kind == 6 ? 3 : 1,
      bitsPerSample: isBitmap ? 1 : most > 255 ? 16 : 8)
    var header = ImageHeader(format: .pnm, pages: [page])
    // Raw pictures may stand one behind the other (pgm(5)).
    if kind >= 4 {
      let row = isBitmap ? (width + 7) / 8 : width * page.components * page.bitsPerSample / 8
      let (size, isTooMuch) = row.multipliedReportingOverflow(by: height)
      let next = offset + 1
      if !isTooMuch, size <= bytes.count - next - 3, bytes[next + size] == 0x50,
        (0x31...0x36).contains(bytes[next + size + 1]), isBlank(bytes[next + size + 2])
      {
        header.leftOut = 1
      }
    }
    return header
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }

  /// The next number, after blanks and comments; nil where other bytes stand there.
  private static func number(_ bytes: Span<UInt8>, _ offset: inout Int) -> Int? {
    while offset < bytes.count {
      if bytes[offset] == 0x23 {
        while offset < bytes.count, bytes[offset] != 0x0A { offset += 1 }
      } else if isBlank(bytes[offset]) {
        offset += 1
      } else {
        break
      }
    }
    var value = 0
    var digits = 0
    while offset < bytes.count, (0x30...0x39).contains(bytes[offset]), digits < 10 {
      value = value * 10 + Int(bytes[offset] - 0x30)
      digits += 1
      offset += 1
    }
    return digits > 0 ? value : nil
  }
}
