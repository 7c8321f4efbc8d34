internal import Dates
internal import TableText

/// The title and the date that the first page of a document shows, taken from words that were read surely.
struct DocumentHead: Sendable, Equatable {
  /// At most a hundred characters; nil where no line looks like a title.
  var title: String?
  /// The date as YYYY-MM-DD; nil where none is printed in the upper half.
  var date: String?

  /// Which of them are wanted.
  struct Wanted: Sendable {
    var title = false
    /// How dates of digits are meant that could be two; nil where no date is wanted.
    var date: DateOrder?
  }

  /// - Parameters:
  ///   - page: the first one.
  ///   - height: of the picture that was recognized, in pixels.
  init(of page: RecognizedPage, height: Double, wanted: Wanted) {
    if wanted.title { title = Self.title(of: page, height: height) }
    if let order = wanted.date { date = Self.date(of: page, height: height, order: order) }
  }

  // MARK: Title

  /// Titles are cut behind a word before this many characters.
  private static let longest = 100
  /// A title has at least so many letters, and they are at least this part of what is not blank.
  private static let letters = (least: 4, share: 0.6)
  /// The mean confidence of its words, and the lowest of any.
  private static let sure = (mean: 80.0, least: 60.0)
  /// A title begins in this part of the page, from its top, and a subject line in this one.
  private static let titlePart = 0.45
  private static let subjectPart = 0.6
  /// A headline is this many times as high as most lines; lines of one headline differ by less than this factor.
  private static let headline = 1.25
  private static let sameHeight = 1.15

  private static func title(of page: RecognizedPage, height: Double) -> String? {
    subject(of: page, height: height) ?? headline(of: page, height: height)
      ?? lineAlone(of: page, height: height)
  }

  /// What stands behind `Subject:` or the like.
  private static func subject(of page: RecognizedPage, height: Double) -> String? {
    for line in page.lines where line.box.top <= subjectPart * height && isSure(line) {
      let text = line.text
      guard let colon = text.firstIndex(where: { $0 == ":" || $0 == "：" }),
        subjectLabels.contains(text[..<colon].lowercased().filter { $0.isLetter })
      else { continue }
      let subject = cleaned(text[text.index(after: colon)...])
      if isTitle(subject) { return subject }
    }
    return nil
  }

  private static let subjectLabels: Set<String> = [
    "re", "subject", "betreff", "betr", "betrifft", "objet", "oggetto", "asunto", "assunto",
    "betreft", "onderwerp",
    "ämne", "emne", "aihe", "temat", "předmět", "tárgy", "konu", "тема",
  ]

  /// The highest lines near the top, where they are higher than the text.
  private static func headline(of page: RecognizedPage, height: Double) -> String? {
    guard let common = PageText.commonHeight(of: page) else { return nil }
    let heights = page.lines.map(PageText.height)
    // Estimates for whole rows are off now and then, so the ink of the words has to be higher as well.
    let ink = inkHeight(of: page.lines.flatMap(\.words))
    let candidates = page.lines.indices.filter { index in
      heights[index] >= headline * common
        && inkHeight(of: page.lines[index].words) >= sameHeight * ink
        && page.lines[index].box.top <= titlePart * height
        && isSure(page.lines[index]) && isTitle(page.lines[index].text)
    }
    guard let highest = candidates.map({ heights[$0] }).max(),
      let first = candidates.first(where: { heights[$0] * sameHeight >= highest })
    else { return nil }
    var title = page.lines[first].text
    var last = page.lines[first]
    for index in page.lines.indices.dropFirst(first + 1) {
      let line = page.lines[index]
      guard heights[index] * sameHeight >= heights[first],
        heights[index] <= heights[first] * sameHeight, isSure(line),
        line.box.top - last.box.bottom <= heights[first], line.box.top >= last.box.top,
        title.count + line.text.count < longest
      else { break }
      title += " " + line.text
      last = line
    }
    return cleaned(title[...])
  }

  /// The height of most words in pixels.
  private static func inkHeight(of words: [RecognizedPage.Word]) -> Double {
    words.isEmpty ? 0 : words.map(\.box.height).sorted()[words.count / 2]
  }

