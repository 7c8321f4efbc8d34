internal import Bytes

/// The boxes of a HEIF file, HEIC and AVIF among them (ISO/IEC 23008-12, in the boxes of ISO/IEC 14496-12): how large
/// the primary item is, as it is shown.
enum HEIFHeader {
  /// What a file may call itself that holds a still picture in HEVC or AV1.
  private static let brands: [StaticString] = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis",
  ]

  static func isHeader(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.matches("ftyp", at: 4) else { return false }
    for brand in brands where bytes.matches(brand, at: 8) { return true }
    return false
  }

  /// - Parameter bytes: such as ``isHeader(_:)`` knows.
  static func read(_ bytes: Span<UInt8>) -> ImageHeader? {
    var page: ImageHeader.Page?
    var isTruncated = false
    for box in MediaBox.boxes(of: bytes, in: 0..<bytes.count) {
      if box.isCutOff { isTruncated = true }
      // A full box: version and flags come before what is in it.
      if page == nil, box.isOf("meta", in: bytes) {
        page = primaryItem(of: bytes, in: box.content.dropFirst(4))
      }
    }
    guard let page else { return nil }
    return ImageHeader(format: .heif, pages: [page], isTruncated: isTruncated)
  }

  private static func primaryItem(of bytes: Span<UInt8>, in range: Range<Int>) -> ImageHeader.Page?
  {
    var primary: Int?
    var properties: [MediaBox] = [], associations: [MediaBox] = []
    for box in MediaBox.boxes(of: bytes, in: range) {
      if box.isOf("pitm", in: bytes),
        let version = bytes.bigEndian32(at: box.content.lowerBound)
      {
        let place = box.content.lowerBound + 4
        primary =
          version >> 24 == 0
          ? bytes.bigEndian16(at: place).map(Int.init) : bytes.bigEndian32(at: place).map(Int.init)
      } else if box.isOf("iprp", in: bytes) {
        for inner in MediaBox.boxes(of: bytes, in: box.content) {
          if inner.isOf("ipco", in: bytes) {
            properties = MediaBox.boxes(of: bytes, in: inner.content)
          } else if inner.isOf("ipma", in: bytes) {
            associations.append(inner)
          }
        }
      }
    }
    var sizes: [ImageHeader.Page?] = []
    for box in properties { sizes.append(size(bytes, box)) }
    // The tiles of a picture, its thumbnail and its mask have sizes too; room is made for any of them.
    let largest = sizes.compactMap { $0 }.max { $0.width * $0.height < $1.width * $1.height }
    guard var page = largest else { return nil }
    guard let primary else { return page }
    var own: [Int] = []
    for box in associations where own.isEmpty { own = indices(of: primary, in: box, bytes) ?? [] }
    let area = page.width * page.height
    for index in own where properties.indices.contains(index - 1) {
      if let size = sizes[index - 1] { page = size }
    }
    page.furtherPixels = max(0, area - page.width * page.height)
    for index in own where properties.indices.contains(index - 1) {
      let box = properties[index - 1]
      // Quarters of a circle, counterclockwise.
      if box.isOf("irot", in: bytes), let turn = box.content.first,
        bytes[turn] & 1 == 1
      {
        (page.width, page.height) = (page.height, page.width)
      }
    }
    return page
  }

  /// An `ispe` property: the size of an item in pixels, as it is coded.
  private static func size(_ bytes: Span<UInt8>, _ box: MediaBox) -> ImageHeader.Page? {
    guard box.isOf("ispe", in: bytes), box.content.count >= 12,
      let width = bytes.bigEndian32(at: box.content.lowerBound + 4),
      let height = bytes.bigEndian32(at: box.content.lowerBound + 8), width > 0, height > 0,
      width <= Int32.max, height <= Int32.max
    else { return nil }
    return ImageHeader.Page(width: Int(width), height: Int(height), components: 3)
  }

  /// Which properties belong to an item, counted from 1; nil where the box does not name it.
  private static func indices(of item: Int, in box: MediaBox, _ bytes: Span<UInt8>) -> [Int]? {
    let start = box.content.lowerBound
    guard let head = bytes.bigEndian32(at: start), let count = bytes.bigEndian32(at: start + 4)
    else {
      return nil
    }
    let isWide = head >> 24 > 0, isLong = head & 1 == 1
    var place = start + 8
    for _ in 0..<min(count, 65_536) {
      let identifier =
        isWide
        ? bytes.bigEndian32(at: place).map(Int.init) : bytes.bigEndian16(at: place).map(Int.init)
      place += isWide ? 4 : 2
      guard let identifier, place < box.content.upperBound else { return nil }
      let number = Int(bytes[place]), width = isLong ? 2 : 1
      place += 1
      defer { place += number * width }
      guard identifier == item else { continue }
      var indices: [Int] = []
      for place in stride(from: place, to: place + number * width, by: width) {
        // The highest bit says whether a reader must understand it.
        guard place + width <= bytes.count else { break }
        let high = Int(bytes[place] & 0x7F)
        indices.append(isLong ? high << 8 | Int(bytes[place + 1]) : high)
      }
      return indices
    }
    return nil
  }
}
