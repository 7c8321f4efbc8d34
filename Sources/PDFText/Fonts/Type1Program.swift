import Bytes
import PDFSyntax

/// The built-in encoding of a Type 1 font program, which stands in its clear part.
enum Type1Program {
  static func encoding(_ bytes: Span<UInt8>) -> Encoding? {
    let end = bytes.first(of: "eexec", in: 0..<bytes.count) ?? bytes.count
    guard let place = bytes.first(of: "/Encoding", in: 0..<end) else { return nil }
    var lexer = Lexer(bytes.extracting(0..<end), at: place + 9)
    var encoding = Encoding.empty
    var found = false
    var code: Int?
    for _ in 0..<4096 {
      let token = lexer.next()
      switch token.kind {
      case .end: return found ? encoding : nil
      case .keyword:
        let length = token.end - token.start
        if length == 16, bytes.matches("StandardEncoding", at: token.start) { return .standard }
        if length == 3, bytes.matches("def", at: token.start), found { return encoding }
        if length == 8, bytes.matches("readonly", at: token.start) {
          return found ? encoding : nil
        }
        if length == 3, bytes.matches("dup", at: token.start) { code = nil }
        // Codes in another base, such as 8#101.
        if length > 1, token.start < end, bytes[token.start] == 0x23, let base = code,
          (2...36).contains(base)
        {
          var value = 0
          for at in (token.start + 1)..<token.end {
            guard let digit = CharacterClass.hexadecimal(bytes[at]) else { break }
            value = min(value * base + Int(digit), 1 << 20)
          }
          code = value
        }
      case .integer: code = token.integer
      case .name:
        if let at = code, (0..<256).contains(at) {
          let name = lexer.name(token).text
          if name != ".notdef" { encoding.names[at] = name }
          found = true
        }
        code = nil
      default: break
      }
    }
    return found ? encoding : nil
  }
}
