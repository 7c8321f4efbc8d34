import Languages
import PluginKit
import Testing

@testable import procd_speech

@Suite struct LanguageTests {
  @Test(
    arguments: [
      ("en", "It was the best of times and it was the worst of times for all of them."),
      (
        "de",
        "Dies ist ein Absatz in einer anderen Sprache, und er wird nicht von der gleichen Stimme gelesen."
      ),
      (
        "fr",
        "Il est dans la maison avec les enfants et une femme qui ne sait pas ce que nous avons."
      ),
      (
        "es",
        "No es lo mismo que los otros, pero para mí es más que una casa con las puertas abiertas."
      ),
      (
        "it",
        "Non è una cosa che si fa con la mano, ma anche con gli occhi e con il cuore della gente."
      ),
      ("pl", "To jest tylko jeden z nich, ale nie wiem, czy on jest tak samo dobry jak ja na to."),
      ("hr", "Nije rekao da je bio u kući, ili da su ljudi kao i on, ali te riječi su od njega."),
      ("ru", "Это было лучшее из всех времён, и это было худшее."),
      ("uk", "Це був найкращий із часів, її слова були тихі."),
      ("bg", "Това е България, където слънцето изгрява от изток към запад."),
      ("el", "Ήταν η καλύτερη εποχή."), ("he", "זה היה הטוב שבזמנים."),
      ("fa", "این یک پیام است که چند کلمه دارد و گل."), ("ar", "كان أفضل الأوقات."),
      ("ja", "これは日本語の文章です。"), ("cmn", "这是最好的时代，这是最坏的时代。"), ("ko", "최고의 시간이었다."),
      ("hi", "यह सबसे अच्छा समय था।"),
    ])
  func `the language of a paragraph shows`(language: String, text: String) {
    #expect(LanguageGuess.language(of: text) == language)
  }

  @Test(
    arguments: [
      ("de", "Guten Morgen!"), ("de", "Bitte Milch kaufen."), ("de", "Treffen um 15 Uhr"),
      ("fr", "Bonjour tout le monde"), ("fr", "Merci beaucoup pour votre lettre."),
      ("es", "Buenos días, ¿cómo está usted?"), ("it", "Ci vediamo domani alla stazione"),
      ("nl", "Tot ziens en bedankt"), ("pl", "Dzień dobry, dziękuję bardzo"),
      ("sv", "God morgon, hur mår du?"),
      ("pt", "Bom dia, obrigado"), ("en", "See you tomorrow"), ("en", "Shopping list: milk, bread"),
      ("da", "Tak for mad og god aften"), ("tr", "Günaydın, nasılsın?"),
      ("cs", "Dobrý den, děkuji vám"),
      ("fi", "Hyvää huomenta, kiitos"), ("hu", "Jó reggelt kívánok"),
      ("nb", "Vennlig hilsen, Kari"),
      ("ro", "Bună ziua, mulțumesc"), ("sk", "Dobrý deň, ďakujem"),
      ("id", "Selamat pagi, terima kasih"),
      ("de", "Ich bin hier."), ("de", "Wir sehen uns morgen."), ("de", "Der Zug fährt um acht."),
      ("it", "Il treno parte alle otto."), ("it", "Dove siamo adesso?"),
      ("fr", "Le train part à huit heures."), ("fr", "Je suis ici."),
      ("en", "The train leaves at eight."), ("en", "I'm here."), ("es", "El tren sale a las ocho."),
      ("pt", "O comboio parte às oito."), ("nl", "Ik ben hier."),
      ("nl", "De trein vertrekt om acht uur."), ("sv", "Tåget går klockan åtta."),
      ("da", "Hvornår kommer toget?"), ("nb", "Når kommer toget? Jeg er her."),
      ("pl", "Pociąg odjeżdża o godzinie ósmej."), ("es", "Estoy aquí."), ("pt", "Eu estou aqui."),
      ("de", "Vielen Dank"), ("de", "Vielen Dank für Ihren Brief vom vierten Mai"),
      ("it", "Chiuda la porta, per favore."), ("it", "La riunione comincia alle nove."),
      ("it", "Vietato fumare"), ("pt", "Feche a porta, por favor."),
      ("pt", "Número da fatura 77100"),
      ("es", "Cierre la puerta, por favor."), ("es", "Próxima parada: estación central"),
      ("es", "Le rogamos que pague la factura antes de fin de mes"), ("es", "Prohibido fumar"),
      ("nl", "Morgen is er geen les"), ("nl", "Verboden te roken"),
      ("nl", "Volgende halte: centraal station"),
      ("fr", "Prochain arrêt: gare centrale, descente à gauche"),
    ])
  func `a short text gives its language away`(language: String, text: String) {
    #expect(LanguageGuess.language(of: text) ?? LanguageGuess.language(ofShort: text) == language)
  }

