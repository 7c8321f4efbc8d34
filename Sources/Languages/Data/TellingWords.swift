/// Words that give a language away even where a text is too short for its small words to count: greetings, courtesies,
/// days, numbers, persons, what notes and letters are made of.
enum TellingWords {
  /// The languages that have a word, here or among their small words. One tells much; two tell little, and each of them
  /// only half of it; of words that more languages have nothing is said here.
  static let byWord: [String: [String]] = {
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
    return owners.compactMapValues { $0.count <= 2 ? $0.sorted() : nil }
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
      friday saturday sunday good morning evening night shopping list milk bread meeting see you soon yours my we \
      our would could should about than them these those who why where very much some just two three four five seven \
      eight nine o'clock leaves arrives i'm it's don't what's work week month year letter here
      """
    ),
    (
      "de",
      """
      hallo guten morgen abend danke bitte liebe lieber grüße gruß heute gestern montag dienstag mittwoch donnerstag \
      freitag samstag sonntag uhr treffen einkaufen milch brot kaufen sehr geehrte geehrter rechnung mfg nicht kein \
      ich bin bist hier wir ihr mein meine dein deine unser unsere uns euch mich dich mir dir ihm ihnen haben habe \
      hast sehen kommen kommt komme gehen geht fährt zug zwei drei vier fünf sechs sieben acht neun zehn jetzt immer \
      gut schon dann wenn weil aber alle alles können muss müssen wollen möchte woche monat jahr haus was wer wo \
      warum
      """
    ),
    (
      "fr",
      """
      bonjour bonsoir merci beaucoup salut cher chère madame monsieur cordialement demain aujourd'hui hier lundi \
      mardi mercredi jeudi vendredi samedi dimanche lettre tout monde acheter lait pain c'est j'ai facture oui je \
      suis êtes sommes mon mes ton tes notre nos vos leurs ici où quand pourquoi comment très bien aussi toujours \
      maintenant deux trois quatre cinq sept huit neuf heures heure maison semaine mois année faire aller veux peux \
      peut
      """
    ),
    (
      "es",
      """
      hola buenos buenas días gracias querido querida saludos mañana ayer hoy lunes martes miércoles jueves viernes \
      sábado domingo usted está cómo leche factura señor señora adiós comprar yo ella nosotros ustedes soy eres \
      somos estoy estás estamos están tengo tiene tenemos quiero quiere puede aquí allí dónde cuándo qué quién bien \
      ahora siempre nunca dos tres cuatro cinco seis siete ocho nueve diez hora horas tren sale llega casa semana \
      año trabajo nuestro nuestra
      """
    ),
    (
      "it",
      """
      ciao buongiorno buonasera grazie prego caro cara saluti domani ieri oggi lunedì martedì mercoledì giovedì \
      venerdì sabato domenica ci vediamo latte pane fattura signor signora arrivederci comprare perché stazione io \
      lui lei noi voi loro siamo siete hanno abbiamo ho hai mio mia tuo tua nostro nostra qui qua dove quando chi \
      cosa bene adesso ora sempre mai due tre quattro cinque sei sette otto nove dieci ore treno parte arriva casa \
      settimana mese anno lavoro andare alle agli quello così
      """
    ),
    (
      "pt",
      """
      olá bom boa obrigado obrigada prezado abraço amanhã ontem hoje segunda-feira terça quarta quinta sexta você \
      leite pão fatura senhor senhora comprar tudo bem dia eu ela nós vocês sou somos estou está estamos tenho tem \
      temos quero quer pode aqui ali onde quando quem agora sempre nunca dois duas três quatro cinco seis sete oito \
      nove dez hora horas comboio trem sai chega parte casa semana mês ano trabalho meu minha nosso nossa
      """
    ),
    (
      "nl",
      """
      hallo goedemorgen dank bedankt graag beste groeten morgen gisteren vandaag maandag dinsdag woensdag donderdag \
      vrijdag zaterdag zondag tot ziens melk brood factuur meneer mevrouw kopen alstublieft ik jij hij zij wij we \
      jullie mijn jouw onze ons mij ben bent hebben heb hebt gaan gaat komt hier daar waar wanneer wie wat waarom \
      hoe goed heel altijd nooit twee drie vier vijf zes zeven acht negen tien uur trein vertrekt huis week maand \
      jaar werk alles alle niets veel
      """
    ),
    (
      "sv",
      """
      hej god morgon kväll tack snälla kära hälsningar imorgon igår idag måndag tisdag onsdag torsdag fredag lördag \
      söndag hur mår du mjölk bröd faktura köpa vänliga ni hon oss mig dig sig min din vår kommer går här där vad \
      vem varför mycket alltid aldrig två tre fyra fem sju åtta nio tio klockan tåget huset vecka månad arbete också \
      bara
      """
    ),
    (
      "da",
      """
      hej goddag godaften tak venlig hilsen kære morgen aften mandag tirsdag onsdag torsdag fredag lørdag søndag \
      mælk brød mad hvordan dig købe jeg hun os mig min din vores kommer går her hvornår hvad hvem hvorfor meget \
      altid aldrig tre fire fem seks syv otte klokken toget huset uge måned arbejde også kun
      """
    ),
    (
      "nb",
      """
      hei god takk vennlig hilsen kjære morgen kveld mandag tirsdag onsdag torsdag fredag lørdag søndag melk brød \
      hvordan deg kjøpe vær ikke jeg hun oss meg min din vår kommer går her når hva hvem hvorfor mye alltid aldri \
      tre fire fem seks sju åtte klokken toget huset uke måned arbeid også bare
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
      czwartek piątek sobota niedziela mleko chleb faktura pan pani kupić szanowny ona mój moja jestem jesteś \
      jesteśmy mam masz mamy tutaj tam gdzie kiedy kto dlaczego zawsze nigdy teraz dwa trzy cztery pięć sześć siedem \
      osiem dziewięć dziesięć godzinie pociąg dom tydzień miesiąc rok praca chcę mogę
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
