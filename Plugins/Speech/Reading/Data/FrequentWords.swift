/// Small words that make up much of any text, by language. Words that several of these languages have
/// in common tell little and are in several lists.
enum FrequentWords {
  static let byLanguage: [String: Set<String>] = lists.mapValues { list in
    Set(list.split(separator: " ").map(String.init))
  }

  private static let lists: [String: String] = [
    "en": """
    the of and to in is that it was for on are as with his they at be this have from or had by but \
    not what all were we when your can said there which she do how their if will
    """,
    "de": """
    der die das und ist nicht von zu den mit sich des auf für im dem ein eine als auch es an werden \
    aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum
    """,
    "fr": """
    le la les de des du et est un une que qui dans en pour pas au ce il sur se plus par avec ne sont \
    aux ou son sa nous vous cette mais ont été elle leur comme
    """,
    "es": """
    el la los las de del y que en un una es por con para no se su al lo como más pero sus le ya o \
    este sí porque esta entre cuando muy sin sobre también fue
    """,
    "it": """
    il la di e che in un una è per non con del della i le da si dei al sono come anche più alla nel \
    ma lo gli delle ha questo dal essere su nella
    """,
    "pt": """
    o a os as de do da que e em um uma é para com não por no na se dos das mais como mas ao foi ele \
    sua ou quando muito nos já também pelo pela até isso são
    """,
    "nl": """
    de het een van en in is dat op te zijn met voor niet aan er die om ook als bij maar uit nog naar \
    door over worden heeft deze kan wordt was tot
    """,
    "sv": """
    och att det i en på är som för av med till den inte om har ett de var jag men från vid så kan man \
    när hade skulle eller också efter
    """,
    "da": """
    og i at det en den til er som på de med han af for ikke der var mig sig men et har om vi min havde \
    ham hun nu over da fra ud hvor blev kan skal
    """,
    "nb": """
    og i det på som er en til å han av for med at var de ikke den har jeg om et men så seg fra hun nå \
    over da ved også blir eller skal hva ble
    """,
    "fi": """
    ja on ei se että oli hän mutta ovat kun niin myös joka tai sen kuin ole jos mitä hänen sitä voi \
    minä tämä olla vain nyt vielä
    """,
    "pl": """
    i w na z do się nie że jest to o jak za od po ale przez co dla czy są tym jego być tylko ich może \
    był jeszcze które oraz już także
    """,
    "cs": """
    a v se na je že to s z do o i ve jsem ale jako za po by si tak jeho nebo jsou byl který jen pro \
    podle bude být však také
    """,
    "sk": """
    a v sa na je že to s z do o i vo som ale ako za po by si tak jeho alebo sú bol ktorý len pre \
    podľa bude byť však aj
    """,
    "hu": """
    a az és hogy nem is egy ez meg volt de csak már van mint még ki el ha minden vagy azt akkor lesz \
    pedig nagyon kell amely
    """,
    "ro": """
    și de în la a că nu o cu pe un este din care mai pentru se sunt ca au fost lui sau dar după prin \
    fi cele această dintre
    """,
    "tr": """
    ve bir bu da de için ile çok ne o gibi daha olarak kadar ama en var olan sonra değil her ya mi \
    ancak oldu ise
    """,
    "ca": """
    el la els les de del i que en un una és per amb no es al com més però seva aquest també va ha dels \
    són aquesta perquè sense
    """,
    "id": """
    dan yang di itu dengan untuk tidak ini dari dalam akan pada juga ke karena ada mereka sudah saya \
    seperti bisa oleh adalah
    """,
  ]
}
