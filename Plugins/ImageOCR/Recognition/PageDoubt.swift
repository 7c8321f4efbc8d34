internal import Languages
internal import PDFSyntax
internal import PDFWriter

/// Why what was read on a page may not be what it shows.
enum PageDoubt: Sendable, Equatable, Codable {
  /// What looks like text was not read, or hardly any of it.
  case unread
  /// Some of what looks like text was not read.
  case partly
  /// Most of it was read with little confidence.
  case unsure
  /// It seems to be in a language that it was not read with, by Tesseract's name.
  case language(String)
  /// Lines end at the edge of the picture.
  case cut

  /// Words below this confidence are misread more often than not.
  private static let unsureBelow = 60.0
  /// The picture shows this many letters at least, and this many times as many as were read.
  private static let leastUnread = 25
  private static let unreadTimes = 3
  /// So many letters in rows that are in no word are missed text.
  private static let leastMissed = 8
  /// Pages on which as many letters were read are not looked at once more.
  private static let mostRead = 300
  /// How close to the edge, in inches, a word is cut off, and for how many lines, and which part of them.
  private static let edge = 0.015
  private static let leastCut = 3
  private static let cutShare = 0.25

  /// What is doubtful about a page that was read.
  ///
  /// - Parameters:
  ///   - picture: in which it was read, its lines level.
  ///   - missed: how many letters seem to be on it that are in no word.
  static func all(
    of reading: PageReader.Reading, resolution: Double, in picture: borrowing Pixels,
    missed: Int
  ) -> [PageDoubt] {
    var doubts: [PageDoubt] = []
    let page = reading.page
    var (letters, unsure) = (0, 0)
    for word in page.lines.lazy.flatMap(\.words) {
      let count = word.text.unicodeScalars.count
      letters += count
      if word.confidence < unsureBelow { unsure += count }
    }
    if letters < mostRead, !reading.isEmpty {
      let shown = TextMarks.count(in: picture, resolution: resolution)
      if shown >= leastUnread, isUnread(letters, of: shown) { doubts.append(.unread) }
    }
    if missed >= leastMissed, !doubts.contains(.unread) { doubts.append(.partly) }
    if letters > 0, unsure * 2 > letters { doubts.append(.unsure) }
    if let other = LanguageGuess.other(
      for: page.lines.lazy.flatMap(\.words).map(\.text), readWith: reading.languages)
    {
      doubts.append(.language(other))
    }
    if isCut(reading, resolution: resolution) { doubts.append(.cut) }
    return doubts
  }

  /// Whether what was read is hardly any of the letters that are shown.
  static func isUnread(_ letters: Int, of shown: Int) -> Bool { shown >= unreadTimes * letters }

  /// Whether lines end at one of the edges of the picture that was given.
  private static func isCut(_ reading: PageReader.Reading, resolution: Double) -> Bool {
    guard let toPicture = reading.transform.inverse else { return false }
    let sideways = reading.quarters % 2 != 0
    let (w, h) = (
      Double(reading.width - 2 * reading.margin.x), Double(reading.height - 2 * reading.margin.y)
    )
    let (width, height) = sideways ? (h, w) : (w, h)
    let near = max(1, edge * resolution)
    var (before, behind) = (0, 0)
    func isAtEdge(_ x: Double, _ y: Double) -> Bool {
      let place = toPicture.apply(x, y)
      return min(place.x, place.y, width - place.x, height - place.y) <= near
    }
    func isWord(_ word: RecognizedPage.Word) -> Bool {
      word.confidence >= unsureBelow / 2 && word.text.contains(where: \.isLetter)
    }
    for line in reading.page.lines {
      guard line.words.count >= 2, let first = line.words.first, let last = line.words.last else {
        continue
      }
      if isWord(first), isAtEdge(first.box.left, (first.box.top + first.box.bottom) / 2) {
        before += 1
      }
      if isWord(last), isAtEdge(last.box.right, (last.box.top + last.box.bottom) / 2) {
        behind += 1
      }
    }
    let lines = Double(reading.page.lines.count)
    return [before, behind].contains { $0 >= leastCut && Double($0) >= cutShare * lines }
  }

}

extension PageDoubt {
  /// That of its note in the report.
  var noteCode: String {
    switch self {
    case .unread: "ocr.unread"
    case .partly: "ocr.partly"
    case .unsure: "ocr.unsure"
    case .language: "ocr.language"
    case .cut: "ocr.cut"
    }
  }

  /// Stable, one word.
  var code: String { String(noteCode.dropFirst("ocr.".count)) }

  /// The code, with the language behind a colon.
  var written: String {
    if case .language(let name) = self { "language:\(name)" } else { code }
  }

  /// For people, without the number of the page.
  func sentence(words: Int, confidence: Double?) -> String {
    switch self {
    case .unread:
      let what =
        switch words {
        case 0: "nothing"
        case 1: "one word"
        default: "\(words) words"
        }
      return
        "shows what looks like text, but \(what) could be read; it may be in another language (`languages`),"
        + " handwritten, not in straight lines, too small or too faint: scan it with 300 dpi or more"
    case .partly:
      return
        "shows more that looks like text than could be read, such as a line, a cell or a stamp: compare it with the original"
    case .unsure:
      let sure = confidence.map { " (\(Int($0.rounded())) of 100)" } ?? ""
      return "was read with little confidence\(sure); much of its text may be wrong"
    case .language(let name):
      return
        "seems to be in a language that it was not read with: name \(name) in `languages` (-l for convert), and install"
        + " it if it is missing (\(TesseractLanguage.package(name)))"
    case .cut: return "is cut off: lines end at the edge of the picture"
    }
  }
}
