internal import PluginKit

/// What is sought: terms of one or more words, in a span of time, on some channels.
struct SearchRequest {
  /// Each is a word, or several that stand one behind another.
  var terms: [String]
  /// Whether every term must be found, not any.
  var all = false
  var channels = ChannelFilter([])
  /// Programmes that run at any time between these.
  var from = Int64.min
  var to = Int64.max
  var limit = 50
}

/// A programme as it is found and shown.
struct FoundProgramme {
  var channel: Int64
  var channelName: String
  var start: Int64
  var stop: Int64
  var marks: ShowingMarks
  var work: Int64
  var title: String
  var subtitle: String
  var score = 0

  var identifier: ProgrammeIdentifier { ProgrammeIdentifier(channel: channel, start: start) }
}

/// Finds programmes by words.
///
/// Words are sought in titles first, then in sub-titles, names and categories, then in descriptions.
/// What was found in a better place stands higher; a title that has the word as it was typed higher than
/// one that has it in another form; with several terms, what has more of them. Programmes of equal rank are
/// in the order of their times.
struct GuideSearch {
  let store: GuideStore

  /// A place where words are sought.
  private struct Place {
    var columns: String
    var score: Int
  }

  private static let places = [
    Place(columns: "title", score: 100), Place(columns: "subtitle", score: 50),
    Place(columns: "{people categories}", score: 40), Place(columns: "about", score: 20),
  ]

  func run(_ request: SearchRequest) throws(PluginFailure) -> [FoundProgramme] {
    let terms = request.terms.map { Self.expression($0) }.filter { !$0.isEmpty }
    guard !terms.isEmpty else { return [] }
    let scores = request.all ? try all(terms) : try any(terms)
    return try programmes(scores, request)
  }

  /// A term for the index: its words in quotes, as nothing in them is an operator.
  private static func expression(_ term: String) -> String {
    let words = WordFolding.words(term).prefix(Limits.searchWords)
    guard !words.isEmpty else { return "" }
    return "\"" + words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ") + "\""
  }

  // MARK: - The index

  private func any(_ terms: [String]) throws(PluginFailure) -> [Int64: Int] {
    var scores: [Int64: Int] = [:]
    for term in terms.prefix(Limits.searchWords) {
      var found: [Int64: Int] = [:]
      for place in Self.places { try look(for: "\(place.columns): \(term)", place.score, &found) }
      // Each further term counts more than the best place of one.
      for (work, score) in found { scores[work, default: -1000] += 1000 + score }
    }
    return scores
  }

  private func all(_ terms: [String]) throws(PluginFailure) -> [Int64: Int] {
    var scores: [Int64: Int] = [:]
    let together = terms.prefix(Limits.searchWords).map { "(\($0))" }.joined(separator: " AND ")
    for (columns, score) in [
      ("title", 100), ("{title subtitle people categories}", 50),
      ("{title subtitle about people categories}", 20),
    ] { try look(for: "\(columns): (\(together))", score, &scores) }
    return scores
  }

  /// Notes the works that match, the newest first, where they have no better score.
  private func look(
    for expression: String, _ score: Int, _ scores: inout [Int64: Int]
  ) throws(PluginFailure) {
    let rows = try store.database.prepare(
      "SELECT rowid FROM search WHERE search MATCH ?1 ORDER BY rowid DESC LIMIT \(Limits.searchRows)")
    rows.bind(1, expression)
    while try rows.step() { scores[rows.integer(0), default: score] += 0 }
  }

  // MARK: - Programmes

  /// How many programmes may be ranked by their exact words.
  private static let ranked = 400

  private func programmes(
    _ scores: [Int64: Int], _ request: SearchRequest
  ) throws(PluginFailure) -> [FoundProgramme] {
    let wanted = try wantedChannels(request.channels)
    let typed = request.terms.map { WordFolding.words($0, cutsEndings: false) }
    let order = scores.sorted { ($1.value, $1.key) < ($0.value, $0.key) }
    let rows = try store.database.prepare(
      "SELECT channel, start, stop, marks, title, subtitle FROM showing JOIN work ON work.id = work"
        + " WHERE work = ?1 AND stop > ?2 AND start < ?3")
    rows.bind(2, request.from)
    rows.bind(3, request.to)
    var found: [FoundProgramme] = [], most = max(Self.ranked, request.limit)
    var last = Int.min
    for (work, score) in order {
      // All that have the same score are looked at, so that the earliest of them are found.
      if found.count >= most, score != last { break }
      if found.count >= most * 8 { most = 0; break }
      last = score
      rows.bind(1, work)
      while try rows.step() {
        let channel = rows.integer(0)
        guard let name = wanted[channel] else { continue }
        let title = rows.text(4)
        found.append(
          FoundProgramme(
            channel: channel, channelName: name, start: rows.integer(1), stop: rows.integer(2),
            marks: ShowingMarks(rawValue: UInt8(clamping: rows.integer(3))), work: work, title: title,
            subtitle: rows.text(5), score: score + Self.exactness(title, typed)))
      }
      rows.reset()
    }
    found.sort {
      $0.score != $1.score
        ? $0.score > $1.score : ($0.start, $0.channel) < ($1.start, $1.channel)
    }
    return Array(found.prefix(request.limit))
  }

  /// More for titles that have words as they were typed, most for those that have no others.
  private static func exactness(_ title: String, _ typed: [[[UInt8]]]) -> Int {
    let words = WordFolding.words(title, cutsEndings: false)
    var score = 0
    for term in typed where !term.isEmpty {
      if words == term { score += 40 } else if words.starts(with: term) {
        score += 30
      } else if words.indices.contains(where: { words[$0...].starts(with: term) }) {
        score += 20
      }
    }
    return score
  }

  /// The names of the channels that are asked for.
  private func wantedChannels(_ filter: ChannelFilter) throws(PluginFailure) -> [Int64: String] {
    var names: [Int64: String] = [:]
    for channel in try store.channels() where filter.wants([channel.identifier] + channel.names) {
      names[channel.id] = channel.title
    }
    return names
  }
}
