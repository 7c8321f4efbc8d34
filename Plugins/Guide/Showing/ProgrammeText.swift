internal import PluginKit

/// Programmes as lines for people.
struct ProgrammeText {
  let clock: ClockText

  /// A list under headings of days, columns below one another.
  func list(_ programmes: [FoundProgramme], byDay: Bool, columns: [String]? = nil) -> String {
    let width = min(24, programmes.map(\.channelName.count).max() ?? 0)
    var text = "", day = ""
    for programme in programmes {
      let today = clock.day(programme.start)
      if byDay, today != day {
        text += "\(text.isEmpty ? "" : "\n")\(today)\n"
        day = today
      }
      let name = String(programme.channelName.prefix(width))
      let blanks = String(repeating: " ", count: width - name.count)
      text +=
        "\(byDay ? "" : "\(today)  ")\(clock.clock(programme.start))-\(clock.clock(programme.stop))"
        + "  \(name)\(blanks)  \(heading(programme))  [\(programme.identifier.text)]\n"
    }
    return text
  }

  private func heading(_ programme: FoundProgramme) -> String {
    let title = programme.title.isEmpty ? "(without a title)" : programme.title
    return programme.subtitle.isEmpty ? title : "\(title): \(programme.subtitle)"
  }

  /// All that is known of a programme.
  func details(_ programme: FoundProgramme, _ work: Work, others: [FoundProgramme]) -> String {
    let details = work.detailsJSON
    var text = "\(heading(programme))\n"
    text +=
      "\(programme.channelName), \(clock.day(programme.start)),"
      + " \(clock.clock(programme.start))-\(clock.clock(programme.stop))\n"
    func words(_ key: String) -> [String] {
      (details[key]?.arrayValue ?? []).compactMap(\.stringValue)
    }
    let kinds = words("categories") + programme.marks.words
    var facts = [kinds.joined(separator: ", ")]
    facts += [words("countries").joined(separator: ", "), details["date"]?.stringValue ?? ""]
    facts = facts.filter { !$0.isEmpty }
    if !facts.isEmpty { text += facts.joined(separator: " · ") + "\n" }
    for episode in details["episodes"]?.arrayValue ?? [] {
      if let line = Self.episode(episode) { text += "\(line)\n" }
    }
    if !work.about.isEmpty {
      text += "\n\(Self.wrapped(String(decoding: work.about, as: UTF8.self), at: 78))\n"
    }
    let people = details["credits"]?.arrayValue ?? []
    if !people.isEmpty {
      text += "\n"
      for person in people {
        let part = person["part"]?.stringValue.map { " (\($0))" } ?? ""
        text += "\(person["job"]?.stringValue ?? ""): \(person["name"]?.stringValue ?? "")\(part)\n"
      }
    }
    for (key, name) in [("ratings", "rating"), ("stars", "stars")] {
      for rating in details[key]?.arrayValue ?? [] {
        let system = rating["system"]?.stringValue.map { " (\($0))" } ?? ""
        text += "\(name): \(rating["value"]?.stringValue ?? "")\(system)\n"
      }
    }
    for link in words("links") { text += "\(link)\n" }
    if !others.isEmpty { text += "\nAlso at:\n\(list(others, byDay: false))" }
    return text
  }

  /// `season 2, episode 5` of the counting from 0 that XMLTV has; others as they stand.
  static func episode(_ json: JSON) -> String? {
    guard let number = json["number"]?.stringValue else { return nil }
    guard json["system"]?.stringValue == "xmltv_ns" else { return number }
    let parts = number.split(separator: ".", omittingEmptySubsequences: false).map { part in
      Int(part.prefix { $0 != "/" }.filter { $0 != " " }).map { $0 &+ 1 }
    }
    var words: [String] = []
    if let season = parts.first, let season { words.append("season \(season)") }
    if parts.count > 1, let episode = parts[1] { words.append("episode \(episode)") }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  private static func wrapped(_ text: String, at width: Int) -> String {
    var lines = "", line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + word.count + 1 > width {
        lines += line + "\n"
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + line
  }
}
