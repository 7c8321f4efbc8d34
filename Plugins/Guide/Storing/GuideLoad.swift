internal import Dates
internal import GRDB
internal import PluginKit

/// Puts one file into the guide: texts as they come, times in order once all are known.
final class GuideLoad: GuideSink {
  /// What happened, for the report.
  struct Summary: Equatable {
    var channels = 0, programmes = 0, added = 0, replaced = 0, unchanged = 0, leftOut = 0
    var withoutTime = 0, tooFar = 0, mended = 0, removed = 0
    var repaired = Schedule.Mended()
    var isCut = false
    /// The encoding that parts of the file have instead of the one that it names, or nil.
    var actualEncoding: String?
    /// The time that the file's programmes cover.
    var from: Int64?
    var to: Int64?
  }

  private let database: Database
  private let filter: ChannelFilter
  private let progress: (Int) -> Void
  /// When this is, and after which time programmes are not kept.
  private let now: Int64, end: Int64
  private let insertWork: Statement
  private let insertChannel: Statement
  private let index: WordIndex
  private let key: WorkKey
  private var works: [UInt64: UInt32] = [:]
  private var lastWork: Int64 = 0
  private var newWorks = 0
  private var tooFar = 0
  private var showings: [Showing] = []
  /// By identifier; nil for those that are not wanted.
  private var channels: [[UInt8]: UInt32?] = [:]
  /// Those of this file.
  private var seen: Set<UInt32> = []
  private var lastChannel: (name: [UInt8], number: UInt32?) = ([], nil)

  private init(
    _ database: Database, _ filter: ChannelFilter, now: Int64,
    progress: @escaping (Int) -> Void
  ) throws {
    (self.database, self.filter, self.progress) = (database, filter, progress)
    (self.now, end) = (now, now + Limits.longestAhead)
    key = WorkKey(
      salt: UInt64(
        bitPattern: try Int64.fetchOne(
          database, sql: "SELECT value FROM setting WHERE name = 'salt'") ?? 0))
    insertWork = try database.makeStatement(
      sql: "INSERT INTO work VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)")
    insertChannel = try database.makeStatement(
      sql: "INSERT INTO channel(name, title, names, icon, described) VALUES(?, ?, ?, ?, ?)"
        + " ON CONFLICT(name) DO UPDATE SET title = excluded.title, names = excluded.names,"
        + " icon = excluded.icon, described = excluded.described"
        + " WHERE excluded.title != excluded.name RETURNING id")
    index = try WordIndex(database)
    let known = try Row.fetchCursor(database, sql: "SELECT key, id FROM work")
    while let row = try known.next() {
      works[UInt64(bitPattern: row[0] as Int64)] = row[1]
      lastWork = max(lastWork, row[1])
    }
    for row in try Row.fetchAll(database, sql: "SELECT id, name, names FROM channel") {
      let name: String = row[1]
      let names = [name] + (row[2] as String).split(separator: "\n").map(String.init)
      channels[Array(name.utf8)] = .some(filter.wants(names) ? row[0] : nil)
    }
  }

  /// Puts a file into the guide, all of it or, when something fails, nothing.
  ///
  /// - Parameter keepAfter: programmes that ended before this time are removed.
  static func run(
    _ path: String, into store: GuideStore, name: String, filter: ChannelFilter,
    zone: LocalZone, now: Int64, keepAfter: Int64, progress: @escaping (Int) -> Void = { _ in }
  ) throws(PluginFailure) -> Summary {
    try store.write { database in
      let load = try GuideLoad(database, filter, now: now, progress: progress)
      let reader = GuideReader(into: load, zone: zone)
      try reader.read(DocumentBytes(path: path))
      guard reader.programmes + reader.leftOut > 0 || reader.channels > 0 && reader.withoutTime == 0
      else {
        throw Self.empty(reader.withoutTime, reader.isCut)
      }
      var summary = Summary()
      summary.programmes = reader.programmes
      summary.leftOut = reader.leftOut
      summary.withoutTime = reader.withoutTime
      summary.mended = reader.mended
      summary.actualEncoding = reader.actualEncoding
      summary.isCut = reader.isCut
      summary.tooFar = load.tooFar
      summary.programmes -= load.tooFar
      try load.finish(&summary)
      summary.removed = try load.removeEnded(before: keepAfter, alsoUnused: summary.replaced > 0)
      try database.execute(
        sql: "INSERT INTO loading(time, name, programmes) VALUES(?, ?, ?)",
        arguments: [now, name, reader.programmes])
      try database.execute(
        sql: "DELETE FROM loading WHERE id <= (SELECT max(id) FROM loading) - 100")
      return summary
    }
  }

