import Conveyor
import Notices
import Pipelines
import PlainText
import PluginKit
import Series
import SystemPackage

/// What `status` tells of lists, their sources and of those who are told things.
struct ListsView {
  let active: ActiveConfiguration

  private struct Row {
    var source: Source
    var state: SourceState?
    /// Set while it is being asked.
    var progress: (done: Int, total: Int?)?
    var isAsked: Bool
  }

  private var sources: [Row] {
    active.configuration.sources.map { source in
      guard let folder = SourceFolder.existing(source, spool: active.spool) else {
        return Row(source: source, isAsked: false)
      }
      let state = ((try? folder.state()) ?? nil).flatMap {
        $0.url == source.url ? $0.about(source, at: wallTime()) : nil
      }
      let isAsked = !folder.lock()
      return Row(source: source, state: state, progress: folder.progress(), isAsked: isAsked)
    }
  }

  private func targets() throws(NoticeError) -> [(NotifyTarget, TargetState?)] {
    guard !active.configuration.notify.isEmpty else { return [] }
    let path = active.spool.appending(NoticeQueue.fileName.components)
    let states = try NoticeQueue.states(path: path) ?? []
    return active.configuration.notify.map { target in
      (target, states.first { $0.target == target.id })
    }
  }

  /// The lists that the configuration keeps, each with what is known of it.
  private func lists() throws -> [KeptList] {
    let names = active.configuration.pipelines.compactMap(\.series)
    guard !names.isEmpty, let reader = try Lists(spool: active.spool).reader() else { return [] }
    var lists: [KeptList] = []
    for name in Set(names).sorted() {
      let standing = try reader.standing(of: name)
      lists.append(
        KeptList(
          series: name, standing: standing,
          refused: try standing?.refused ?? reader.refused(of: name)))
    }
    return lists
  }

  private struct KeptList {
    var series: String
    var standing: ListStanding?
    var refused: [RefusedEdition]
  }

  // MARK: - Text

  func lines() throws -> [String] {
    var lines: [String] = []
    let lists = try lists()
    if !lists.isEmpty { lines.append("lists          \(lists.count)") }
    for list in lists { lines.append("  \(list.series): \(Self.describe(list).plain)") }
    let sources = sources
    if !sources.isEmpty { lines.append("sources        \(sources.count)") }
    for row in sources { lines.append("  \(row.source.id): \(Self.describe(row))") }
    let targets = try targets()
    if !targets.isEmpty { lines.append("notify         \(targets.count)") }
    for (target, state) in targets {
      lines.append("  \(target.shown.plain): \(Self.describe(state, of: target))")
    }
    return lines
  }

  private static func describe(_ row: Row) -> String {
    if row.isAsked, let progress = row.progress {
      let of = progress.total.map { " of \(ByteCount.text($0))" } ?? ""
      return "comes in, \(ByteCount.text(progress.done))\(of)"
    }
    guard let state = row.state else { return "not asked yet" }
    var parts: [String] = []
    if let failure = state.failure {
      let times = state.failures == 1 ? "once" : "\(state.failures) times"
      parts.append("failed \(times): \(failure.message.plain) [\(failure.code)]")
    }
    parts.append(state.checked.map { "last reached \(timestamp($0))" } ?? "never reached")
    if let received = state.received, let name = state.name {
      parts.append("last new file \(name.plain), \(timestamp(received))")
    }
    parts.append("asked again \(timestamp(state.next))")
    return parts.joined(separator: "; ")
  }

  private static func describe(_ list: KeptList) -> String {
    guard let standing = list.standing else {
      return list.refused.first.map { "no edition yet; \($0.sentence)" } ?? "no edition yet"
    }
    let seen = standing.checked.map { ", last checked \(timestamp($0))" } ?? ""
    let numbers = standing.newest.numbers
    return (["list of \(standing.newest.told), \(numbers) numbers\(seen)"] + standing.warnings)
      .joined(separator: "; ")
  }

  private static func describe(_ state: TargetState?, of target: NotifyTarget) -> String {
    guard let state else { return "nothing to tell yet" }
    var parts: [String] = []
    if let reason = state.reason {
      let times = state.failures == 1 ? "once" : "\(state.failures) times"
      // What was given up is not tried again.
      let next = state.pending > 0 ? state.next : nil
      let again = next.map { ", tried again \(timestamp($0))" } ?? ""
      parts.append("failed \(times): \(reason.plain)\(again)")
    }
    if state.pending > 0 {
      let due = state.reason == nil ? state.oldest.map { $0 + Int64(target.every) } : nil
      parts.append(
        "\(state.pending) waiting"
          + (due.map { $0 > wallTime() ? " to be sent together at \(timestamp($0))" : "" } ?? ""))
    }
    if let delivered = state.delivered { parts.append("last told \(timestamp(delivered))") }
    if state.dropped > 0 { parts.append("\(state.dropped) given up") }
    return parts.isEmpty ? "nothing told yet" : parts.joined(separator: "; ")
  }

  // MARK: - JSON

  func listsJSON() throws -> JSON {
    .array(
      try lists().map { list in
        [
          "series": .string(list.series),
          "date": list.standing.map { .string($0.newest.date) },
          "numbers": list.standing.map { .integer($0.newest.numbers) },
          "checked": list.standing?.checked.map { .string(timestamp($0)) },
          "partial": list.standing?.newest.isPartial == true ? true : nil,
          "refusedSince": list.refused.isEmpty
            ? nil : .array(list.refused.map(\.json)),
        ]
      })
  }

  func sourcesJSON() -> JSON {
    .array(
      sources.map { row in
        let state = row.state
        return [
          "id": .string(row.source.id), "url": .string(row.source.url),
          "checked": state?.checked.map { .string(timestamp($0)) },
          "received": state?.received.map { .string(timestamp($0)) },
          "name": state?.name.map { .string($0) },
          "failures": .integer(state?.failures ?? 0),
          "error": state?.failure.map {
            ["code": .string($0.code), "message": .string($0.message)]
          },
          "next": state.map { .string(timestamp($0.next)) },
          "progress": row.isAsked
            ? row.progress.map {
              ["done": .integer($0.done), "total": $0.total.map { .integer($0) }]
            } : nil,
        ]
      })
  }

  func notifyJSON() throws -> JSON {
    .array(
      try targets().map { target, state in
        [
          "id": .string(target.id), "way": .string(target.shown),
          "pending": .integer(state?.pending ?? 0), "failures": .integer(state?.failures ?? 0),
          "error": state?.reason.map { .string($0) },
          "next": state?.next.map { .string(timestamp($0)) },
          "delivered": state?.delivered.map { .string(timestamp($0)) },
          "dropped": .integer(state?.dropped ?? 0),
        ]
      })
  }
}

extension NotifyTarget {
  /// Names it for people: its place and whom it tells.
  var shown: String {
    switch way {
    case .command(let words): return "\(place): command \((words.first ?? "").plain)"
    // The address may hold a key behind its host.
    case .webhook(let url, _, _, _):
      let host = url.split(separator: "/").dropFirst().first?.prefix { $0 != "?" }
      return "\(place): webhook \(String(host ?? "").plain)"
    case .mail(let addresses): return "\(place): mail \(addresses.joined(separator: ", ").plain)"
    case .log: return "\(place): log"
    }
  }
}
