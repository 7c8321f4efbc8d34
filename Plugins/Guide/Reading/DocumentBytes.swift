internal import CZlib
internal import Glibc
internal import PluginKit

/// The bytes of a guide as UTF-8 that XML allows, piece by piece: unpacked where the file is packed with
/// gzip, and converted from its encoding.
///
/// The bytes decide between UTF-8 and Windows-1252 (``EncodingEvidence``), because many guides name the wrong one or none;
/// every other encoding is taken as named. Bytes without a meaning become U+FFFD and are counted, and control characters
/// become spaces, because libxml2 stops at the first byte that is not text.
@safe final class DocumentBytes {
  /// Places that were no text.
  private(set) var mended = 0
  /// The encoding that parts of the document have instead of the one that it names, or nil.
  private(set) var actualEncoding: String?
  private let file: gzFile
  private var converter: iconv_t?
  /// For the bytes of a document in UTF-8 that are not UTF-8.
  private var westernConverter: iconv_t?
  private var evidence: EncodingEvidence?
  /// How many bytes are passed over where they have no meaning.
  private var step = 1
  private var piece = [UInt8](repeating: 0, count: pieceSize + 8)
  /// Bytes at the beginning of `piece` that wait for the rest of their letter.
  private var waiting = 0
  private var unpacked = 0
  private var total = 0
  private var ended = false

  /// Small, as what stands in the same piece as damage to a packed file is lost.
  private static let pieceSize = 16 << 10

  /// - Throws: an `input` failure where the file cannot be read or unpacked.
  init(path: String) throws(PluginFailure) {
    guard let file = unsafe path == "-" ? gzdopen(dup(0), "r") : gzopen(path, "re") else {
      let reason = unsafe String(cString: strerror(errno))
      throw PluginFailure(.internal, "step.read", "the file cannot be opened: \(reason)")
    }
    unsafe self.file = file
    _ = unsafe gzbuffer(file, 128 << 10)
  }

  deinit {
    if let converter = unsafe converter { _ = unsafe iconv_close(converter) }
    if let converter = unsafe westernConverter { _ = unsafe iconv_close(converter) }
    unsafe gzclose(file)
  }

  /// The next piece; empty at the end.
  func next() throws(PluginFailure) -> [UInt8] {
    while !ended {
      let count = try read()
      if unsafe converter == nil { try beginConverting(count) }
      let text = converted(waiting + count)
      total += text.count
      guard total <= Limits.documentBytes else {
        throw PluginFailure(
          .input, "limit.document",
          "the guide has more than \(Limits.documentBytes >> 30) GiB of XML, which is not read")
      }
      if !text.isEmpty { return text }
    }
    return []
  }

  /// Reads behind what waits. What cannot be unpacked ends the file, unless nothing came before it.
  private func read() throws(PluginFailure) -> Int {
    let count = Int(
      unsafe piece.withUnsafeMutableBytes { [waiting, file] in
        unsafe gzread(file, $0.baseAddress?.advanced(by: waiting), UInt32(Self.pieceSize))
      })
    ended = count <= 0
    if count < 0 {
      var code = Z_OK
      _ = unsafe gzerror(file, &code)
      if code == Z_ERRNO {
        let reason = unsafe String(cString: strerror(errno))
        throw PluginFailure(.transient, "disk.failed", "the file cannot be read: \(reason)")
      }
      guard unpacked > 0 else {
        throw PluginFailure(.input, "guide.gzip", "the file cannot be unpacked: it is damaged")
      }
    }
    unpacked += max(0, count)
    // Not known of a pipe, which only the limit above bounds.
    let packed = unsafe Int(gzoffset(file))
    guard
      unpacked < Limits.freeBytes || packed < 0
        || unpacked / max(1, packed) <= Limits.unpackingRatio
    else {
      throw PluginFailure(
        .input, "limit.ratio",
        "the file becomes more than \(Limits.unpackingRatio) times larger when it is unpacked")
    }
    return max(0, count)
  }

  private func beginConverting(_ count: Int) throws(PluginFailure) {
    let head = piece[..<count]
    for (mark, packer) in Self.packers where head.starts(with: mark) {
      throw PluginFailure(
        .input, "guide.packed", "the guide is compressed with \(packer), which is not read",
        hint: "unpack it, or compress it with gzip")
    }
    let name = Self.encoding(Array(head.prefix(1024)))
    let isPlain = name.utf8.allSatisfy {
      $0 == 0x2D || $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
    }
    evidence = EncodingEvidence.Encoding(rawValue: name).map(EncodingEvidence.init)
    guard isPlain, let opened = unsafe Self.converter(from: evidence == nil ? name : "UTF-8") else {
      throw PluginFailure(
        .input, "guide.encoding",
        "the file says that it is written in \(name.prefix(32)), which is not known",
        hint: "save it as UTF-8")
    }
    unsafe converter = opened
    if name.hasPrefix("UTF-16") { step = 2 }
    if evidence != nil { unsafe westernConverter = Self.converter(from: "WINDOWS-1252") }
    if head.starts(with: [0xEF, 0xBB, 0xBF]) {
      piece.replaceSubrange(0..<3, with: [0x20, 0x20, 0x20])
    }
  }

