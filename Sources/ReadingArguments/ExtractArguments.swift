package import ArgumentParser

/// The arguments of `procd extract`.
package struct ExtractArguments: ParsableArguments, Sendable {
  /// The sentence that help shows about the command.
  package static let abstract = "Print the text of PDF files, pages separated by form feeds."

  /// How the text of a page is written.
  package enum Form: String, EnumerableFlag, Sendable {
    /// In reading order.
    case plain
    case layout
    case markdown
    case hocr
    case alto
    case debugLayout = "debug-layout"

    /// Whether each file gives a document of its own.
    package var isDocument: Bool { self == .hocr || self == .alto || self == .debugLayout }

    package static func help(for value: Form) -> ArgumentHelp? {
      switch value {
      case .plain: "Text in reading order (default)."
      case .layout: "Text as laid out on the page: columns are aligned with spaces."
      case .markdown: "Markdown: headings, lists, tables, emphasis."
      case .hocr: "hOCR: words with their boxes in points, as XHTML."
      case .alto: "ALTO: words with their boxes in points, as XML."
      case .debugLayout:
        "SVG: how the pages were read, for reports of mistakes: lines in order, columns, tables."
      }
    }
  }

  @Flag package var forms: [Form] = []
  package var form: Form { forms.first ?? .plain }

  @Flag(help: "Rejoin words that are hyphenated at the end of a line (Markdown always does).")
  package var joinHyphens = false

  @Flag(help: "Keep ligatures and Arabic letter forms as the fonts have them.")
  package var ligatures = false

  @Flag(help: "Keep running heads and feet in Markdown.")
  package var runningLines = false

  @OptionGroup package var reading: ReadingOptions

  package init() {}

  package mutating func validate() throws {
    if let other = forms.first(where: { $0 != form }) {
      throw ValidationError("Take one of --\(form.rawValue) and --\(other.rawValue).")
    }
    guard !reading.json || !form.isDocument else {
      throw ValidationError("Take one of --json and --\(form.rawValue).")
    }
  }

  /// Those of files alone, which need no parser: a third of the time that a short file takes.
  package init(files: [String]) {
    forms = []
    joinHyphens = false
    ligatures = false
    runningLines = false
    reading = ReadingOptions(files: files)
  }
}
