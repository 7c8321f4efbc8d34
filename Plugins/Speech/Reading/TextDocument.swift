internal import Bytes
internal import PDFSyntax
internal import PDFText
internal import PluginKit

/// A text file as passages. Paragraphs end at blank lines, pages at form feeds.
struct TextDocument: ReadableDocument {
  let title: String? = nil
  let statedLanguage: String? = nil
  /// A text has none; its headings are its chapters.
  let outline: [OutlineEntry] = []
  private(set) var letters = 0
  private(set) var runningLines = 0
  private(set) var beginning = ""
  private let isMarkdown: Bool
  /// Lines of each page.
  private var pages: [[Substring]] = []
  private var running: [Set<Int>] = []
  private let wasDecodedAs: String?

  init(_ bytes: FileBytes, isMarkdown: Bool) throws(PluginFailure) {
    guard bytes.count <= SpeechLimits.textBytes else {
      throw PluginFailure(
        .input, "speech.long",
        "the text has \(bytes.count >> 20) MiB, \(SpeechLimits.textBytes >> 20) MiB are read at most",
        hint: "divide it into parts")
    }
    let decoded = TextDecoding.decode(bytes.span.array(0..<bytes.count))
    wasDecodedAs = decoded.odd
    self.isMarkdown = isMarkdown
    // By scalars, not by characters: CR LF is one character.
    for page in decoded.text.unicodeScalars.split(
      separator: "\u{C}", omittingEmptySubsequences: false)
    {
      pages.append(Self.lines(page))
    }
    if pages.count > 1, pages.last?.allSatisfy(\.isEmpty) == true { pages.removeLast() }
    findRunningLines()
    for (index, page) in pages.enumerated() {
      for (number, line) in page.enumerated() where !running[index].contains(number) {
        for scalar in line.unicodeScalars where Self.counts(scalar) { letters += 1 }
        if beginning.utf8.count < SpeechLimits.lettersForLanguage {
          beginning += line.prefix(2000) + "\n"
        }
      }
    }
  }

  var pageCount: Int { pages.count }

  func tell(_ host: any StepHost) -> Bool {
    if let wasDecodedAs {
      host.note(
        "speech.encoding", "the text is no UTF-8 and was read as \(wasDecodedAs)", page: nil)
    }
    return false
  }

  func passages(_ page: Int) -> [Passage] {
    guard pages.indices.contains(page - 1) else { return [] }
    var reader = TextPageReader(page: page, isMarkdown: isMarkdown)
    for (number, line) in pages[page - 1].enumerated()
    where !running[page - 1].contains(number) {
      reader.add(line)
    }
    return reader.finish()
  }

  private static func counts(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  private static func lines(_ page: Substring.UnicodeScalarView) -> [Substring] {
    var lines: [Substring] = []
    var start = page.startIndex, index = start
    while index < page.endIndex {
      let scalar = page[index]
      let next = page.index(after: index)
      switch scalar {
      case "\r" where next < page.endIndex && page[next] == "\n": break
      case "\n", "\r", "\u{B}", "\u{85}", "\u{2028}", "\u{2029}":
        var end = index
        if scalar == "\n", end > start {
          let before = page.index(before: end)
          if page[before] == "\r" { end = before }
        }
        lines.append(Substring(page[start..<end]))
        start = next
      default: break
      }
      index = next
    }
    lines.append(Substring(page[start...]))
    return lines
  }

  /// Lines that recur at the head or foot of pages, as a PDF's text keeps them.
  private mutating func findRunningLines() {
    running = [Set<Int>](repeating: [], count: pages.count)
    guard pages.count > 1 else { return }
    struct Outermost {
      var line: Int
      var pattern: [Substring]
      var offsets: [Int]
    }
    /// The first and the last line of a page.
    let edges: [[Outermost?]] = pages.enumerated().map { index, lines in
      let filled = lines.indices.filter { !lines[$0].allSatisfy(\.isWhitespace) }
      return [filled.first, filled.count > 1 ? filled.last : nil].map { line in
        guard let line, lines[line].utf8.count < 300 else { return nil }
        var pattern: [Substring] = [], offsets: [Int] = []
        for word in lines[line].split(separator: " ") {
          if let number = RunningLines.number(word.lowercased()) {
            pattern.append("#")
            offsets.append(number - index)
          } else {
            pattern.append(word)
          }
        }
        return Outermost(line: line, pattern: pattern, offsets: offsets)
      }
    }
    for index in pages.indices {
      for edge in 0..<2 {
        guard let own = edges[index][edge] else { continue }
        let near = max(0, index - 3)...min(pages.count - 1, index + 3)
        let recurs = near.contains { other in
          guard other != index, let there = edges[other][edge] else { return false }
          let same = own.pattern == there.pattern && own.pattern.contains { $0 != "#" }
          return same || own.offsets.contains { there.offsets.contains($0) }
        }
        if recurs {
          running[index].insert(own.line)
          runningLines += 1
        }
      }
    }
  }
}