  private static func converter(from encoding: String) -> iconv_t? {
    let opened = unsafe iconv_open("UTF-8", encoding)
    // It fails with -1 for an address.
    return unsafe Int(bitPattern: opened) == -1 ? nil : opened
  }

  /// Compressed files by their first bytes, as their formats define them.
  private static let packers: [(mark: [UInt8], name: String)] = [
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz"), (Array("PK".utf8) + [3, 4], "zip"),
    (Array("BZh".utf8), "bzip2"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd"),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "7-Zip"),
  ]

  /// The encoding that a document names.
  private static func encoding(_ head: [UInt8]) -> String {
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    if head.starts(with: [0x3C, 0x00]) { return "UTF-16LE" }
    if head.starts(with: [0x00, 0x3C]) { return "UTF-16BE" }
    let text = String(decoding: head.prefix(256), as: UTF8.self)
    guard text.hasPrefix("<?xml") || text.hasPrefix("\u{FEFF}<?xml"),
      let declaration = text.split(separator: "?>").first,
      let place = declaration.firstRange(of: "encoding")?.upperBound
    else { return "UTF-8" }
    let rest = declaration[place...].drop { $0 == " " || $0 == "=" }
    guard let quote = rest.first, quote == "\"" || quote == "'",
      let close = rest.dropFirst().firstIndex(of: quote)
    else { return "UTF-8" }
    let name = rest.dropFirst()[..<close].uppercased()
    // A document that can be read so far as bytes is not in UTF-16.
    if ["US-ASCII", "ASCII", "UTF-16", ""].contains(name) { return "UTF-8" }
    if name == "UTF8" { return "UTF-8" }
    // Pages of Windows are what is meant by these in practice.
    return ["ISO-8859-1", "ISO8859-1", "ISO_8859-1", "LATIN1", "LATIN-1", "CP1252"].contains(name)
      ? "WINDOWS-1252" : name
  }

  /// The first bytes of `piece` as UTF-8; a letter that is not whole stays for the next piece.
  private func converted(_ count: Int) -> [UInt8] {
    var text = [UInt8](repeating: 0, count: count * 3 + 16)
    var taken = 0, made = 0
    evidence?.look(at: piece[..<count])
    if let evidence, evidence.encoding != evidence.stated {
      actualEncoding = evidence.encoding.rawValue
    }
    let isWestern = evidence?.encoding == .windows1252
    unsafe piece.withUnsafeMutableBytes { source in
      unsafe text.withUnsafeMutableBytes { target in
        while taken < count {
          var from = unsafe source.baseAddress?.advanced(by: taken).assumingMemoryBound(
            to: CChar.self)
          var into = unsafe target.baseAddress?.advanced(by: made).assumingMemoryBound(
            to: CChar.self)
          var left = count - taken, room = target.count - made
          let result = unsafe iconv(
            isWestern ? westernConverter : converter, &from, &left, &into, &room)
          let code = errno
          (taken, made) = (count - left, target.count - room)
          if result != -1 || code == E2BIG || code == EINVAL && !ended && left < 8 { break }
          guard room >= 3 else { break }
          mended += 1
          if let westernConverter = unsafe westernConverter, !isWestern {
            // A text in Windows-1252 among others in UTF-8.
            left = 1
            if unsafe iconv(westernConverter, &from, &left, &into, &room) != -1 {
              (taken, made) = (taken + 1, target.count - room)
              continue
            }
          }
          for byte in [0xEF, 0xBF, 0xBD] as [UInt8] { unsafe target[made] = byte; made += 1 }
          taken = min(taken + step, count)
        }
        for index in 0..<made where unsafe target[index] < 0x20 {
          let byte = unsafe target[index]
          if byte != 0x09, byte != 0x0A, byte != 0x0D { unsafe target[index] = 0x20 }
        }
      }
    }
    waiting = min(count - taken, 8)
    for index in 0..<waiting { piece[index] = piece[taken + index] }
    text.removeLast(text.count - made)
    return text
  }
}
