internal import PDFText
internal import PluginKit

/// Finds the places of notes that are asked for by words.
struct WordPlaces {
  private let extractor: TextExtractor
  private var searches: [Int: WordSearch] = [:]
  private var budget: ReadingBudget
  /// What the last request looked for, and what was found: requests for the first, second, third
  /// occurrence of the same words follow one another.
  private var last: Found?
  private var added = 0

  private struct Found {
    var words: String
    var pages: ClosedRange<Int>
    /// The page that is searched next.
    var next: Int
    var places: [(page: Int, quads: [Quad])] = []
  }

  init(_ extractor: TextExtractor, _ budget: ReadingBudget = ReadingBudget()) {
    self.extractor = extractor
    self.budget = budget
  }

  /// A request for each place where the words stand; itself where it names none.
  mutating func expand(_ request: NoteRequest) throws(PluginFailure) -> [NoteRequest] {
    guard let words = request.words else { return [request] }
    guard let kind = request.kind, kind.isTextMarkup || kind == .square || kind == .circle else {
      throw request.mistake("\"words\" is for marks on words and for Square and Circle")
    }
    let pages = request.page.map { $0...$0 } ?? 1...max(1, extractor.pageCount)
    guard extractor.pageCount >= pages.upperBound else {
      throw request.mistake("there is no page \(pages.upperBound)")
    }
    let wanted = (request.occurrence ?? 1)...(request.occurrence ?? NotesLimits.occurrences)
    let places = try places(of: words, pages, most: wanted.upperBound, for: request)
    var found: [NoteRequest] = []
    for (page, quads) in places.dropFirst(wanted.lowerBound - 1).prefix(wanted.count) {
      var own = request
      (own.words, own.page, own.space) = (nil, page, .shown)
      if kind.isTextMarkup {
        own.quads = quads.map(\.points)
        found.append(own)
        continue
      }
      for frame in Self.frames(quads.compactMap { TextPage.Box(around: $0.points) }) {
        let box = frame.insetBy(-2)
        own.box = [NotePoint(box.x0, box.y0), NotePoint(box.x1, box.y1)]
        found.append(own)
      }
    }
    added += found.count
    guard added <= NotesLimits.added else { throw Self.tooMuch(request) }
    guard !found.isEmpty else {
      let place = request.page.map { "on page \($0)" } ?? "in the document"
      let which = request.occurrence.map { " \($0) times" } ?? ""
      throw PluginFailure(
        .input, "notes.words",
        "\(request.origin): \"\(words.prefix(100))\" does not stand \(place)\(which)",
        page: request.page,
        hint: "procd extract shows the words as they are read; a scan must be recognized first")
    }
    return found
  }

  /// One frame around the lines of a paragraph. Words that go on in another column get another frame: one around all
  /// would hold what stands beside them.
  ///
  /// - Parameter lines: the boxes of the lines, as they are read.
  static func frames(_ lines: [TextPage.Box]) -> [TextPage.Box] {
    // Of lines that run from top to bottom, the sides change places.
    let isUpright = lines.allSatisfy { $0.width < $0.height }
    func along(_ box: TextPage.Box) -> ClosedRange<Double> {
      isUpright ? box.y0...box.y1 : box.x0...box.x1
    }
    func across(_ box: TextPage.Box) -> ClosedRange<Double> {
      isUpright ? box.x0...box.x1 : box.y0...box.y1
    }
    func gap(_ one: ClosedRange<Double>, _ other: ClosedRange<Double>) -> Double {
      max(0, max(one.lowerBound, other.lowerBound) - min(one.upperBound, other.upperBound))
    }
    var frames: [TextPage.Box] = [], last: TextPage.Box?
    for line in lines {
      let size = across(line).upperBound - across(line).lowerBound
      // What stands beside the line before, rather than below it, is of another column.
      if let before = last, let frame = frames.last,
        gap(across(before), across(line)) <= 1.5 * size,
        abs(across(line).lowerBound - across(before).lowerBound) > size / 2
          || gap(along(frame), along(line)) == 0
      {
        frames[frames.count - 1] = frame.union(line)
      } else {
        frames.append(line)
      }
      last = line
    }
    return frames
  }

  /// Where words stand on pages, in reading order, as many as are asked for.
  private mutating func places(
    of words: String, _ pages: ClosedRange<Int>, most: Int, for request: NoteRequest
  ) throws(PluginFailure) -> [(page: Int, quads: [Quad])] {
    var found = Found(words: words, pages: pages, next: pages.lowerBound)
    if let last, last.words == words, last.pages == pages { found = last }
    while found.places.count < most, pages.contains(found.next) {
      // A page is searched to its end, so that who asks for the next occurrence goes on from there.
      if let search = search(found.next) {
        guard
          let own = search.find(
            words, most: NotesLimits.occurrences - found.places.count, &budget)
        else { throw Self.tooMuch(request) }
        found.places += own.map { (found.next, $0) }
      }
      found.next += 1
    }
    last = found
    return found.places
  }

  private static func tooMuch(_ request: NoteRequest) -> PluginFailure {
    request.mistake(
      "the file asks for too many words in too long a document, or for more than"
        + " \(NotesLimits.added) notes",
      hint: "say on which \"page\" the words stand, or divide the file into parts")
  }

  private mutating func search(_ page: Int) -> WordSearch? {
    if let known = searches[page] { return known }
    guard let text = extractor.page(page - 1) else { return nil }
    let made = WordSearch(PageWords(text))
    // Long documents are read again rather than kept.
    if searches.count > 200 { searches.removeAll() }
    searches[page] = made
    return made
  }
}
