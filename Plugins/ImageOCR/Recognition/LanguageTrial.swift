internal import Languages
internal import PluginKit

/// Reads some lines of a page in other languages, where its words do not tell which one it is in: an invoice or a receipt
/// has few small words.
struct LanguageTrial {
  /// A page read this surely is in the language that it was read with. In scans of invoices, receipts and letters in four
  /// languages the right one gave 93 to 97, others 64 to 93.
  private static let sure = 94.0
  /// So many words below this confidence show that it may be another one; a single one is a logo or a stain.
  private static let doubtful = 90.0
  private static let leastDoubtful = 3
  /// Fewer known words than this share are a reason to try others. In invoices, receipts and forms another language's
  /// dictionary knew 0.28 to 0.78 of them, the right one 0.71 to 1.
  private static let knownShare = 0.85
  /// Fewer known words than this are one even where the page was read surely.
  private static let littleKnownShare = 0.65
  /// Fewer words say nothing of a dictionary; so many say it surely.
  private static let leastJudged = 5
  private static let mostJudged = 8
  /// Points of confidence that a whole page of known words is worth.
  private static let wordsWeigh = 25.0
  /// Another language is read more surely by at least this much, where so many words are known that others are hardly
  /// tried; by less, the fewer are.
  private static let advantage = 3.0
  /// Languages that are nearer to one another than this are taken together.
  private static let alike = 1.5
  private static let mostCells = 16
  private static let leastLetters = 20
  /// The share of ink in a box above which its ground is dark.
  private static let darkest = 0.5

  private let boxes: [PixelBox]
  /// Whether the page was read with one language, and that has a dictionary: of several only the first would be asked.
  private let usesDictionaries: Bool
  private let advantage: Double

  /// Nil where the page was read surely and most words are known, or has little text.
  ///
  /// - Parameter engine: what read it.
  init?(_ page: RecognizedPage, readWith engine: Tesseract) {
    var page = page
    // Logos and bars that were read as letters say nothing of a language.
    page.removeNoise()
    guard let certainty = Self.confidence(page.lines) else { return nil }
    // A page may be half in another language, as one of two columns.
    let half = page.lines.count / 2
    let parts = [page.lines, Array(page.lines.prefix(half)), Array(page.lines.dropFirst(half))]
      .map { lines in (lines: lines, counts: Self.known(lines, to: engine)) }
    let part =
      parts.filter { $0.counts.judged >= Self.mostJudged }
      .min { Self.share($0.counts) < Self.share($1.counts) } ?? parts[0]
    let (known, judged) = part.counts
    usesDictionaries =
      engine.languages.count == 1
      && (known > 0
        || LanguageGuess.smallWords(of: engine.languages[0]).contains(where: engine.knows))
    let areUnknown =
      usesDictionaries
      && Double(known) < (certainty < Self.sure ? Self.knownShare : Self.littleKnownShare)
        * Double(judged)
    guard certainty < Self.sure || areUnknown && judged >= Self.mostJudged else { return nil }
    guard areUnknown || !usesDictionaries || judged < Self.mostJudged else { return nil }
    let doubtful = page.lines.flatMap(\.words).count {
      Self.letters($0.text) > 0 && $0.confidence < Self.doubtful
    }
    guard doubtful >= Self.leastDoubtful || areUnknown && judged >= Self.leastJudged else {
      return nil
    }
    // Cells of rows are read alone: in lines with wide gaps the recognizer loses itself.
    let cells = part.lines.filter(\.isLevel).flatMap { line in
      line.cells.compactMap { cell in
        PixelBox.around(line.words[cell].map(\.box)).map {
          (box: $0, letters: line.words[cell].reduce(0) { $0 + Self.letters($1.text) })
        }
      }
    }.sorted { $0.letters > $1.letters }.prefix(Self.mostCells)
    guard cells.reduce(0, { $0 + $1.letters }) >= Self.leastLetters else { return nil }
    boxes = cells.map(\.box)
    advantage =
      Self.advantage * (usesDictionaries ? min(1, Self.share(part.counts) / Self.knownShare) : 1)
  }

  /// The languages that the lines are read in more surely than in the one used, the best first.
  ///
  /// - Parameters:
  ///   - pixels: the picture that the page was read in.
  ///   - resolution: pixels per inch.
  ///   - used: what the page was read with.
  ///   - languages: the others.
  ///   - engine: gives one for a language; each is let go before the next is loaded.
  func better(
    in pixels: borrowing Pixels, resolution: Double, than used: Tesseract,
    of languages: [String], _ engine: (String) throws(PluginFailure) -> Tesseract
  ) throws(PluginFailure) -> [String] {
    let light = lightBoxes(in: pixels)
    let known = try certainty(used, of: light, in: pixels, resolution)
    var found: [(language: String, certainty: Double)] = []
    for language in languages {
      found.append((language, try certainty(engine(language), of: light, in: pixels, resolution)))
    }
    found.sort { $0.certainty > $1.certainty }
    guard let best = found.first, best.certainty >= known + advantage else { return [] }
    return found.filter { $0.certainty > best.certainty - Self.alike }.map(\.language)
  }

  /// The cells on light ground: light letters in dark bars are not read as lines, and what comes of them says nothing of a
  /// language.
  func lightBoxes(in pixels: borrowing Pixels) -> [PixelBox] {
    guard let ink = pixels.ink() else { return boxes }
    return boxes.filter { ink.blackness(of: $0) <= Self.darkest }
  }

  private func certainty(
    _ engine: Tesseract, of boxes: [PixelBox], in pixels: borrowing Pixels, _ resolution: Double
  ) throws(PluginFailure) -> Double {
    let lines = try engine.recognize(
      lines: boxes, of: pixels, resolution: Int(resolution.rounded()))
    let (known, judged) = Self.known(lines, to: engine)
    // A single word that happens to be one says little.
    let share = Double(known) / Double(max(judged, Self.mostJudged))
    return (Self.confidence(lines) ?? 0) + (usesDictionaries ? Self.wordsWeigh * share : 0)
  }

  /// How many words a recognizer's dictionary has, of those long enough to tell one language from another.
  private static func known(
    _ lines: [RecognizedPage.Line], to engine: Tesseract
  ) -> (known: Int, judged: Int) {
    let words = lines.flatMap(\.words).flatMap { $0.text.split { !$0.isLetter } }
      .filter { $0.count >= 4 }.map(String.init)
    return (words.count { engine.knows($0) }, words.count)
  }

  private static func share(_ counts: (known: Int, judged: Int)) -> Double {
    Double(counts.known) / Double(max(1, counts.judged))
  }

  /// The mean confidence of words by their letters; nil without such.
  private static func confidence(_ lines: [RecognizedPage.Line]) -> Double? {
    var sum = 0.0, count = 0
    for word in lines.flatMap(\.words) {
      let letters = letters(word.text)
      sum += word.confidence * Double(letters)
      count += letters
    }
    return count > 0 ? sum / Double(count) : nil
  }

  /// Letters of a word; short ones are often marks.
  private static func letters(_ text: String) -> Int {
    let count = text.count(where: \.isLetter)
    return count >= 3 ? count : 0
  }
}
