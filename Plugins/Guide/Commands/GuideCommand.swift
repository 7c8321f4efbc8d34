internal import ArgumentParser
internal import Glibc
internal import PluginCommands
internal import PluginKit

/// `procd guide …`: looks into the guide, loads files, makes the page.
struct GuideCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "procd guide",
    abstract: "A programme guide: show, search, load, and make a page.",
    discussion: """
      A DATE is today, tomorrow, a weekday, +2 or 2026-01-05. A TIME is a DATE, tonight, 20:15 or 2026-01-05T20:15.
      A CHANNEL is an identifier or a name, with * for any letters; the option may be given several times.
      """,
    subcommands: [
      Now.self, Tonight.self, Day.self, Search.self, Show.self, Channels.self, Load.self, Page.self,
    ])
}

/// How times are shown, which all verbs have.
struct ClockOptions: ParsableArguments {
  @Option(help: "Show times in this zone, such as Europe/Berlin.")
  var zone: String?

  @Option(help: ArgumentHelp("When a day of the guide begins (05:00).", valueName: "hh:mm"))
  var dayStarts: String?

  /// As asked for, else as files were loaded.
  func settings(
    _ store: GuideStore, keepPast: String = "7d"
  ) throws(PluginFailure) -> GuideSettings {
    let storedZone = try store.setting("zone"), storedStart = try store.setting("dayStarts")
    return try GuideSettings(
      zone: zone ?? storedZone ?? "", dayStarts: dayStarts ?? storedStart ?? "05:00",
      keepPast: keepPast)
  }
}

/// Which channels are wanted.
struct ChannelOptions: ParsableArguments {
  @Option(help: "Only this channel; may be given several times.")
  var channel: [String] = []

  var filter: ChannelFilter { ChannelFilter(channel) }
}

struct JSONOption: ParsableArguments {
  @Flag(help: "Print JSON, for programs.")
  var json = false
}

/// How programmes are printed.
struct ListForm: ParsableArguments {
  @Flag(help: "Print JSON, for programs.")
  var json = false

  @Flag(help: "Print a calendar (iCalendar): guide.ics opens on phones and in mail programs.")
  var calendar = false

  func validate() throws {
    if json, calendar { throw ValidationError("--json or --calendar, not both") }
  }
}

/// The guide as a verb finds it.
struct OpenGuide {
  let store: GuideStore
  let settings: GuideSettings
  let now = Int64(Glibc.time(nil))

  init(_ clock: ClockOptions) throws(PluginFailure) {
    guard let store = try GuideStore.reading(folder: Self.folder()) else {
      throw PluginFailure(
        .input, "guide.none", "the guide is empty: nothing was loaded yet",
        hint: "procd guide load FILE")
    }
    self.store = store
    settings = try clock.settings(store)
  }

  static func folder() throws(PluginFailure) -> String {
    guard let folder = PluginProgram.stateFolder else {
      throw PluginFailure(.internal, "guide.state", "there is no folder for the guide")
    }
    return folder
  }

  var clock: ClockText { settings.clock }

  /// A time that an option gives; nil where it gives none.
  func time(_ word: String?, _ option: String) throws(PluginFailure) -> Int64? {
    guard let word else { return nil }
    var words = settings.words(now: now)
    guard let time = words.time(word) else {
      throw .typed(
        "\(option): \"\(word)\" is no time; write 20:15, tonight, 2026-01-05, 2026-01-05T20:15 or a weekday"
      )
    }
    return time
  }

  /// The programmes of channels that run at any time of a span.
  func programmes(
    _ channels: ChannelOptions, from: Int64, to: Int64
  ) throws(PluginFailure) -> [FoundProgramme] {
    var found: [FoundProgramme] = []
    let filter = channels.filter
    for channel in try store.channels() where filter.wants([channel.identifier] + channel.names) {
      found += try store.programmes(of: channel, from: from, to: to)
    }
    return found
  }

  /// Prints what runs at a time.
  func printRunning(
    at time: Int64, _ channels: ChannelOptions, _ form: ListForm
  ) throws(PluginFailure) {
    try print(
      try programmes(channels, from: time, to: time + 1), byDay: false, form,
      nothing: "nothing is known of \(clock.day(time)) \(clock.clock(time))")
  }

  /// Prints a list of programmes, or says why there is none.
  func print(
    _ programmes: [FoundProgramme], byDay: Bool, _ form: ListForm, nothing: String
  ) throws(PluginFailure) {
    if form.calendar {
      try CommandOutput.write(try store.calendar(of: programmes, now: now), to: nil)
    } else if form.json {
      let json = ProgrammeJSON(clock: clock)
      try CommandOutput.write(JSON.array(programmes.map { json.brief($0) }).text, to: nil)
    } else if programmes.isEmpty {
      CommandOutput.warn(nothing)
    } else {
      try CommandOutput.print(ProgrammeText(clock: clock).list(programmes, byDay: byDay))
    }
  }
}