  /// The first short line near the top that is a paragraph of its own.
  private static func lineAlone(of page: RecognizedPage, height: Double) -> String? {
    for (index, line) in page.lines.enumerated() where line.box.top <= titlePart * height {
      let isAlone =
        line.startsParagraph
        && (index + 1 == page.lines.count || page.lines[index + 1].startsParagraph)
      guard isAlone, line.words.count >= 2, isSure(line) else { continue }
      let text = cleaned(line.text[...])
      // Running heads have the number of the page beside them.
      let isNumbered = [line.words.first, line.words.last].contains {
        $0?.text.allSatisfy(\.isNumber) ?? false
      }
      if isTitle(text), text.count <= 70, !isNumbered, text.first?.isLowercase != true {
        return text
      }
    }
    return nil
  }

  private static func isSure(_ line: RecognizedPage.Line) -> Bool {
    let confidences = line.words.map(\.confidence)
    guard let least = confidences.min() else { return false }
    return least >= sure.least && confidences.reduce(0, +) / Double(confidences.count) >= sure.mean
  }

  /// Whether a text may be a title, and is no address, number or date.
  private static func isTitle(_ text: String) -> Bool {
    let count = text.count { $0.isLetter }
    let seen = text.count { !$0.isWhitespace }
    let lower = text.lowercased()
    return count >= letters.least && Double(count) >= letters.share * Double(seen)
      && !["@", "www.", "http", "tel.", "fax"].contains { lower.contains($0) }
      && DateInText.iso(text, order: .dayMonthYear) == nil
  }

  /// One line without characters that do not show, cut to the length of titles.
  private static func cleaned(_ text: Substring) -> String {
    let shown = String(
      String.UnicodeScalarView(
        text.unicodeScalars.filter {
          switch $0.properties.generalCategory {
          case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            false
          default: true
          }
        }))
    var title = ""
    for word in shown.split(whereSeparator: \.isWhitespace) {
      guard title.count + word.count < longest else { break }
      title += (title.isEmpty ? "" : " ") + word
    }
    let marks = "|_-–—:;,.·•~="
    while let last = title.last, marks.contains(last) || last.isWhitespace { title.removeLast() }
    while let first = title.first, marks.contains(first) || first.isWhitespace {
      title.removeFirst()
    }
    return title
  }

  // MARK: Date

  /// The date stands in this part of the page, from its top.
  private static let datePart = 0.5

  /// The first date that is called one, or else the first of which nothing says that it is another.
  private static func date(of page: RecognizedPage, height: Double, order: DateOrder) -> String? {
    var first: String?
    for line in page.lines where line.box.bottom <= datePart * height {
      // A date of words that were hardly read is none.
      let text = line.words.map { $0.confidence >= sure.least ? $0.text : "\u{FFFD}" }
        .joined(separator: " ")
      guard text.utf8.count <= 2000, let date = DateInText.first(in: text, order: order) else {
        continue
      }
      let words = (text + " " + labels(of: line, on: page)).lowercased()
      guard !otherDates.contains(where: words.contains) else { continue }
      if dateLabels.contains(where: words.contains) { return date }
      first = first ?? date
    }
    return first
  }

  /// What stands to the left of a line, or in a few words right above it: in forms and tables, what it is.
  private static func labels(of line: RecognizedPage.Line, on page: RecognizedPage) -> String {
    let (box, middle) = (line.box, (line.box.top + line.box.bottom) / 2)
    return page.lines.lazy.filter { other in
      // A line may be there twice: whole, and as a cell of its row.
      let beside =
        other.box.top < middle && middle < other.box.bottom && other.box.left < box.left
      let gap = box.top - other.box.bottom
      let above =
        other.words.count <= 3 && gap < 1.5 * box.height && gap > -0.5 * box.height
        && other.box.left < box.right && other.box.right > box.left
        && DateInText.first(in: other.text, order: .dayMonthYear) == nil
      return beside || above
    }.map(\.text).joined(separator: " ")
  }

  private static let dateLabels = [
    "date", "datum", "fecha", "data", "dato", "dátum", "tarih", "дата", "päiväys", "日付", "日期",
  ]
  /// What dates of something else are called.
  private static let otherDates = [
    "birth", "born", "geb.", "geboren", "geburt", "naissance", "né le", "née le", "nacimiento",
    "nascita", "due",
    "fällig", "zahlbar", "échéance", "vencimiento", "scadenza", "deliver", "liefer", "livraison",
    "valid",
    "gültig", "expir", "until",
  ]
}

extension RecognizedPage.Line {
  /// Its words with a blank between.
  fileprivate var text: String { words.map(\.text).joined(separator: " ") }
}
