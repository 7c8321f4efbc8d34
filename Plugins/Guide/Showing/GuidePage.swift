internal import Bytes
internal import Dates
internal import GRDB
internal import PageStyle
internal import PluginKit

/// The page: a grid of the guide in one file that opens from a disk without a network.
struct GuidePage {
  var store: GuideStore
  var words: TimeWords
  /// The zone that the page shows times in; empty for that of whoever looks at it.
  var zoneName: String
  var channels = ChannelFilter([])
  /// Nil for the day before now.
  var firstDay: CalendarDate?
  var days = 14

  /// The whole page.
  func make() throws(PluginFailure) -> [UInt8] {
    let all = try store.channels().filter { channels.wants([$0.identifier] + $0.names) }
    let span = try self.span()
    // Channels without a programme are left out, as their rows would say nothing.
    let known = try store.read { database in
      try Int64.fetchSet(
        database, sql: "SELECT DISTINCT channel FROM showing WHERE start < ? AND stop > ?",
        arguments: [span.upperBound, span.lowerBound])
    }
    let shown = all.filter { known.contains($0.id) }
    let last = try store.lastLoading()
    let head: JSON = [
      "zone": .string(zoneName), "dayStarts": .integer(Int(words.dayStarts / 60)),
      "from": .integer(Int(span.lowerBound / 60)), "to": .integer(Int(span.upperBound / 60)),
      "made": .integer(Int(words.now / 60)), "source": .string(last?.name ?? ""),
      "loaded": .integer(Int((last?.time ?? words.now) / 60)),
      "blockSize": .integer(PageData.blockSize),
    ]
    let data = try PageData(store: store, span: span, channels: shown)
      .make(head: Array(head.line.dropFirst().dropLast()))
    return Self.assemble(data)
  }

  /// Whole days of the guide: from the day before now, or from where the guide begins.
  private func span() throws(PluginFailure) -> Range<Int64> {
    var words = words
    let covered = try store.coverage(), known = covered ?? words.now..<words.now + 86_400
    var day: CalendarDate
    if let firstDay {
      day = firstDay
    } else {
      var begin = max(known.lowerBound, words.now - 86_400)
      // Nothing of now is known: what there is, is shown.
      if begin >= known.upperBound || words.now < known.lowerBound { begin = known.lowerBound }
      day = CalendarDate(daysSince1970: Int(words.zone.clock(at: begin) - words.dayStarts) / 86_400)
    }
    let begin = words.span(of: day).lowerBound
    var end = words.span(of: CalendarDate(daysSince1970: day.daysSince1970 + days - 1)).upperBound
    // No empty days behind the last that is known.
    while end - 86_400 >= known.upperBound, end - 86_400 > begin {
      end -= 86_400
    }
    return begin..<end
  }

  private static func assemble(_ data: PageData.Made) -> [UInt8] {
    var page: [UInt8] = []
    page.reserveCapacity(data.blocks.reduce(0) { $0 + $1.count } + data.core.count + 100_000)
    for piece in split(PackageResources.page_html) {
      switch piece {
      case .text(let bytes): page += bytes
      case .place("style"): page += PageStyle.css + PackageResources.page_css
      case .place("script"): for script in scripts { page += script }
      case .place("data"):
        page += Array("<script type=\"text/plain\" id=\"core\">".utf8)
        page += Packing.packed(data.core)
        page += Array("</script>\n".utf8)
        for block in data.blocks {
          page += Array("<script type=\"text/plain\" class=\"block\">".utf8)
          page += block
          page += Array("</script>\n".utf8)
        }
      case .place: break
      }
    }
    return page
  }

  private static var scripts: [[UInt8]] {
    [
      PackageResources.data_js, PackageResources.channels_js, PackageResources.grid_js,
      PackageResources.details_js, PackageResources.search_js, PackageResources.page_js,
    ]
  }

  private enum Piece {
    case text([UInt8])
    case place(String)
  }

  /// The page's frame at its places, `<!-- PLACE: name -->`.
  private static func split(_ frame: [UInt8]) -> [Piece] {
    let text = String(decoding: frame, as: UTF8.self)
    var pieces: [Piece] = [], rest = text[...]
    while let open = rest.firstRange(of: "<!-- PLACE: "),
      let close = rest[open.upperBound...].firstRange(of: " -->")
    {
      pieces.append(.text(Array(rest[..<open.lowerBound].utf8)))
      pieces.append(.place(String(rest[open.upperBound..<close.lowerBound])))
      rest = rest[close.upperBound...]
    }
    return pieces + [.text(Array(rest.utf8))]
  }
}
