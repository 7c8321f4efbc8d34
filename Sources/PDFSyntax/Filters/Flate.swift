import CZlib

/// FlateDecode (PDF 32000-1, 7.4.4) on zlib, keeping what a broken stream gave before it broke.
enum Flate {
  static func inflate(_ input: Span<UInt8>, limit: Int) -> FilterResult {
    // Some producers put an end of line before the data.
    var start = 0
    while start < input.count, input[start] == 0x0A || input[start] == 0x0D { start += 1 }
    let body = input.extracting(start..<input.count)
    guard body.count > 0 else { return FilterResult(bytes: [], isComplete: input.count == 0) }
    let sound =
      body.count >= 2 && body[0] & 15 == 8 && (UInt16(body[0]) << 8 | UInt16(body[1])) % 31 == 0
    let result = run(body, windowBits: 15, limit: limit)
    if !result.bytes.isEmpty || sound { return result }
    // A wrong header: the deflated data may follow it, or begin at once.
    let skipped = run(
      body.extracting(min(2, body.count)..<body.count), windowBits: -15, limit: limit)
    let raw = run(body, windowBits: -15, limit: limit)
    return skipped.bytes.count >= raw.bytes.count ? skipped : raw
  }

  private static func run(_ input: Span<UInt8>, windowBits: Int32, limit: Int) -> FilterResult {
    var stream = unsafe z_stream()
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit2_(&stream, windowBits, ZLIB_VERSION, size) == Z_OK else {
      return FilterResult(bytes: [], isComplete: false)
    }
    defer { unsafe inflateEnd(&stream) }
    var output: [UInt8] = []
    var status = Z_OK
    unsafe input.withUnsafeBufferPointer { source in
      unsafe stream.next_in = unsafe UnsafeMutablePointer(mutating: source.baseAddress)
      unsafe stream.avail_in = UInt32(clamping: source.count)
      // Grow the output in place, guessing its size from the input's.
      var room = max(512, min(limit, source.count.multipliedReportingOverflow(by: 4).partialValue))
      repeat {
        let have = output.count
        room = max(512, min(room, limit - have + 1))
        let grown = unsafe [UInt8](unsafeUninitializedCapacity: have + room) { buffer, count in
          for index in 0..<have { unsafe buffer[index] = output[index] }
          unsafe stream.next_out = unsafe buffer.baseAddress.map { unsafe $0 + have }
          unsafe stream.avail_out = UInt32(clamping: room)
          status = unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
          count = unsafe have + room - Int(stream.avail_out)
        }
        output = grown
        room = max(room, output.count)
      } while unsafe status == Z_OK && output.count <= limit
        && (stream.avail_in > 0 || stream.avail_out == 0)
    }
    if output.count > limit {
      output.removeLast(output.count - limit)
      return FilterResult(bytes: output, isComplete: false)
    }
    return FilterResult(
      bytes: output, isComplete: status == Z_STREAM_END,
      isBroken: status != Z_STREAM_END && status != Z_OK && status != Z_BUF_ERROR)
  }
}
