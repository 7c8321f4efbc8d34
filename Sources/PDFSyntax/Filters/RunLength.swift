/// RunLengthDecode (PDF 32000-1, 7.4.5).
enum RunLength {
  static func decode(_ input: Span<UInt8>, limit: Int) -> FilterResult {
    var output: [UInt8] = []
    var at = 0
    while at < input.count {
      let length = Int(input[at])
      at += 1
      if length == 128 { return FilterResult(bytes: output, isComplete: true) }
      if length < 128 {
        let end = min(input.count, at + length + 1)
        while at < end {
          output.append(input[at])
          at += 1
        }
      } else if at < input.count {
        for _ in 0..<(257 - length) { output.append(input[at]) }
        at += 1
      }
      if output.count > limit { return FilterResult(bytes: output, isComplete: false) }
    }
    return FilterResult(bytes: output, isComplete: false)
  }
}
