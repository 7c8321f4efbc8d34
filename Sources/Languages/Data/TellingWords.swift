/// Words that give a language away even where a text is too short for its small words to count: greetings, courtesies,
/// days, what notes and letters are made of. A word that another language has too, here or among its small words, tells
/// nothing and is passed over.
enum TellingWords {
  static let byWord: [String: String] = {
    var owners: [String: Set<String>] = [:]
    for (tag, words) in lists {
      for word in words.split(separator: " ") { owners[String(word), default: []].insert(tag) }
    }
    for language in SmallWords.languages {
      // Single letters are words in many languages.
      for word in language.words where word.count > 1 {
        owners[word, default: []].insert(language.tag)
      }
    }
    return owners.compactMapValues { $0.count == 1 ? $0.first : nil }
  }()

  /// Letters and marks that only one of these languages has.
  static let byLetter: [Unicode.Scalar: String] = {
    let letters: [(String, String)] = [
      ("de", "ß"), ("es", "ñ¿¡"), ("pt", "ãõ"), ("fr", "œ"), ("pl", "łżź"), ("cs", "řěů"),
      ("sk", "ľĺŕ"),
      ("hu", "őű"), ("tr", "ğı"), ("ro", "țș"), ("vi", "ươ"), ("lv", "ģķļņ"), ("lt", "ėų"),
      ("is", "þð"),
    ]
    return Dictionary(
      uniqueKeysWithValues: letters.flatMap { tag, scalars in
        scalars.unicodeScalars.map { ($0, tag) }
      })
  }()

  private static let lists: [(String, String)] = [
    (
      "en",
      """
      hello thanks thank please dear regards sincerely tomorrow today yesterday monday tuesday wednesday thursday \
      friday saturday sunday good morning evening night shopping list milk bread meeting see you soon yours
      """
    ),
    (
      "de",
      """
      hallo guten morgen abend danke bitte liebe lieber grüße gruß heute gestern montag dienstag mittwoch donnerstag \
      freitag samstag sonntag uhr treffen einkaufen milch brot kaufen sehr geehrte geehrter rechnung mfg nicht kein ich
      """
    ),
    (
      "fr",
      """
      bonjour bonsoir merci beaucoup salut cher chère madame monsieur cordialement demain aujourd'hui hier lundi mardi \
      mercredi jeudi vendredi samedi dimanche lettre tout monde acheter lait pain c'est j'ai facture oui
      """
    ),
    (
      "es",
      """
      hola buenos buenas días gracias querido querida saludos mañana ayer hoy lunes martes miércoles jueves viernes \
      sábado domingo usted está cómo leche factura señor señora adiós comprar
      """
    ),
    (
      "it",
      """
      ciao buongiorno buonasera grazie prego caro cara saluti domani ieri oggi lunedì martedì mercoledì giovedì venerdì \
      sabato domenica ci vediamo latte pane fattura signor signora arrivederci comprare perché stazione
      """
    ),
    (
      "pt",
      """
      olá bom boa obrigado obrigada prezado abraço amanhã ontem hoje segunda-feira terça quarta quinta sexta você \
      leite pão fatura senhor senhora comprar tudo bem dia
      """
    ),
    (
      "nl",
      """
      hallo goedemorgen dank bedankt graag beste groeten morgen gisteren vandaag maandag dinsdag woensdag donderdag \
      vrijdag zaterdag zondag tot ziens melk brood factuur meneer mevrouw kopen alstublieft
      """
    ),
    (
      "sv",
      """
      hej god morgon kväll tack snälla kära hälsningar imorgon igår idag måndag tisdag onsdag torsdag fredag lördag \
      söndag hur mår du mjölk bröd faktura köpa vänliga
      """
    ),
    (
      "da",
      """
      hej goddag godaften tak venlig hilsen kære morgen aften mandag tirsdag onsdag torsdag fredag lørdag søndag mælk \
      brød mad hvordan dig købe
      """
    ),
    (
      "nb",
      """
      hei god takk vennlig hilsen kjære morgen kveld mandag tirsdag onsdag torsdag fredag lørdag søndag melk brød \
      hvordan deg kjøpe vær ikke
      """
    ),
    (
      "fi",
      """
      hei moi hyvää huomenta päivää iltaa kiitos terveisin huomenna eilen tänään maanantai tiistai keskiviikko \
      torstai perjantai lauantai sunnuntai maito leipä lasku ostaa mitä kuuluu ystävällisin
      """
    ),
    (
      "pl",
      """
      cześć dzień dobry wieczór dziękuję bardzo proszę pozdrawiam jutro wczoraj dzisiaj poniedziałek wtorek środa \
      czwartek piątek sobota niedziela mleko chleb faktura pan pani kupić szanowny
      """
    ),
    (
      "cs",
      """
      ahoj dobrý den večer děkuji prosím pozdravem zítra včera dnes pondělí úterý středa čtvrtek pátek sobota neděle \
      mléko chléb faktura pane paní koupit vám vážený
      """
    ),
    (
      "sk",
      """
      ahoj dobrý deň večer ďakujem prosím pozdravom zajtra včera dnes pondelok utorok streda štvrtok piatok sobota \
      nedeľa mlieko chlieb faktúra kúpiť vážený
      """
    ),
    (
      "hu",
      """
      szia jó reggelt napot estét köszönöm kérem üdvözlettel holnap tegnap ma hétfő kedd szerda csütörtök péntek \
      szombat vasárnap tej kenyér számla kívánok tisztelt
      """
    ),
    (
      "ro",
      """
      bună ziua dimineața seara mulțumesc rog salutări mâine ieri astăzi luni marți miercuri joi vineri sâmbătă \
      duminică lapte pâine factură stimate
      """
    ),
    (
      "tr",
      """
      merhaba günaydın iyi akşamlar teşekkürler teşekkür lütfen selamlar yarın dün bugün pazartesi salı çarşamba \
      perşembe cuma cumartesi pazar süt ekmek fatura sayın nasılsın
      """
    ),
    (
      "uk",
      """
      як що це дякую або від щоб ранку привіт ласка справи буде тільки вітаю добрий доброго вечора прошу сьогодні вчора
      """
    ),
    (
      "ru",
      """
      доброе утро вечер спасибо привет пожалуйста здравствуйте сегодня вчера что это как или чтобы только нет будет
      """
    ),
    (
      "id",
      """
      halo selamat pagi siang malam terima kasih tolong besok kemarin hari senin selasa rabu kamis jumat sabtu minggu \
      susu roti faktur bapak
      """
    ),
  ]
}
