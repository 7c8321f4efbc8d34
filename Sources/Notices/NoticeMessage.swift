package import Pipelines
package import PluginKit

/// What a target is sent at once.
package struct NoticeMessage: Sendable, Equatable {
  /// The same at every try: receivers know by it what they had already.
  package var id: String
  package var made: Int64
  /// Tries so far.
  package var attempts: Int
  /// One at least.
  package var notices: [Notice]
  /// Which procd tells it; nil where that is not known.
  package var sender: Sender?

  /// One procd among those of other configurations and other machines.
  package struct Sender: Sendable, Equatable {
    /// The machine's host name.
    package var machine: String
    /// The path of its configuration.
    package var configuration: String

    package init(machine: String, configuration: String) {
      (self.machine, self.configuration) = (machine, configuration)
    }
  }

  package init(id: String, made: Int64, attempts: Int, notices: [Notice]) {
    (self.id, self.made) = (id, made)
    (self.attempts, self.notices) = (attempts, notices)
  }

  /// Notices that are spelled out in a text for people.
  private static let mostSpelled = 50

  package var event: Notice.Event { notices.first?.event ?? .done }

  /// One line.
  package var subject: String {
    guard notices.count > 1 else { return notices.first?.subject ?? "" }
    let counts = Notice.Event.allCases.flatMap { event in
      [false, true].compactMap { isOver in
        let count = notices.count { $0.event == event && $0.isOver == isOver }
        return count > 0 ? "\(count) \(event.plural(count, isOver: isOver))" : nil
      }
    }
    return "procd: " + counts.joined(separator: ", ")
  }

  package var text: String {
    guard notices.count > 1 else { return notices.first?.text ?? "" }
    var lines = notices.prefix(Self.mostSpelled).map { notice in
      let first = notice.text.split(separator: "\n").first.map { ": \($0)" } ?? ""
      return "- \(notice.subject)\(first)"
    }
    let more = notices.count - lines.count
    if more > 0 { lines.append("… and \(more) more") }
    return lines.joined(separator: "\n")
  }

  /// Subject and text for people who may hear of several procds.
  package var whole: String {
    var parts = [subject, text]
    if let sender { parts.append("-- \nprocd on \(sender.machine), -c \(sender.configuration)") }
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// All of it for programs.
  package var json: JSON {
    [
      "machine": sender.map { .string($0.machine) },
      "configuration": sender.map { .string($0.configuration) },
      "id": .string(id), "event": .string(event.rawValue), "subject": .string(subject),
      "text": .string(text), "notices": .array(notices.map(\.json)),
    ]
  }
}

extension Notice.Event {
  /// - Parameter isOver: whether it is told that what was told of before has ended.
  fileprivate func plural(_ count: Int, isOver: Bool) -> String {
    switch self {
    case .number, .news: "news"
    case .done: "done"
    case .partial: "done in part"
    case .quarantined: "quarantined"
    case .paused where isOver: "resumed"
    case .paused: count == 1 ? "pause" : "pauses"
    case .stuck: count == 1 ? "file stays in the inbox" : "files stay in the inbox"
    case .stopped: "stopped"
    case .pluginDisabled: "disabled"
    case .sourceStale where isOver:
      count == 1 ? "source reachable again" : "sources reachable again"
    case .sourceStale: count == 1 ? "source unreachable" : "sources unreachable"
    }
  }
}

extension Notice {
  /// Whether it tells the end of what an earlier one told.
  var isOver: Bool {
    ["isReached", "isResumed"].contains { details[$0]?.boolValue == true }
  }

  package var json: JSON {
    [
      "id": .string(id), "event": .string(event.rawValue), "time": .string(timestamp(time)),
      "series": series.map { .string($0) }, "number": number.map { .string($0) },
      "label": label.map { .string($0) }, "subject": .string(subject), "text": .string(text),
      "details": details,
    ]
  }
}

extension NotifyTarget {
  /// Whether it is told of this.
  package func wants(_ notice: Notice) -> Bool {
    guard events.contains(notice.event) || notice.event == .partial && events.contains(.done) else {
      return false
    }
    guard notice.event == .number, !series.isEmpty else { return true }
    return notice.series.map(series.contains) ?? false
  }
}
