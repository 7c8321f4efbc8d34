/// LZWDecode (PDF 32000-1, 7.4.4): codes of 9 to 12 bits, high bit first.
enum LZW {
  static func decode(_ input: Span<UInt8>, earlyChange: Bool, limit: Int) -> FilterResult {
    let early = earlyChange ? 1 : 0
    // Each code is the string of an earlier code and one more byte; its text is found again in the
    // output, where it was first written.
    var starts = [Int](repeating: 0, count: 4097)
    var lengths = [Int](repeating: 0, count: 4097)
    var next = 258
    var width = 9
    var output: [UInt8] = []
    var previousStart = -1
    var previousLength = 0
    var bits: UInt32 = 0
    var available = 0
    var at = 0
    while true {
      while available < width, at < input.count {
        bits = bits << 8 | UInt32(input[at])
        available += 8
        at += 1
      }
      guard available >= width else { return FilterResult(bytes: output, isComplete: false) }
      available -= width
      let code = Int(bits >> UInt32(available)) & (1 << width - 1)
      bits &= (1 << UInt32(available)) - 1
      if code == 257 { return FilterResult(bytes: output, isComplete: true) }
      if code == 256 {
        next = 258
        width = 9
        previousStart = -1
        continue
      }
      let start = output.count
      if code < 256 {
        output.append(UInt8(truncatingIfNeeded: code))
      } else if code < next {
        let from = starts[code]
        for index in 0..<lengths[code] { output.append(output[from + index]) }
      } else if code == next, previousStart >= 0 {
        for index in 0..<previousLength { output.append(output[previousStart + index]) }
        output.append(output[previousStart])
      } else {
        return FilterResult(bytes: output, isComplete: false, isBroken: true)
      }
      if previousStart >= 0, next < 4096 {
        starts[next] = previousStart
        lengths[next] = previousLength + 1
        next += 1
      }
      previousStart = start
      previousLength = output.count - start
      if next + early >= 2048 {
        width = 12
      } else if next + early >= 1024 {
        width = 11
      } else if next + early >= 512 {
        width = 10
      } else {
        width = 9
      }
      if output.count > limit {
        output.removeLast(output.count - limit)
        return FilterResult(bytes: output, isComplete: false)
      }
    }
  }
}
