/// What a conversion found, for reports and rules.
struct OCRFacts: Sendable {
  /// Pages in the result.
  var pages = 0
  /// Whether only part of the input could be read.
  var isPartial = false
  /// Whether the result claims PDF/A-2b.
  var claimsArchive = false
  /// Why it does not, for people.
  var whyNoArchive: String?
  /// Whether the PDF is signed, so that it stays as it is.
  var isSigned = false
  /// The title and the date of the document; nil where its first page was not read.
  var head: DocumentHead?
  /// What became of each page, in their order.
  var perPage: [PageFacts] = []
  /// Whether blank pages were to be left out, and stay because there are no others.
  var keepsBlankPages = false
  /// Sentences about what was odd.
  var notes: [String] = []

  private let languages: LanguageChoice
  init(languages: LanguageChoice) { self.languages = languages }

  /// Takes a page in that was read.
  ///
  /// - Parameter wanted: what the page says of the document, if it is the first that is not left out.
  mutating func add(
    _ recognized: PagePart.Recognized, number: Int, head wanted: DocumentHead.Wanted
  ) {
    let reading = recognized.reading
    if !perPage.contains(where: { $0.origin != .dropped }) {
      head = DocumentHead(of: reading.page, height: Double(reading.height), wanted: wanted)
    }
    perPage.append(
      PageFacts(
        number: number, origin: reading.isEmpty ? .blank : .recognized,
        read: PageFacts.Read(
          words: reading.page.wordCount, confidence: reading.page.confidence,
          quarters: reading.quarters, angle: reading.angle, dpi: recognized.resolution.x,
          dpiIsGuessed: recognized.resolution.isGuessed, languages: reading.languages,
          doubts: reading.doubts, isCropped: recognized.isCropped)))
  }

  /// Takes in a page that was left out because nothing is on it.
  mutating func addDropped(_ number: Int) {
    perPage.append(PageFacts(number: number, origin: .dropped))
  }

  /// The pages with nothing on them, left out or not.
  var blankPages: [Int] {
    perPage.filter { $0.origin == .blank || $0.origin == .dropped }.map(\.number)
  }

  /// The pages that were left out because nothing is on them.
  var droppedPages: [Int] { perPage.filter { $0.origin == .dropped }.map(\.number) }

  /// Whether all pages that could be decoded are blank.
  var isBlank: Bool {
    !blankPages.isEmpty && !perPage.contains { $0.origin == .native || $0.origin == .recognized }
  }

  /// What became of blank pages that were to be left out; nil where there are none.
  var blankNote: String? {
    if keepsBlankPages {
      return perPage.count == 1
        ? "The only page is blank, so it was not left out."
        : "All pages are blank, so none of them was left out."
    }
    let dropped = droppedPages
    guard let first = dropped.first, let last = dropped.last else { return nil }
    guard dropped.count > 1 else {
      return "Page \(first) is blank and was left out."
    }
    let named = dropped.dropLast().prefix(Self.mostNamed).map { "\($0)" }.joined(separator: ", ")
    let rest = dropped.count - 1 - Self.mostNamed
    let end = rest > 0 ? "\(rest + 1) more" : "\(last)"
    return "Pages \(named) and \(end) are blank and were left out."
  }

  /// Which pictures stay whole though only their sheets were wanted; nil where none does.
  var uncroppedNote: String? {
    let whole = perPage.filter { $0.read?.isCropped == false }
    guard let first = whole.first else { return nil }
    if perPage.count == 1 { return "No sheet of paper was found in the picture: it stays whole." }
    let more = whole.count > 1 ? " and \(whole.count - 1) more" : ""
    return "No sheet of paper was found on page \(first.number)\(more): the picture stays whole."
  }

  /// Notes name so many pages, and count the others.
  private static let mostNamed = 30

  /// How the pages were read that went through the recognizer.
  var read: [PageFacts.Read] { perPage.compactMap(\.read) }

  /// Mean confidence over the words, 0 to 100; nil without words.
  var confidence: Double? {
    let sure = read.compactMap { page in
      page.confidence.map { (sum: $0 * Double(page.words), words: Double(page.words)) }
    }
    return sure.isEmpty ? nil : sure.reduce(0) { $0 + $1.sum } / sure.reduce(0) { $0 + $1.words }
  }

  /// Tesseract's name of the main language: that which was named first, or else that of most pages.
  var language: String? {
    if case .named(let names) = languages { return names.first }
    var pages: [String: Int] = [:]
    for page in read where page.words > 0 {
      if let language = page.languages.first { pages[language, default: 0] += 1 }
    }
    // Of languages with as many pages the first in the alphabet.
    return pages.sorted { $0.key < $1.key }.max { $0.value < $1.value }?.key
  }

  /// How many pages have a doubt.
  func pages(with code: String) -> Int {
    perPage.count { $0.read?.doubts.contains { $0.code == code } ?? false }
  }

  /// What is doubtful about the pages: a sentence for each kind of doubt, with the first page that it is about.
  var doubts: [(noteCode: String, sentence: String, page: Int)] {
    var told: [(noteCode: String, sentence: String, page: Int)] = []
    for page in perPage {
      guard let read = page.read else { continue }
      for doubt in read.doubts where !told.contains(where: { $0.noteCode == doubt.noteCode }) {
        let others = pages(with: doubt.code) - 1
        let more =
          switch others {
          case 0: ""
          case 1: " So it is with one more page."
          default: " So it is with \(others) more pages."
          }
        told.append(
          (
            doubt.noteCode,
            "The page \(doubt.sentence(words: read.words, confidence: read.confidence)).\(more)",
            page.number
          ))
      }
    }
    return told
  }
}

/// What became of one page.
struct PageFacts: Sendable {
  /// Where the page's text is from.
  enum Origin: String, Sendable {
    /// The page had text, or no picture that fills it, and stays as it was.
    case native
    case recognized = "ocr"
    /// Nothing is on it.
    case blank
    /// Nothing was on it, and it was left out.
    case dropped
    /// Its picture could not be decoded.
    case lost
  }

  /// How a page was read.
  struct Read: Sendable {
    var words: Int
    /// The mean over its words, 0 to 100; nil without words.
    var confidence: Double?
    /// Quarters of a circle and, after them, radians by which it was turned clockwise.
    var quarters: Int
    var angle: Double
    var dpi: Double
    var dpiIsGuessed: Bool
    /// By Tesseract's names.
    var languages: [String]
    var doubts: [PageDoubt]
    /// Whether only the sheet was kept that the picture shows.
    var isCropped: Bool
  }

  var number: Int
  var origin: Origin
  /// Nil where the page was not read.
  var read: Read?
}
