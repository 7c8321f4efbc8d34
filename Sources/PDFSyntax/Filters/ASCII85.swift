/// ASCII85Decode (PDF 32000-1, 7.4.3). Characters outside the alphabet are passed over.
enum ASCII85 {
  static func decode(_ input: Span<UInt8>, limit: Int) -> FilterResult {
    var output: [UInt8] = []
    output.reserveCapacity(min(limit, input.count / 5 * 4 + 4))
    var group: UInt32 = 0
    var digits = 0
    var isClean = true
    var ended = false
    var at = 0
    while at < input.count, !ended {
      let byte = input[at]
      at += 1
      switch byte {
      case 0x21...0x75:
        group = group &* 85 &+ UInt32(byte - 0x21)
        digits += 1
        if digits == 5 {
          append(group, 4, to: &output)
          group = 0
          digits = 0
        }
      case 0x7A where digits == 0: append(0, 4, to: &output)
      case 0x7E: ended = true
      default: if !CharacterClass.isWhite(byte) { isClean = false }
      }
      if output.count > limit { return FilterResult(bytes: output, isComplete: false) }
    }
    if digits > 1 {
      for _ in digits..<5 { group = group &* 85 &+ 84 }
      append(group, digits - 1, to: &output)
    }
    return FilterResult(bytes: output, isComplete: isClean && ended, isBroken: !isClean)
  }

  private static func append(_ group: UInt32, _ count: Int, to output: inout [UInt8]) {
    for index in 0..<count {
      output.append(UInt8(truncatingIfNeeded: group >> UInt32(24 - 8 * index)))
    }
  }
}
