/// The predefined CMaps (PDF 32000-1, 9.7.5.2): the identity, those whose codes are Unicode, and the
/// legacy encodings of China, Japan and Korea. Variants that differ in widths or in a few characters
/// share a table.
struct PredefinedCMap {
  private enum Family { case identity, ucs2, utf16, shiftJIS, extendedUnix, wide, twoByte }
  private let family: Family
  private let table: CharacterMap?
  /// The collection that the CMap's CIDs are of, where its name tells.
  let ordering: String?

  init(name: String) {
    var table: StaticString?
    switch name {
    case _ where name.hasPrefix("Identity"):
      (family, ordering) = (.identity, nil)
    case _ where name.contains("UCS2"): (family, ordering) = (.ucs2, nil)
    case _ where name.contains("UTF16"): (family, ordering) = (.utf16, nil)
    case _ where name.contains("RKSJ"):
      (family, ordering) = (.shiftJIS, "Japan1")
      table = PredefinedCMapData.shiftJIS
    case _ where name.hasPrefix("EUC-"):
      (family, ordering) = (.extendedUnix, "Japan1")
      table = PredefinedCMapData.eucJapan
    case "H", "V", "78-H", "78-V", "Add-H", "Add-V", "Ext-H", "Ext-V":
      (family, ordering) = (.twoByte, "Japan1")
      table = PredefinedCMapData.jis
    case "GB-H", "GB-V", "GBT-H", "GBT-V":
      (family, ordering) = (.twoByte, "GB1")
      table = PredefinedCMapData.gb
    case _ where name.hasPrefix("GB"):
      (family, ordering) = (.wide, "GB1")
      table = PredefinedCMapData.gbk
    case _ where name.contains("B5"):
      (family, ordering) = (.wide, "CNS1")
      table = PredefinedCMapData.big5
    case "KSC-H", "KSC-V":
      (family, ordering) = (.twoByte, "Korea1")
      table = PredefinedCMapData.ksc
    case _ where name.hasPrefix("KSC"):
      (family, ordering) = (.wide, "Korea1")
      table = PredefinedCMapData.uhc
    default: (family, ordering) = (.identity, nil)
    }
    self.table = table.map { Self.map($0) }
  }

  private static func map(_ text: StaticString) -> CharacterMap {
    let bytes = text.withUTF8Buffer { unsafe Array($0) }
    let numbers = bytes.split(whereSeparator: { $0 == 0x20 || $0 == 0x0A })
      .map { GlyphList.hexadecimal($0) ?? 0 }
    var map = CharacterMap()
    for index in stride(from: 0, to: numbers.count - 2, by: 3) {
      map.add(low: numbers[index], high: numbers[index + 1], value: numbers[index + 2])
    }
    map.finish()
    return map
  }

  /// Whether codes are Unicode values themselves.
  var isUnicode: Bool { family == .ucs2 || family == .utf16 }

  /// The bytes of the code that begins with a byte.
  func length(_ first: UInt8) -> Int {
    switch family {
    case .identity, .ucs2, .twoByte: 2
    case .utf16: (0xD8...0xDB).contains(first) ? 4 : 2
    case .shiftJIS: first < 0x81 || (0xA0...0xDF).contains(first) || first > 0xFC ? 1 : 2
    case .extendedUnix: first < 0xA1 && first != 0x8E ? 1 : 2
    case .wide: first < 0x81 || first == 0xFF ? 1 : 2
    }
  }

  func cid(_ code: UInt32) -> UInt32? {
    if let table { return table.number(code) }
    return family == .identity ? code : nil
  }

  func unicode(_ code: UInt32) -> [UInt32] {
    guard code > 0xFFFF else { return [code] }
    let high = code >> 16
    let low = code & 0xFFFF
    guard high >= 0xD800, high < 0xDC00, low >= 0xDC00, low < 0xE000 else { return [0] }
    return [0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)]
  }
}
