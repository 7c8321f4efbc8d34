internal import FoundationEssentials

/// A channel's picture that stands in the guide itself, as a `data:` address. Others are only addresses
/// in a network, and the page loads nothing from there.
enum ChannelPicture {
  /// Bytes of all pictures in one page, in base64.
  static let allBytes = 2 << 20

  /// Formats that are pixels and nothing else, by the bytes that they begin with. SVG is a document, and
  /// is none of them.
  private static let formats: [(type: String, begin: [UInt8])] = [
    ("image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    ("image/jpeg", [0xFF, 0xD8, 0xFF]),
    ("image/jpg", [0xFF, 0xD8, 0xFF]),
  ]

  /// Whether it is a small PNG or JPEG as a whole. A longer text was cut when it was read.
  static func isUsable(_ address: String) -> Bool {
    guard address.utf8.count < Limits.textBytes, address.hasPrefix("data:") else { return false }
    for format in formats {
      let head = "data:\(format.type);base64,"
      guard address.hasPrefix(head) else { continue }
      guard let bytes = Data(base64Encoded: String(address.dropFirst(head.count))) else {
        return false
      }
      return bytes.starts(with: format.begin)
    }
    return false
  }
}
