import Bytes

extension TextPage {
  /// The plain text with words that a line's end divides put together again.
  ///
  /// A hyphen is taken away where a letter stands before it and a small letter begins the next line;
  /// it stays where the whole word, hyphen included, stands elsewhere on the page.
  public func joinedText() -> [UInt8] {
    let divided = dividedWords()
    var output = ByteWriter(reserving: utf8.count)
    var start = 0
    for (line, next) in zip(lines, lines.dropFirst()) {
      guard let hyphen = divided[line.words.upperBound - 1] else { continue }
      let end = words[line.words.upperBound - 1].range.upperBound
      let first = words[next.words.lowerBound].range
      guard first.lowerBound > end, end > start else { continue }
      output.append(contentsOf: utf8[start..<(end - hyphen)])
      // The rest of the word comes up to its line; what was behind it begins the next one.
      output.append(contentsOf: utf8[first])
      output.append(0x0A)
      start = first.upperBound
      if start < utf8.count, utf8[start] == 0x20 || utf8[start] == 0x0A { start += 1 }
    }
    output.append(contentsOf: utf8[min(start, utf8.count)...])
    return output.bytes
  }

  /// The words that a line's end divides: by the index of each one's first part how many bytes of
  /// hyphen at the end of that part are no part of the word. 0 where the word has a hyphen of its own
  /// there. The other part is the first word of the next line.
  public func dividedWords() -> [Int: Int] {
    let wholeWords = WholeWords(self)
    var divided: [Int: Int] = [:]
    for (line, next) in zip(lines, lines.dropFirst()) {
      guard let last = words[line.words].last, let first = words[next.words].first,
        last.angle == first.angle, let hyphen = hyphen(last, first)
      else { continue }
      let keeps = wholeWords.contain(utf8[last.range] + utf8[first.range])
      divided[line.words.upperBound - 1] = keeps ? 0 : hyphen
    }
    return divided
  }

  /// The bytes of the hyphen that divides a word between two lines, or nil.
  package func hyphen(_ last: Word, _ first: Word) -> Int? {
    let before = utf8[last.range]
    let behind = String(decoding: utf8[first.range].prefix(8), as: UTF8.self)
    guard let letter = behind.unicodeScalars.first, letter.properties.isLowercase else {
      return nil
    }
    let end = String(decoding: before.suffix(12), as: UTF8.self).unicodeScalars.suffix(2)
    guard let hyphen = end.last, FoldedText.dividingHyphens.contains(hyphen), end.count == 2,
      end.first?.properties.isAlphabetic == true
    else { return nil }
    return UTF8.width(hyphen)
  }
}

/// The words of a page that have a hyphen within one line, without the punctuation around them.
package struct WholeWords {
  private var words: Set<ArraySlice<UInt8>> = []

  package init() {}

  package init(_ page: TextPage) { add(page) }

  /// As many as a long book has.
  private static let most = 100_000

  /// Adds those of a page.
  package mutating func add(_ page: TextPage) {
    for word in page.words where words.count < Self.most {
      let bytes = Self.bare(page.utf8[word.range])
      // The hyphens beyond ASCII begin with these bytes, or are rare enough not to matter.
      if bytes.contains(where: { $0 == 0x2D || $0 == 0xE2 || $0 == 0xC2 }) {
        // A slice would keep the whole page.
        words.insert(Array(bytes)[...])
      }
    }
  }

  package func contain(_ word: ArraySlice<UInt8>) -> Bool { words.contains(Self.bare(word)) }

  private static func bare(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bare = word
    while let last = bare.last, isPunctuation(last) { bare.removeLast() }
    while let first = bare.first, isPunctuation(first) { bare.removeFirst() }
    return bare
  }

  /// ASCII alone: quotes of other kinds stay, and cost no more than a hyphen.
  private static func isPunctuation(_ byte: UInt8) -> Bool {
    byte < 0x80 && byte != 0x2D && !(0x30...0x39).contains(byte)
      && !(0x61...0x7A).contains(byte | 0x20)
  }
}
