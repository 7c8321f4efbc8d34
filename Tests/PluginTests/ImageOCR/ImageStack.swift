/// Several drawn pages in one TIFF file of 150 pixels per inch (TIFF 6.0), as scanners give a stack.
enum ImageStack {
  static func tiff(_ pages: [DrawnPage]) -> [UInt8] {
    var bytes: [UInt8] = [0x49, 0x49, 42, 0]
    func append(_ value: Int, _ count: Int) {
      for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
    }
    // The directories are ten entries each and follow one another behind the header.
    let entries = 10
    let directory = 2 + 12 * entries + 4
    var pixels = 8 + pages.count * directory + 8
    let resolution = 8 + pages.count * directory
    append(8, 4)
    for (index, page) in pages.enumerated() {
      append(entries, 2)
      let size = page.grey.count
      for (tag, type, value) in [
        (256, 4, page.width), (257, 4, page.height), (258, 3, 8), (259, 3, 1), (262, 3, 1),
        (273, 4, pixels), (278, 4, page.height), (279, 4, size), (282, 5, resolution),
        (283, 5, resolution),
      ] {
        append(tag, 2)
        append(type, 2)
        append(1, 4)
        append(value, 4)
      }
      pixels += size
      append(index + 1 < pages.count ? 8 + (index + 1) * directory : 0, 4)
    }
    append(150, 4)
    append(1, 4)
    for page in pages { bytes += page.grey }
    return bytes
  }
}
