import TestSupport

@testable import PDFSyntax

/// Writes small encrypted files of version 4 whose crypt filters can be chosen freely, which other
/// programs do not offer.
struct EncryptingBuilder {
  enum Method { case none, rc4, aes }

  /// The entries that tell which crypt filter is for what, such as `/StmF/StdCF`.
  var filters = "/StmF/StdCF/StrF/StdCF"
  /// How strings, and streams that say nothing, are encrypted.
  var strings = Method.aes
  var streams = Method.aes
  var password = ""

  /// The file's identifier; none is written where it is empty.
  var identifier = Array("0123456789abcdef".utf8)
  /// Whether the encryption dictionary stands in the trailer itself.
  var isDirect = false

  private let owner = [UInt8](repeating: 0x6F, count: 32)
  private var plain: [(text: String, stream: (bytes: [UInt8], method: Method)?)] = []

  /// Adds an object; what stands in braces in its text becomes an encrypted string.
  mutating func add(_ text: String) { plain.append((text, nil)) }

  mutating func addStream(_ text: String, entries: String = "", method: Method? = nil) {
    plain.append((entries, (Array(text.utf8), method ?? streams)))
  }

  func file() -> [UInt8] {
    let key = fileKey
    var file = FileAssembler()
    for (index, object) in plain.enumerated() {
      let number = index + 1
      if let stream = object.stream {
        file.stream(
          number, encrypted(stream.bytes, number, stream.method, key), entries: object.text)
      } else {
        file.object(number, withStrings(object.text, number, key))
      }
    }
    let number = plain.count + 1
    let method = streams == .rc4 || strings == .rc4 ? "V2" : "AESV2"
    let dictionary =
      "<</Filter/Standard/V 4/R 4/Length 128/P -4/O\(hexadecimal(owner))"
      + "/U\(hexadecimal(check(key)))\(filters)"
      + "/CF<</StdCF<</CFM/\(method)/Length 16>>/Other<</CFM/V2/Length 16>>>>>>"
    if !isDirect { file.object(number, dictionary) }
    let digits = hexadecimal(identifier)
    file.end(
      file.table(
        file.used(file.offsets.keys),
        trailer: "/Size \(number + 1)/Root 1 0 R/Encrypt "
          + (isDirect ? dictionary : "\(number) 0 R")
          + (identifier.isEmpty ? "" : "/ID[\(digits)\(digits)]")))
    return file.bytes
  }

  private func withStrings(_ text: String, _ number: Int, _ key: [UInt8]) -> String {
    guard let open = text.firstIndex(of: "{"), let close = text.firstIndex(of: "}") else {
      return text
    }
    let string = Array(text[text.index(after: open)..<close].utf8)
    return text[..<open] + hexadecimal(encrypted(string, number, strings, key))
      + text[text.index(after: close)...]
  }

  private static let padding: [UInt8] = [
    0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08,
    0x2E, 0x2E, 0x00, 0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
  ]

  /// Algorithm 2, for permissions of -4.
  private var fileKey: [UInt8] {
    let padded = Array((Array(password.utf8) + Self.padding).prefix(32))
    var key = Digests.md5(padded + owner + [0xFC, 0xFF, 0xFF, 0xFF] + identifier)
    for _ in 0..<50 { key = Digests.md5(key) }
    return key
  }

  /// Algorithm 5: what tells the right password.
  private func check(_ key: [UInt8]) -> [UInt8] {
    var check = Digests.md5(Self.padding + identifier)
    for round in 0..<20 { check = RC4.apply(key: key.map { $0 ^ UInt8(round) }, to: check) }
    return check + [UInt8](repeating: 0, count: 16)
  }

  private func encrypted(
    _ bytes: [UInt8], _ number: Int, _ method: Method, _ key: [UInt8]
  ) -> [UInt8] {
    let seed = key + [UInt8(number), 0, 0, 0, 0]
    switch method {
    case .none: return bytes
    case .rc4: return RC4.apply(key: Digests.md5(seed), to: bytes)
    case .aes:
      let vector = (0..<16).map { UInt8($0) }
      let pad = 16 - bytes.count % 16
      let blocks = bytes + [UInt8](repeating: UInt8(pad), count: pad)
      let own = Digests.md5(seed + Array("sAlT".utf8))
      return vector + (AESBlocks.encryptBlocks(blocks, key: own, vector: vector) ?? [])
    }
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return "<" + bytes.map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined() + ">"
  }
}
