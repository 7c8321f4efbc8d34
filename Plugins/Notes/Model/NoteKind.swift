internal import PDFSyntax

/// The kinds of annotations that are notes, by their `Subtype` (PDF 32000-1, table 169).
enum NoteKind: String, Sendable, CaseIterable {
  case text = "Text"
  case freeText = "FreeText"
  case highlight = "Highlight"
  case underline = "Underline"
  case strikeOut = "StrikeOut"
  case squiggly = "Squiggly"
  case square = "Square"
  case circle = "Circle"
  case line = "Line"
  case polygon = "Polygon"
  case polyLine = "PolyLine"
  case ink = "Ink"
  case stamp = "Stamp"
  case caret = "Caret"
  case fileAttachment = "FileAttachment"
  case link = "Link"

  /// Whether it marks words of the page (12.5.6.10).
  var isTextMarkup: Bool {
    switch self {
    case .highlight, .underline, .strikeOut, .squiggly: true
    default: false
    }
  }

  /// The name of its element in XFDF (ISO 19444-1).
  var element: String { rawValue.lowercased() }

  /// By its name in any case, as people and XFDF write it.
  init?(named name: String) {
    let small = name.lowercased()
    guard let kind = Self.allCases.first(where: { $0.element == small }) else { return nil }
    self = kind
  }
}

/// `F` of an annotation (PDF 32000-1, table 165).
struct NoteFlags: OptionSet, Sendable {
  let rawValue: Int

  static let print = NoteFlags(rawValue: 4)
  static let hidden = NoteFlags(rawValue: 2)
  static let noZoom = NoteFlags(rawValue: 8)
  static let noRotate = NoteFlags(rawValue: 16)
  static let readOnly = NoteFlags(rawValue: 64)
  static let locked = NoteFlags(rawValue: 128)

  /// In the order of their bits, by the names of XFDF.
  static let all = [
    "invisible", "hidden", "print", "nozoom", "norotate", "noview", "readonly", "locked",
    "togglenoview", "lockedcontents",
  ]

  var names: [String] {
    Self.all.enumerated().filter { rawValue & 1 << $0.offset != 0 }.map(\.element)
  }

  /// Flags by their names; nil where one is none.
  init?(names: [some StringProtocol]) {
    var value = 0
    for name in names {
      guard let bit = Self.all.firstIndex(of: name.lowercased()) else { return nil }
      value |= 1 << bit
    }
    self.init(rawValue: value)
  }

  init(rawValue: Int) { self.rawValue = rawValue & 0x3FF }
}
