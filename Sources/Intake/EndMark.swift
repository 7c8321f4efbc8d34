internal import Files

/// Whether a file ends as files of its kind do. A writer may close a file and open it again for the rest, and
/// no lease tells of that. An empty file has no end yet: scanners make one to reserve the name.
enum EndMark {
  /// Nil for kinds without such a mark.
  static func stands(in file: OpenFile, size: Int) throws(FileError) -> Bool? {
    if size == 0 { return false }
    let head = try file.bytes(at: 0, count: 1024)
    func ends(with mark: [UInt8], within count: Int) throws(FileError) -> Bool {
      try file.bytes(at: max(0, size - count), count: count).firstRange(of: mark) != nil
    }
    // PDF 32000-1, 7.5.5 and annex H, note 18.
    if head.firstRange(of: Array("%PDF-".utf8)) != nil {
      if try ends(with: endOfPDF, within: 1024) { return true }
      return try isWhole(pdf: file, size: size)
    }
    switch head.prefix(4) {
    // PNG, 11.2.5.
    case [0x89, 0x50, 0x4E, 0x47]: return try ends(with: Array("IEND".utf8), within: 64)
    // ITU-T T.81, B.1.1.3: EOI. Some cameras write something behind it.
    case [0xFF, 0xD8, 0xFF, nil]: return try ends(with: [0xFF, 0xD9], within: 4096)
    // APPNOTE, 4.3.16: the end of the central directory, with a comment of 65,535 bytes at most.
    case [0x50, 0x4B, 0x03, 0x04]:
      return try ends(with: [0x50, 0x4B, 0x05, 0x06], within: 65_557)
    case [0x49, 0x49, 0x2A, 0x00]: return try hasPictures(head, file, size: size, isBig: false)
    case [0x4D, 0x4D, 0x00, 0x2A]: return try hasPictures(head, file, size: size, isBig: true)
    default: return nil
    }
  }

  private static let endOfPDF = Array("%%EOF".utf8)

  /// How much data behind its end mark a PDF may have: enough for the padding and the web pages that servers append.
  private static let mostBehindPDF = 8 << 20

  /// Returns whether the last end mark of a PDF has only data behind it that is not PDF. An object there, by its header
  /// (PDF 32000-1, 7.3.10), is the beginning of a part that is still being written: of an update, or of the rest of a
  /// linearized file.
  private static func isWhole(pdf file: OpenFile, size: Int) throws(FileError) -> Bool {
    let step = 64 << 10
    var end = size
    while end > max(0, size - mostBehindPDF) {
      let start = max(0, end - step)
      // With a little of what was read before, in which a mark may end.
      let bytes = try file.bytes(at: start, count: end - start + endOfPDF.count - 1)
      if let mark = bytes.ranges(of: endOfPDF).last {
        let next = try file.bytes(at: start + mark.upperBound, count: 256)
        let text = String(decoding: next.drop { $0 <= 0x20 }, as: UTF8.self)
        return text.prefixMatch(of: /[0-9]{1,10}\s+[0-9]{1,5}\s+obj|xref\s/) == nil
      }
      end = start
    }
    return false
  }

  /// More fields and pieces of all pictures together are not looked at, so that no file takes long.
  private static let mostOfTIFF = 100_000

  /// TIFF 6.0 has no mark, but directories that must be there (section 2) with the strips (section 3) or tiles
  /// (section 15) that they name.
  private static func hasPictures(
    _ head: [UInt8], _ file: OpenFile, size: Int, isBig: Bool
  ) throws(FileError) -> Bool {
    func number(_ bytes: some Sequence<UInt8>) -> Int {
      (isBig ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
    guard head.count >= 8 else { return false }
    var start = number(head[4..<8])
    guard start > 0 else { return false }
    var rest = mostOfTIFF
    while start > 0, rest > 0 {
      let length = number(try file.bytes(at: start, count: 2)) * 12
      let directory = try file.bytes(at: start + 2, count: length + 4)
      guard length > 0, directory.count == length + 4 else { return false }
      rest -= length / 12
      // Where the pieces are, and how many bytes each has; by tag.
      var pieces: [Int: [Int]] = [273: [], 279: [], 324: [], 325: []]
      for place in stride(from: 0, to: length, by: 12) {
        let field = directory[place..<place + 12].map(\.self), tag = number(field[0..<2])
        let width = number(field[2..<4]) == 3 ? 2 : 4, count = number(field[4..<8])
        guard pieces[tag]?.isEmpty == true, count <= rest else { continue }
        rest -= count
        let values =
          count * width <= 4
          ? Array(field[8..<8 + count * width])
          : try file.bytes(at: number(field[8..<12]), count: count * width)
        guard values.count == count * width else { return false }
        pieces[tag] = stride(from: 0, to: values.count, by: width).map {
          number(values[$0..<$0 + width])
        }
      }
      for (offsets, counts) in [(273, 279), (324, 325)] {
        let ends = zip(pieces[offsets] ?? [], pieces[counts] ?? []).map(+)
        guard ends.allSatisfy({ $0 <= size }) else { return false }
      }
      start = number(directory.suffix(4))
    }
    return true
  }
}

private func ~= (pattern: [UInt8?], bytes: ArraySlice<UInt8>) -> Bool {
  pattern.count == bytes.count && zip(pattern, bytes).allSatisfy { $0 == nil || $0 == $1 }
}
