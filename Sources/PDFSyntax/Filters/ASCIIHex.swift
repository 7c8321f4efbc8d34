/// ASCIIHexDecode (PDF 32000-1, 7.4.2). Characters that are no digits are passed over.
enum ASCIIHex {
  static func decode(_ input: Span<UInt8>, limit: Int) -> FilterResult {
    var output: [UInt8] = []
    output.reserveCapacity(min(limit, input.count / 2 + 1))
    var high: UInt8?
    var isComplete = false
    var isBroken = false
    var at = 0
    while at < input.count, output.count < limit {
      let byte = input[at]
      at += 1
      if byte == 0x3E {
        isComplete = true
        break
      }
      guard let digit = CharacterClass.hexadecimal(byte) else {
        if !CharacterClass.isWhite(byte) { isBroken = true }
        continue
      }
      if let first = high {
        output.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    if let first = high { output.append(first << 4) }
    return FilterResult(bytes: output, isComplete: isComplete, isBroken: isBroken)
  }
}
