/// A table of `name=value` items in the order of the bytes of the names, searched where it lies, so
/// that it costs nothing at start-up.
struct NameTable {
  let text: StaticString

  /// The bytes of a name's value as ASCII, or nil where the name is not in the table.
  func value(of name: some Collection<UInt8>) -> [UInt8]? {
    let wanted = Array(name)
    guard !wanted.isEmpty else { return nil }
    return text.withUTF8Buffer { table in
      var low = 0
      var high = table.count
      // Invariant: the item, if any, begins at or behind low and before high.
      while low < high {
        let middle = (low + high) / 2
        var start = middle
        while start > low, unsafe !Self.separates(table[start - 1]) { start -= 1 }
        var end = start
        while end < table.count, unsafe !Self.separates(table[end]) { end += 1 }
        switch unsafe Self.compare(table, start, end, wanted) {
        case 0:
          let from = start + wanted.count + 1
          return unsafe from < end ? Array(table[from..<end]) : nil
        case ..<0: low = end + 1
        default: high = start
        }
      }
      return nil
    }
  }

  private static func separates(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A }

  private static func compare(
    _ table: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ wanted: [UInt8]
  ) -> Int {
    var at = start
    for byte in wanted {
      guard at < end, unsafe table[at] != 0x3D else { return -1 }
      let own = unsafe table[at]
      if own != byte { return own < byte ? -1 : 1 }
      at += 1
    }
    return unsafe at < end && table[at] == 0x3D ? 0 : 1
  }
}
