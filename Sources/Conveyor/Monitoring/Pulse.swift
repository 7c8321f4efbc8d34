package import PluginKit

/// What a running daemon says of itself to whoever asks whether it is well.
package struct Pulse: Sendable, Equatable {
  package enum Phase: String, Sendable { case starting, running, ending }

  package var process: Int
  package var phase: Phase
  /// Milliseconds since the main loop last went round; nil before the first time.
  package var sinceTurn: Int?
  /// Why no files are taken in; nil while they are.
  package var paused: String?
  /// Why files that were taken in stand still though others go through; nil where none does.
  package var blocked: String?
  /// What else is not as it should be, though files are taken in.
  package var troubles: [String]
  /// The other machines that take part, for people; empty where none are configured.
  package var fleet: [String]
  /// How many documents the search does not find yet.
  package var unread: Int
  /// Which configuration it goes by (``ActiveConfiguration/mark``); nil where it is an older procd that does not say.
  package var rules: String?
  /// Which folders it uses (``ActiveConfiguration/foldersMark``); nil as above.
  package var folders: String?
  /// The file of that configuration; nil where it is an older procd that does not say.
  package var configuration: String?
  /// What stays in the inbox until somebody does something about it or ends writing, the first of it, by path as it is
  /// shown.
  package var stuck: [String: String]
  /// Which of that should have been taken long ago, and why it was not; nil where nothing should.
  package var overdue: String?
  /// Whether the inbox is looked at again and again, for want of events; nil where it does not say.
  package var polls: Bool?

  package init(
    process: Int, phase: Phase, sinceTurn: Int? = nil, paused: String? = nil,
    blocked: String? = nil,
    troubles: [String] = [], fleet: [String] = [], unread: Int = 0, rules: String? = nil,
    folders: String? = nil, configuration: String? = nil, polls: Bool? = nil,
    stuck: [String: String] = [:], overdue: String? = nil
  ) {
    (self.folders, self.stuck, self.overdue) = (folders, stuck, overdue)
    (self.rules, self.configuration, self.polls) = (rules, configuration, polls)
    (self.troubles, self.fleet, self.unread) = (troubles, fleet, unread)
    self.process = process
    self.phase = phase
    self.sinceTurn = sinceTurn
    (self.paused, self.blocked) = (paused, blocked)
  }

  package var json: JSON {
    [
      "process": .integer(process), "phase": .string(phase.rawValue),
      "sinceTurn": sinceTurn.map { .integer($0) }, "paused": paused.map { .string($0) },
      "blocked": blocked.map { .string($0) },
      "troubles": .array(troubles.map { .string($0) }),
      "fleet": fleet.isEmpty ? nil : .array(fleet.map { .string($0) }),
      "unread": unread > 0 ? .integer(unread) : nil, "rules": rules.map { .string($0) },
      "folders": folders.map { .string($0) },
      "configuration": configuration.map { .string($0) }, "polls": polls.map { .bool($0) },
      "stuck": stuck.isEmpty
        ? nil
        : .object(stuck.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) }),
      "overdue": overdue.map { .string($0) },
    ]
  }

  package init?(_ json: JSON) {
    guard let process = json["process"]?.integerValue,
      let phase = json["phase"]?.stringValue.flatMap(Phase.init)
    else { return nil }
    self.init(
      process: process, phase: phase, sinceTurn: json["sinceTurn"]?.integerValue,
      paused: json["paused"]?.stringValue, blocked: json["blocked"]?.stringValue,
      troubles: json["troubles"]?.arrayValue?.compactMap(\.stringValue) ?? [],
      fleet: json["fleet"]?.arrayValue?.compactMap(\.stringValue) ?? [],
      unread: json["unread"]?.integerValue ?? 0, rules: json["rules"]?.stringValue,
      folders: json["folders"]?.stringValue,
      configuration: json["configuration"]?.stringValue, polls: json["polls"]?.boolValue,
      stuck: Dictionary(
        (json["stuck"]?.members ?? []).compactMap { member in
          member.value.stringValue.map { (member.name, $0) }
        }, uniquingKeysWith: { first, _ in first }),
      overdue: json["overdue"]?.stringValue)
  }
}
