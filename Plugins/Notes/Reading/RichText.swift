internal import Bytes

/// The rich text of annotations, XHTML of a few elements (PDF 32000-1, 12.7.3.4).
///
/// What viewers write here is often no correct XML, so tags are passed over as they come; nothing is
/// nested, and no entity but the known ones is replaced.
enum RichText {
  /// The text without its marks: a line for each paragraph.
  static func plain(_ rich: String) -> String {
    var output: [UInt8] = []
    let bytes = Array(rich.utf8)
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "<"):
        let (name, next, isClosing) = tag(bytes, index)
        index = next
        switch name {
        case "br": output.append(0x0A)
        case "p", "div", "li", "h1", "h2", "h3":
          // A paragraph ends its line, even an empty one; what is around paragraphs does not add one.
          if isClosing, name != "div" {
            output.append(0x0A)
          } else if let last = output.last, last != 0x0A {
            output.append(0x0A)
          }
        default: break
        }
      case UInt8(ascii: "&"): entity(bytes, &index, into: &output)
      case 0x0A, 0x0D, 0x09, 0x20:
        index += 1
        // Blanks between elements are layout of the markup.
        if let last = output.last, last != 0x20, last != 0x0A { output.append(0x20) }
      case let byte:
        output.append(byte)
        index += 1
      }
    }
    return NoteText.cleaned(String(decoding: output, as: UTF8.self))
  }

  /// The rich text of a plain one.
  static func rich(_ plain: String, style: String) -> String {
    let paragraphs = plain.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      "<p dir=\"auto\">" + String(markup: line.isEmpty ? "\u{A0}" : String(line)) + "</p>"
    }
    return "<body xmlns=\"http://www.w3.org/1999/xhtml\""
      + " xmlns:xfa=\"http://www.xfa.org/schema/xfa-data/1.0/\" xfa:APIVersion=\"procd:1.0\""
      + " xfa:spec=\"2.0.2\" style=\"\(String(markup: style))\">" + paragraphs.joined() + "</body>"
  }

  /// The name of the tag at an offset, and where it ends.
  private static func tag(
    _ bytes: [UInt8], _ start: Int
  ) -> (name: String, next: Int, isClosing: Bool) {
    var index = start + 1
    let isClosing = index < bytes.count && bytes[index] == UInt8(ascii: "/")
    if isClosing { index += 1 }
    let nameStart = index
    while index < bytes.count, index - nameStart < 16, isLetter(bytes[index]) { index += 1 }
    let name = String(decoding: bytes[nameStart..<index], as: UTF8.self).lowercased()
    while index < bytes.count, bytes[index] != UInt8(ascii: ">") { index += 1 }
    return (name, min(index + 1, bytes.count), isClosing)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
  }

  private static let known: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
  ]

  private static func entity(_ bytes: [UInt8], _ index: inout Int, into output: inout [UInt8]) {
    let window = bytes[index..<min(index + 12, bytes.count)]
    guard let end = window.firstIndex(of: UInt8(ascii: ";")) else {
      output.append(bytes[index])
      index += 1
      return
    }
    let name = String(decoding: bytes[index + 1..<end], as: UTF8.self)
    var text = known[name]
    if name.hasPrefix("#") {
      let digits = name.dropFirst()
      let value =
        digits.first == "x" || digits.first == "X"
        ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      text = value.flatMap { Unicode.Scalar($0) }.map { String($0) }
    }
    if let text {
      output += Array(text.utf8)
      index = end + 1
    } else {
      output.append(bytes[index])
      index += 1
    }
  }
}
