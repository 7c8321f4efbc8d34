/// What people write most: greetings, courtesies, days, numbers, what stands on signs, in letters and on invoices. The
/// words are about the same in all languages, so that none is known better than the others.
///
/// They are used twice: a text that has one of them speaks for its language, and the letters that follow each other
/// in them show what its other words look like (``LanguageModel``).
enum EverydayWords {
  /// By the tags of the languages (BCP 47), without those that are among the ``SmallWords`` of the same language.
  static let lists: [(tag: String, words: [String])] =
    (germanic + romance + slavic + others).map { tag, words in
      (tag, words.split(separator: " ").map(String.init))
    }
}
