internal import Bytes

/// What the page of a list shows of one followed number.
struct StatusCard {
  /// How a number stands, in the order in which the page shows them.
  enum Kind: String, CaseIterable {
    case gone = "Gone"
    case changed = "Changed"
    case appeared = "New in the list"
    /// Another number may be meant.
    case mistyped = "Mistyped?"
    case steady = "In the list"
    case absent = "Not in the list"

    /// Whether somebody should look at it.
    var isLit: Bool { self != .steady && self != .absent }

    /// The name of its color in the styles.
    var color: String {
      switch self {
      case .gone: "bad"
      case .changed, .mistyped: "wait"
      case .appeared: "busy"
      case .steady, .absent: ""
      }
    }
  }

  /// How long a change counts as one that was not seen yet, in milliseconds: a week.
  static let recent: Int64 = 7 * 86_400_000

  let kind: Kind
  private let answer: LookupAnswer
  private let timeline: StatusTimeline

  init(_ answer: LookupAnswer, editions: [Edition], now: Int64) {
    self.answer = answer
    timeline = StatusTimeline(
      answer.story, editions: editions, newest: answer.standing.newest)
    kind = Self.kind(answer, editions, now)
  }

  private static func kind(_ answer: LookupAnswer, _ editions: [Edition], _ now: Int64) -> Kind {
    guard answer.isFound else {
      if answer.before != nil { return .gone }
      return answer.similar.isEmpty ? .absent : .mistyped
    }
    guard let since = answer.since else { return .steady }
    // What the newest list brought stays lit until the next one comes.
    guard since.job == answer.standing.newest.job || now - since.arrived <= recent else {
      return .steady
    }
    if answer.before != nil { return .changed }
    // In the first list of all, nothing is new.
    guard let place = editions.firstIndex(where: { $0.job == since.job }),
      editions[(place + 1)...].contains(where: { !$0.isPartial })
    else { return .steady }
    return .appeared
  }

  // MARK: - As markup

  var html: String {
    let number = String(markup: answer.number), label = answer.label.map { String(markup: $0) }
    let color = kind.color
    var text = "<article class=\"card\(color.isEmpty ? "" : " lit \(color)")\">\n"
    text += "<div class=\"top\"><h3 dir=\"auto\">\(label ?? number)</h3>"
    text += "<span class=\"state \(color)\">\(word)</span></div>\n"
    if label != nil { text += "<p class=\"soft mono\">\(number)</p>\n" }
    text += answer.isFound ? found : missing
    if timeline.isWorthShowing { text += Self.bar(timeline) }
    return text + history + "</article>\n"
  }

  private var word: String {
    kind == .appeared && timeline.hasBreak ? "Back in the list" : kind.rawValue
  }

  private var found: String {
    guard let current = answer.entries.current else { return "" }
    var text = "<p class=\"now\" dir=\"auto\">\(Self.shown(current))</p>\n"
    var facts: [String] = []
    if !current.date.isEmpty { facts.append("Dated \(Self.date(current))") }
    if let since = answer.since {
      facts.append("\(facts.isEmpty ? "In" : "in") the lists since \(Self.day(since))")
    }
    if !facts.isEmpty { text += "<p class=\"facts\">\(facts.joined(separator: ", "))</p>\n" }
    if let before = answer.before {
      text +=
        "<p class=\"soft\">Before: <bdi>\(Self.shown(before.entry))</bdi>, last in the list of"
        + " \(Self.day(before.edition))</p>\n"
    }
    return text
  }

  private var missing: String {
    guard let before = answer.before else {
      var text = "<p class=\"now\">Not in the list</p>\n"
      for slip in answer.similar.prefix(3) {
        text +=
          "<p class=\"facts\"><span class=\"mono\">\(String(markup: slip.number))</span> is:"
          + " \(slip.slip.rawValue)?</p>\n"
      }
      return text
    }
    let comma = before.entry.date.isEmpty ? "" : ", \(Self.date(before.entry))"
    return "<p class=\"now\">No longer in the list</p>\n"
      + "<p class=\"facts\">It was last in the list of \(Self.day(before.edition)): "
      + "<bdi>\(Self.shown(before.entry))</bdi>\(comma)</p>\n"
  }

  private var history: String {
    let lines = answer.story.history
    // One row that stands there says nothing more.
    guard lines.count > 1 else { return "" }
    var text = "<details><summary>History, \(lines.count) rows</summary>\n<ol>\n"
    for line in lines {
      let first = Self.day(line.first), last = Self.day(line.last)
      let seen =
        line.first == line.last ? "in the list of \(first)" : "in the lists of \(first) to \(last)"
      let date = line.entry.date.isEmpty ? "" : ", \(Self.date(line.entry))"
      text +=
        "<li><span dir=\"auto\">\(Self.shown(line.entry))</span>\(date)"
        + "<br><span class=\"soft\">\(seen)</span></li>\n"
    }
    return text + "</ol></details>\n"
  }

  /// The line of time. Its parts are as wide as they lasted.
  private static func bar(_ timeline: StatusTimeline) -> String {
    guard let first = timeline.spans.first?.first, let end = timeline.spans.last?.end else {
      return ""
    }
    let told = timeline.spans.map { span in
      "\(span.entry.map { $0.status.isEmpty ? "no status" : $0.status } ?? "not in the list") from"
        + " \(written(span.first))"
    }
    var text =
      "<div class=\"time\"><div class=\"bar\" role=\"img\" aria-label=\""
      + "\(String(markup: told.joined(separator: ", ")))\">"
    for (index, span) in timeline.spans.enumerated() {
      let name =
        if let shade = timeline.shades[index] {
          index == timeline.spans.count - 1 ? "last" : "shade\(shade % 3)"
        } else { "gap" }
      text += "<i class=\"\(name)\" style=\"flex-grow:\(max(1, span.end - span.first))\""
      text += " title=\"\(String(markup: told[index]))\"></i>"
    }
    return text + "</div><div class=\"ends soft\"><span class=\"date\">\(written(first))</span>"
      + "<span class=\"date\">\(written(end))</span></div></div>\n"
  }

  private static func shown(_ entry: ListEntry) -> String {
    let status = entry.status.isEmpty ? "–" : String(markup: entry.status)
    guard entry.doubt != nil else { return status }
    return "\(status)<span class=\"doubt\">\(String(markup: entry.doubtMark))</span>"
  }

  /// As it is printed, on one line.
  private static func date(_ entry: ListEntry) -> String {
    let stamp = entry.dateISO.map { " datetime=\"\(String(markup: $0))\"" } ?? ""
    return "<time class=\"date\" dir=\"auto\"\(stamp)>\(String(markup: entry.date))</time>"
  }

  private static func day(_ edition: Edition) -> String {
    "<time class=\"date\" datetime=\"\(String(markup: edition.date))\">\(String(markup: edition.told))</time>"
  }

  /// The day of an edition as it is told in a history: its date, perhaps with its place of that day.
  private static func day(_ day: String) -> String {
    let date = String(day.prefix(10))
    return "<time class=\"date\" datetime=\"\(String(markup: date))\">"
      + "\(String(markup: EditionDate.written(date) + day.dropFirst(10)))</time>"
  }

  private static func written(_ day: Int) -> String {
    EditionDate.written(CalendarDate(daysSince1970: day).iso)
  }
}
