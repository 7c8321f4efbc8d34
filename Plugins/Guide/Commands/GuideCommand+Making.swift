internal import PluginKit

extension GuideCommand {
  /// Puts files into the guide, one after another; what is wrong with one does not keep the others out.
  func load() throws(PluginFailure) {
    let files = arguments.words.dropFirst()
    guard !files.isEmpty else { throw Self.mistake("name the files that are to be loaded") }
    let store = try GuideStore.open(folder: folder)
    let settings = try settings(store)
    let filter = ChannelFilter(arguments.all("--only") + arguments.all("--channel"))
    var worst: PluginFailure?
    for file in files {
      let name = file.split(separator: "/").last.map(String.init) ?? file
      do throws(PluginFailure) {
        let summary = try GuideLoad.run(
          file, into: store, name: name, filter: filter, zone: settings.zone,
          now: now, keepAfter: now - settings.keepPast)
        report(name, summary, settings)
      } catch {
        Output.complain("procd guide: \(ProgrammeText.plain("\(name): \(error.message)"))")
        worst = error
      }
    }
    if var worst {
      worst.message = files.count > 1 ? "not all files were loaded" : "the file was not loaded"
      worst.hint = nil
      throw worst
    }
  }

  private func report(_ name: String, _ summary: GuideLoad.Summary, _ settings: GuideSettings) {
    if isJSON {
      let members = summary.json(settings.clock).members ?? []
      Output.print(JSON.object([JSON.Member("file", .string(name))] + members).line + [0x0A])
      return
    }
    var parts = [
      "\(summary.programmes) programmes on \(summary.channels) channels: \(summary.added) new,"
        + " \(summary.unchanged) known"
    ]
    for (count, what) in [
      (summary.replaced, "replaced"), (summary.removed, "past ones removed"),
      (summary.leftOut, "of other channels left out"), (summary.repaired.doubled, "given twice"),
      (summary.repaired.overlaps, "overlaps shortened"),
      (summary.repaired.stopsAdded, "ends added"), (summary.withoutTime, "without a usable time"),
      (summary.mended, "mistakes read over"),
    ] where count > 0 { parts.append("\(count) \(what)") }
    Output.print(ProgrammeText.plain("\(name): \(parts.joined(separator: ", "))\n"))
    if summary.isCut {
      Output.complain(
        "procd guide: \(ProgrammeText.plain(name)): the file ends in the middle; what came before was kept"
      )
    }
  }

  /// Writes the page.
  func page() throws(PluginFailure) {
    _ = try words(atMost: 0)
    let (store, settings) = try opened()
    var page = GuidePage(
      store: store, words: settings.words(now: now), zoneName: settings.zoneName)
    page.channels = channels
    page.days = try number("--days", in: 1...60) ?? 14
    if let word = arguments["--from"] {
      guard let day = settings.words(now: now).day(word) else {
        throw Self.mistake("--from: \"\(word)\" is no day; write today, a weekday or 2026-01-05")
      }
      page.firstDay = day
    }
    try Output.write(try page.make(), to: arguments["--output"] ?? "-")
  }
}
