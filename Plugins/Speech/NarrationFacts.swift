internal import PluginKit

/// What can be said of a narration when it is done.
struct NarrationFacts: Sendable, Equatable {
  var title = ""
  /// The document's language.
  var language = ""
  /// All languages that it was read in.
  var languages: Set<String> = []
  var pages = 0
  var words = 0
  var seconds = 0.0
  var chapters = 0
  /// Lines at the head and foot of pages that were left out.
  var runningLines = 0
  /// Lines of code and rows of tables that were left out.
  var skippedLines = 0
  var isPartial = false

  var json: JSON {
    [
      "title": .string(title), "language": .string(language),
      "languages": .array(languages.sorted().map { .string($0) }), "pages": .integer(pages),
      "words": .integer(words), "seconds": .number((seconds * 1000).rounded() / 1000),
      "chapters": .integer(chapters), "runningLines": .integer(runningLines),
      "skippedLines": .integer(skippedLines),
    ]
  }
}
