internal import Bytes

/// The pages of a TIFF file: its chain of directories (TIFF 6.0, section 2).
package enum TIFFHeader {
  /// Chains longer than this are cut; the page limit refuses the file anyway.
  private static let longestChain = 100_000
  /// Entries of all directories together: those that lie over one another could be many more than the
  /// file has bytes.
  private static let mostEntries = 4_000_000

  /// Whether a file is a BigTIFF, with offsets of 64 bits, which is not read.
  package static func isBigTIFF(_ bytes: Span<UInt8>) -> Bool {
    bytes.matches("II+\0", at: 0) || bytes.matches("MM\0+", at: 0)
  }

  package static func read(_ bytes: Span<UInt8>) -> ImageHeader? {
    guard let reader = TIFFReader(bytes), let first = reader.firstDirectory(bytes) else {
      return nil
    }
    var header = ImageHeader(format: .tiff, pages: [])
    var seen: Set<Int> = []
    var thumbnails: [ImageHeader.Page] = []
    var offset = first
    var index = 0
    var entries = 0
    while offset != 0, index < longestChain, entries < mostEntries {
      guard seen.insert(offset).inserted, let directory = reader.directory(bytes, at: offset)
      else {
        header.isTruncated = true
        break
      }
      entries += directory.entries
      if ![1, 2, 4, 8, 16].contains(directory.bitsPerSample) {
        header.unreadableKind = "a TIFF of \(directory.bitsPerSample) bits a sample"
      }
      let page = ImageHeader.Page(
        width: directory.width, height: directory.height, components: directory.components,
        bitsPerSample: directory.bitsPerSample, resolution: directory.resolution,
        orientation: directory.orientation, compression: directory.compression, index: index)
      if page.width <= 0 || page.height <= 0 || (directory.dataOffset ?? 0) >= bytes.count {
        header.isTruncated = true
      } else if directory.subfileType & 0b101 != 0 {
        // A smaller version of another picture, or a mask for one (tag 254).
        thumbnails.append(page)
      } else {
        header.pages.append(page)
      }
      offset = directory.next
      index += 1
    }
    if header.pages.isEmpty { header.pages = thumbnails }
    return header.pages.isEmpty ? nil : header
  }

  /// The data of a picture that is stored in one strip, and its photometric interpretation
  /// (tag 262: whether 0 is white).
  package static func onlyStrip(_ bytes: Span<UInt8>) -> (range: Range<Int>, whiteIsZero: Bool)? {
    guard let reader = TIFFReader(bytes), let first = reader.firstDirectory(bytes),
      let directory = reader.directory(bytes, at: first), let start = directory.dataOffset,
      directory.stripCount == 1, start + directory.stripLength <= bytes.count
    else { return nil }
    return (start..<(start + directory.stripLength), directory.photometric == 0)
  }
}
