internal import PluginKit

/// Puts one file into the guide: texts as they come, times in order once all are known.
final class GuideLoad {
  /// What happened, for the report.
  struct Summary: Equatable {
    var channels = 0, programmes = 0, added = 0, replaced = 0, unchanged = 0, leftOut = 0
    var withoutTime = 0, mended = 0, removed = 0
    var repaired = Schedule.Mended()
    var isCut = false
    /// The time that the file's programmes cover.
    var from: Int64?
    var to: Int64?
  }

  private let store: GuideStore
  private let filter: ChannelFilter
  private let insertWork: Statement
  private let insertChannel: Statement
  private var index: WordIndex
  private let key: WorkKey
  private var works: [UInt64: UInt32] = [:]
  private var lastWork: Int64
  private var showings: [Showing] = []
  /// By identifier; nil for those that are not wanted.
  private var channels: [[UInt8]: UInt32?] = [:]
  private var channelCount: Int
  private var seen: Set<UInt32> = []
  private var lastChannel: (name: [UInt8], number: UInt32?) = ([], nil)

  private init(_ store: GuideStore, _ filter: ChannelFilter) throws(PluginFailure) {
    self.store = store
    self.filter = filter
    let database = store.database
    key = WorkKey(
      salt: UInt64(bitPattern: try store.number("SELECT value FROM setting WHERE name = 'salt'")))
    insertWork = try database.prepare("INSERT INTO work VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
    insertChannel = try database.prepare(
      "INSERT INTO channel(name, title, names, icon) VALUES(?1, ?2, ?3, ?4) ON CONFLICT(name) DO UPDATE"
        + " SET title = excluded.title, names = excluded.names, icon = excluded.icon"
        + " WHERE excluded.title != excluded.name RETURNING id")
    index = try WordIndex(database)
    lastWork = try store.number(
      "SELECT coalesce(max(last), 0) FROM (SELECT max(id) AS last FROM work"
        + " UNION SELECT value FROM setting WHERE name = 'lastWork')")
    let known = try database.prepare("SELECT key, id FROM work")
    while try known.step() {
      works[UInt64(bitPattern: known.integer(0))] = UInt32(clamping: known.integer(1))
    }
    channelCount = 0
    let stored = try database.prepare("SELECT id, name, names FROM channel")
    while try stored.step() {
      let name = stored.bytes(1)
      let names = [stored.text(1)] + stored.text(2).split(separator: "\n").map(String.init)
      channels[name] = .some(filter.wants(names) ? UInt32(clamping: stored.integer(0)) : nil)
      channelCount += 1
    }
  }

  /// Puts a file into the guide, all of it or, when something fails, nothing.
  ///
  /// - Parameter keepAfter: programmes that ended before this time are removed.
  static func run(
    _ path: String, into store: GuideStore, name: String, filter: ChannelFilter,
    zone: LocalZone, now: Int64, keepAfter: Int64, progress: (Int) -> Void = { _ in }
  ) throws(PluginFailure) -> Summary {
    var summary = Summary()
    let isFirst = try store.isEmpty
    try store.database.transaction { () throws(PluginFailure) in
      let load = try GuideLoad(store, filter)
      let handover = try Handover(
        path: path, zone: zone, filter: filter, known: load.channels.mapValues { $0 != nil },
        key: load.key, works: Set(load.works.keys))
      let read = try handover.run { item throws(PluginFailure) in
        switch item {
        case .channel(let channel): try load.add(channel)
        case .programme(let programme):
          try load.add(programme)
          if load.showings.count % 20_000 == 0 { progress(load.showings.count) }
        }
      }
      guard read.programmes + read.channels + read.leftOut > 0 else {
        throw Self.empty(read.withoutTime, read.isCut)
      }
      summary.programmes = read.programmes
      summary.leftOut = read.leftOut
      summary.withoutTime = read.withoutTime
      summary.mended = read.mended
      summary.isCut = read.isCut
      // An index is made faster at once than row by row.
      if isFirst { try store.database.execute("DROP INDEX IF EXISTS showing_of_work") }
      try load.finish(&summary)
      if isFirst { try store.database.execute(GuideStore.workIndex) }
      summary.removed = try store.removeEnded(before: keepAfter, alsoUnused: summary.replaced > 0)
      try store.tidyIndex()
      let note = try store.database.prepare(
        "INSERT INTO loading(time, name, programmes) VALUES(?1, ?2, ?3)")
      note.bind(1, now)
      note.bind(2, name)
      note.bind(3, Int64(read.programmes))
      try note.run()
      try store.database.execute(
        "DELETE FROM loading WHERE id <= (SELECT max(id) FROM loading) - 100")
    }
    if isFirst { try store.letOthersRead() }
    return summary
  }

  private static func empty(_ withoutTime: Int, _ isCut: Bool) -> PluginFailure {
    let why =
      withoutTime > 0
      ? "none of its \(withoutTime) entries has a channel and a time that can be read"
      : isCut ? "the file ends before the first" : "there are none"
    return PluginFailure(.input, "guide.empty", "the file has no channels and programmes: \(why)")
  }

  // MARK: - What is read

  private func number(of name: [UInt8]) throws(PluginFailure) -> UInt32? {
    if name == lastChannel.name { return lastChannel.number }
    var number: UInt32?
    if let known = channels[name] {
      number = known
    } else if filter.wants([String(decoding: name, as: UTF8.self)]) {
      // Described later in the file, or nowhere.
      number = try store(ChannelEntry(identifier: name))
    } else {
      channels[name] = .some(nil)
    }
    lastChannel = (name, number)
    return number
  }

  func add(_ channel: ChannelEntry) throws(PluginFailure) {
    let names = ([channel.identifier] + channel.names).map { String(decoding: $0, as: UTF8.self) }
    guard filter.wants(names) else {
      channels[channel.identifier] = .some(nil)
      return
    }
    seen.insert(try store(channel))
    lastChannel = ([], nil)
  }

  private func store(_ channel: ChannelEntry) throws(PluginFailure) -> UInt32 {
    guard channels[channel.identifier] != nil || channelCount < Limits.channels else {
      throw PluginFailure(
        .input, "limit.channels", "the guide would have more than \(Limits.channels) channels",
        hint: "name those that are wanted in the option channels")
    }
    insertChannel.bind(1, channel.identifier)
    insertChannel.bind(2, channel.names.first ?? channel.identifier)
    insertChannel.bind(3, Array(channel.names.joined(separator: [0x0A])))
    insertChannel.bind(4, channel.icon)
    var number: UInt32?
    if try insertChannel.step() { number = UInt32(clamping: insertChannel.integer(0)) }
    insertChannel.reset()
    // Nothing came back: it is known, and nothing new is said of it.
    if number == nil, let known = channels[channel.identifier] { number = known }
    if channels[channel.identifier] == nil { channelCount += 1 }
    channels[channel.identifier] = .some(number)
    return number ?? 0
  }

  func add(_ programme: Handover.Programme) throws(PluginFailure) {
    // Whatever its channel: later programmes may say no more of their work than its number.
    let work = try number(of: programme.work, programme.key)
    guard let channel = try number(of: programme.channel) else { return }
    showings.append(
      Showing(
        channel: channel, start: programme.start, stop: programme.stop, work: work,
        marks: programme.marks, order: UInt32(clamping: showings.count)))
  }

  private func number(of work: PackedWork?, _ key: UInt64) throws(PluginFailure) -> UInt32 {
    if let known = works[key] { return known }
    guard let work else {
      throw PluginFailure(.internal, "guide.store", "a work is named before it is told")
    }
    guard works.count < Limits.works else {
      throw PluginFailure(
        .input, "limit.works",
        "the guide would have more than \(Limits.works) different programmes",
        hint: "name the channels that are wanted in the option channels")
    }
    lastWork += 1
    insertWork.bind(1, lastWork)
    insertWork.bind(2, Int64(bitPattern: key))
    try insertWork.run(
      with: work.bytes, at: PackedWork.Text.allCases.lazy.map(work.range), from: 3)
    try index.add(lastWork, work)
    works[key] = UInt32(clamping: lastWork)
    return UInt32(clamping: lastWork)
  }

  // MARK: - The times

  private func finish(_ summary: inout Summary) throws(PluginFailure) {
    try index.flush()
    // Numbers are not used again: the index may still have words of works that are gone.
    try store.database.execute("INSERT OR REPLACE INTO setting VALUES('lastWork', \(lastWork))")
    showings.sort { ($0.channel, $0.start, $0.order) < ($1.channel, $1.start, $1.order) }
    let database = store.database
    let read = try database.prepare(
      "SELECT start, stop, work, marks FROM showing WHERE channel = ?1 AND start > ?2 AND start < ?3"
    )
    let remove = try database.prepare("DELETE FROM showing WHERE channel = ?1 AND start = ?2")
    let insert = try database.prepare("INSERT INTO showing VALUES(?1, ?2, ?3, ?4, ?5)")
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
      read.bind(1, Int64(channel))
      read.bind(2, first.start - Limits.longestProgramme - 1)
      read.bind(3, last.stop)
      var old: [Showing] = []
      while try read.step() {
        old.append(
          Showing(
            channel: channel, start: read.integer(0), stop: read.integer(1),
            work: UInt32(clamping: read.integer(2)),
            marks: ShowingMarks(rawValue: UInt8(clamping: read.integer(3))), order: 0))
      }
      read.reset()
      let change = Schedule.merge(old: old, new: new)
      for showing in change.remove {
        remove.bind(1, Int64(channel))
        remove.bind(2, showing.start)
        try remove.run()
      }
      for showing in change.insert {
        insert.bind(1, Int64(channel))
        insert.bind(2, showing.start)
        insert.bind(3, showing.stop)
        insert.bind(4, Int64(showing.work))
        insert.bind(5, Int64(showing.marks.rawValue))
        try insert.run()
      }
      summary.added += change.insert.count - change.shortened
      summary.replaced += change.remove.count - change.shortened
      summary.unchanged += change.unchanged
    }
    summary.channels = seen.count
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
    let bytes = unsafe text.span.bytes
    var index = 0
    key = fold(key ^ UInt64(text.count), 0x9E37_79B9_7F4A_7C15)
    while index + 8 <= bytes.byteCount {
      let word = UInt64(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      key = fold(key ^ word, 0xA076_1D64_78BD_642F)
      index += 8
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
