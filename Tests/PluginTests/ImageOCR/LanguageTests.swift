import Languages
import PluginKit
import Testing

@testable import ImageOCR

/// Whether the languages are installed that these tests need.
private func areInstalled(_ languages: String...) -> Bool {
  guard let folder = LanguageData.folder() else { return false }
  return languages.allSatisfy { LanguageData.isInstalled($0, in: folder) }
}

@Suite(.serialized) struct LanguageTests {
  private func words(_ lines: [String]) -> [String] {
    lines.flatMap { $0.split(separator: " ").map(String.init) }
  }

  @Test(.enabled(if: areInstalled("eng", "deu")))
  func `a page in another installed language is read in it`() throws {
    let made = try StepBench(TypesetPage.png(TypesetPage.german))
    #expect(made.page(0)?["languages"] == "deu+eng")
    #expect(made.output.facts["language"] == "deu")
    #expect(try made.text("text")?.contains("über die Anträge") == true)
    #expect(try made.text("text")?.contains("würden") == true)
  }

  @Test(.enabled(if: areInstalled("eng", "deu")))
  func `a receipt without small words is read in the language that fits its letters`() throws {
    let made = try StepBench(
      TypesetPage.png([
        "Bäckerei Jürgen Schröder", "Königstraße 5", "70173 Stuttgart",
        "Mehrkornbrötchen 3 Stück 4,50 EUR", "Käsekuchen 1 Stück 3,20 EUR",
        "Rückgeld 2,30 EUR", "Öffnungszeiten Montag bis Samstag",
      ]))
    #expect(made.page(0)?["languages"] == "deu+eng")
    #expect(try made.text("text")?.contains("Jürgen Schröder") == true)
    #expect(try made.text("text")?.contains("Königstraße") == true)
  }

  @Test(
    .enabled(if: areInstalled("eng", "deu")),
    arguments: [
      (
        [
          "Antrag auf Parkausweis", "Name Müller-Lüdenscheidt", "Vorname Karl",
          "Neuantrag Verlängerung Umzug",
          "Anwohner Gewerbe Handwerker", "Kennzeichen",
        ], "deu+eng"
      ),
      (
        [
          "Application for a parking permit", "Name Miller-Hartmann", "First name Charles",
          "Renewal extension removal", "Resident business craftsman", "Registration",
        ], "eng"
      ),
    ])
  func `a form of few words is read in the language whose dictionary has them`(
    lines: [String], languages: String
  ) throws {
    let made = try StepBench(TypesetPage.png(lines))
    #expect(made.page(0)?["languages"]?.stringValue == languages)
  }

  @Test(.enabled(if: areInstalled("eng", "rus", "osd")))
  func `a page in another script is read in its languages`() throws {
    let made = try StepBench(TypesetPage.png(TypesetPage.russian))
    #expect(made.page(0)?["languages"] == "rus+eng")
    #expect(try made.text("text")?.contains("счастливые семьи похожи") == true)
  }

  @Test(.enabled(if: areInstalled("eng", "rus", "osd")))
  func `the script of a noisy page is found all the same`() throws {
    let lines = Array(repeating: TypesetPage.russian, count: 3).flatMap(\.self)
    let made = try StepBench(TypesetPage.png(lines, isDim: true))
    #expect(made.page(0)?["languages"] == "rus+eng")
    #expect(try made.text("text")?.contains("счастливые семьи похожи") == true)
  }

  @Test(.enabled(if: areInstalled("eng", "deu")))
  func `a page in the main language is read in that alone`() throws {
    let made = try StepBench(TypesetPage.png(TypesetPage.english), options: ["languages": "auto"])
    #expect(made.page(0)?["languages"] == "eng")
  }

  @Test(.enabled(if: areInstalled("eng", "deu")), arguments: [["deu+eng"], ["deu", "eng"]])
  func `languages that are named are used as they are`(names: [String]) throws {
    let made = try StepBench(
      TypesetPage.png(TypesetPage.english),
      options: ["languages": .array(names.map { .string($0) })])
    #expect(made.page(0)?["languages"] == "deu+eng")
    #expect(made.output.facts["language"] == "deu")
  }

  @Test func `words that most languages share decide nothing`() {
    let text = words(["A B 12,50 in no per la 2026 do", "TOTAL 5 x 3.20 a on"])
    let other = LanguageGuess.other(
      for: text, readWith: ["eng"], installed: ["deu", "eng", "fra", "ita", "por", "spa"])
    #expect(other == nil)
  }

  @Test func `a sentence quoted in another language does not turn the page`() {
    let english = words(TypesetPage.english + TypesetPage.english + TypesetPage.english)
    let quoted = english + words(["und der Mann ist nicht mit dem Hund"])
    #expect(
      LanguageGuess.other(for: quoted, readWith: ["eng"], installed: ["deu", "eng"]) == nil)
  }

  @Test func `of several languages the one that the words are of is told`() {
    let text = words(TypesetPage.german)
    #expect(
      LanguageGuess.other(
        for: text, readWith: ["eng"], installed: ["dan", "deu", "eng", "fra", "nld", "swe"])
        == "deu")
  }

  @Test(arguments: [
    (
      "spa", "por",
      "El hombre no sabe lo que quiere, pero la mujer y los niños están con él en una casa del pueblo."
    ),
    (
      "por", "spa",
      "O homem não sabe o que quer, mas a mulher e as crianças estão com ele em uma casa da aldeia, e ao lado do rio."
    ),
  ])
  func `a page in a neighbor of the language that it was read with is told`(
    language: String, used: String, text: String
  ) {
    #expect(LanguageGuess.other(for: words([text]), readWith: [used]) == language)
    #expect(LanguageGuess.other(for: words([text]), readWith: [language]) == nil)
    #expect(LanguageGuess.other(for: words([text]), readWith: [language, used]) == nil)
  }
}
