/// Bounds on everything that a document controls, so that none costs more than it is worth.
enum SpeechLimits {
  /// Bytes of a text file. A long novel has 4 MB.
  static let textBytes = 32 << 20
  /// Bytes that are read from standard input, PDFs included.
  static let inputBytes = 512 << 20
  /// Letters that are spoken. 1.3 million are about 24 hours at the usual speed, the longest novels.
  static let letters = 1_300_000
  /// Seconds of audio. A WAV file of more would also pass 4 GiB, which its header cannot say.
  static let seconds = 26 * 3600
  /// Scalars of one word; what is longer is cut. Names of chemicals reach 60.
  static let wordScalars = 80
  /// Scalars that the engine gets at once: a minute or two of sound, which is kept in memory.
  static let utteranceScalars = 1000
  /// Seconds that the engine may make of one utterance before it is cut off: eight for each word of
  /// the slowest speech would be less.
  static let utteranceSeconds = 900
  /// Bytes of audio that `listen.html` holds within itself, about six hours; browsers of phones fail
  /// at much larger pages.
  static let embeddedAudio = 64 << 20
  /// Bytes of pictures of pages that `listen.html` holds; a page whose picture no longer fits is shown
  /// without.
  static let pictures = 8 << 20
  /// Entries of the table of contents.
  static let chapters = 5000
  /// Letters from the beginning by which the language of a document is told.
  static let lettersForLanguage = 40_000
}
