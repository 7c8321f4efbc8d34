internal import Languages
internal import PluginKit

/// Speaks passages in the language of each, a sentence or a few at a time.
struct Speaker {
  private let engine: SpeechEngine
  private let options: SpeechOptions
  /// The document's language as the engine knows it.
  let language: String
  private let guessesLanguages: Bool

  /// - Throws: an `options` failure for a voice or language that is not there.
  init(
    _ engine: SpeechEngine, _ options: SpeechOptions, _ document: any ReadableDocument,
    _ host: any StepHost
  ) throws(PluginFailure) {
    self.engine = engine
    self.options = options
    guard options.voice.isEmpty || engine.variants.contains(options.voice) else {
      throw PluginFailure(
        .options, "speech.voice", "there is no voice \"\(options.voice.prefix(40))\"",
        hint: "such as f3 or m5, or none; procd speak --voices lists them")
    }
    if options.language == "auto" {
      guessesLanguages = true
      let stated = document.statedLanguage.flatMap { engine.known($0) }
      let guess =
        LanguageGuess.language(of: document.beginning)
        ?? LanguageGuess.language(ofShort: document.beginning)
      let guessed = guess.flatMap { engine.known($0) }
      // What many writing programs state is the language of their menus, so the text itself counts
      // more; but only the statement knows of regions.
      let isRegion = guessed.map { stated?.hasPrefix($0) == true } ?? true
      language = (isRegion ? stated : guessed) ?? "en"
      if guessed == nil, stated == nil {
        host.note(
          "speech.language", "the language does not show; it was read as English", page: nil)
      }
    } else {
      guessesLanguages = false
      guard let known = engine.known(options.language) else {
        throw PluginFailure(
          .options, "speech.language",
          "there is no voice for the language \"\(options.language.prefix(40))\"",
          hint: "a tag such as en, de or pt-br, or auto; procd speak --languages lists them")
      }
      language = known
    }
    engine.setSpeed(options.speed)
  }

  /// The language that a passage is read in.
  func language(of passage: Passage) -> String {
    guard guessesLanguages, passage.kind != .code else { return language }
    // In a heading a single word of another language is more often a name.
    let guess =
      LanguageGuess.language(of: passage.text.prefix(4000), leastWords: 5)
      ?? LanguageGuess.language(ofShort: passage.text.prefix(400), leastWords: 2)
    return guess.flatMap { engine.known($0) } ?? language
  }

  /// What is heard of some words of a passage.
  func speak(
    _ words: ArraySlice<PassageWord>, language: String
  ) throws(PluginFailure) -> (samples: [Int16], times: WordTimes) {
    try engine.select(language: language, variant: options.voice)
    let text = SpokenText(words)
    guard text.letters > 0 else { return ([], WordTimes(text, Utterance())) }
    let utterance = try engine.speak(text.text)
    return (utterance.samples, WordTimes(text, utterance))
  }

  /// The words of a passage in parts of bounded length, cut behind sentences where that is possible.
  static func parts(_ words: [PassageWord]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = 0, length = 0
    var sentenceEnd: Int?
    for (index, word) in words.enumerated() {
      length += word.text.unicodeScalars.count + 1
      if length > SpeechLimits.utteranceScalars, index > start {
        let end = sentenceEnd ?? index
        parts.append(start..<end)
        start = end
        sentenceEnd = nil
        length = words[end...index].reduce(0) { $0 + $1.text.unicodeScalars.count + 1 }
      }
      if word.endsSentence(before: words.dropFirst(index + 1).first) { sentenceEnd = index + 1 }
    }
    if start < words.count { parts.append(start..<words.count) }
    return parts
  }
}
