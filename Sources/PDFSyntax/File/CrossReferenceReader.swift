import Bytes

/// Reads the chain of cross-reference sections: tables, streams and hybrids (7.5.4 to 7.5.8).
struct CrossReferenceReader {
  var table = CrossReference()
  var trailer: PDFDictionary?
  /// Whether every section of the chain was sound.
  var isSound = true

  private let headerOffset: Int
  private let limits: Limits
  private var visited: Set<Int> = []
  /// What the table read last calls free and no newer section has told of.
  private var freed: [(number: Int, entry: CrossReference.Entry)] = []

  init(headerOffset: Int, limits: Limits) {
    self.headerOffset = headerOffset
    self.limits = limits
  }

  /// Follows the chain from the last `startxref`.
  mutating func read(_ bytes: Span<UInt8>) {
    guard let start = Self.startOffset(bytes) else {
      isSound = false
      return
    }
    var next: Int? = start
    while let offset = next {
      guard visited.count < limits.crossReferenceSections, visited.insert(offset).inserted else {
        isSound = false
        return
      }
      guard let dictionary = section(bytes, at: offset) else {
        isSound = false
        return
      }
      if trailer == nil { trailer = dictionary }
      if let hybrid = dictionary.integer("XRefStm"), visited.insert(hybrid).inserted {
        readHybrid(bytes, at: hybrid)
      }
      next = dictionary.integer("Prev")
      // Some producers write 0 for "there is none".
      if next == 0 { next = nil }
    }
  }

  /// Reads the stream of a hybrid section. Objects that older programs should not see are free in the
  /// section's table and stand in the stream (7.5.8.4).
  private mutating func readHybrid(_ bytes: Span<UInt8>, at offset: Int) {
    let hidden = freed
    for (number, _) in hidden { table[number] = CrossReference.Entry() }
    if section(bytes, at: offset) == nil { isSound = false }
    for (number, entry) in hidden { table.add(number, entry) }
  }

  static func startOffset(_ bytes: Span<UInt8>) -> Int? {
    guard let place = bytes.last(of: "startxref", in: 0..<bytes.count) else { return nil }
    var lexer = Lexer(bytes, at: place + 9)
    let token = lexer.next()
    return token.kind == .integer ? token.integer : nil
  }

  private mutating func section(_ bytes: Span<UInt8>, at offset: Int) -> PDFDictionary? {
    for candidate in headerOffset > 0 ? [offset, offset &+ headerOffset] : [offset] {
      guard candidate >= 0, candidate < bytes.count else { continue }
      var lexer = Lexer(bytes, at: candidate)
      let token = lexer.next()
      if token.isKeyword("xref") { return readTable(bytes, at: lexer.position) }
      if token.kind == .integer, let dictionary = readStream(bytes, at: candidate) {
        return dictionary
      }
    }
    return nil
  }

  // MARK: Tables

  private mutating func readTable(_ bytes: Span<UInt8>, at position: Int) -> PDFDictionary? {
    freed.removeAll()
    var lexer = Lexer(bytes, at: position)
    while true {
      let first = lexer.next()
      if first.kind == .keyword, first.end - first.start == 7, first.isKeyword("trailer") {
        var parser = ObjectParser(bytes, at: lexer.position)
        return parser.object()?.dictionary
      }
      let count = lexer.next()
      guard first.kind == .integer, count.kind == .integer, first.integer >= 0,
        count.integer >= 0, first.integer <= limits.objectNumber
      else { return nil }
      var number = first.integer
      for index in 0..<min(count.integer, limits.objectNumber) {
        let before = lexer.position
        let offset = lexer.next()
        if offset.isKeyword("trailer") {
          // Fewer entries than announced.
          lexer.position = before
          break
        }
        let generation = lexer.next()
        let kind = lexer.next()
        guard offset.kind == .integer, generation.kind == .integer else { return nil }
        // A table that should begin at 0 begins at 1: its first entry is the head of the free list.
        if index == 0, number == 1, offset.integer == 0, generation.integer == 65_535 { number = 0 }
        var entry = CrossReference.Entry()
        entry.generation = Int32(clamping: generation.integer)
        entry.place = offset.integer
        if kind.isKeyword("n") {
          entry.kind = offset.integer == 0 ? .free : .offset
        } else if kind.isKeyword("f") {
          entry.kind = .free
        } else {
          return nil
        }
        if number <= limits.objectNumber {
          if entry.kind == .free, table[number].kind == .unknown { freed.append((number, entry)) }
          table.add(number, entry)
        }
        number += 1
      }
    }
  }

  // MARK: Streams

  private mutating func readStream(_ bytes: Span<UInt8>, at offset: Int) -> PDFDictionary? {
    guard
      let found = IndirectObject.read(
        bytes, at: offset, SearchBudget(forFileOf: bytes.count), lengthOf: { $0.integer }),
      case .stream(let stream) = found.object, case .file(let range) = stream.source,
      stream.dictionary.name("Type") == "XRef" || stream.dictionary["W"] != nil
    else { return nil }
    let decoded = FilterChain(stream.dictionary).decode(
      bytes.extracting(range), limit: limits.decodedStream)
    if !decoded.isComplete { isSound = false }
    guard add(decoded.bytes, stream.dictionary) else { return nil }
    return stream.dictionary
  }

  private mutating func add(_ data: [UInt8], _ dictionary: PDFDictionary) -> Bool {
    let widths = (dictionary.array("W") ?? []).map { $0.integer ?? -1 }
    guard widths.count >= 3, widths.allSatisfy({ (0...8).contains($0) }) else { return false }
    let length = widths.reduce(0, +)
    guard length > 0 else { return false }
    let size = dictionary.integer("Size") ?? 0
    let index = (dictionary.array("Index") ?? [.integer(0), .integer(size)]).map {
      $0.integer ?? -1
    }
    var at = 0
    var pair = 0
    while pair + 1 < index.count {
      let first = index[pair]
      guard first >= 0, first <= limits.objectNumber, index[pair + 1] >= 0 else { return false }
      let last = min(first + min(index[pair + 1], limits.objectNumber), limits.objectNumber)
      var number = first
      while number < last, at + length <= data.count {
        var fields = (1, 0, 0)
        if widths[0] > 0 { fields.0 = Self.field(data, at, widths[0]) }
        fields.1 = Self.field(data, at + widths[0], widths[1])
        fields.2 = Self.field(data, at + widths[0] + widths[1], widths[2])
        var entry = CrossReference.Entry()
        entry.generation = Int32(clamping: fields.2)
        entry.place = fields.1
        switch fields.0 {
        case 0: entry.kind = .free
        case 1: entry.kind = .offset
        case 2: entry.kind = .compressed
        default: break
        }
        table.add(number, entry)
        at += length
        number += 1
      }
      pair += 2
    }
    return true
  }

  private static func field(_ data: [UInt8], _ at: Int, _ width: Int) -> Int {
    var value: UInt64 = 0
    for index in 0..<width { value = value << 8 | UInt64(data[at + index]) }
    return Int(truncatingIfNeeded: value & UInt64(Int.max))
  }
}
