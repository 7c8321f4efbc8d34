internal import Glibc
internal import PluginKit

/// `procd guide …`: looks into the guide, loads files, makes the page.
struct GuideCommand {
  let arguments: Arguments
  let folder: String
  let now: Int64

  /// Why a command ended without its result, and the exit status that says so.
  struct Stop: Error {
    var message: String
    var status: Int32
    static let usage: Int32 = 64, input: Int32 = 65, later: Int32 = 75, options: Int32 = 78
    static let internalFault: Int32 = 70
  }

  static let usage = """
    usage: procd guide now [--at TIME] [--channel CHANNEL] [--json]
           procd guide day [DATE] [--channel CHANNEL] [--json]
           procd guide search TERM... [--any|--all] [--channel CHANNEL] [--from TIME] [--to TIME]
                              [--limit N] [--json]
           procd guide show ID [--json]
           procd guide channels [--json]
           procd guide load FILE... [--only CHANNEL] [--keep-past 7d] [--json]
           procd guide page -o FILE [--from DATE] [--days N] [--channel CHANNEL]

    DATE is today, tomorrow, a weekday, +2 or 2026-01-05. TIME is a DATE, 20:15 or 2026-01-05T20:15.
    A CHANNEL is an identifier or a name, with * for any letters; the option may be given several times.
    --zone Europe/Berlin shows times there, --day-starts 05:00 says when a day of the guide begins.

    """

  static func run(_ words: [String], folder: String?, now: Int64) -> Int32 {
    do throws(Stop) {
      let arguments: Arguments
      do throws(Arguments.Mistake) { arguments = try Arguments(words) } catch {
        throw Stop(message: "\(error.message)\n\(usage)", status: Stop.usage)
      }
      if arguments.flags.contains("--help") || arguments.words.first == "help" {
        Output.print(usage)
        return 0
      }
      guard let folder else {
        throw Stop(message: "there is no folder for the guide", status: Stop.internalFault)
      }
      try GuideCommand(arguments: arguments, folder: folder, now: now).run()
      return 0
    } catch {
      Output.complain("procd guide: \(ProgrammeText.plain(error.message))")
      return error.status
    }
  }

  private func run() throws(Stop) {
    do throws(PluginFailure) {
      switch arguments.words.first {
      case "now": try showNow()
      case "day": try showDay()
      case "search": try search()
      case "show": try show()
      case "channels": try showChannels()
      case "load": try load()
      case "page": try page()
      case let word?: throw Self.mistake("there is no command \"\(word)\"\n\(Self.usage)")
      case nil: throw Self.mistake("what is to be done?\n\(Self.usage)")
      }
    } catch {
      throw Stop(
        message: error.hint.map { "\(error.message); \($0)" } ?? error.message,
        status: Self.status(error))
    }
  }

  private static func status(_ failure: PluginFailure) -> Int32 {
    switch failure.class {
    case .input: Stop.input
    case .transient: Stop.later
    case .options: failure.code == "guide.usage" ? Stop.usage : Stop.options
    case .internal, .cancelled: Stop.internalFault
    }
  }

  static func mistake(_ message: String) -> PluginFailure {
    PluginFailure(.options, "guide.usage", message)
  }

  // MARK: - What all need

  /// The guide and how times are shown: as asked for, else as files were loaded.
  func opened() throws(PluginFailure) -> (store: GuideStore, settings: GuideSettings) {
    guard let store = try GuideStore.reading(folder: folder) else {
      throw PluginFailure(
        .input, "guide.none", "the guide is empty: nothing was loaded yet",
        hint: "procd guide load FILE")
    }
    return (store, try settings(store))
  }

  func settings(_ store: GuideStore) throws(PluginFailure) -> GuideSettings {
    let zone = try store.setting("zone"), dayStarts = try store.setting("dayStarts")
    return try GuideSettings(
      zone: arguments["--zone"] ?? zone ?? "",
      dayStarts: arguments["--day-starts"] ?? dayStarts ?? "05:00",
      keepPast: arguments["--keep-past"] ?? "7d")
  }

  var channels: ChannelFilter { ChannelFilter(arguments.all("--channel")) }

  /// A number that an option gives.
  func number(_ option: String, in range: ClosedRange<Int>) throws(PluginFailure) -> Int? {
    guard let text = arguments[option] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw Self.mistake(
        "\(option) needs a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
    }
    return number
  }

  /// A time that an option gives.
  func time(_ option: String, _ settings: GuideSettings) throws(PluginFailure) -> Int64? {
    guard let word = arguments[option] else { return nil }
    var words = settings.words(now: now)
    guard let time = words.time(word) else {
      throw Self.mistake(
        "\(option): \"\(word)\" is no time; write 20:15, 2026-01-05, 2026-01-05T20:15 or a weekday")
    }
    return time
  }

  /// No more words than a command takes.
  func words(atMost count: Int) throws(PluginFailure) -> ArraySlice<String> {
    guard arguments.words.count <= count + 1 else {
      throw Self.mistake("\"\(arguments.words[count + 1])\" is one word too many")
    }
    return arguments.words.dropFirst()
  }
}
