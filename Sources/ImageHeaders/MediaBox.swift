internal import Bytes

/// A box of an ISO base media file (ISO/IEC 14496-12, 4.2), of which HEIF files are made, and JPEG 2000 files (ISO/IEC
/// 15444-1, I.4).
struct MediaBox {
  /// Where its length stands; its kind stands four bytes on.
  var start: Int
  /// Within what holds it, whatever the box says.
  var content: Range<Int>
  /// Whether it ends behind what holds it.
  var isCutOff: Bool

  func isOf(_ kind: StaticString, in bytes: Span<UInt8>) -> Bool {
    bytes.matches(kind, at: start + 4)
  }

  /// The boxes that stand one after another; at most as many as any real file has.
  static func boxes(of bytes: Span<UInt8>, in range: Range<Int>) -> [MediaBox] {
    var boxes: [MediaBox] = []
    var start = range.lowerBound
    while start + 8 <= range.upperBound, boxes.count < 65_536,
      let length = bytes.bigEndian32(at: start)
    {
      var header = 8, end = start + Int(length)
      if length == 1 {
        // The length is in the next eight bytes.
        guard let high = bytes.bigEndian32(at: start + 8), high < 1 << 30,
          let low = bytes.bigEndian32(at: start + 12)
        else { break }
        (header, end) = (16, start + (Int(high) << 32 | Int(low)))
      } else if length == 0 {
        end = range.upperBound
      }
      guard end >= start + header else { break }
      let stop = min(end, range.upperBound)
      boxes.append(
        MediaBox(
          start: start, content: min(start + header, stop)..<stop, isCutOff: end > range.upperBound)
      )
      start = end
    }
    return boxes
  }
}
