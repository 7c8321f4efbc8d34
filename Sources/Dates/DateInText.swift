/// The first date in running text.
public enum DateInText {
  /// What may be a date: numbers with marks between them, or two numbers and a word.
  private static var candidates: [Regex<Substring>] {
    [
      /\d{1,4}\s?[.\/\-–年년]\s?\d{1,2}\s?[.\/\-–月월]\s?\d{1,4}[日일]?/,
      /\d{1,2}(?:st|nd|rd|th|er|º|\.)?[ \u{A0}]?(?:de |of )?\p{L}{3,12}\.?,?[ \u{A0}](?:de |del )?\d{4}/,
      /\p{L}{3,12}\.?[ \u{A0}]\d{1,2}(?:st|nd|rd|th)?,?[ \u{A0}]\d{4}/,
    ]
  }

  /// Finds the first date of a text.
  ///
  /// - Parameter order: how dates of digits are meant that could be two.
  /// - Returns: YYYY-MM-DD; nil where there is none.
  public static func first(in text: String, order: DateOrder) -> String? {
    var found: [(place: String.Index, iso: String)] = []
    for candidate in candidates {
      for match in text.matches(of: candidate) {
        if let iso = iso(String(match.output), order: order) {
          found.append((match.range.lowerBound, iso))
          break
        }
      }
    }
    return found.min { $0.place < $1.place }?.iso
  }

  /// The meaning of a text that is one date, as YYYY-MM-DD; nil for all else.
  public static func iso(_ text: String, order: DateOrder) -> String? {
    guard let date = PrintedDate(text) else { return nil }
    if let iso = date.iso(order) { return iso }
    return DateOrder.allCases.lazy.compactMap { date.iso($0) }.first
  }
}
