import ArgumentParser
import Conveyor
import Files
import JobLedger
import Pipelines
import PlainText
import PluginKit
import SystemPackage

struct CleanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Delete archived originals that are past their retention time.",
    discussion: """
      The retention time is "keep" of the rule that took the file, or else of "archive" in the \
      configuration, counted from the end of the job in the ledger. A running procd deletes expired originals every hour; this command does \
      so now, even while procd runs. With --keep you can also clean an archive whose configuration \
      keeps everything forever.

      An original is deleted only if the ledger knows it and its content still matches its \
      SHA-256. The copy of its report beside it is deleted too; results, reports in the outbox, \
      the quarantine and the history stay. Exits with 0, or with 75 if something could not be read \
      or deleted.
      """)

  @Flag(help: "Only list what would be deleted.")
  var dryRun = false

  @Option(
    help: "A retention time other than the configuration's, such as 30d or 12h; no deletes all.")
  var keep: String?

  @Flag(help: "Print JSON Lines.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func validate() throws {
    guard let keep, keep != "no", Quantity.milliseconds(keep) == nil else { return }
    throw ValidationError("--keep wants a time with a unit such as 30d or 12h, or no.")
  }

  func run() async throws {
    let active = try options.loadWithSpool(probed: .all)
    let wanted = keep.map { $0 == "no" ? 0 : Quantity.milliseconds($0) ?? 0 }
    guard wanted != nil || !active.configuration.keepTimes.isEmpty else {
      let text: PlainText = "the archive keeps originals forever; --keep 30d deletes older ones"
      json ? Console.complain(text) : Console.print(text)
      return
    }
    let path = active.spool.appending(Spool.ledgerName.components)
    guard let reader = try Ledger.reading(path: path) else {
      Console.print("nothing has been processed here yet")
      return
    }
    var files = 0, bytes = 0
    do {
      try await Retention(active, reader).run(
        keep: wanted, at: wallTime(), writing: dryRun ? nil : try Ledger(path: path)
      ) { retired in
        show(retired)
        if retired.fate == .removed { (files, bytes) = (files + 1, bytes + retired.job.size) }
      }
    } catch let error as LedgerError where dryRun && "\(error)".contains("no such column") {
      Console.print("the ledger is of an older version: start procd once, then ask again")
      return
    } catch {
      Console.complain("procd: the archive could not be cleaned: \(error)")
      throw Status.deferred
    }
    guard !json else { return }
    let what = "\(files) original\(files == 1 ? "" : "s"), \(ByteCount.text(bytes))"
    Console.print(dryRun ? "\(what) would go" : "\(what) let go")
  }

  private func show(_ retired: Retention.RetiredOriginal) {
    let fate =
      switch retired.fate {
      case .removed: dryRun ? "would go" : "let go"
      case .wasGone: "was gone"
      case .isAnother: "stays"
      }
    let finished = retired.job.finished.map { timestamp($0) }
    if json {
      let line: JSON = [
        "path": .string(retired.path.repaired.text), "job": .string(retired.job.id),
        "fate": .string(fate), "bytes": .integer(retired.job.size),
        "finished": finished.map { .string($0) },
      ]
      return Console.print(line: line)
    }
    let day = finished.map { " (done \($0.prefix(10)))" } ?? ""
    let why = retired.fate == .isAnother ? ": it is not what was archived" : ""
    Console.print("\(ShownText.padded(fate, to: 8)) \(retired.path.printable)\(day)\(why)")
  }
}
