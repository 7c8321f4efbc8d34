/// A passage with its times, as the writers get it. Times are seconds from the beginning of the audio.
struct SpokenPassage: Sendable, Equatable {
  var passage: Passage
  /// As the engine knows the language.
  var language: String
  /// When each word begins; empty for a passage that is shown only.
  var starts: [Double]
  /// When the last word ends.
  var end: Double

  /// When a word ends: where the next one begins.
  func end(ofWord index: Int) -> Double { index + 1 < starts.count ? starts[index + 1] : end }
}

/// A chapter and when it begins.
struct Chapter: Sendable, Equatable {
  var title: String
  var level: Int
  /// From 1.
  var page: Int
  /// Seconds from the beginning of the audio.
  var time: Double
}

/// What is known of a narration before its first word.
struct NarrationTitle: Sendable, Equatable {
  var title: String
  /// Of the document; passages may have their own.
  var language: String
  var pages: Int
}
