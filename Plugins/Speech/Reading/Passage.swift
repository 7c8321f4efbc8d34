internal import PDFText

/// A piece of a document that is read in one go: a paragraph, a heading, a row of a table.
struct Passage: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// With its level, from 1.
    case heading(Int)
    case paragraph
    /// An item of a list.
    case item
    /// A row of a table.
    case row
    /// A line of code.
    case code

    var name: String {
      switch self {
      case .heading: "heading"
      case .paragraph: "paragraph"
      case .item: "item"
      case .row: "row"
      case .code: "code"
      }
    }

    /// Seconds of silence behind it.
    var pause: Double {
      switch self {
      case .heading: 0.7
      case .paragraph: 0.5
      case .item: 0.4
      case .row: 0.4
      case .code: 0.3
      }
    }
  }

  var kind: Kind
  /// The page it begins on, from 1.
  var page: Int
  var words: [PassageWord]
  /// Where it is to be shown, but not to be read.
  var isSilent = false
  /// Chapters that begin with it.
  var chapters: [ChapterTitle] = []

  /// The words as text, as they stand in the document.
  var text: String {
    var text = ""
    for (index, word) in words.enumerated() {
      if index > 0, !word.isGlued { text += " " }
      text += word.text
    }
    return text
  }
}

/// The title of a chapter and how deep it stands, from 1.
struct ChapterTitle: Sendable, Equatable {
  var title: String
  var level: Int
}

/// A word as it is shown, and where.
struct PassageWord: Sendable, Equatable {
  /// A place on a page: points from the top left of the page as shown.
  struct Place: Sendable, Equatable {
    var page: Int
    var box: TextPage.Box?
  }

  /// Without blanks and control characters.
  var text: String
  var place: Place
  /// Where the second part stands of a word that the end of a line divides.
  var rest: Place?
  /// Whether it follows the word before without a blank.
  var isGlued = false
  /// Whether a pause follows as behind a comma: at the end of a table's cell.
  var endsCell = false
}
