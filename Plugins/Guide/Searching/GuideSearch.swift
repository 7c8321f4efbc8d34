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

  func run(_ request: SearchRequest) throws(PluginFailure) -> [FoundProgramme] {
    let terms = request.terms.prefix(Limits.searchWords).map {
      WordFolding.words($0).prefix(Limits.searchWords)
    }.filter { !$0.isEmpty }
    guard let first = terms.first else { return [] }
    let reader = try WordIndex.Reader(store.database)
    var found = try works(Array(first), reader)
    for term in terms.dropFirst() {
      let further = try works(Array(term), reader)
      found = request.all ? Self.both(found, further) : Self.either(found, further)
    }
    return try programmes(found, request)
  }

  // MARK: - The index

  private struct FoundWork {
    var work: Int64
    var score: Int
  }

  /// The works that have a term, in order, scored by the best place in which it stands.
  private func works(
    _ words: [[UInt8]], _ reader: WordIndex.Reader
  ) throws(PluginFailure) -> [FoundWork] {
    var hits = try reader.hits(of: words[0])
    for (distance, word) in words.enumerated().dropFirst() where !hits.isEmpty {
      hits = Self.followed(hits, by: try reader.hits(of: word), at: UInt64(distance))
    }
    var found: [FoundWork] = []
    for hit in hits {
      let work = Int64(hit >> WordIndex.workBits)
      // The first hit of a work is the one in the best place.
      if found.last?.work == work { continue }
      let place = WordPlace(rawValue: UInt32(hit >> WordIndex.placeBits & 3)) ?? .about
      // Each further term counts more than the best place of one.
      found.append(FoundWork(work: work, score: 1000 + place.score))
    }
    return found
  }

  /// Those of the first hits that have one of the others a distance behind them.
  private static func followed(_ hits: [UInt64], by others: [UInt64], at distance: UInt64)
    -> [UInt64]
  {
    var kept: [UInt64] = [], next = 0
    for hit in hits {
      while next < others.count, others[next] < hit + distance { next += 1 }
      guard next < others.count else { break }
      if others[next] == hit + distance { kept.append(hit) }
    }
    return kept
  }

  private static func both(_ left: [FoundWork], _ right: [FoundWork]) -> [FoundWork] {
    var joined: [FoundWork] = [], next = 0
    for found in left {
      while next < right.count, right[next].work < found.work { next += 1 }
      guard next < right.count else { break }
      if right[next].work == found.work {
        joined.append(FoundWork(work: found.work, score: found.score + right[next].score))
      }
    }
    return joined
  }

  private static func either(_ left: [FoundWork], _ right: [FoundWork]) -> [FoundWork] {
    var joined: [FoundWork] = [], next = 0
    joined.reserveCapacity(left.count + right.count)
    for found in left {
      while next < right.count, right[next].work < found.work {
        joined.append(right[next])
        next += 1
      }
      if next < right.count, right[next].work == found.work {
        joined.append(FoundWork(work: found.work, score: found.score + right[next].score))
        next += 1
      } else {
        joined.append(found)
      }
    }
    return joined + right[next...]
  }

  // MARK: - Programmes

  /// How many programmes may be ranked by their exact words.
  private static let ranked = 400
  /// How many of one score are looked at, the newest first: for a word that stands everywhere.
  private static let looked = 600

  private func programmes(
    _ works: [FoundWork], _ request: SearchRequest
  ) throws(PluginFailure) -> [FoundProgramme] {
    let wanted = try wantedChannels(request.channels)
    let typed = request.terms.map { WordFolding.words($0, cutsEndings: false) }
    let byScore = Dictionary(grouping: works, by: \.score).sorted { $0.key > $1.key }
    let rows = try store.database.prepare(
      "SELECT channel, start, stop, marks, title, subtitle FROM showing JOIN work ON work.id = work"
        + " WHERE work = ?1 AND stop > ?2 AND start < ?3")
    rows.bind(2, request.from)
    rows.bind(3, request.to)
    var found: [FoundProgramme] = []
    for (score, works) in byScore {
      // All of one score are looked at before the next, so that the earliest of them are found.
      if found.count >= max(Self.ranked, request.limit) { break }
      for work in works.reversed().prefix(max(Self.looked, request.limit)) {
        rows.bind(1, work.work)
        while try rows.step() {
          let channel = rows.integer(0)
          guard let name = wanted[channel] else { continue }
          let title = rows.text(4)
          found.append(
            FoundProgramme(
              channel: channel, channelName: name, start: rows.integer(1), stop: rows.integer(2),
              marks: ShowingMarks(rawValue: UInt8(clamping: rows.integer(3))), work: work.work,
              title: title, subtitle: rows.text(5), score: score + Self.exactness(title, typed)))
        }
        rows.reset()
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
