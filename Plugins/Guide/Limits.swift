/// What an input may cost. Each number stands here with its reason, so that one look shows what a
/// hostile file can do at most.
enum Limits {
  /// Bytes of XML in one file, after unpacking. The largest guides in use have about 1 GB.
  static let documentBytes = 4 << 30
  /// How many times larger than packed a file may become, once it has more than `freeBytes`. Real guides
  /// shrink to a tenth or a thirtieth; what shrinks to less than this is made to hurt.
  static let unpackingRatio = 300
  static let freeBytes = 64 << 20
  /// Elements inside elements. XMLTV needs five levels.
  static let depth = 64
  /// Bytes of one tag with all its attributes.
  static let tagBytes = 64 << 10
  /// Attributes of one tag, which libxml2 compares with each other. XMLTV has six.
  static let attributes = 1000
  /// Bytes of one entry, comment or document type declaration that are kept to be read once more; longer
  /// comments and entries are passed over. The reader has about this much of the file in memory, and libxml2
  /// as much again.
  static let entryBytes = 4 << 20
  /// Bytes of one text (a title, a description) that are kept; the rest is cut off. Real descriptions
  /// have up to 4 KB.
  static let textBytes = 16 << 10
  /// Bytes of all details of one programme that are kept: credits, categories, ratings, pictures.
  static let detailBytes = 64 << 10
  /// Programmes in one file: 24 bytes of memory each until they are put in order.
  static let programmes = 2_000_000
  /// Texts of one file that are new in the guide: 16 bytes of memory each while it is loaded.
  static let works = 1_500_000
  /// Channels of one file; the largest collections have about 20,000. There is none for the whole guide: one file would
  /// keep out all others.
  static let channels = 50_000
  /// How far ahead a programme may begin. Guides go two weeks ahead, a few of them a season; what is further would stay for
  /// so long.
  static let longestAhead: Int64 = 366 * 86_400
  /// The longest programme: longer ones are mistakes, or "no information" for days.
  static let longestProgramme: Int64 = 48 * 3600
  /// The end of a programme without one, where nothing follows within ``longestGuess``.
  static let guessedLength: Int64 = 1800
  static let longestGuess: Int64 = 6 * 3600
  /// Times outside these years are taken for mistakes.
  static let years = 1990...2100
  /// Words of one search, and letters of one word. More make a search slow and no better.
  static let searchWords = 32
  static let wordBytes = 64
}
