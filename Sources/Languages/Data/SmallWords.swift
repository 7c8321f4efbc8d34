/// The small words of languages in Latin letters: short, in every paragraph, and much of any text. Words that several
/// of these languages have in common stand in several lists; they tell little, and nothing between those.
enum SmallWords {
  struct Language: Sendable {
    /// ISO 639-3, which is what Tesseract calls it.
    var code: String
    /// BCP 47.
    var tag: String
    var words: Set<String>
  }

  static let languages: [Language] = lists.map { code, tag, list in
    Language(code: code, tag: tag, words: Set(list.split(separator: " ").map(String.init)))
  }

  private static let lists: [(String, String, String)] = [
    (
      "eng", "en",
      """
      the of and to in is that it was for on are as with his they at be this have from or had by but \
      not what all were we when your can said there which she do how their if will you has
      """
    ),
    (
      "deu", "de",
      """
      der die das und ist nicht von zu den mit sich des auf für im dem ein eine als auch es an werden \
      aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum wir oder \
      ihre durch zur
      """
    ),
    (
      "fra", "fr",
      """
      le la les de des du et est un une que qui dans en pour pas au ce il sur se plus par avec ne sont \
      aux ou son sa nous vous cette mais ont été elle leur comme votre
      """
    ),
    (
      "spa", "es",
      """
      el la los las de del y que en un una es por con para no se su al lo como más pero sus le ya o \
      este sí porque esta entre cuando muy sin sobre también fue son ha
      """
    ),
    (
      "ita", "it",
      """
      il la di e che in un una è per non con del della i le da si dei al sono come anche più alla nel \
      ma lo gli delle ha questo dal essere su nella ed
      """
    ),
    (
      "por", "pt",
      """
      o a os as de do da que e em um uma é para com não por no na se dos das mais como mas ao foi ele \
      sua ou quando muito nos já também pelo pela até isso são seu
      """
    ),
    (
      "nld", "nl",
      """
      de het een van en in is dat op te zijn met voor niet aan er die om ook als bij maar uit nog naar \
      door over worden heeft deze kan wordt was tot
      """
    ),
    (
      "swe", "sv",
      """
      och att det i en på är som för av med till den inte om har ett de var jag men från vid så kan man \
      när hade skulle eller också efter ska vi
      """
    ),
    (
      "dan", "da",
      """
      og i at det en den til er som på de med han af for ikke der var mig sig men et har om vi min havde \
      ham hun nu over da fra ud hvor blev kan skal eller efter hvis
      """
    ),
    (
      "nor", "nb",
      """
      og i det på som er en til å han av for med at var de ikke den har jeg om et men så seg fra hun nå \
      over da ved også blir eller skal hva ble kan etter hvis vi
      """
    ),
    (
      "fin", "fi",
      """
      ja on ei se että oli hän mutta ovat kun niin myös joka tai sen kuin ole jos mitä hänen sitä voi \
      minä tämä olla vain nyt vielä mukaan
      """
    ),
    ("est", "et", "ja on ei et kui ka oli see ning mis aga selle või"),
    (
      "pol", "pl",
      """
      i w na z do się nie że jest to o jak za od po ale przez co dla czy są tym jego być tylko ich może \
      był jeszcze które oraz już także ze lub przy tego przed
      """
    ),
    (
      "ces", "cs",
      """
      a v se na je že to s z do o i ve jsem ale jako za po by si tak jeho nebo jsou byl který jen pro \
      podle bude být však také ze při bylo které od
      """
    ),
    (
      "slk", "sk",
      """
      a v sa na je že to s z do o i vo som ale ako za po by si tak jeho alebo sú bol ktorý len pre \
      podľa bude byť však aj zo pri bolo ktoré od
      """
    ),
    ("slv", "sl", "je na da se ki za so pa ter ali tudi bi po od"),
    ("hrv", "hr", "je na da se koji za su od ili kao nije bi iz te"),
    (
      "hun", "hu",
      """
      a az és hogy nem is egy ez meg volt de csak már van mint még ki el ha minden vagy azt akkor lesz \
      pedig nagyon kell amely lehet szerint ezt sem mert alapja
      """
    ),
    (
      "ron", "ro",
      """
      și de în la a că nu o cu pe un este din care mai pentru se sunt ca au fost lui sau dar după prin \
      fi cele această dintre al ale
      """
    ),
    (
      "tur", "tr",
      """
      ve bir bu da de için ile çok ne o gibi daha olarak kadar ama en var olan sonra değil her ya mi \
      ancak oldu ise veya olup tarafından
      """
    ),
    (
      "cat", "ca",
      """
      el la els les de del i que en un una és per amb no es al com més però seva aquest també va ha dels \
      són aquesta perquè sense pel
      """
    ),
    ("lav", "lv", "un ir no par ar uz kas bet vai tika to pie gada"),
    ("lit", "lt", "ir kad su yra bet apie kaip iki arba nuo jo tai metu"),
    (
      "ind", "id",
      """
      dan yang di itu dengan untuk tidak ini dari dalam akan pada juga ke karena ada mereka sudah saya \
      seperti bisa oleh adalah atau telah
      """
    ),
    ("vie", "vi", "và là của cho trong không được người một các theo"),
  ]
}
