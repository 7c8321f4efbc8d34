internal import Bytes

/// One image file directory of TIFF 6.0, also as it stands in EXIF data.
struct TIFFDirectory: Sendable {
  var width = 0
  var height = 0
  var bitsPerSample = 1
  var components = 1
  var orientation = 1
  var subfileType = 0
  var resolution: ImageHeader.Resolution?
  /// Where the first strip or tile lies.
  var dataOffset: Int?
  var stripCount = 0
  /// The length of the first strip or tile in bytes.
  var stripLength = 0
  /// Tag 262: 0 white is zero, 1 black is zero, 2 RGB, 3 palette, and others.
  var photometric = 0
  /// Tag 259: how the samples are coded.
  var compression = 1
  /// The offset of the next directory, 0 after the last.
  var next = 0
  /// The number of its entries.
  var entries = 0

  /// The first directory of EXIF data that lies in a range of a file.
  static func exif(_ bytes: Span<UInt8>, in range: Range<Int>) -> TIFFDirectory? {
    guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
    let block = bytes.extracting(range)
    guard let reader = TIFFReader(block), let start = reader.firstDirectory(block) else {
      return nil
    }
    return reader.directory(block, at: start)
  }
}

/// Reads numbers of a TIFF structure in its byte order.
struct TIFFReader: Sendable {
  private let isLittleEndian: Bool

  init?(_ bytes: Span<UInt8>) {
    if bytes.matches("II*\0", at: 0) {
      isLittleEndian = true
    } else if bytes.matches("MM\0*", at: 0) {
      isLittleEndian = false
    } else {
      return nil
    }
  }

  func firstDirectory(_ bytes: Span<UInt8>) -> Int? { long(bytes, 4) }

  private func short(_ bytes: Span<UInt8>, _ offset: Int) -> Int? {
    (isLittleEndian ? bytes.littleEndian16(at: offset) : bytes.bigEndian16(at: offset)).map(
      Int.init)
  }

  private func long(_ bytes: Span<UInt8>, _ offset: Int) -> Int? {
    (isLittleEndian ? bytes.littleEndian32(at: offset) : bytes.bigEndian32(at: offset)).map(
      Int.init)
  }

  /// The directory at an offset, or nil where it does not lie wholly in the bytes.
  func directory(_ bytes: Span<UInt8>, at start: Int) -> TIFFDirectory? {
    guard start >= 8, let count = short(bytes, start), count > 0,
      let next = long(bytes, start + 2 + count * 12)
    else { return nil }
    var directory = TIFFDirectory()
    directory.next = next
    directory.entries = count
    var x: Double?
    var y: Double?
    var unit = 2
    var known: Set<Int> = []
    for index in 0..<count {
      let entry = start + 2 + index * 12
      // Of a tag that stands twice, decoders take the first.
      guard let tag = short(bytes, entry), known.insert(tag).inserted else { continue }
      switch tag {
      case 254: directory.subfileType = value(bytes, entry) ?? 0
      case 256: directory.width = value(bytes, entry) ?? 0
      case 257: directory.height = value(bytes, entry) ?? 0
      case 258: directory.bitsPerSample = value(bytes, entry) ?? 1
      case 259: directory.compression = value(bytes, entry) ?? 1
      case 262: directory.photometric = value(bytes, entry) ?? 0
      case 273, 324:
        directory.dataOffset = value(bytes, entry)
        directory.stripCount = long(bytes, entry + 4) ?? 0
      case 279, 325: directory.stripLength = value(bytes, entry) ?? 0
      case 274: directory.orientation = value(bytes, entry) ?? 1
      case 277: directory.components = value(bytes, entry) ?? 1
      case 282: x = rational(bytes, entry)
      case 283: y = rational(bytes, entry)
      case 296: unit = value(bytes, entry) ?? 2
      default: break
      }
    }
    if !(1...8).contains(directory.orientation) { directory.orientation = 1 }
    let scale = unit == 3 ? 2.54 : 1
    if unit != 1, let x = x ?? y, let y = y ?? Optional(x) {
      directory.resolution = ImageHeader.Resolution(x: x * scale, y: y * scale)
    }
    return directory
  }

  /// The first value of a BYTE, SHORT or LONG entry.
  private func value(_ bytes: Span<UInt8>, _ entry: Int) -> Int? {
    guard let type = short(bytes, entry + 2), let count = long(bytes, entry + 4), count > 0 else {
      return nil
    }
    switch type {
    case 1: return entry + 8 < bytes.count ? Int(bytes[entry + 8]) : nil
    case 3:
      if count <= 2 { return short(bytes, entry + 8) }
      return long(bytes, entry + 8).flatMap { short(bytes, $0) }
    case 4:
      if count == 1 { return long(bytes, entry + 8) }
      return long(bytes, entry + 8).flatMap { long(bytes, $0) }
    default: return nil
    }
  }

  private func rational(_ bytes: Span<UInt8>, _ entry: Int) -> Double? {
    guard short(bytes, entry + 2) == 5, let offset = long(bytes, entry + 8),
      let numerator = long(bytes, offset), let denominator = long(bytes, offset + 4),
      denominator > 0
    else { return nil }
    return Double(numerator) / Double(denominator)
  }
}
