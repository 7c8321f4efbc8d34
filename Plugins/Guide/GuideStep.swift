internal import Dates
internal import PluginKit
internal import SystemPackage

/// `guide.load`: puts a file into the guide.
enum GuideStep {
  static func run(_ run: StepRun, _ host: any StepHost, now: Int64) throws(PluginFailure)
    -> StepOutput
  {
    guard let folder = run.stateFolder else {
      throw PluginFailure(.internal, "guide.state", "the step was given no folder for the guide")
    }
    let source = try run.source()
    let settings = try GuideSettings(
      zone: run.options.string("timeZone") ?? "",
      dayStarts: run.options.string("dayStarts") ?? "05:00",
      keepPast: run.options.string("keepPast") ?? "7d")
    let filter = ChannelFilter(run.options.strings("channels"))
    let store = try GuideStore.open(folder: folder)
    let summary = try GuideLoad.run(
      source.path.string, into: store, name: run.sourceName, filter: filter,
      zone: settings.zone, now: now, keepAfter: now - settings.keepPast
    ) { host.progress($0, of: $0, unit: "programme") }
    tell(summary, host)
    try store.keep(settings)
    let found = try SavedSearches(terms: run.options.strings("searches"))
      .run(store, now: now, job: run.job)
    return try output(run, store, settings, summary, found, now)
  }

  private static func tell(_ summary: GuideLoad.Summary, _ host: any StepHost) {
    if summary.isCut {
      host.note(
        "guide.cut",
        "the file ends in the middle; the \(summary.programmes) programmes before were kept",
        page: nil)
    }
    if summary.mended > 0 {
      host.note(
        "guide.mended",
        "\(summary.mended) places were no correct XML or text and were read all the same",
        page: nil)
    }
    if let encoding = summary.actualEncoding {
      host.note(
        "guide.encoding",
        "parts of the file are not in the encoding that it states; they were read as \(encoding)",
        page: nil)
    }
    if summary.tooFar > 0 {
      host.note(
        "guide.far", "\(summary.tooFar) programmes more than a year ahead were left out", page: nil)
    }
    if summary.programmes == 0 {
      host.note("guide.nothing", "no programme of a channel that is wanted was found", page: nil)
    }
  }

  private static func output(
    _ run: StepRun, _ store: GuideStore, _ settings: GuideSettings, _ summary: GuideLoad.Summary,
    _ found: SavedSearches.Found, _ now: Int64
  ) throws(PluginFailure) -> StepOutput {
    var facts = summary.json.setting("found", .integer(found.programmes.count))
    if !found.new.isEmpty {
      facts = facts.setting("news", .string(news(of: found.new, settings)))
    }
    var output = StepOutput(facts: facts, partial: summary.isCut)
    output.artifacts.append(
      try run.write(
        role: "json", name: "guide.json", mime: "application/json",
        bytes: summary.json(settings.clock).text))
    if run.options.flag("html") {
      var page = GuidePage(
        store: store, words: settings.words(now: now), zoneName: settings.zoneName)
      page.days = run.options.integer("days") ?? 14
      output.artifacts.append(
        try run.write(role: "html", name: "guide.html", mime: "text/html", bytes: page.make()))
    }
    if run.options.flag("calendar") {
      output.artifacts.append(
        try run.write(
          role: "calendar", name: "guide.ics", mime: "text/calendar",
          bytes: try store.calendar(of: found.programmes, now: now)))
    }
    return output
  }

  /// The most lines of what is told.
  private static let mostLines = 20

  private static func news(of programmes: [FoundProgramme], _ settings: GuideSettings) -> String {
    let list = ProgrammeText(clock: settings.clock).list(
      Array(programmes.prefix(mostLines)), byDay: false)
    let more = programmes.count - mostLines
    return more > 0 ? "\(list)… and \(more) more" : String(list.dropLast())
  }
}