  private static func empty(_ withoutTime: Int, _ isCut: Bool) -> PluginFailure {
    let why =
      withoutTime > 0
      ? "none of its \(withoutTime) entries has a channel and a time that can be read"
      : isCut ? "the file ends before the first" : "there are none"
    return PluginFailure(.input, "guide.empty", "the file has no programmes: \(why)")
  }

  // MARK: - What is read

  func wants(channel name: [UInt8]) -> Bool {
    if name == lastChannel.name { return lastChannel.number != nil }
    return channels[name].map { $0 != nil } ?? filter.wants([String(decoding: name, as: UTF8.self)])
  }

  private func number(of name: [UInt8]) throws -> UInt32? {
    if name == lastChannel.name { return lastChannel.number }
    // Described later in the file, or nowhere.
    let number: UInt32?
    if let known = channels[name] {
      if let known { try count(channel: known) }
      number = known
    } else {
      number = try keep(ChannelEntry(identifier: name), described: 0)
    }
    lastChannel = (name, number)
    return number
  }

  func add(_ channel: ChannelEntry) throws(PluginFailure) {
    let names = ([channel.identifier] + channel.names).map { String(decoding: $0, as: UTF8.self) }
    lastChannel = ([], nil)
    guard filter.wants(names) else {
      // One that is not described in a later file is still the one it was.
      if channels.count < 2 * Limits.channels { channels[channel.identifier] = .some(nil) }
      return
    }
    _ = try StoreFailure.told { try keep(channel, described: now) }
  }

  /// - Parameter described: when a file described it, 0 if none did.
  private func keep(_ channel: ChannelEntry, described: Int64) throws -> UInt32 {
    let known = channels[channel.identifier]
    let texts = [
      channel.identifier, channel.names.first ?? channel.identifier,
      Array(channel.names.joined(separator: [0x0A])), channel.icon,
    ].map { String(decoding: $0, as: UTF8.self) }
    // Where nothing comes back it is known, and nothing new is said of it.
    let number =
      try UInt32.fetchOne(insertChannel, arguments: StatementArguments(texts) + [described])
      ?? (known ?? nil)
    channels[channel.identifier] = .some(number)
    try count(channel: number ?? 0)
    return number ?? 0
  }

  /// Counts a channel of this file, whether the guide had it or not.
  private func count(channel number: UInt32) throws {
    guard seen.insert(number).inserted, seen.count > Limits.channels else { return }
    throw PluginFailure(
      .input, "limit.channels", "the file has more than \(Limits.channels) channels",
      hint: "name those that are wanted in the option channels, or split it")
  }

  func add(_ programme: borrowing ProgrammeEntry) throws(PluginFailure) {
    guard let start = programme.start else { return }
    guard start <= end else { return tooFar += 1 }
    let (stop, marks) = (programme.stop, programme.marks)
    let (name, work) = (programme.channel, programme.work)
    try StoreFailure.told {
      guard let channel = try number(of: name) else { return }
      showings.append(
        Showing(
          channel: channel, start: start, stop: stop, work: try number(of: work), marks: marks,
          order: UInt32(clamping: showings.count)))
    }
    if showings.count % 20_000 == 0 { progress(showings.count) }
  }

  private func number(of work: Work) throws -> UInt32 {
    let key = key.of(work)
    if let known = works[key] { return known }
    guard newWorks < Limits.works else {
      throw PluginFailure(
        .input, "limit.works",
        "the file has more than \(Limits.works) programmes that the guide does not have",
        hint: "name the channels that are wanted in the option channels, or split it")
    }
    newWorks += 1
    lastWork += 1
    try insertWork.execute(
      arguments: [lastWork, Int64(bitPattern: key)] + StatementArguments(work.texts))
    try index.add(lastWork, work)
    works[key] = UInt32(clamping: lastWork)
    return UInt32(clamping: lastWork)
  }

