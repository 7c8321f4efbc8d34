import Foundation
import SystemPackage
import TestSupport
import Testing

/// Every text that the page shows goes through its catalogue, and each catalogue has all of them.
@Suite struct PageTextTests {
  private static let folder = Programs.repository.appending("Sources/procd-web/Page")
  /// A catalogue has the texts of the page, and the file beside it what codes mean.
  private static let catalogues = ["german.js"], causes = ["german-causes.js"]

  /// What looks like a text and is none: names of headers, kinds of notes, parts of a file, classes.
  private static let names: Set<String> = [
    "Content-Type", "Files", "Text", "FreeText", "Highlight", "StrikeOut",
    "What happened", "What to do", "fill {1}", "state {1}",
    // Typed as it is, in each language.
    "procd web open",
    // In their own languages.
    "English", "Deutsch",
  ]

  /// What is searched for or compared is not shown.
  private static let lookUps = [
    "querySelector(", "querySelectorAll(", "closest(", "closest?.(", "=== ", "!== ", "RegExp(",
  ]

  private static func file(_ name: String) throws -> String {
    try String(contentsOfFile: folder.appending(name).string, encoding: .utf8)
  }

  private static func scripts() throws -> [(name: String, texts: [PageScript.Text])] {
    try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
      .filter { $0.hasSuffix(".js") && !(catalogues + causes).contains($0) }
      .map { ($0, PageScript(try file($0)).texts) }
  }

  /// The texts and spoken names that index.html has. Names of keys and what is said without scripts stay as they are.
  private static func pageTexts() throws -> Set<String> {
    let page = try file("index.html")
      .replacing(#/(?s)<(noscript|kbd|svg|title)\b.*?</\1>/#, with: "")
    let spoken = page.matches(of: #/(?:aria-label|placeholder|title|alt)="([^"]*)"/#).map(\.1)
    let written = page.replacing(#/(?s)<[^>]*>/#, with: "\n").split(separator: "\n")
    let texts = (spoken + written).map { $0.trimmingCharacters(in: .whitespaces) }
    return Set(texts.filter { $0 != "procd" && $0.contains(where: \.isLetter) })
  }

  private static func keys() throws -> Set<String> {
    try scripts().reduce(into: try pageTexts()) { keys, script in
      keys.formUnion(script.texts.filter(\.isTranslated).map(\.key))
    }
  }

  /// What a catalogue exports: JSON but for the commas at the ends.
  private static func table<Value: Decodable>(_ name: String, of: Value.Type) throws
    -> [String: Value]
  {
    let body = try #require(try file(name).firstMatch(of: #/(?s)\{.*\}/#)).output
    let table = try JSONDecoder().decode(
      [String: Value].self, from: Data(body.replacing(#/,\s*\}$/#, with: "}").utf8))
    #expect(
      body.split(separator: "\n").count == table.count + 2, "\(name): a line for each text, once")
    return table
  }

  /// Each piece in which a letter is next to a blank, or that begins with a capital letter and a small one, is for people.
  private static func isForPeople(_ text: PageScript.Text) -> Bool {
    guard !lookUps.contains(where: text.before.hasSuffix), !names.contains(text.key) else {
      return false
    }
    return text.pieces.contains { piece in
      let words = piece.replacing("procd", with: "")
      return words.contains(#/\p{L}[.,:;!?…]? | \p{L}|^\p{Lu}\p{Ll}/#)
    }
  }

  @Test func `no text of the page is outside of its catalogue`() throws {
    var seen = 0
    for (name, texts) in try Self.scripts() {
      for text in texts {
        if text.isTranslated { seen += 1 }
        #expect(
          text.isTranslated || !Self.isForPeople(text),
          "\(name):\(text.line): “\(text.key)” is shown in English only: write t`…`")
      }
    }
    #expect(seen > 250, "t`…` is no longer found in the sources of the page")
  }

  /// A module is read without complaint where it uses a name that it did not import, and fails when somebody comes by.
  @Test func `scripts of pages use no name that they do not have`() throws {
    let scripts = ["Sources/procd-web/Page", "Plugins/Guide/Page", "Plugins/Speech/Listening/Page"]
      .map { Programs.repository.appending($0) }
      .flatMap { folder in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
        return names.filter { $0.hasSuffix(".js") }.map { folder.appending($0).string }
      }
    #expect(scripts.count > 30)
    let options = [
      "--allowJs", "--checkJs", "--noEmit", "--target", "esnext", "--module", "esnext",
    ]
    let compiler = try #require(Programs.find("tsc"), "node-typescript is not installed")
    let run = try Programs.run(compiler, options + ["--lib", "esnext,dom"] + scripts)
    // Newer than the compiler of Debian 12.
    let unknown = run.output.split(separator: "\n")
      .filter {
        $0.contains(#/error TS(2304|2305|2552|2614):/#) && !$0.contains("'DecompressionStream'")
      }
    #expect(unknown.isEmpty, "\(unknown.joined(separator: "\n"))")
  }

  @Test func `texts of the page are written without escapes`() throws {
    for key in try Self.keys() { #expect(!key.contains("\\") && !key.contains("\n"), "“\(key)”") }
  }

  @Test(arguments: catalogues)
  func `a catalogue has each text of the page, and no other`(_ name: String) throws {
    let catalogue = try Self.table(name, of: String.self)
    let keys = try Self.keys()
    for key in keys.subtracting(catalogue.keys).sorted() {
      Issue.record("\(name): “\(key)” is missing")
    }
    for key in Set(catalogue.keys).subtracting(keys).sorted() {
      Issue.record("\(name): “\(key)” is no longer shown")
    }
    for (key, text) in catalogue {
      func holes(_ text: String) -> Set<Substring> {
        Set(text.matches(of: #/\{(\d+)\}/#).map(\.1))
      }
      let isPlural = key.contains("|")
      #expect(
        isPlural ? holes(text).isSubset(of: holes(key)) : holes(text) == holes(key),
        "\(name): “\(text)” has other holes than “\(key)”")
      #expect(isPlural == text.contains("|"), "\(name): “\(text)” has other forms than “\(key)”")
      #expect(!text.isEmpty)
    }
  }

  @Test(arguments: causes)
  func `a catalogue explains codes that are documented`(_ name: String) throws {
    let path = Programs.repository.appending("docs/errors.md").string
    let documented = try String(contentsOfFile: path, encoding: .utf8)
      .matches(of: #/(?m)^\| `([a-z.A-Z*]+)`/#).map(\.1)
    for (code, texts) in try Self.table(name, of: [String].self) {
      let family = code.replacing(#/\.[a-z]+$/#, with: ".*")
      #expect(
        documented.contains { $0 == code || $0 == family }, "\(name): docs/errors.md has no \(code)"
      )
      #expect((1...2).contains(texts.count) && !texts.contains(""), "\(name): \(code)")
    }
  }
}
