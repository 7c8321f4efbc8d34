internal import PluginKit

/// Programmes as JSON, for programs.
struct ProgrammeJSON {
  let clock: ClockText

  func brief(_ programme: FoundProgramme) -> JSON {
    [
      "id": .string(programme.identifier.text), "channel": .string(programme.channelName),
      "start": .string(clock.complete(programme.start)),
      "stop": .string(clock.complete(programme.stop)), "title": .string(programme.title),
      "subtitle": programme.subtitle.isEmpty ? nil : .string(programme.subtitle),
      "marks": programme.marks.words.isEmpty
        ? nil : .array(programme.marks.words.map { .string($0) }),
    ]
  }

  /// All that is known of it, and when else it runs.
  func complete(_ programme: FoundProgramme, _ work: Work, others: [FoundProgramme]) -> JSON {
    var members = brief(programme).members ?? []
    let about = String(decoding: work.about, as: UTF8.self)
    if !about.isEmpty { members.append(JSON.Member("description", .string(about))) }
    members += work.detailsJSON.members ?? []
    if !others.isEmpty {
      members.append(JSON.Member("alsoAt", .array(others.map { brief($0) })))
    }
    return .object(members)
  }
}

extension Work {
  /// What the file says beyond titles and description.
  var detailsJSON: JSON {
    guard let node = try? JSONReader.read([0x7B] + details + [0x7D]) else { return [:] }
    return node.value
  }
}

extension ShowingMarks {
  var words: [String] {
    var words: [String] = []
    if contains(.new) { words.append("new") }
    if contains(.premiere) { words.append("premiere") }
    if contains(.repeated) { words.append("repeat") }
    if contains(.lastChance) { words.append("last chance") }
    if contains(.guessedStop) { words.append("end not known") }
    return words
  }
}

extension GuideLoad.Summary {
  /// What a run of the step tells as facts.
  var json: JSON {
    [
      "channels": .integer(channels), "programmes": .integer(programmes), "added": .integer(added),
      "replaced": .integer(replaced), "unchanged": .integer(unchanged),
      "leftOut": .integer(leftOut), "doubled": .integer(repaired.doubled),
      "overlaps": .integer(repaired.overlaps), "stopsAdded": .integer(repaired.stopsAdded),
      "withoutTime": .integer(withoutTime), "tooFar": .integer(tooFar), "mended": .integer(mended),
      "removed": .integer(removed),
    ]
  }

  /// The same and the time that is covered.
  func json(_ clock: ClockText) -> JSON {
    var members = json.members ?? []
    if let from, let to {
      members.append(JSON.Member("from", .string(clock.complete(from))))
      members.append(JSON.Member("to", .string(clock.complete(to))))
    }
    return .object(members)
  }
}
