internal import Bytes

/// One page for people: the followed numbers of a list with their history, and how fresh the list is.
/// A file of its own that needs nothing else and reads well on a telephone.
package struct StatusPage {
  private let series: String
  /// Nil where no edition has come.
  private let standing: ListStanding?
  /// Lists that came and were not taken, where none was before.
  private let refused: [RefusedEdition]
  private let numbers: [Number]
  private let now: Int64

  private struct Number {
    var followed: FollowedNumber
    var story: [StoryPart]
    /// What the newest edition says.
    var current: ListEntry?
  }

  /// - Parameter now: milliseconds since 1970.
  package init(series: String, reader: SeriesReader, now: Int64) throws(SeriesError) {
    self.series = series
    self.now = now
    let standing = try reader.standing(of: series)
    self.standing = standing
    refused = try standing == nil ? reader.refused(of: series) : []
    var numbers: [Number] = []
    for followed in try reader.followed() {
      let story = try reader.story(of: followed.number, in: series)
      numbers.append(
        Number(
          followed: followed, story: story,
          current: story.first { $0.edition.job == standing?.newest.job }?.entries.current))
    }
    self.numbers = numbers
  }

  package var html: [UInt8] {
    var text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(String(markup: series))</title>
      <style>
      :root { color-scheme: light dark; }
      body { font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 0 auto; padding: 1rem; }
      h1 { font-size: 1.4rem; }
      h2 { font-size: 1.1rem; margin: 2rem 0 .2rem; }
      .now { font-size: 1.2rem; font-weight: 600; }
      .gone { color: #b3261e; }
      .quiet { opacity: .7; font-size: .9rem; }
      table { border-collapse: collapse; width: 100%; margin-top: .4rem; }
      th, td { text-align: left; padding: .25rem .6rem .25rem 0; vertical-align: top;
        border-bottom: 1px solid #8884; }
      th { font-weight: 600; font-size: .85rem; }
      </style>
      </head>
      <body>
      <h1>\(String(markup: series))</h1>

      """
    text += freshness
    if numbers.isEmpty {
      text += "<p>No number is followed. Follow one with <code>procd follow NUMBER</code>.</p>\n"
    }
    for number in numbers { text += section(number) }
    text += "</body>\n</html>\n"
    return Array(text.utf8)
  }

  private var freshness: String {
    guard let standing else {
      return "<p>No edition of the list has come yet.</p>\n"
        + Self.warning(refused.first.map { "A file came: \($0.sentence)" })
    }
    let newest = standing.newest
    let checked = standing.checked ?? newest.arrived
    var text =
      "<p>List of <b>\(newest.day)</b>, \(newest.numbers) numbers.<br>"
      + "<span class=\"quiet\">Last checked \(Self.minute(checked)) UTC, page made"
      + " \(Self.minute(now)) UTC.</span></p>\n"
    for warning in standing.warnings { text += Self.warning(warning) }
    return text
  }

  private static func warning(_ sentence: String?) -> String {
    sentence.map { "<p class=\"gone\">\(String(markup: $0)).</p>\n" } ?? ""
  }

  private func section(_ number: Number) -> String {
    let label = number.followed.label.map { String(markup: $0) }
    var text = "<h2>\(label ?? String(markup: number.followed.number))</h2>\n"
    if label != nil {
      text += "<div class=\"quiet\">\(String(markup: number.followed.number))</div>\n"
    }
    if let current = number.current {
      text += "<div class=\"now\">\(Self.shown(current.status))\(Self.mark(current))</div>\n"
      if !current.date.isEmpty { text += "<div>\(String(markup: current.date))</div>\n" }
    } else if let last = number.story.first(where: { part in
      standing?.partial.contains { $0.job == part.edition.job } != true
    }) {
      text += "<div class=\"now gone\">No longer in the list</div>\n"
      text += "<div class=\"quiet\">last in the list of \(last.edition.day)</div>\n"
    } else {
      text += "<div class=\"now\">Not in the list</div>\n"
    }
    let history = number.story.history
    guard !history.isEmpty else { return text }
    text += "<table>\n<tr><th>Status</th><th>Date</th><th>Seen in the lists</th></tr>\n"
    for line in history {
      let seen = line.first == line.last ? line.first : "\(line.first) to \(line.last)"
      text +=
        "<tr><td>\(Self.shown(line.entry.status))\(Self.mark(line.entry))</td><td>\(String(markup: line.entry.date))</td>"
        + "<td>\(seen)</td></tr>\n"
    }
    return text + "</table>\n"
  }

  private static func mark(_ entry: ListEntry) -> String {
    entry.doubt == nil ? "" : "<span class=\"quiet\">\(String(markup: entry.doubtMark))</span>"
  }

  private static func shown(_ status: String) -> String {
    status.isEmpty ? "–" : String(markup: status)
  }

  /// A time as YYYY-MM-DD hh:mm.
  private static func minute(_ milliseconds: Int64) -> String {
    let (date, rest) = CalendarDate.of(secondsSince1970: Int(milliseconds / 1000))
    return "\(date.iso) \((rest / 3600).padded()):\((rest / 60 % 60).padded())"
  }
}
