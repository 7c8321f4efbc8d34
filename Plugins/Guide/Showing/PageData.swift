internal import FoundationEssentials
internal import GRDB
internal import PageStyle
internal import PluginKit

/// Writes what the page knows: first what the grid needs, then the details in blocks that the page unpacks
/// when they are asked for.
///
/// Packed and in base64, as a page on a disk may load no second file. Texts reach the page only in this
/// form and are set as text, so nothing in a guide can become a part of the page's code.
struct PageData {
  let store: GuideStore
  let span: Range<Int64>
  let channels: [StoredChannel]

  struct Made {
    var core: [UInt8] = []
    var blocks: [Data] = []
    var programmes = 0
  }

  /// Works in one block: small enough to be unpacked at once when one is looked at.
  static let blockSize = 1024

  /// - Parameter head: members that stand before the rest.
  func make(head: [UInt8]) throws(PluginFailure) -> Made {
    try store.read { try make(head: head, $0) }
  }

  private func make(head: [UInt8], _ database: Database) throws -> Made {
    var made = Made(), works: [Int64: Int] = [:], order: [Int64] = []
    var core: [UInt8] = [0x7B] + head
    core += Array(",\"names\":".utf8)
    Self.list(channels.map { Array($0.title.utf8) }, &core)
    appendIcons(&core)
    core += Array(",\"showings\":[".utf8)
    let showings = try database.makeStatement(
      sql: "SELECT start, stop, work, marks FROM showing"
        + " WHERE channel = ? AND start > ? AND start < ? AND stop > ? ORDER BY start")
    for (index, channel) in channels.enumerated() {
      if index > 0 { core.append(0x2C) }
      core.append(0x5B)
      let rows = try Row.fetchCursor(
        showings,
        arguments: [
          channel.id, span.lowerBound - Limits.longestProgramme - 1, span.upperBound,
          span.lowerBound,
        ])
      var last = span.lowerBound / 60, isFirst = true
      while let row = try rows.next() {
        let start = (row[0] as Int64) / 60, stop = ((row[1] as Int64) + 59) / 60
        let work: Int64 = row[2], place = works[work] ?? order.count
        if place == order.count {
          works[work] = place
          order.append(work)
        }
        // Distances are short numbers, and pack well.
        let numbers: [Int64] = [start - last, stop - start, Int64(place), row[3]]
        last = stop
        for number in numbers {
          if !isFirst { core.append(0x2C) }
          isFirst = false
          core += Array("\(number)".utf8)
        }
        made.programmes += 1
      }
      core.append(0x5D)
    }
    core += Array("],".utf8)
    try describe(order, &core, &made.blocks, database)
    core.append(0x7D)
    made.core = core
    return made
  }

  private func describe(
    _ works: [Int64], _ core: inout [UInt8], _ blocks: inout [Data], _ database: Database
  ) throws {
    let texts = try database.makeStatement(sql: "SELECT \(Work.columns) FROM work WHERE id = ?")
    var titles: [[UInt8]: Int] = [:], names: [[UInt8]] = [], title: [Int] = []
    var subtitles: [[UInt8]] = [], block: [UInt8] = [], genres: [UInt8] = []
    var finder = GenreFinder()
    for (index, id) in works.enumerated() {
      guard let row = try Row.fetchOne(texts, arguments: [id]) else { continue }
      let work = Work(row), place = titles[work.title] ?? names.count
      if place == names.count {
        titles[work.title] = place
        names.append(work.title)
      }
      title.append(place)
      subtitles.append(work.subtitle)
      genres.append(0x30 + finder.genre(ofDetails: work.details).rawValue)
      block.append(block.isEmpty ? 0x5B : 0x2C)
      block += [0x5B]
      TextBytes.appendJSON(work.about, to: &block)
      block += [0x2C, 0x7B] + work.details + [0x7D, 0x5D]
      if (index + 1) % Self.blockSize == 0 || index + 1 == works.count {
        block.append(0x5D)
        blocks.append(Packing.packed(block))
        block.removeAll(keepingCapacity: true)
      }
    }
    core += Array("\"titles\":".utf8)
    Self.list(names, &core)
    core += Array(
      ",\"works\":[\(title.map(String.init).joined(separator: ","))],\"subtitles\":".utf8)
    Self.list(subtitles, &core)
    // One digit for each work.
    core += Array(",\"genres\":\"".utf8) + genres + [0x22]
  }

  /// The pictures of channels that stand in the guide itself, by the places of their channels.
  private func appendIcons(_ core: inout [UInt8]) {
    core += Array(",\"icons\":{".utf8)
    var room = ChannelPicture.allBytes, isFirst = true
    for (index, channel) in channels.enumerated() {
      guard ChannelPicture.isUsable(channel.icon), channel.icon.utf8.count <= room else { continue }
      room -= channel.icon.utf8.count
      if !isFirst { core.append(0x2C) }
      isFirst = false
      core += Array("\"\(index)\":".utf8)
      TextBytes.appendJSON(Array(channel.icon.utf8), to: &core)
    }
    core.append(0x7D)
  }

  private static func list(_ texts: [[UInt8]], _ json: inout [UInt8]) {
    json.append(0x5B)
    for (index, text) in texts.enumerated() {
      if index > 0 { json.append(0x2C) }
      TextBytes.appendJSON(text, to: &json)
    }
    json.append(0x5D)
  }
}

/// Packs data for a place in a text.
enum Packing {
  /// gzip, then base64.
  static func packed(_ bytes: [UInt8]) -> Data {
    Data(gzipped(bytes, level: 5) ?? []).base64EncodedData()
  }
}
