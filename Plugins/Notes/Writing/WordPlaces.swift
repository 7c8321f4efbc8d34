internal import PDFText
internal import PluginKit

/// Finds the places of notes that are asked for by words.
struct WordPlaces {
  private let extractor: TextExtractor
  private var searches: [Int: WordSearch] = [:]

  init(_ extractor: TextExtractor) { self.extractor = extractor }

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
    var found: [NoteRequest] = []
    let most = request.occurrence ?? NotesLimits.occurrences
    var count = 0
    for page in pages where count < most {
      for quads in search(page)?.find(words, most: most - count) ?? [] {
        count += 1
        if let occurrence = request.occurrence, count != occurrence { continue }
        var own = request
        (own.words, own.page, own.space) = (nil, page, .shown)
        if kind.isTextMarkup {
          own.quads = quads.map(\.points)
          found.append(own)
          continue
        }
        // A frame around each line: one around all would hold what stands beside them.
        for quad in quads {
          guard let box = TextPage.Box(around: quad.points)?.insetBy(-2) else { continue }
          own.box = [NotePoint(box.x0, box.y0), NotePoint(box.x1, box.y1)]
          found.append(own)
        }
      }
    }
    guard !found.isEmpty else {
      let place = request.page.map { "on page \($0)" } ?? "in the document"
      let which = request.occurrence.map { " \($0) times" } ?? ""
      throw PluginFailure(
        .input, "notes.words",
        "\(request.origin): \"\(words.prefix(100))\" does not stand \(place)\(which)",
        page: request.page,
        hint: "procd extract shows the words as they are read; a scan must be recognised first")
    }
    return found
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
