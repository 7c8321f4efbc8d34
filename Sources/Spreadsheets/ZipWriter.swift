internal import Bytes
internal import CZlib

/// Writes a ZIP archive (PKWARE's APPNOTE 6.3) from its beginning to its end: each entry is deflated as it comes, and
/// its sizes stand behind it (4.3.9), so that nothing is held but what was not taken yet. The same calls give the same
/// bytes: every entry has the first date that ZIP knows.
///
/// It writes no ZIP64: entries and the archive stay below 4 GiB, which is for the caller to see to.
@safe package final class ZipWriter {
  private struct Entry {
    var name: String
    var offset: Int
    var sum: UInt32 = 0
    var size = 0
    var packed = 0
  }

  private var output = ByteWriter(reserving: 1 << 16)
  private var entries: [Entry] = []
  private var isOpen = false
  /// At a place of its own: zlib knows a stream by its address.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Nil where zlib gets no memory.
  package init?() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // A window of 15 bits and no header, as ZIP has it.
    let status = unsafe deflateInit2_(
      stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      // What is not wholly made has no deinit.
      unsafe stream.deallocate()
      return nil
    }
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Bytes so far, those that were taken included.
  var count: Int { output.taken + output.count }

  /// Bytes of the open entry before they were deflated.
  var size: Int { entries.last?.size ?? 0 }

  /// Hands out the bytes written since the last call.
  package func takeBytes() -> [UInt8] { output.takeBytes() }

  /// Begins an entry, and ends the one before.
  ///
  /// - Parameter name: a path.
  package func begin(_ name: String) {
    end()
    entries.append(Entry(name: name, offset: count))
    isOpen = true
    unsafe deflateReset(stream)
    append32(0x0403_4B50)
    appendHead(entries[entries.count - 1], sizes: (0, 0, 0))
    append16(0)
    output.append(name)
  }

  /// Adds to the open entry.
  package func write(_ bytes: [UInt8]) {
    guard isOpen, !bytes.isEmpty else { return }
    let place = entries.count - 1
    entries[place].size += bytes.count
    entries[place].sum = UInt32(
      truncatingIfNeeded: unsafe crc32_z(UInt(entries[place].sum), bytes, bytes.count))
    deflate(bytes, Z_NO_FLUSH)
  }

  /// Ends the archive, and hands out what was not taken yet.
  package func finish() -> [UInt8] {
    end()
    let start = count
    for entry in entries {
      append32(0x0201_4B50)
      // Made by version 2.0, under the rules of MS-DOS.
      append16(20)
      appendHead(entry, sizes: (entry.sum, entry.packed, entry.size))
      // No extra field, no comment, the first disk, no attributes.
      for _ in 0..<4 { append16(0) }
      append32(0)
      append32(entry.offset)
      output.append(entry.name)
    }
    let size = count - start
    append32(0x0605_4B50)
    append32(0)
    append16(entries.count)
    append16(entries.count)
    append32(size)
    append32(start)
    append16(0)
    return takeBytes()
  }

  private func end() {
    guard isOpen else { return }
    deflate([], Z_FINISH)
    isOpen = false
    let entry = entries[entries.count - 1]
    append32(0x0807_4B50)
    append32(Int(entry.sum))
    append32(entry.packed)
    append32(entry.size)
  }

  /// What local and central headers have in common, from the version to the length of the name.
  private func appendHead(_ entry: Entry, sizes: (sum: UInt32, packed: Int, size: Int)) {
    append16(20)
    // The sizes are behind the entry; names are UTF-8 (APPNOTE, appendix D).
    append16(entry.name.utf8.allSatisfy { $0 < 0x80 } ? 0x0008 : 0x0808)
    append16(8)
    // Midnight of 1980-01-01.
    append16(0)
    append16(0x0021)
    append32(Int(sizes.sum))
    append32(sizes.packed)
    append32(sizes.size)
    append16(entry.name.utf8.count)
  }

  private func deflate(_ bytes: [UInt8], _ flush: Int32) {
    var input = bytes
    unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe stream.pointee.next_in = input.baseAddress
      unsafe stream.pointee.avail_in = UInt32(clamping: input.count)
      var isFull = true
      while isFull {
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 15) { room, count in
          unsafe stream.pointee.next_out = room.baseAddress
          unsafe stream.pointee.avail_out = UInt32(clamping: room.count)
          unsafe _ = CZlib.deflate(stream, flush)
          unsafe count = room.count - Int(stream.pointee.avail_out)
          unsafe isFull = stream.pointee.avail_out == 0
        }
        entries[entries.count - 1].packed += piece.count
        output.append(contentsOf: piece)
      }
    }
  }

  private func append16(_ value: Int) {
    output.append(UInt8(truncatingIfNeeded: value))
    output.append(UInt8(truncatingIfNeeded: value >> 8))
  }

  private func append32(_ value: Int) {
    append16(value)
    append16(value >> 16)
  }
}
