internal import GRDB
internal import PluginKit

/// Searches that a rule keeps: what they find in the guide, and what of that nobody was told of yet.
struct SavedSearches {
  /// Each is a word, or several that stand one behind another; a programme needs one of them.
  let terms: [String]

  struct Found {
    /// What is to come, in the order of its times.
    var programmes: [FoundProgramme] = []
    /// What of it was not found before.
    var new: [FoundProgramme] = []
  }

  /// Seconds by which a programme of the same title on the same channel may move and still be the one that was told.
  private static let moved: Int64 = 6 * 3600
  /// The most that one file tells of.
  private static let most = 2000

  /// Seeks, and remembers what was found.
  ///
  /// - Parameter job: what was found first for this job is new for it at each attempt: an attempt that was cut off has
  ///   told nobody.
  func run(_ store: GuideStore, now: Int64, job: String) throws(PluginFailure) -> Found {
    guard !terms.isEmpty else { return Found() }
    var request = SearchRequest(terms: terms)
    (request.from, request.limit) = (now, Self.most)
    var found = Found()
    found.programmes = try GuideSearch(store: store).run(request)
    found.programmes.sort { ($0.start, $0.channel) < ($1.start, $1.channel) }
    found.new = try store.write { database in
      try database.execute(sql: "DELETE FROM told WHERE start < ?", arguments: [now - 86_400])
      return try found.programmes.filter { try Self.isNew($0, job, database) }
    }
    return found
  }

  private static func isNew(
    _ programme: FoundProgramme, _ job: String, _ database: Database
  ) throws -> Bool {
    let teller = try String.fetchOne(
      database,
      sql: "SELECT job FROM told WHERE channel = ? AND title = ? AND start BETWEEN ? AND ?",
      arguments: [
        programme.channel, programme.title, programme.start - moved, programme.start + moved,
      ])
    if let teller { return teller == job }
    try database.execute(
      sql: "INSERT INTO told(channel, start, title, job) VALUES(?, ?, ?, ?)",
      arguments: [programme.channel, programme.start, programme.title, job])
    return true
  }
}
