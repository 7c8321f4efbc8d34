internal import FoundationEssentials
internal import PDFWriter
internal import PluginKit

// A part on its way from the run of a page to the run that joins: a line with the page's number, a line
// of JSON, then the bytes of the picture. Both runs are of the same program, so the form has no version.
extension PagePart {
  /// The media type of parts.
  static let mime = "application/octet-stream"

  /// The part as bytes.
  ///
  /// - Throws: ``PluginFailure`` with the code `ocr.part` where it cannot be written.
  func encoded() throws(PluginFailure) -> [UInt8] {
    let head = Array("\(number)\n".utf8)
    guard let recognized else { return head }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    do {
      let json = try encoder.encode(recognized)
      return head + json + [0x0A] + (recognized.image?.bytes ?? [])
    } catch {
      throw PluginFailure(
        .internal, "ocr.part", "what was read of a page cannot be written: \(error)")
    }
  }

  /// Reads a part, or nil where the bytes are none.
  init?(_ bytes: [UInt8]) {
    guard let number = Self.number(of: bytes.span), let head = bytes.firstIndex(of: 0x0A) else {
      return nil
    }
    self.number = number
    let rest = bytes[(head + 1)...]
    guard let end = rest.firstIndex(of: 0x0A) else { return }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    // Bytes that are no part are refused, whatever is wrong with them.
    guard var read = try? decoder.decode(Recognized.self, from: Data(rest[..<end])) else {
      return nil
    }
    read.image?.bytes = Array(bytes[(end + 1)...])
    recognized = read
  }

  /// The number of the page that a part is of.
  static func number(of bytes: Span<UInt8>) -> Int? {
    var number = 0
    for index in 0..<min(bytes.count, 10) {
      let byte = bytes[index]
      if byte == 0x0A { return index > 0 ? number : nil }
      guard (0x30...0x39).contains(byte) else { return nil }
      number = number * 10 + Int(byte - 0x30)
    }
    return nil
  }
}
