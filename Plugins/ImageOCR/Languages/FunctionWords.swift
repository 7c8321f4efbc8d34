/// The words that say most plainly which language a text in Latin letters is in: short, in every
/// paragraph, and hardly ever in another language's.
///
/// Without marks above letters: a model of another language, with which a page is read first, drops
/// those. Words that two of the languages share are fine, since they count for both; the languages
/// that resemble each other most have some of their own.
enum FunctionWords {
  /// By Tesseract's name of the language.
  static let table: [String: Set<String>] = [
    "eng": [
      "the", "of", "and", "to", "is", "that", "for", "with", "this", "are", "from", "you", "was",
      "by", "be", "have", "not", "or", "your", "which", "has", "will", "on", "at", "it",
    ],
    "deu": [
      "und", "der", "die", "das", "den", "dem", "des", "ist", "nicht", "ein", "eine", "einer",
      "mit",
      "von", "zu", "auf", "sie", "wir", "auch", "sich", "werden", "wird", "bei", "oder", "nach",
      "aus", "im", "ihre", "durch", "zum", "zur",
    ],
    "fra": [
      "le", "la", "les", "des", "du", "une", "est", "dans", "pour", "que", "qui", "sur", "par",
      "pas", "au", "avec", "vous", "nous", "sont", "cette", "ou", "ce", "et", "aux", "votre",
    ],
    "spa": [
      "el", "los", "las", "del", "que", "una", "por", "con", "para", "es", "su", "como", "se", "al",
      "lo", "sus", "este", "esta", "pero", "son", "la", "y", "ha",
    ],
    "ita": [
      "il", "che", "della", "di", "per", "non", "una", "sono", "del", "con", "gli", "nel", "alla",
      "delle", "dei", "questo", "anche", "si", "le", "dal", "ed", "al",
    ],
    "por": [
      "que", "do", "da", "em", "um", "uma", "para", "com", "os", "dos", "das", "por", "mais", "na",
      "no", "ao", "ou", "pela", "pelo", "foi", "sua", "seu",
    ],
    "nld": [
      "de", "het", "een", "van", "en", "dat", "op", "te", "met", "voor", "zijn", "niet", "aan",
      "er",
      "ook", "bij", "wordt", "naar", "uit", "deze", "door", "worden", "om",
    ],
    "dan": [
      "og", "det", "er", "en", "til", "af", "den", "ikke", "der", "med", "de", "som", "har", "et",
      "eller", "kan", "skal", "fra", "efter", "blev", "hvis",
    ],
    "nor": [
      "og", "det", "er", "en", "til", "av", "den", "ikke", "som", "med", "de", "har", "et", "eller",
      "kan", "skal", "fra", "etter", "ble", "hvis", "vi",
    ],
    "swe": [
      "och", "att", "det", "som", "en", "av", "den", "inte", "med", "till", "har", "ett", "eller",
      "kan", "ska", "om", "de", "var", "vi", "efter",
    ],
    "fin": [
      "ja", "on", "ei", "se", "oli", "mutta", "ovat", "kun", "tai", "sen", "joka", "jos", "niin",
      "kuin", "mukaan", "voi", "myos", "ole", "tai",
    ],
    "est": [
      "ja", "on", "ei", "et", "kui", "ka", "oli", "see", "ning", "mis", "aga", "selle", "voi",
    ],
    "pol": [
      "nie", "na", "jest", "do", "sie", "przez", "oraz", "dla", "ze", "po", "od", "jak", "lub",
      "ktore", "przy", "byl", "tym", "ich", "tego", "przed", "tylko",
    ],
    "ces": [
      "na", "je", "ze", "do", "za", "pro", "jako", "jsou", "nebo", "podle", "byl", "ale", "jeho",
      "jen", "pri", "tak", "jsem", "bylo", "ktere", "od",
    ],
    "slk": [
      "na", "je", "sa", "zo", "do", "za", "pre", "ako", "alebo", "podla", "bol", "ale", "jeho",
      "len",
      "pri", "tak", "som", "bolo", "ktore", "od",
    ],
    "slv": [
      "je", "na", "da", "se", "ki", "za", "so", "pa", "ter", "ali", "tudi", "bi", "po", "od",
    ],
    "hrv": [
      "je", "na", "da", "se", "koji", "za", "su", "od", "ili", "kao", "nije", "bi", "iz", "te",
    ],
    "hun": [
      "az", "nem", "egy", "hogy", "volt", "csak", "meg", "vagy", "lehet", "szerint", "mint", "ezt",
      "sem", "azt", "pedig", "mert", "amely", "alapja",
    ],
    "ron": [
      "de", "la", "cu", "pe", "nu", "din", "care", "pentru", "este", "sau", "sunt", "prin", "mai",
      "fost", "ca", "al", "ale", "dar",
    ],
    "tur": [
      "ve", "bir", "bu", "ile", "icin", "olarak", "olan", "daha", "gibi", "veya", "ise", "kadar",
      "sonra", "olup", "tarafindan", "ancak",
    ],
    "cat": [
      "els", "les", "dels", "amb", "que", "per", "una", "del", "es", "la", "al", "no", "com",
      "aquest",
      "pel", "seva", "el",
    ],
    "lav": ["un", "ir", "no", "par", "ar", "uz", "kas", "bet", "vai", "tika", "to", "pie", "gada"],
    "lit": [
      "ir", "kad", "su", "yra", "bet", "apie", "kaip", "iki", "arba", "nuo", "jo", "tai", "metu",
    ],
    "ind": [
      "yang", "dan", "di", "dengan", "untuk", "dari", "pada", "ini", "tidak", "adalah", "oleh",
      "atau",
      "akan", "dalam", "telah",
    ],
    "vie": ["va", "la", "cua", "cho", "trong", "khong", "duoc", "nguoi", "mot", "cac", "theo"],
  ]
}
