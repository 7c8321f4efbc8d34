internal import Files

/// Whether a file ends as files of its kind do. A writer may close a file and open it again for the rest, and
/// no lease tells of that. Only first and last bytes are looked at, and compared.
enum EndMark {
  /// Nil for kinds without such a mark.
  static func stands(in file: OpenFile, size: Int) throws(FileError) -> Bool? {
    let head = try file.bytes(at: 0, count: 1024)
    func ends(with mark: [UInt8], within count: Int) throws(FileError) -> Bool {
      try file.bytes(at: max(0, size - count), count: count).firstRange(of: mark) != nil
    }
    // PDF 32000-1, 7.5.5 and annex H, note 18.
    if head.firstRange(of: Array("%PDF-".utf8)) != nil {
      return try ends(with: Array("%%EOF".utf8), within: 1024)
    }
    switch head.prefix(4) {
    // PNG, 11.2.5.
    case [0x89, 0x50, 0x4E, 0x47]: return try ends(with: Array("IEND".utf8), within: 64)
    // ITU-T T.81, B.1.1.3: EOI. Some cameras write something behind it.
    case [0xFF, 0xD8, 0xFF, nil]: return try ends(with: [0xFF, 0xD9], within: 4096)
    // APPNOTE, 4.3.16: the end of the central directory, with a comment of 65,535 bytes at most.
    case [0x50, 0x4B, 0x03, 0x04]:
      return try ends(with: [0x50, 0x4B, 0x05, 0x06], within: 65_557)
    // TIFF 6.0, section 2: no mark, but a directory that has to be there.
    case [0x49, 0x49, 0x2A, 0x00]: return try hasDirectory(head, file, size: size, isBig: false)
    case [0x4D, 0x4D, 0x00, 0x2A]: return try hasDirectory(head, file, size: size, isBig: true)
    default: return nil
    }
  }

  private static func hasDirectory(
    _ head: [UInt8], _ file: OpenFile, size: Int, isBig: Bool
  ) throws(FileError) -> Bool {
    func number(_ bytes: ArraySlice<UInt8>) -> Int {
      (isBig ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
    guard head.count >= 8 else { return false }
    let start = number(head[4..<8])
    let count = try file.bytes(at: start, count: 2)
    return start > 0 && count.count == 2 && start + 2 + number(count[...]) * 12 + 4 <= size
  }
}

private func ~= (pattern: [UInt8?], bytes: ArraySlice<UInt8>) -> Bool {
  pattern.count == bytes.count && zip(pattern, bytes).allSatisfy { $0 == nil || $0 == $1 }
}
