/// Colour profiles (ICC.1:2004-10, the version that PDF 1.7 names) made from their definition.
enum ICCProfile {
  /// The sRGB colour space of IEC 61966-2-1: its primaries adapted to D50 and its transfer curve as
  /// a parametric function.
  static let sRGB: [UInt8] = {
    let curve =
      tag("para") + long(0x0003_0000)
      + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap(fixed)
    let elements: [(tags: [String], bytes: [UInt8])] = [
      (["desc"], text("sRGB")),
      (["cprt"], text("No copyright, use freely")),
      (["wtpt"], xyz(0.9642, 1, 0.8249)),
      (["rXYZ"], xyz(0.43607, 0.22249, 0.01392)),
      (["gXYZ"], xyz(0.38515, 0.71687, 0.09708)),
      (["bXYZ"], xyz(0.14307, 0.06061, 0.7141)),
      (["rTRC", "gTRC", "bTRC"], curve),
      (
        ["chad"],
        tag("sf32") + long(0)
          + [
            1.04788, 0.02292, -0.0502, 0.02959, 0.99048, -0.01706, -0.00923, 0.01508, 0.75168,
          ].flatMap(fixed)
      ),
    ]
    let count = elements.reduce(0) { $0 + $1.tags.count }
    var table = long(count)
    var body: [UInt8] = []
    let start = 128 + 4 + 12 * count
    for element in elements {
      for name in element.tags {
        table += tag(name) + long(start + body.count) + long(element.bytes.count)
      }
      body += element.bytes
      while body.count % 4 != 0 { body.append(0) }
    }
    return header(size: start + body.count) + table + body
  }()

  private static func header(size: Int) -> [UInt8] {
    // Size, no preferred module, version 4.2, display device, RGB to XYZ, a fixed date.
    var header = long(size, 0, 0x0420_0000) + tag("mntr") + tag("RGB ") + tag("XYZ ")
    header += [2024, 1, 1, 0, 0, 0].flatMap { bigEndian(UInt16($0)) }
    header += tag("acsp") + long(0, 0, 0, 0, 0, 0, 0)
    header += [0.9642, 1, 0.8249].flatMap(fixed)
    while header.count < 128 { header.append(0) }
    return header
  }

  private static func text(_ text: String) -> [UInt8] {
    let letters = text.utf16.flatMap { bigEndian($0) }
    return tag("mluc") + long(0, 1, 12) + tag("enUS") + long(letters.count, 28) + letters
  }

  private static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    tag("XYZ ") + long(0) + [x, y, z].flatMap(fixed)
  }

  private static func tag(_ name: String) -> [UInt8] { Array(name.utf8) }

  private static func fixed(_ value: Double) -> [UInt8] { long(Int((value * 65536).rounded())) }

  private static func long(_ values: Int...) -> [UInt8] {
    values.flatMap { bigEndian(UInt32(truncatingIfNeeded: $0)) }
  }
}
