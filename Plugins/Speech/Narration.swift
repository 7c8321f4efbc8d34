internal import PDFText
internal import PluginKit

/// Reads a document aloud: its passages become sound and the files that say when each word is heard.
///
/// Nothing is kept of what was spoken but the table of contents, so memory is bounded by the largest
/// page and passage.
struct Narration {
  private var document: any ReadableDocument
  private let options: SpeechOptions
  private let speaker: Speaker
  private var results: NarrationResults
  private let host: any StepHost
  private var facts = NarrationFacts()
  /// Samples written so far.
  private var samples = 0
  private var chapters: [Chapter] = []

  /// - Parameter file: the document's own path, by which its pages are drawn; nil where it has none.
  init(
    _ document: any ReadableDocument, _ engine: SpeechEngine, _ options: SpeechOptions,
    _ places: NarrationPlaces, name: String, file: String? = nil, _ host: any StepHost
  ) throws(PluginFailure) {
    self.document = document
    self.options = options
    self.host = host
    speaker = try Speaker(engine, options, document, host)
    let title = NarrationTitle(
      title: document.title ?? name, language: speaker.language, pages: document.pageCount)
    let drawing = file.map { PageDrawing(of: $0, scratch: places.scratch) }
    results = try NarrationResults(places, title) { page, most in
      if let picture = document.picture(page, most: most) { return picture }
      guard let drawing, let size = document.size(page) else { return nil }
      return drawing.picture(page, size: size, most: most)
    }
    facts.title = title.title
    facts.language = speaker.language
  }

  /// Seconds of audio so far.
  private var seconds: Double { Double(samples) / Double(SpeechEngine.sampleRate) }

  /// Reads everything.
  mutating func run() throws(PluginFailure) -> NarrationFacts {
    var joiner = PassageJoiner()
    let outline = Dictionary(
      grouping: document.outline.prefix(SpeechLimits.chapters), by: \.page)
    let total = document.pageCount
    for page in 1...max(1, total) {
      var passages = document.passages(page)
      choose(&passages)
      if document.outline.isEmpty {
        ChapterPlaces.markHeadings(&passages)
      } else {
        ChapterPlaces.mark(&passages, with: outline[page] ?? [])
      }
      for passage in passages {
        for whole in joiner.add(passage) { try read(whole) }
      }
      host.progress(page, of: total, unit: "page")
    }
    for whole in joiner.finish() { try read(whole) }
    guard facts.words > 0 else {
      throw PluginFailure(
        .input, "speech.empty", "nothing in this file was to be read aloud",
        hint: "set \"code\" or \"tables\" to \"read\" if it has nothing else")
    }
    facts.isPartial = document.tell(host)
    facts.pages = total
    facts.seconds = seconds
    facts.chapters = chapters.count
    facts.runningLines = document.runningLines
    try results.finish(chapters, seconds: seconds)
    return facts
  }

  /// Marks what the options leave out, and what has nothing that can be said.
  private mutating func choose(_ passages: inout [Passage]) {
    for index in passages.indices {
      let passage = passages[index]
      switch passage.kind {
      case .code where options.code == .skip:
        passages[index].isSilent = true
        facts.skippedLines += 1
      case .row where options.tables == .skip:
        passages[index].isSilent = true
        facts.skippedLines += 1
      default:
        passages[index].isSilent = !passage.words.contains(where: SpokenText.isSpeakable)
      }
    }
  }

  private mutating func read(_ passage: Passage) throws(PluginFailure) {
    for chapter in passage.chapters where chapters.count < SpeechLimits.chapters {
      chapters.append(
        Chapter(title: chapter.title, level: chapter.level, page: passage.page, time: seconds))
    }
    guard !passage.isSilent else {
      return try results.add(
        SpokenPassage(passage: passage, language: facts.language, starts: [], end: seconds))
    }
    let language = speaker.language(of: passage)
    facts.languages.insert(language)
    var spoken = SpokenPassage(passage: passage, language: language, starts: [], end: 0)
    spoken.starts.reserveCapacity(passage.words.count)
    let parts = Speaker.parts(passage.words)
    for (number, part) in parts.enumerated() {
      let said = try speaker.speak(passage.words[part], language: language)
      let begin = samples
      spoken.starts += said.times.starts.map {
        Double(begin + $0) / Double(SpeechEngine.sampleRate)
      }
      spoken.end = Double(begin + said.times.end) / Double(SpeechEngine.sampleRate)
      try write(said.samples)
      // Between sentences less than between passages.
      try pause(number + 1 < parts.count ? 0.25 : passage.kind.pause)
    }
    facts.words += passage.words.count
    try results.add(spoken)
  }

  private mutating func write(_ sound: [Int16]) throws(PluginFailure) {
    samples += sound.count
    guard seconds <= Double(SpeechLimits.seconds) else {
      throw PluginFailure(
        .input, "speech.long",
        "the audio would be longer than \(SpeechLimits.seconds / 3600) hours",
        hint: "divide the document into parts")
    }
    try results.write(sound)
  }

  private mutating func pause(_ seconds: Double) throws(PluginFailure) {
    try write([Int16](repeating: 0, count: Int(seconds * Double(SpeechEngine.sampleRate))))
  }
}
