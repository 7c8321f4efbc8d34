internal import Languages
internal import PluginKit

/// The recognizers of a step: one for each list of languages, loaded when it is first asked for.
///
/// With ``LanguageChoice/automatic`` pages are read in the main installed language first, and again in
/// another where the text or the script says so; the pages that follow are then read in that one first.
/// Not to be used by two threads at once.
final class Recognizers {
  private let choice: LanguageChoice
  private var engines: [[String]: Tesseract] = [:]
  private var scripts: ScriptFinder?
  private let folder: String
  /// The language that stands beside those that are chosen.
  private let main: String
  /// What pages are read with first.
  private var current: [String]
  /// Whether lines of a page of this file were read in all other languages, and in none more surely.
  private var isTried = false
  /// Without those that are no languages (`osd`, `equ`) or for lines from top to bottom only.
  private let installed: [String]

  /// At most this many languages read a page where none were named.
  private static let most = 3
  /// At most this many are tried on lines of a page whose words do not tell its language.
  private static let mostTried = 8

  /// - Throws: ``PluginFailure`` with the code `ocr.data` where no language data is installed,
  ///   `ocr.language` where one of those that were named is not.
  init(_ choice: LanguageChoice) throws(PluginFailure) {
    guard let folder = LanguageData.folder() else { throw LanguageData.notInstalled }
    self.folder = folder
    self.choice = choice
    switch choice {
    case .named(let languages):
      installed = []
      main = languages.first ?? ""
      current = languages
    case .automatic:
      installed = LanguageData.languages(in: folder)
      guard let first = installed.first else { throw LanguageData.notInstalled }
      main = installed.contains("eng") ? "eng" : first
      current = [main]
    }
  }

  /// Forgets what earlier files were in.
  func begin() {
    isTried = false
    if choice == .automatic { current = [main] }
  }

  /// The one that a page is read with first.
  func first() throws(PluginFailure) -> Tesseract { try engine(for: current) }

  /// One for the script of a picture that was hardly read, where that is another one and its languages
  /// are installed.
  func forScript(
    of pixels: borrowing Pixels, readWith used: [String]
  ) throws(PluginFailure) -> Tesseract? {
    let known = Set(used.map(WritingScript.init(language:)))
    let others = installed.filter { !known.contains(WritingScript(language: $0)) }
    guard !others.isEmpty, LanguageData.isInstalled("osd", in: folder) else { return nil }
    if scripts == nil { scripts = try ScriptFinder(folder: folder) }
    guard let script = scripts?.script(of: pixels) else { return nil }
    let languages = others.filter { WritingScript(language: $0) == script }
    guard !languages.isEmpty else { return nil }
    return try engine(for: languages.prefix(Self.most - 1) + [main])
  }

  /// One for a page whose text says that it is in another language than those it was read with.
  func forText(
    of page: RecognizedPage, readWith used: [String]
  ) throws(PluginFailure) -> Tesseract? {
    guard choice == .automatic,
      let other = LanguageGuess.other(
        for: page.lines.lazy.flatMap(\.words).map(\.text), readWith: used, installed: installed)
    else { return nil }
    // The main language stays for what is quoted in it.
    return try engine(for: other == main ? [main] : [other, main])
  }

  /// One for the language in which lines of a page are read more surely than in those used; nil where that is none, or the
  /// languages were named. A file of which one page was tried for nothing is tried no more.
  func forLines(
    of trial: LanguageTrial, in pixels: borrowing Pixels, resolution: Double,
    readWith used: Tesseract
  ) throws(PluginFailure) -> Tesseract? {
    let scripts = Set(used.languages.map(WritingScript.init(language:)))
    let others = installed.filter {
      !used.languages.contains($0) && scripts.contains(WritingScript(language: $0))
    }
    guard !others.isEmpty, !isTried else { return nil }
    let better = try trial.better(
      in: pixels, resolution: resolution, than: used, of: Array(others.prefix(Self.mostTried))
    ) { language throws(PluginFailure) in try Tesseract(languages: [language]) }
    isTried = better.isEmpty
    guard !isTried else { return nil }
    let best = better.prefix(Self.most - 1)
    return try engine(for: best.contains(main) ? Array(best) : best + [main])
  }

  /// The English one, where it is installed: it reads digits best.
  func english() throws(PluginFailure) -> Tesseract? {
    LanguageData.isInstalled("eng", in: folder) ? try engine(for: ["eng"]) : nil
  }

  /// Has the pages that follow read with these languages first.
  func prefer(_ languages: [String]) { current = languages }

  /// The one for some languages.
  func engine(for languages: [String]) throws(PluginFailure) -> Tesseract {
    if let engine = engines[languages] { return engine }
    let engine = try Tesseract(languages: languages)
    engines[languages] = engine
    return engine
  }
}
