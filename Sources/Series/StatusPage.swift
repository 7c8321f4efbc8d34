internal import Bytes
internal import PageStyle

/// One page for people: the followed numbers of a list with their history, and how fresh the list is.
/// A file of its own that needs nothing else and reads well on a telephone.
package struct StatusPage {
  private let series: String
  /// Nil where no edition has come.
  private let standing: ListStanding?
  /// Lists that came and were not taken, where none was before.
  private let refused: [RefusedEdition]
  /// What needs a look first.
  private let cards: [StatusCard]
  /// Followed numbers, where no edition has come.
  private let waiting: [FollowedNumber]
  private let now: Int64

  /// - Parameter now: milliseconds since 1970.
  package init(series: String, reader: SeriesReader, now: Int64) throws(SeriesError) {
    self.series = series
    self.now = now
    let followed = try reader.followed()
    guard let standing = try reader.standing(of: series) else {
      (self.standing, cards, waiting) = (nil, [], followed)
      refused = try reader.refused(of: series)
      return
    }
    self.standing = standing
    (refused, waiting) = ([], [])
    let editions = try reader.editions(of: series)
    var cards: [StatusCard] = []
    for one in followed {
      let answer = try LookupAnswer(one, in: series, standing, reader)
      cards.append(StatusCard(answer, editions: editions, now: now))
    }
    // In their groups the numbers keep their order.
    self.cards = StatusCard.Kind.allCases.flatMap { kind in cards.filter { $0.kind == kind } }
  }

  package var html: [UInt8] {
    let title = String(markup: series)
    var text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
      <title>\(title)</title>
      <style>
      \(String(decoding: PageStyle.css, as: UTF8.self))
      \(StatusPageParts.css)
      </style>
      </head>
      <body>
      <header>
      <h1 dir="auto">\(title)</h1>

      """
    text += freshness + "</header>\n<main>\n" + numbers + "</main>\n"
    text += "<script>\n\(StatusPageParts.script)\n</script>\n</body>\n</html>\n"
    return Array(text.utf8)
  }

  // MARK: - The list

  private var freshness: String {
    guard let standing else {
      return "<p><span class=\"state wait\">No list yet</span></p>\n"
        + "<p class=\"soft\">No edition of the list has come yet.</p>\n"
        + Self.warning(refused.first.map { "A file came: \($0.sentence)" })
    }
    let newest = standing.newest
    let checked = standing.checked ?? newest.arrived
    // Without a script the time stands there as it is; with one, how long ago that was when it is looked at.
    var text =
      "<p><span class=\"state\" id=\"fresh\" data-checked=\"\(checked)\">Last checked"
      + " \(Self.minute(checked)) UTC</span></p>\n"
    text +=
      "<p class=\"soft\">List of <b class=\"date\">\(newest.told)</b>,"
      + " \(LookupAnswer.grouped(newest.numbers)) numbers."
      + " Page made <span class=\"date\">\(Self.minute(now)) UTC</span>.</p>\n"
    for warning in standing.warnings { text += Self.warning(warning) }
    return text
  }

  private static func warning(_ sentence: String?) -> String {
    sentence.map { "<p class=\"warning\" dir=\"auto\">\(String(markup: $0)).</p>\n" } ?? ""
  }

  /// A time as YYYY-MM-DD hh:mm.
  private static func minute(_ milliseconds: Int64) -> String {
    let (date, rest) = CalendarDate.of(secondsSince1970: Int(milliseconds / 1000))
    return "\(date.iso) \((rest / 3600).padded()):\((rest / 60 % 60).padded())"
  }

  // MARK: - The numbers

  private var numbers: String {
    guard !cards.isEmpty else {
      guard !waiting.isEmpty else {
        return "<p class=\"card none\">No number is followed. Follow one with"
          + " <code>procd follow NUMBER</code>.</p>\n"
      }
      let names = waiting.map { "<li dir=\"auto\">\(String(markup: $0.label ?? $0.number))</li>" }
      return "<h2>Waiting for the first list</h2>\n<ul class=\"card none\">\(names.joined())</ul>\n"
    }
    let lit = cards.filter(\.kind.isLit), others = cards.filter { !$0.kind.isLit }
    var text = ""
    if lit.isEmpty {
      text += "<p class=\"soft\">Nothing needs a look: all is as it was.</p>\n"
    } else {
      text += Self.group("Look here", lit)
    }
    if !others.isEmpty { text += Self.group("As before", others) }
    return text
  }

  private static func group(_ title: String, _ cards: [StatusCard]) -> String {
    "<section>\n<h2>\(title) <span class=\"soft count\">\(cards.count)</span></h2>\n<div class=\"cards\">\n"
      + cards.map(\.html).joined() + "</div>\n</section>\n"
  }
}
