internal import PluginKit

extension GuideCommand {
  var isJSON: Bool { arguments.flags.contains("--json") }

  private func print(
    _ programmes: [FoundProgramme], byDay: Bool, _ settings: GuideSettings, nothing: String
  ) {
    if isJSON {
      let json = ProgrammeJSON(clock: settings.clock)
      Output.print(JSON.array(programmes.map { json.brief($0) }).text)
    } else if programmes.isEmpty {
      Output.complain("procd guide: \(nothing)")
    } else {
      Output.print(ProgrammeText(clock: settings.clock).list(programmes, byDay: byDay))
    }
  }

  private func programmes(
    _ store: GuideStore, from: Int64, to: Int64
  ) throws(PluginFailure) -> [FoundProgramme] {
    var found: [FoundProgramme] = []
    let filter = channels
    for channel in try store.channels() where filter.wants([channel.identifier] + channel.names) {
      found += try store.programmes(of: channel, from: from, to: to)
    }
    return found
  }

  /// What runs now, or at another time.
  func showNow() throws(PluginFailure) {
    _ = try words(atMost: 0)
    let (store, settings) = try opened()
    let time = try time("--at", settings) ?? now
    print(
      try programmes(store, from: time, to: time + 1), byDay: false, settings,
      nothing: "nothing is known of \(settings.clock.day(time)) \(settings.clock.clock(time))")
  }

  /// A whole day of the guide.
  func showDay() throws(PluginFailure) {
    let word = try words(atMost: 1).first ?? "today"
    let (store, settings) = try opened()
    var times = settings.words(now: now)
    guard let day = times.day(word) else {
      throw Self.mistake("\"\(word)\" is no day; write today, a weekday, +2 or 2026-01-05")
    }
    let span = times.span(of: day)
    print(
      try programmes(store, from: span.lowerBound, to: span.upperBound), byDay: true, settings,
      nothing: "nothing is known of \(day.text)")
  }

  func search() throws(PluginFailure) {
    guard arguments.words.count > 1 else { throw Self.mistake("name what is to be found") }
    if arguments.flags.isSuperset(of: ["--any", "--all"]) {
      throw Self.mistake("either --any or --all")
    }
    let (store, settings) = try opened()
    var request = SearchRequest(terms: Array(arguments.words.dropFirst()))
    request.all = arguments.flags.contains("--all")
    request.channels = channels
    request.from = try time("--from", settings) ?? now
    request.to = try time("--to", settings) ?? .max
    request.limit = try number("--limit", in: 1...10_000) ?? 50
    let found = try GuideSearch(store: store).run(request)
    let nothing =
      arguments["--from"] == nil
      ? "nothing to come was found; --from finds what is past" : "nothing was found"
    print(found, byDay: false, settings, nothing: nothing)
  }

  func show() throws(PluginFailure) {
    guard let word = try words(atMost: 1).first else {
      throw Self.mistake("name a programme by what stands in brackets behind it")
    }
    let (store, settings) = try opened()
    guard let identifier = ProgrammeIdentifier(word),
      let channel = try store.channels().first(where: { $0.id == identifier.channel }),
      let programme = try store.programmes(
        of: channel, from: identifier.start, to: identifier.start &+ 1
      ).first(where: { $0.start == identifier.start }),
      let work = try store.work(programme.work)
    else {
      throw PluginFailure(
        .input, "guide.unknown", "there is no programme \"\(word)\" in the guide",
        hint: "it may have moved or ended long ago; procd guide search finds it again")
    }
    let others = try store.showings(of: programme.work, from: now)
      .filter { $0.identifier != identifier }
    if isJSON {
      let json = ProgrammeJSON(clock: settings.clock)
      Output.print(json.complete(programme, work, others: others).text)
    } else {
      Output.print(ProgrammeText(clock: settings.clock).details(programme, work, others: others))
    }
  }

  func showChannels() throws(PluginFailure) {
    _ = try words(atMost: 0)
    let (store, settings) = try opened()
    let channels = try store.channels()
    if isJSON {
      Output.print(
        JSON.array(
          channels.map { channel in
            [
              "channel": .string(channel.identifier), "name": .string(channel.title),
              "icon": channel.icon.isEmpty ? nil : .string(channel.icon),
            ]
          }
        ).text)
    } else {
      for channel in channels {
        Output.print(ProgrammeText.plain("\(channel.title)  [\(channel.identifier)]\n"))
      }
      if let span = try store.coverage() {
        let clock = settings.clock
        Output.complain(
          "\(channels.count) channels, from \(clock.day(span.lowerBound)) \(clock.clock(span.lowerBound))"
            + " to \(clock.day(span.upperBound)) \(clock.clock(span.upperBound))")
      }
    }
  }
}
