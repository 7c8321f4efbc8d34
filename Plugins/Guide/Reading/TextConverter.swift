internal import Glibc
internal import PluginKit

/// The encoding that a document names where it is not UTF-8.
enum DeclaredEncoding {
  /// Nil for UTF-8, and where nothing is said, which means UTF-8.
  static func of(_ head: [UInt8]) -> String? {
    if head.starts(with: [0xFF, 0xFE]) { return "UTF-16" }
    if head.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    if head.starts(with: [0x3C, 0x00]) { return "UTF-16LE" }
    if head.starts(with: [0x00, 0x3C]) { return "UTF-16BE" }
    let text = String(decoding: head.prefix(256), as: UTF8.self)
    guard text.hasPrefix("<?xml") || text.hasPrefix("\u{FEFF}<?xml"),
      let declaration = text.split(separator: "?>").first,
      let place = declaration.firstRange(of: "encoding")?.upperBound
    else { return nil }
    let rest = declaration[place...].drop { $0 == " " || $0 == "=" }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    guard let close = rest.dropFirst().firstIndex(of: quote) else { return nil }
    let name = rest.dropFirst()[..<close].uppercased()
    if ["UTF-8", "UTF8", "US-ASCII", "ASCII", "UTF-16", ""].contains(name) { return nil }
    // Pages of Windows are what is meant by these in practice.
    return ["ISO-8859-1", "LATIN1"].contains(name) ? "WINDOWS-1252" : name
  }
}

/// Converts text to UTF-8 in pieces; what has no meaning becomes U+FFFD.
@safe final class TextConverter {
  private let handle: iconv_t
  /// The start of a letter whose rest has not come yet.
  private var kept: [UInt8] = []

  init(from name: String) throws(PluginFailure) {
    let isPlain =
      name.utf8.count < 32
      && name.utf8.allSatisfy {
        $0 == 0x2D || $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
      }
    // It fails with -1 for an address.
    guard isPlain, let opened = unsafe iconv_open("UTF-8", name),
      Int(bitPattern: opened) != -1
    else {
      throw PluginFailure(
        .input, "guide.encoding",
        "the file says that it is written in \(name.prefix(32)), which is not known",
        hint: "save it as UTF-8")
    }
    unsafe handle = opened
  }

  deinit { _ = unsafe iconv_close(handle) }

  func convert(_ piece: ArraySlice<UInt8>, isLast: Bool) -> [UInt8] {
    var input = kept + piece
    var output = [UInt8](repeating: 0, count: input.count * 3 + 16)
    var taken = 0, made = 0
    let handle = unsafe handle
    unsafe input.withUnsafeMutableBytes { source in
      unsafe output.withUnsafeMutableBytes { target in
        while taken < source.count {
          var from = unsafe source.baseAddress?.advanced(by: taken).assumingMemoryBound(
            to: CChar.self)
          var into = unsafe target.baseAddress?.advanced(by: made).assumingMemoryBound(
            to: CChar.self)
          var left = source.count - taken, room = target.count - made
          let result = unsafe iconv(handle, &from, &left, &into, &room)
          let code = errno
          (taken, made) = (source.count - left, target.count - room)
          if result != -1 || code == E2BIG { break }
          // A letter that is not whole yet waits; it is short.
          if code == EINVAL, !isLast, source.count - taken < 8 { break }
          guard target.count - made >= 3 else { break }
          for byte in [0xEF, 0xBF, 0xBD] as [UInt8] { unsafe target[made] = byte; made += 1 }
          taken += 1
        }
      }
    }
    kept = Array(input[taken...])
    output.removeLast(output.count - made)
    return output
  }
}
