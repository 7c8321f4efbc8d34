/// A decoded object stream (PDF 32000-1, 7.5.7): its bytes and where its objects begin.
struct ObjectStreamIndex {
  let bytes: [UInt8]
  let numbers: [Int]
  private let offsets: [Int]

  init(_ dictionary: PDFDictionary, bytes: [UInt8], limits: Limits) {
    self.bytes = bytes
    let first = max(0, min(dictionary.integer("First") ?? 0, bytes.count))
    let count = max(0, min(dictionary.integer("N") ?? 0, limits.objectNumber))
    var numbers: [Int] = []
    var offsets: [Int] = []
    var lexer = Lexer(bytes.span)
    for _ in 0..<count {
      let number = lexer.next()
      let offset = lexer.next()
      guard number.kind == .integer, offset.kind == .integer, offset.integer >= 0,
        offset.integer <= bytes.count
      else { break }
      numbers.append(number.integer)
      offsets.append(first + offset.integer)
    }
    self.numbers = numbers
    self.offsets = offsets
  }

  /// The object with a number; the index the cross-reference gave is tried first.
  func object(_ number: Int, index: Int) -> PDFObject? {
    var place: Int?
    if numbers.indices.contains(index), numbers[index] == number {
      place = index
    } else {
      place = numbers.firstIndex(of: number)
    }
    guard let place, offsets[place] < bytes.count else { return nil }
    var parser = ObjectParser(bytes.span, at: offsets[place])
    return parser.object()
  }
}
