/// The predefined CMaps (PDF 32000-1, 9.7.5.2) by what their names tell: the identity, and those
/// whose codes are Unicode. The others cut strings rightly; their codes are read as ASCII where they
/// are, until their tables are added here.
struct PredefinedCMap {
  private enum Family { case identity, ucs2, utf16, shiftJIS, extendedUnix, chinese, twoByte, none }
  private let family: Family

  init(name: String) {
    if name.hasPrefix("Identity") {
      family = .identity
    } else if name.contains("UCS2") {
      family = .ucs2
    } else if name.contains("UTF16") {
      family = .utf16
    } else if name.contains("RKSJ") {
      family = .shiftJIS
    } else if name.contains("EUC") || name.contains("GBK") || name.contains("KSC") {
      family = .extendedUnix
    } else if name.contains("B5") {
      family = .chinese
    } else if name == "H" || name == "V" || name.hasSuffix("-H") || name.hasSuffix("-V") {
      family = .twoByte
    } else {
      family = .none
    }
  }

  /// Whether codes are Unicode values themselves.
  var isUnicode: Bool { family == .ucs2 || family == .utf16 }
  /// Whether codes below 128 are ASCII.
  var isLegacy: Bool { family == .shiftJIS || family == .extendedUnix || family == .chinese }

  /// The bytes of the code that begins with a byte.
  func length(_ first: UInt8) -> Int {
    switch family {
    case .identity, .ucs2, .twoByte, .none: 2
    case .utf16: (0xD8...0xDB).contains(first) ? 4 : 2
    case .shiftJIS: first < 0x81 || (0xA0...0xDF).contains(first) ? 1 : 2
    case .extendedUnix, .chinese: first < 0x81 ? 1 : 2
    }
  }

  func cid(_ code: UInt32) -> UInt32? {
    switch family {
    case .identity, .none: code
    default: nil
    }
  }

  func unicode(_ code: UInt32) -> [UInt32] {
    guard code > 0xFFFF else { return [code] }
    let high = code >> 16
    let low = code & 0xFFFF
    guard high >= 0xD800, high < 0xDC00, low >= 0xDC00, low < 0xE000 else { return [0] }
    return [0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)]
  }
}
