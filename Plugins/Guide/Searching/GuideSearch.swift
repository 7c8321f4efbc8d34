internal import GRDB
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
/// in the order of their times. bm25 promises none of this: a rare word in a description may outweigh two
/// common ones in a title.
struct GuideSearch {
  let store: GuideStore

  func run(_ request: SearchRequest) throws(PluginFailure) -> [FoundProgramme] {
    let terms = request.terms.prefix(Limits.searchWords).map {
      Array(WordFolding.words($0).prefix(Limits.searchWords))
    }.filter { !$0.isEmpty }
    let wanted = try wantedChannels(request.channels)
    return try store.read { database in
      try programmes(Self.works(terms, all: request.all, database), wanted, request, database)
    }
  }

  /// The works that have terms, with their scores.
  private static func works(
    _ terms: [[[UInt8]]], all: Bool, _ database: Database
  ) throws -> [Int64: Int] {
    var found: [Int64: Int] = [:]
    for (index, term) in terms.enumerated() {
      var scores: [Int64: Int] = [:]
      for place in WordPlace.allCases {
        let works = try WordIndex.works(having: term, in: place, database)
        // Each further term counts more than the best place of one.
        while let work = try works.next() {
          scores[work] = max(scores[work] ?? 0, 1000 + place.score)
        }
      }
      if all, index > 0 {
        found = found.filter { scores[$0.key] != nil }
        scores = scores.filter { found[$0.key] != nil }
      }
      found.merge(scores, uniquingKeysWith: +)
    }
    return found
  }

  /// How many programmes may be ranked by their exact words.
  private static let ranked = 400
  /// How many of one score are looked at, the newest first: for a word that stands everywhere.
  private static let looked = 600

  private func programmes(
    _ works: [Int64: Int], _ wanted: [Int64: String], _ request: SearchRequest, _ database: Database
  ) throws -> [FoundProgramme] {
    let typed = request.terms.map { WordFolding.words($0, cutsEndings: false) }
    let byScore = Dictionary(grouping: works.keys) { works[$0] ?? 0 }.sorted { $0.key > $1.key }
    let showings = try database.makeStatement(
      sql: "SELECT \(FoundProgramme.columns) FROM showing JOIN work ON work.id = work"
        + " WHERE work = ? AND stop > ? AND start < ?")
    var found: [FoundProgramme] = []
    for (score, works) in byScore {
      // All of one score are looked at before the next, so that the earliest of them are found.
      if found.count >= max(Self.ranked, request.limit) { break }
      for work in works.sorted(by: >).prefix(max(Self.looked, request.limit)) {
        let rows = try Row.fetchCursor(showings, arguments: [work, request.from, request.to])
        while let row = try rows.next() {
          guard let name = wanted[row[0]] else { continue }
          var programme = FoundProgramme(row, of: name)
          programme.score = score + Self.exactness(programme.title, typed)
          found.append(programme)
        }
      }
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
      if words == term {
        score += 40
      } else if words.starts(with: term) {
        score += 30
      } else if words.firstRange(of: term) != nil {
        score += 20
      }
    }
    return score
  }

  /// The names of the channels that are asked for.
  private func wantedChannels(_ filter: ChannelFilter) throws(PluginFailure) -> [Int64: String] {
    let channels = try store.channels().filter { filter.wants([$0.identifier] + $0.names) }
    return Dictionary(uniqueKeysWithValues: channels.map { ($0.id, $0.title) })
  }
}
