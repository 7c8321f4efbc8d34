internal import CZlib
internal import Glibc
internal import PluginKit

/// The bytes of a guide as UTF-8, piece by piece: unpacked where the file is packed with gzip, and
/// converted where it says that it has another encoding.
final class DocumentBytes {
  private var raw: RawBytes
  private var converter: TextConverter?
  private var head: [UInt8] = []
  private var headOffset = 0
  private var total = 0

  /// - Throws: an `input` failure where the file cannot be read or unpacked.
  init(path: String) throws(PluginFailure) {
    raw = try RawBytes(path: path)
    head = [UInt8](repeating: 0, count: 1024)
    var filled = 0
    while filled < head.count {
      let count = try raw.read(into: &head, from: filled)
      if count == 0 { break }
      filled += count
    }
    head.removeLast(head.count - filled)
    if let name = DeclaredEncoding.of(head) { converter = try TextConverter(from: name) }
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { headOffset = 3 }
  }

  /// Bytes of the file as it lies there that were used so far.
  var bytesRead: Int { raw.bytesRead }

  /// Fills the buffer from a place on, as far as it goes.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  func read(into buffer: inout [UInt8], from start: Int) throws(PluginFailure) -> Int {
    let count =
      if converter != nil { try convert(into: &buffer, from: start) } else {
        try plain(into: &buffer, from: start)
      }
    total += count
    guard total <= Limits.documentBytes else {
      throw PluginFailure(
        .input, "limit.document",
        "the guide has more than \(Limits.documentBytes >> 30) GiB of XML, which is not read")
    }
    return count
  }

  private func plain(
    into buffer: inout [UInt8], from start: Int
  ) throws(PluginFailure) -> Int {
    guard headOffset < head.count else { return try raw.read(into: &buffer, from: start) }
    let count = min(head.count - headOffset, buffer.count - start)
    buffer.replaceSubrange(start..<start + count, with: head[headOffset..<headOffset + count])
    headOffset += count
    return count
  }

  private func convert(
    into buffer: inout [UInt8], from start: Int
  ) throws(PluginFailure) -> Int {
    // A piece becomes at most three times as long in UTF-8.
    var piece = [UInt8](repeating: 0, count: max(16, (buffer.count - start) / 4))
    while true {
      let count = try plain(into: &piece, from: 0)
      let converted = converter?.convert(piece[..<count], isLast: count == 0) ?? []
      if !converted.isEmpty {
        buffer.replaceSubrange(start..<start + converted.count, with: converted)
        return converted.count
      }
      if count == 0 { return 0 }
    }
  }
}

/// The bytes of a file, unpacked where they are packed.
@safe private final class RawBytes {
  private let descriptor: Int32
  private var stream = unsafe z_stream()
  private var packed: [UInt8] = []
  private var isPacked = false
  private var ended = false
  private var unpacked = 0
  private(set) var bytesRead = 0

  init(path: String) throws(PluginFailure) {
    descriptor = path == "-" ? 0 : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw PluginFailure(.internal, "step.read", "the file cannot be opened (errno \(errno))")
    }
    packed = [UInt8](repeating: 0, count: 128 << 10)
    let count = try fill()
    isPacked = count > 2 && packed[0] == 0x1F && packed[1] == 0x8B
    unsafe stream.avail_in = UInt32(count)
    guard isPacked else { return }
    // 16: a gzip head and nothing else.
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else {
      throw PluginFailure(.internal, "step.read", "the file cannot be unpacked: no memory")
    }
  }

  deinit {
    if isPacked { unsafe inflateEnd(&stream) }
    close(descriptor)
  }

  /// Reads the next piece of the file into `packed`.
  private func fill() throws(PluginFailure) -> Int {
    let descriptor = descriptor
    while true {
      let count = unsafe packed.withUnsafeMutableBytes {
        unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw PluginFailure(.transient, "disk.failed", "the file cannot be read (errno \(errno))")
      }
      bytesRead += count
      return count
    }
  }

  func read(into buffer: inout [UInt8], from start: Int) throws(PluginFailure) -> Int {
    if !isPacked {
      let have = unsafe Int(stream.avail_in)
      if have > 0 {
        // The piece that told what kind of file this is.
        let count = min(have, buffer.count - start), from = bytesRead - have
        buffer.replaceSubrange(start..<start + count, with: packed[from..<from + count])
        unsafe stream.avail_in -= UInt32(count)
        return count
      }
      let descriptor = descriptor
      while true {
        let count = unsafe buffer.withUnsafeMutableBytes {
          unsafe Glibc.read(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start)
        }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else {
          throw PluginFailure(.transient, "disk.failed", "the file cannot be read (errno \(errno))")
        }
        bytesRead += count
        return count
      }
    }
    return try unpack(into: &buffer, from: start)
  }

  private func unpack(
    into buffer: inout [UInt8], from start: Int
  ) throws(PluginFailure) -> Int {
    while !ended {
      if unsafe stream.avail_in == 0 {
        let count = try fill()
        // Cut off: what came so far counts.
        guard count > 0 else { ended = true; return 0 }
        unsafe stream.avail_in = UInt32(count)
        offset = 0
      }
      let (status, made) = step(&buffer, start)
      unpacked += made
      guard unpacked < Limits.freeBytes || unpacked / max(1, bytesRead) <= Limits.unpackingRatio
      else {
        throw PluginFailure(
          .input, "limit.ratio",
          "the file becomes more than \(Limits.unpackingRatio) times larger when it is unpacked")
      }
      switch status {
      case Z_STREAM_END:
        // Several packed pieces behind one another are one file.
        if unsafe inflateReset(&stream) != Z_OK { ended = true }
      case Z_OK, Z_BUF_ERROR: break
      default:
        guard unpacked > 0 else {
          throw PluginFailure(.input, "guide.gzip", "the file cannot be unpacked: it is damaged")
        }
        ended = true
      }
      if made > 0 { return made }
    }
    return 0
  }

  /// Where in `packed` the next byte to unpack stands.
  private var offset = 0

  private func step(_ buffer: inout [UInt8], _ start: Int) -> (Int32, Int) {
    let have = unsafe Int(stream.avail_in), from = offset, room = buffer.count - start
    var status = Z_OK, made = 0
    unsafe packed.withUnsafeMutableBufferPointer { source in
      unsafe buffer.withUnsafeMutableBufferPointer { target in
        unsafe stream.next_in = unsafe source.baseAddress.map { unsafe $0 + from }
        unsafe stream.next_out = unsafe target.baseAddress.map { unsafe $0 + start }
        unsafe stream.avail_out = UInt32(clamping: room)
        status = unsafe inflate(&stream, Z_NO_FLUSH)
        made = unsafe room - Int(stream.avail_out)
      }
    }
    offset = unsafe from + have - Int(stream.avail_in)
    return (status, made)
  }
}
