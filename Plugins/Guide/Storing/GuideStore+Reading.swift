internal import Dates
internal import GRDB
internal import PluginKit

/// A channel as the guide knows it.
struct StoredChannel {
  var id: Int64
  var identifier: String
  var title: String
  var names: [String]
  var icon: String
}

/// Names one showing: the number of the channel and the start, as `guide show` takes it.
struct ProgrammeIdentifier: Equatable {
  var channel: Int64
  var start: Int64

  init(channel: Int64, start: Int64) { (self.channel, self.start) = (channel, start) }

  /// `12-tb3x1c`
  init?(_ text: String) {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let channel = Int64(parts[0]), let start = Int64(parts[1], radix: 36)
    else { return nil }
    self.init(channel: channel, start: start)
  }

  var text: String { "\(channel)-\(String(start, radix: 36))" }
}

extension FoundProgramme {
  static let columns = "channel, start, stop, marks, work, work.title, subtitle"

  /// The programme of a row with ``columns``.
  init(_ row: Row, of channelName: String) {
    self.init(
      channel: row[0], channelName: channelName, start: row[1], stop: row[2],
      marks: ShowingMarks(rawValue: row[3]), work: row[4], title: row[5], subtitle: row[6])
  }
}

extension GuideStore {
  /// All channels in the order in which they came.
  func channels() throws(PluginFailure) -> [StoredChannel] {
    try read { database in
      try Row.fetchAll(
        database, sql: "SELECT id, name, title, names, icon FROM channel ORDER BY id"
      )
      .map { row in
        StoredChannel(
          id: row[0], identifier: row[1], title: row[2],
          names: (row[3] as String).split(separator: "\n").map(String.init), icon: row[4])
      }
    }
  }

  /// The programmes of a channel that run at any time of a span, in order.
  func programmes(
    of channel: StoredChannel, from: Int64, to: Int64
  ) throws(PluginFailure) -> [FoundProgramme] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: "SELECT \(FoundProgramme.columns) FROM showing JOIN work ON work.id = work"
          + " WHERE channel = ? AND start > ? AND start < ? AND stop > ? ORDER BY start",
        arguments: [channel.id, from - Limits.longestProgramme - 1, to, from]
      ).map { FoundProgramme($0, of: channel.title) }
    }
  }

  func work(_ id: Int64) throws(PluginFailure) -> Work? {
    try read { database in
      try Row.fetchOne(
        database, sql: "SELECT \(Work.columns) FROM work WHERE id = ?", arguments: [id]
      ).map { Work($0) }
    }
  }

  /// Programmes as a calendar (``CalendarText``).
  func calendar(of programmes: [FoundProgramme], now: Int64) throws(PluginFailure) -> [UInt8] {
    var texts: [Int64: String] = [:]
    for work in Set(programmes.map(\.work)) {
      texts[work] = try self.work(work).map { String(decoding: $0.about, as: UTF8.self) }
    }
    return CalendarText(now: now).calendar(programmes) { texts[$0] }
  }

  /// The file that was loaded last, and when.
  func lastLoading() throws(PluginFailure) -> (name: String, time: Int64)? {
    try read { database in
      try Row.fetchOne(database, sql: "SELECT name, time FROM loading ORDER BY id DESC LIMIT 1")
        .map { ($0[0], $0[1]) }
    }
  }

  /// The time that the guide covers; nil where it is empty.
  func coverage() throws(PluginFailure) -> Range<Int64>? {
    try read { database in
      try Row.fetchOne(
        database, sql: "SELECT min(start), max(stop) FROM showing HAVING count(*) > 0"
      ).map { ($0[0] as Int64)..<$0[1] }
    }
  }

  /// When a work runs, from a time on.
  func showings(of work: Int64, from: Int64) throws(PluginFailure) -> [FoundProgramme] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: "SELECT \(FoundProgramme.columns), channel.title FROM showing"
          + " JOIN channel ON channel.id = channel JOIN work ON work.id = work"
          + " WHERE work = ? AND stop > ? ORDER BY start, channel LIMIT 20",
        arguments: [work, from]
      ).map { FoundProgramme($0, of: $0[7]) }
    }
  }

  // MARK: - Settings

  /// Keeps what the step was told of times, so that commands show them in the same way.
  func keep(_ settings: GuideSettings) throws(PluginFailure) {
    try write { database in
      for (name, value) in [("zone", settings.zoneName), ("dayStarts", settings.dayStartsText)] {
        try database.execute(
          sql: "INSERT OR REPLACE INTO setting VALUES(?, ?)", arguments: [name, value])
      }
    }
  }

  /// A setting as text; nil where it was never kept.
  func setting(_ name: String) throws(PluginFailure) -> String? {
    try read {
      try String.fetchOne($0, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
    }
  }
}
