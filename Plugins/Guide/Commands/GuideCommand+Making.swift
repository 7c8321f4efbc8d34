internal import ArgumentParser
internal import Dates
internal import Glibc
internal import PluginCommands
internal import PluginKit

extension GuideCommand {
  /// Puts files into the guide, one after another; what is wrong with one does not keep the others out.
  struct Load: PluginCommand {
    static let configuration = CommandConfiguration(
      abstract: "Put XMLTV files into the guide, without an inbox.")

    @Argument(help: "XMLTV files, compressed with gzip or not; - for standard input.")
    var files: [String]

    @Option(
      name: [.customLong("only"), .customLong("channel")],
      help: "Keep only this channel; may be given several times.")
    var channels: [String] = []

    @Option(help: "How long programmes are kept after their end.")
    var keepPast = "7d"

    @OptionGroup var clock: ClockOptions
    @OptionGroup var form: JSONOption

    func execute() throws(PluginFailure) {
      let store = try GuideStore.open(folder: OpenGuide.folder()), now = Int64(time(nil))
      let settings = try clock.settings(store, keepPast: keepPast)
      var worst: PluginFailure?
      for file in files {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        do throws(PluginFailure) {
          let summary = try GuideLoad.run(
            file, into: store, name: name, filter: ChannelFilter(channels), zone: settings.zone,
            now: now, keepAfter: now - settings.keepPast)
          try report(name, summary, settings)
        } catch {
          CommandOutput.warn("\(name): \(error.message)")
          worst = error
        }
      }
      if var worst {
        worst.message = files.count > 1 ? "not all files were loaded" : "the file was not loaded"
        worst.hint = nil
        throw worst
      }
    }

    private func report(
      _ name: String, _ summary: GuideLoad.Summary, _ settings: GuideSettings
    ) throws(PluginFailure) {
      if form.json {
        let members = summary.json(settings.clock).members ?? []
        let line = JSON.object([JSON.Member("file", .string(name))] + members).line
        return try CommandOutput.write(line + [0x0A], to: nil)
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
        (summary.tooFar, "more than a year ahead left out"),
        (summary.mended, "mistakes read over"),
      ] where count > 0 { parts.append("\(count) \(what)") }
      try CommandOutput.print("\(name): \(parts.joined(separator: ", "))\n")
      if let encoding = summary.actualEncoding {
        CommandOutput.warn(
          "\(name): parts of the file are not in the encoding that it states; they were read as \(encoding)"
        )
      }
      if summary.isCut {
        CommandOutput.warn("\(name): the file ends in the middle; what came before was kept")
      }
    }
  }

  struct Page: PluginCommand {
    static let configuration = CommandConfiguration(abstract: "Make the page.")

    @Option(
      name: [.customShort("o", allowingJoined: true), .long],
      help: ArgumentHelp("The output file; standard output when left out.", valueName: "file"))
    var output: String?

    @Option(parsing: .unconditional, help: "The first day.")
    var from: String?

    @Option(help: "How many days, 1 to 60.")
    var days = 14

    @OptionGroup var channels: ChannelOptions
    @OptionGroup var clock: ClockOptions

    func validate() throws {
      guard (1...60).contains(days) else {
        throw ValidationError("--days needs a number from 1 to 60, not \(days)")
      }
    }

    func execute() throws(PluginFailure) {
      let guide = try OpenGuide(clock), words = guide.settings.words(now: guide.now)
      var page = GuidePage(store: guide.store, words: words, zoneName: guide.settings.zoneName)
      page.channels = channels.filter
      page.days = days
      if let from {
        guard let day = words.day(from) else {
          throw .typed("--from: \"\(from)\" is no day; write today, a weekday or 2026-01-05")
        }
        page.firstDay = day
      }
      try CommandOutput.write(try page.make(), to: output)
    }
  }
}