  @Test func `most lines that nobody thought of give their language away, and few another one`() {
    var lines = 0, right = 0, other = 0, english = 0
    for (language, texts) in ShortTexts.byLanguage {
      for text in texts {
        lines += 1
        let guess = LanguageGuess.language(of: text) ?? LanguageGuess.language(ofShort: text)
        // A document whose language does not show is read as English.
        right += (guess ?? "en") == language ? 1 : 0
        other += guess.map { $0 != language } == true ? 1 : 0
        if language == "en", (guess ?? "en") == "en" { english += 1 }
      }
    }
    #expect(lines == 276)
    #expect(right >= 225, "\(right) of \(lines)")
    #expect(other <= 18, "\(other) of \(lines)")
    #expect(english >= 24)
  }

  @Test(arguments: [
    "Jakob Stein", "Kongo", "Lorem ipsum dolor", "Linux kernel", "Moin.",
  ])
  func `letters alone decide nothing where they are a name's`(text: String) {
    #expect(LanguageGuess.language(ofShort: text) == nil)
  }

  @Test(arguments: [
    "Hamburg 12 km", "OK", "", "Bonjour, Guten Tag: merci, danke", "x + y = 3", "12.03.2026",
  ])
  func `a short text without such words, or with those of two languages, says nothing`(text: String)
  {
    #expect(LanguageGuess.language(ofShort: text) == nil)
  }

  @Test func `short texts in other scripts show too`() {
    #expect(LanguageGuess.language(of: "Доброго ранку, як справи?") == "uk")
    #expect(LanguageGuess.language(of: "Доброе утро") == "ru")
    // A yak is one in Russian.
    #expect(LanguageGuess.language(of: "Это як, большое животное. Было утро.") == "ru")
    #expect(LanguageGuess.language(of: "Καλημέρα σας") == "el")
    #expect(LanguageGuess.language(of: "α + β = γ, Δt") == nil)
  }

  @Test(arguments: [
    "", "12 34", "Lorem ipsum dolor", "Kongo", "DER DER DER DER DER der", "a o e a o e a", "α β γ",
    "OK, OK, OK, OK, OK",
  ])
  func `where it does not show nothing is guessed`(text: String) {
    #expect(LanguageGuess.language(of: text) == nil)
  }

  @Test func `each paragraph is read in its own language`() throws {
    let read = try Narrated(
      """
      The keeper of the lamp lived alone on a rock in the sea, and it was not easy for her.

      In der Nacht kam ein Sturm, wie ihn die Insel seit vielen Jahren nicht mehr gesehen hatte, und alle \
      suchten nach dem Licht.

      Moin.

      Le train part à huit heures.

      Wir sehen uns morgen.
      """)
    #expect(read.passages.map(\.language) == ["en", "de", "en", "fr", "de"])
    #expect(read.facts.languages == ["de", "en", "fr"])
    #expect(read.page.contains("<p lang=\"de\" data-t"))
  }

  @Test func `a language that is named holds for all`() throws {
    var options = SpeechOptions()
    options.language = "de-AT"
    let read = try Narrated("The keeper of the lamp lived alone on a rock in the sea.", options)
    #expect(read.passages.map(\.language) == ["de"])
    options.language = "en-GB"
    #expect(try Narrated("Hello.", options).passages.map(\.language) == ["en-gb"])
    options.language = "xx-yy"
    #expect(try failure("Hello.", options)?.code == "speech.language")
  }

  @Test func `a text whose language does not show is read as English, and says so`() throws {
    #expect(try Narrated("Kongo 7.").notes == ["speech.language"])
  }
}
