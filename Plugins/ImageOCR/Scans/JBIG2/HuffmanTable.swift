/// A table of Huffman codes for numbers (ITU-T T.88, annex B).
struct HuffmanTable {
  /// One line of a table: the codes of one range of numbers.
  struct Line {
    enum Kind { case range, lower, outOfBand }
    var prefixLength: Int
    var rangeLength: Int
    var low: Int
    var kind = Kind.range
  }

  private let lines: [Line]
  /// Lines by the length and the bits of their code.
  private var places: [Int: Int] = [:]
  private let longest: Int

  init(_ lines: [Line]) {
    self.lines = lines
    longest = min(32, lines.reduce(0) { max($0, $1.prefixLength) })
    // Codes of one length follow one another in the order of the lines (B.3).
    var code = 0
    for length in stride(from: 1, through: longest, by: 1) {
      code <<= 1
      for (index, line) in lines.enumerated() where line.prefixLength == length {
        places[length << 40 | code & 0xFF_FFFF_FFFF] = index
        code &+= 1
      }
    }
  }

  /// The place of the line whose code comes next.
  private func line(_ input: inout JBIG2Input) throws(JBIG2Damage) -> Line {
    var code = 0
    for length in stride(from: 1, through: longest, by: 1) {
      code = try code << 1 | input.bit()
      if let place = places[length << 40 | code] { return lines[place] }
    }
    throw .damaged
  }

  /// The next number; nil is the out-of-band value.
  func decode(_ input: inout JBIG2Input) throws(JBIG2Damage) -> Int? {
    let line = try line(&input)
    switch line.kind {
    case .outOfBand: return nil
    case .lower: return try line.low - input.bits(line.rangeLength)
    case .range: return try line.low + input.bits(line.rangeLength)
    }
  }

  /// The next number where there must be one.
  func number(_ input: inout JBIG2Input) throws(JBIG2Damage) -> Int {
    guard let value = try decode(&input) else { throw .damaged }
    return value
  }

  /// A table that a segment of its own holds (B.2).
  init(segment input: inout JBIG2Input) throws(JBIG2Damage) {
    let flags = try input.byte()
    let low = try input.signed()
    let high = try input.signed()
    guard low < high else { throw .damaged }
    let prefixBits = (flags >> 1 & 7) + 1
    let rangeBits = (flags >> 4 & 7) + 1
    var lines: [Line] = []
    var current = low
    while current < high {
      guard lines.count < 1 << 16 else { throw .damaged }
      let prefix = try input.bits(prefixBits)
      let range = try input.bits(rangeBits)
      guard range <= 32 else { throw .damaged }
      lines.append(Line(prefixLength: prefix, rangeLength: range, low: current))
      current += 1 << range
    }
    lines.append(
      Line(
        prefixLength: try input.bits(prefixBits), rangeLength: 32, low: low - 1, kind: .lower))
    lines.append(
      Line(prefixLength: try input.bits(prefixBits), rangeLength: 32, low: current))
    if flags & 1 == 1 {
      lines.append(
        Line(
          prefixLength: try input.bits(prefixBits), rangeLength: 0, low: 0, kind: .outOfBand))
    }
    self.init(lines)
  }

  /// Codes for symbols by their lengths (7.4.3.1.7).
  init(symbolLengths: [Int]) {
    self.init(
      symbolLengths.enumerated().map { Line(prefixLength: $1, rangeLength: 0, low: $0) })
  }

  /// One of the standard tables B.1 to B.15.
  static func standard(_ number: Int) -> HuffmanTable { tables[number - 1] }

  private static let tables: [HuffmanTable] = StandardHuffmanTables.all.map { HuffmanTable($0) }
}
