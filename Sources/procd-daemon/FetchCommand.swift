import ArgumentParser
import Conveyor
import Files
import Glibc
import Notices
import Pipelines
import PlainText
import Synchronization
import SystemPackage

struct FetchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Poll the sources now, and put new files into the inbox.",
    discussion: """
      A running procd does this by itself, each source at its interval; this command polls at \
      once. Exits with 0 if all sources could be polled, whether or not there was anything new, \
      and with 75 if one could not.
      """)

  @Argument(
    help: ArgumentHelp("Sources of the configuration; all if none is named.", valueName: "id"))
  var sources: [String] = []

  @OptionGroup var options: ConfigurationOption

  func run() async throws {
    signal(SIGPIPE, SIG_IGN)
    let active = try options.loadWithSpool(probed: .sources)
    let known = active.configuration.sources
    for name in sources where !known.contains(where: { $0.id == name }) {
      Console.complain(
        known.isEmpty
          ? "procd: the configuration has no sources"
          : "procd: there is no source \(name); known:"
            + " \(known.map(\.id).joined(separator: ", "))")
      throw ExitCode(64)
    }
    let wanted = sources.isEmpty ? known : known.filter { sources.contains($0.id) }
    if wanted.isEmpty { Console.print("the configuration has no sources") }
    let round = SourceRound(
      active, .ofThisProgram(active), Lists(spool: active.spool))
    var failed = false
    for source in wanted {
      let meter = DownloadMeter(source.id)
      let result = await round.ask(
        source, onlyWhenDue: false, while: { true },
        tell: { try Self.keep($0, active) }, progress: { meter.show($0, of: $1) })
      meter.clear()
      for (name, bytes) in result.files {
        Console.print(
          "\(source.id): \(name.plain) is new, \(ByteCount.text(bytes)); it is in the inbox")
      }
      failed = !say(result.outcome, source) || failed
    }
    if failed { throw Status.deferred }
  }

  /// The next `procd run` tells them.
  private static func keep(_ notices: [Notice], _ active: ActiveConfiguration) throws {
    guard !active.configuration.notify.isEmpty else { return }
    try NoticeQueue(path: active.spool.appending(NoticeQueue.fileName.components))
      .add(notices, for: active.configuration.notify, at: wallTime())
  }

  /// False where the source could not be asked.
  private func say(_ outcome: SourceRound.Outcome, _ source: Source) -> Bool {
    switch outcome {
    case .received: break
    case .unchanged, .early: Console.print("\(source.id): nothing new")
    case .failed(let failure):
      Console.complain("\(source.id): \(failure.message) [\(failure.code)]")
      return false
    case .busy, .stopped:
      Console.complain("\(source.id): another procd asks it just now")
      return false
    }
    return true
  }
}

/// How far a download is, on one line of a terminal that is written over.
final class DownloadMeter: Sendable {
  private let name: String
  private let isShown = Atomic<Bool>(false)

  init(_ name: String) { self.name = name }

  func show(_ done: Int, of total: Int?) {
    guard Console.errorsToTerminal else { return }
    isShown.store(true, ordering: .relaxed)
    let of = total.map { " of \(ByteCount.text($0))" } ?? ""
    Console.complain("\r\u{1B}[K\(name)  \(ByteCount.text(done))\(of)", end: "")
  }

  func clear() {
    if isShown.load(ordering: .relaxed) { Console.complain("\r\u{1B}[K", end: "") }
  }
}

/// Bytes in the unit that people read best.
enum ByteCount {
  static func text(_ bytes: Int) -> String {
    if bytes < 1000 { return "\(bytes) bytes" }
    if bytes < 1_000_000 { return tenths(bytes, 1000, "kB") }
    return bytes < 1_000_000_000
      ? tenths(bytes, 1_000_000, "MB") : tenths(bytes, 1_000_000_000, "GB")
  }

  private static func tenths(_ bytes: Int, _ unit: Int, _ name: String) -> String {
    let tenths = (bytes + unit / 20) / (unit / 10)
    return tenths < 100
      ? "\(tenths / 10).\(tenths % 10) \(name)" : "\((bytes + unit / 2) / unit) \(name)"
  }
}
