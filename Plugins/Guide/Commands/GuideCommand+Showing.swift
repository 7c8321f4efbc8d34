internal import ArgumentParser
internal import Bytes
internal import PluginCommands
internal import PluginKit

extension GuideCommand {
  struct Now: PluginCommand {
    static let configuration = CommandConfiguration(abstract: "What runs now, or at another time.")

    @Option(parsing: .unconditional, help: "Another time.")
    var at: String?

    @OptionGroup var channels: ChannelOptions
    @OptionGroup var clock: ClockOptions
    @OptionGroup var form: ListForm

    func execute() throws(PluginFailure) {
      let guide = try OpenGuide(clock)
      try guide.printRunning(at: try guide.time(at, "--at") ?? guide.now, channels, form)
    }
  }

  struct Tonight: PluginCommand {
    static let configuration = CommandConfiguration(abstract: "What runs tonight at 20:15.")

    @OptionGroup var channels: ChannelOptions
    @OptionGroup var clock: ClockOptions
    @OptionGroup var form: ListForm

    func execute() throws(PluginFailure) {
      let guide = try OpenGuide(clock)
      try guide.printRunning(at: try guide.time("tonight", "tonight") ?? guide.now, channels, form)
    }
  }

  struct Day: PluginCommand {
    static let configuration = CommandConfiguration(abstract: "A whole day of the guide.")

    // `-1` is yesterday and no option.
    @Argument(parsing: .allUnrecognized, help: "Today when left out.")
    var date: [String] = []

    @OptionGroup var channels: ChannelOptions
    @OptionGroup var clock: ClockOptions
    @OptionGroup var form: ListForm

    mutating func validate() throws {
      date.removeAll { $0 == "--" }
      guard date.count < 2 else { throw ValidationError("\"\(date[1])\" is one word too many") }
    }

    func execute() throws(PluginFailure) {
      let guide = try OpenGuide(clock), word = date.first ?? "today"
      var times = guide.settings.words(now: guide.now)
      guard let day = times.day(word) else {
        throw .typed("\"\(word)\" is no day; write today, a weekday, +2 or 2026-01-05")
      }
      let span = times.span(of: day)
      try guide.print(
        try guide.programmes(channels, from: span.lowerBound, to: span.upperBound), byDay: true,
        form, nothing: "nothing is known of \(day.iso)")
    }
  }

  struct Search: PluginCommand {
    static let configuration = CommandConfiguration(
      abstract: "Upcoming programmes that contain words, the best matches first.")

    enum Which: String, EnumerableFlag {
      case any, all

      static func help(for which: Which) -> ArgumentHelp? {
        which == .any ? "One of the terms is enough." : "All terms must be found."
      }
    }

    @Argument(help: "A word, or a phrase in quotes.")
    var terms: [String]

    @Flag var which = Which.any

    @Option(parsing: .unconditional, help: "Only what runs after this time (now).")
    var from: String?

    @Option(parsing: .unconditional, help: "Only what runs before this time.")
    var to: String?

    @Option(help: "The most that is shown, 1 to 10000.")
    var limit = 50

    @OptionGroup var channels: ChannelOptions
    @OptionGroup var clock: ClockOptions
    @OptionGroup var form: ListForm

    func validate() throws {
      guard (1...10_000).contains(limit) else {
        throw ValidationError("--limit needs a number from 1 to 10000, not \(limit)")
      }
    }

    func execute() throws(PluginFailure) {
      let guide = try OpenGuide(clock)
      var request = SearchRequest(terms: terms)
      request.all = which == .all
      request.channels = channels.filter
      request.from = try guide.time(from, "--from") ?? guide.now
      request.to = try guide.time(to, "--to") ?? .max
      request.limit = limit
      let nothing =
        from == nil
        ? "nothing to come was found; --from finds what is past" : "nothing was found"
      try guide.print(
        try GuideSearch(store: guide.store).run(request), byDay: false, form, nothing: nothing)
    }
  }

  struct Show: PluginCommand {
    static let configuration = CommandConfiguration(abstract: "All that is known of a programme.")

    @Argument(help: "The identifier in brackets after a programme.")
    var id: String

    @OptionGroup var clock: ClockOptions
    @OptionGroup var form: ListForm

    func execute() throws(PluginFailure) {
      let guide = try OpenGuide(clock), store = guide.store
      guard let identifier = ProgrammeIdentifier(id),
        let channel = try store.channels().first(where: { $0.id == identifier.channel }),
        let programme = try store.programmes(
          of: channel, from: identifier.start, to: identifier.start &+ 1
        ).first(where: { $0.start == identifier.start }),
        let work = try store.work(programme.work)
      else {
        throw PluginFailure(
          .input, "guide.unknown", "there is no programme \"\(id)\" in the guide",
          hint: "it may have moved or ended long ago; procd guide search finds it again")
      }
      let others = try store.showings(of: programme.work, from: guide.now)
        .filter { $0.identifier != identifier }
      if form.calendar {
        try CommandOutput.write(try store.calendar(of: [programme], now: guide.now), to: nil)
      } else if form.json {
        let json = ProgrammeJSON(clock: guide.clock)
        try CommandOutput.write(json.complete(programme, work, others: others).text, to: nil)
      } else {
        try CommandOutput.print(
          ProgrammeText(clock: guide.clock).details(programme, work, others: others))
      }
    }
  }

  struct Channels: PluginCommand {
    static let configuration = CommandConfiguration(
      abstract: "The channels, and which time is covered.")

    @OptionGroup var clock: ClockOptions
    @OptionGroup var form: JSONOption

    func execute() throws(PluginFailure) {
      let guide = try OpenGuide(clock), channels = try guide.store.channels()
      if form.json {
        let list = channels.map { channel -> JSON in
          [
            "channel": .string(channel.identifier), "name": .string(channel.title),
            "icon": channel.icon.isEmpty ? nil : .string(channel.icon),
          ]
        }
        return try CommandOutput.write(JSON.array(list).text, to: nil)
      }
      try CommandOutput.print(channels.map { "\($0.title)  [\($0.identifier)]\n" }.joined())
      if let span = try guide.store.coverage() {
        let (clock, from, to) = (guide.clock, span.lowerBound, span.upperBound)
        CommandOutput.warn(
          "\(channels.count) channels, from \(clock.day(from)) \(clock.clock(from))"
            + " to \(clock.day(to)) \(clock.clock(to))")
      }
    }
  }
}
