internal import CLinux
internal import Glibc

/// Finds what a result has from an input as it is: a searchable PDF holds the picture that was recognized. These stretches
/// need not travel home, where the input lies.
struct InputPiece: Sendable, Equatable {
  /// Where it begins in the input, and in the result.
  var start: Int
  var at: Int
  var count: Int

  /// Bytes of one in a message: three numbers of four bytes, the highest first.
  static let length = 12
  /// Files larger than this are not searched.
  static let longestFile = 8 << 20
  /// Shorter ones gain nothing.
  static let leastFile = 4096
  private static let leastBytes = 128
  private static let most = 4096
  /// What is looked for, in bytes.
  private static let anchor = 48
  /// How far behind the end of one the next may begin in either file: PNG parts its data by twelve bytes.
  private static let reach = 64

  /// The stretches in the order of the result, none over another; empty where there is little to gain.
  static func find(in result: [UInt8], of input: [UInt8]) -> [InputPiece] {
    guard min(result.count, input.count) >= leastFile, max(result.count, input.count) <= longestFile
    else { return [] }
    return Search(result: result, input: input).pieces()
  }

  private struct Search {
    let result: [UInt8]
    let input: [UInt8]

    func pieces() -> [InputPiece] {
      let places = [256, 1024, 4096, 16384, input.count / 4, input.count / 2, input.count / 4 * 3]
      for start in places where start + anchor <= input.count {
        guard let at = place(of: input, start, in: result, 0..<result.count) else {
          continue
        }
        let before = common(endingAt: start, at)
        var piece = extended(start - before, at - before)
        guard piece.count >= 1024 else { continue }
        var found = [piece]
        while found.count < most, let next = next(behind: piece) {
          piece = extended(next.start, next.at)
          guard piece.count >= leastBytes else { break }
          found.append(piece)
        }
        return found
      }
      return []
    }

    /// Where the next bytes of the result stand in the input a little further on, or those of the input in the result.
    private func next(behind piece: InputPiece) -> (start: Int, at: Int)? {
      let start = piece.start + piece.count, at = piece.at + piece.count
      guard start + anchor <= input.count, at + anchor <= result.count else { return nil }
      let inInput = start..<min(input.count, start + reach + anchor)
      if let found = place(of: result, at, in: input, inInput) { return (found, at) }
      let inResult = at..<min(result.count, at + reach + anchor)
      guard let found = place(of: input, start, in: result, inResult) else { return nil }
      return (start, found)
    }

    private func place(
      of needle: [UInt8], _ start: Int, in bytes: [UInt8], _ range: Range<Int>
    ) -> Int? {
      unsafe needle.withUnsafeBytes { needle in
        unsafe bytes.withUnsafeBytes { bytes in
          guard let base = bytes.baseAddress, let wanted = needle.baseAddress,
            let found = unsafe clinux_memmem(
              base + range.lowerBound, range.count, wanted + start, InputPiece.anchor)
          else { return nil }
          return unsafe found - base
        }
      }
    }

    private func extended(_ start: Int, _ at: Int) -> InputPiece {
      let most = min(input.count - start, result.count - at), block = 1024
      var count = unsafe input.withUnsafeBytes { input in
        unsafe result.withUnsafeBytes { result in
          guard let one = input.baseAddress, let other = result.baseAddress else {
            return 0
          }
          var count = 0
          while count + block <= most,
            unsafe memcmp(one + start + count, other + at + count, block) == 0
          {
            count += block
          }
          return count
        }
      }
      while count < most, input[start + count] == result[at + count] { count += 1 }
      return InputPiece(start: start, at: at, count: count)
    }

    private func common(endingAt start: Int, _ at: Int) -> Int {
      var count = 0
      while count < min(start, at), input[start - count - 1] == result[at - count - 1] {
        count += 1
      }
      return count
    }
  }

  /// As it stands in a message.
  var bytes: [UInt8] {
    [start, at, count].flatMap { number in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
  }

  init(start: Int, at: Int, count: Int) {
    (self.start, self.at, self.count) = (start, at, count)
  }

  /// Reads what ``bytes`` gave.
  init(_ bytes: ArraySlice<UInt8>) {
    func number(_ place: Int) -> Int {
      bytes.dropFirst(4 * place).prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
    (start, at, count) = (number(0), number(1), number(2))
  }
}
