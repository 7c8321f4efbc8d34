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

extension GuideStore {
  /// All channels in the order in which they came.
  func channels() throws(PluginFailure) -> [StoredChannel] {
    let rows = try database.prepare("SELECT id, name, title, names, icon FROM channel ORDER BY id")
    var channels: [StoredChannel] = []
    while try rows.step() {
      channels.append(
        StoredChannel(
          id: rows.integer(0), identifier: rows.text(1), title: rows.text(2),
          names: rows.text(3).split(separator: "\n").map(String.init), icon: rows.text(4)))
    }
    return channels
  }

  /// The programmes of a channel that run at any time of a span, in order.
  func programmes(
    of channel: StoredChannel, from: Int64, to: Int64
  ) throws(PluginFailure) -> [FoundProgramme] {
    let rows = try database.prepare(
      "SELECT start, stop, marks, work, title, subtitle FROM showing JOIN work ON work.id = work"
        + " WHERE channel = ?1 AND start > ?2 AND start < ?3 AND stop > ?4 ORDER BY start")
    rows.bind(1, channel.id)
    rows.bind(2, from - Limits.longestProgramme - 1)
    rows.bind(3, to)
    rows.bind(4, from)
    var programmes: [FoundProgramme] = []
    while try rows.step() {
      programmes.append(
        FoundProgramme(
          channel: channel.id, channelName: channel.title, start: rows.integer(0),
          stop: rows.integer(1), marks: ShowingMarks(rawValue: UInt8(clamping: rows.integer(2))),
          work: rows.integer(3), title: rows.text(4), subtitle: rows.text(5)))
    }
    return programmes
  }

  func work(_ id: Int64) throws(PluginFailure) -> Work? {
    let row = try database.prepare("SELECT \(Self.workColumns) FROM work WHERE id = ?1")
    row.bind(1, id)
    return try row.step() ? Self.work(row) : nil
  }

  /// The file that was loaded last, and when.
  func lastLoading() throws(PluginFailure) -> (name: String, time: Int64)? {
    let row = try database.prepare("SELECT name, time FROM loading ORDER BY id DESC LIMIT 1")
    return try row.step() ? (row.text(0), row.integer(1)) : nil
  }

  /// The time that the guide covers; nil where it is empty.
  func coverage() throws(PluginFailure) -> Range<Int64>? {
    let row = try database.prepare("SELECT min(start), max(stop), count(*) FROM showing")
    guard try row.step(), row.integer(2) > 0 else { return nil }
    return row.integer(0)..<row.integer(1)
  }
}

extension GuideStore {
  /// When a work runs, from a time on.
  func showings(of work: Int64, from: Int64) throws(PluginFailure) -> [FoundProgramme] {
    let rows = try database.prepare(
      "SELECT channel, channel.title, start, stop, marks, work.title, subtitle FROM showing"
        + " JOIN channel ON channel.id = channel JOIN work ON work.id = work"
        + " WHERE work = ?1 AND stop > ?2 ORDER BY start, channel LIMIT 20")
    rows.bind(1, work)
    rows.bind(2, from)
    var programmes: [FoundProgramme] = []
    while try rows.step() {
      programmes.append(
        FoundProgramme(
          channel: rows.integer(0), channelName: rows.text(1), start: rows.integer(2),
          stop: rows.integer(3), marks: ShowingMarks(rawValue: UInt8(clamping: rows.integer(4))),
          work: work, title: rows.text(5), subtitle: rows.text(6)))
    }
    return programmes
  }
}