  // MARK: - The times

  private func finish(_ summary: inout Summary) throws {
    showings.sort { ($0.channel, $0.start, $0.order) < ($1.channel, $1.start, $1.order) }
    let read = try database.makeStatement(
      sql:
        "SELECT start, stop, work, marks FROM showing WHERE channel = ? AND start > ? AND start < ?"
    )
    let remove = try database.makeStatement(
      sql: "DELETE FROM showing WHERE channel = ? AND start = ?")
    let insert = try database.makeStatement(sql: "INSERT INTO showing VALUES(?, ?, ?, ?, ?)")
    var next = 0
    while next < showings.count {
      let channel = showings[next].channel, begin = next
      while next < showings.count, showings[next].channel == channel { next += 1 }
      var new = Array(showings[begin..<next])
      Schedule.mend(&new, &summary.repaired)
      guard let first = new.first, let last = new.last else { continue }
      seen.insert(channel)
      summary.from = min(summary.from ?? first.start, first.start)
      summary.to = max(summary.to ?? last.stop, last.stop)
      let old = try Row.fetchAll(
        read, arguments: [channel, first.start - Limits.longestProgramme - 1, last.stop]
      ).map { row in
        Showing(
          channel: channel, start: row[0], stop: row[1], work: row[2],
          marks: ShowingMarks(rawValue: row[3]), order: 0)
      }
      let change = Schedule.merge(old: old, new: new)
      for showing in change.remove { try remove.execute(arguments: [channel, showing.start]) }
      for showing in change.insert {
        try insert.execute(
          arguments: [channel, showing.start, showing.stop, showing.work, showing.marks.rawValue])
      }
      summary.added += change.insert.count - change.shortened
      summary.replaced += change.remove.count - change.shortened
      summary.unchanged += change.unchanged
    }
    summary.channels = seen.count
  }

  /// Removes programmes that ended before a time or are too far ahead, works that nothing shows any more, and channels
  /// that have had no programme since that time and were not described.
  ///
  /// - Returns: the number of programmes.
  private func removeEnded(before time: Int64, alsoUnused: Bool) throws -> Int {
    try database.execute(
      sql: "DELETE FROM showing WHERE stop < ? OR start > ?", arguments: [time, end])
    let count = database.changesCount
    try database.execute(
      sql: "DELETE FROM channel WHERE described < ?"
        + " AND NOT EXISTS (SELECT 1 FROM showing WHERE showing.channel = channel.id)",
      arguments: [time])
    guard count > 0 || alsoUnused else { return count }
    let unused = "FROM work WHERE NOT EXISTS (SELECT 1 FROM showing WHERE showing.work = work.id)"
    let rows = try Row.fetchCursor(database, sql: "SELECT \(Work.columns) \(unused)")
    while let row = try rows.next() { try index.remove(row[0], Work(row)) }
    try database.execute(sql: "DELETE \(unused)")
    return count
  }
}

/// Tells works apart by a number. The salt is the guide's own, so nobody can make two works that meet.
struct WorkKey: Sendable {
  let salt: UInt64

  func of(_ work: borrowing Work) -> UInt64 {
    var key = salt
    Self.mix(work.title, &key)
    Self.mix(work.subtitle, &key)
    Self.mix(work.about, &key)
    Self.mix(work.people, &key)
    Self.mix(work.categories, &key)
    Self.mix(work.otherTitles, &key)
    Self.mix(work.details, &key)
    return key
  }

  private static func mix(_ text: [UInt8], _ key: inout UInt64) {
    var index = 0
    key = fold(key ^ UInt64(text.count), 0x9E37_79B9_7F4A_7C15)
    unsafe text.withUnsafeBytes { bytes in
      while index + 8 <= bytes.count {
        let word = UInt64(
          littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        key = fold(key ^ word, 0xA076_1D64_78BD_642F)
        index += 8
      }
    }
    var word: UInt64 = 0
    while index < text.count {
      word = word << 8 | UInt64(text[index])
      index += 1
    }
    key = fold(key ^ word, 0xE703_7ED1_A0B4_28DB)
  }

  private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
