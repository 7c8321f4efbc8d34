internal import PDFSyntax

/// Wraps CCITT fax data of a PDF stream (PDF 32000-1, 7.4.6) into a TIFF file of one strip, which
/// the image library can read.
enum FaxFile {
  static func bytes(_ data: [UInt8], parameters: PDFDictionary?, width: Int, height: Int) -> [UInt8]
  {
    let k = parameters?.integer("K") ?? 0
    let columns = parameters?.integer("Columns") ?? 1728
    let aligned = parameters?.boolean("EncodedByteAlign") ?? false
    // Modified Huffman rows end on bytes and have no line ends; otherwise Group 3 or Group 4.
    let compression = k < 0 ? 4 : aligned && k == 0 ? 2 : 3
    let entries: [(tag: Int, type: Int, value: Int)] = [
      (256, 4, columns), (257, 4, height), (258, 3, 1), (259, 3, compression), (262, 3, 0),
      (273, 4, 8), (277, 3, 1), (278, 4, height), (279, 4, data.count),
      (compression == 3 ? 292 : 293, 4, compression == 3 && k > 0 ? 1 : 0),
    ]
    let usable = compression == 2 ? Array(entries.dropLast()) : entries
    let padding = data.count % 2
    var file: [UInt8] = Array("MM\0*".utf8) + long(8 + data.count + padding) + data
    if padding == 1 { file.append(0) }
    file += short(usable.count)
    for entry in usable {
      file += short(entry.tag) + short(entry.type) + long(1)
      file += entry.type == 3 ? short(entry.value) + [0, 0] : long(entry.value)
    }
    return file + long(0)
  }

  private static func short(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  private static func long(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
}
