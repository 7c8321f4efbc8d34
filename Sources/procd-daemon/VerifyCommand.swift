import ArgumentParser
import Conveyor
import Files
import Glibc
import JobLedger
import Pipelines
import PlainText
import PluginKit
import SystemPackage

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check that outbox, archive, quarantine and ledger agree.",
    discussion: """
      Checked: every result, report and original that is where the ledger says is read completely \
      and compared with its SHA-256; originals of finished jobs are in the archive, with their \
      reports; these folders contain nothing that no job put there; no reserved name and no \
      temporary file is left from a finished job; the ledger's file is sound.

      Not checked: results that are gone from the outbox and files that left the quarantine, which \
      is normal (they are counted, and listed with --all); files still in the inbox; times, owners \
      and modes; whether a result is right for its original; lists, notices and sources.

      Nothing is changed. While procd runs, files may move during the check: files in progress are \
      left out, and a difference that is gone when checked again does not count. Exits with 0 if \
      all agrees, 1 if there are differences, 70 if the ledger is damaged, 75 if there is none.
      """)

  @Flag(help: "Also list what others have taken from the outbox and the quarantine.")
  var all = false

  @Flag(help: "Print JSON Lines: each difference, then what was looked at.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func run() throws {
    let active = try options.loadWithSpool(probed: .all)
    let counts: VerifiedCounts
    do {
      counts =
        DaemonLock.isHeld(active) ? try besideDaemon(active) : try verify(active, show)
    } catch let failure as Verification.Failure {
      Console.complain("procd: \(failure.message)")
      throw Status.deferred
    }
    if json {
      Console.print(line: counts.json)
    } else {
      if let note = counts.note { Console.complain("procd: \(note)") }
      let taken = counts.taken > 0 ? ", \(counts.taken) taken away" : ""
      let letGo = counts.letGo > 0 ? ", \(counts.letGo) let go" : ""
      let result =
        counts.differences == 0
        ? counts.taken > 0 ? "all that is there agrees" : "all agrees"
        : "\(counts.differences) difference\(counts.differences == 1 ? "" : "s")"
      Console.print(
        "\(counts.jobs) jobs, \(counts.files) files, \(ByteCount.text(counts.bytes))\(taken)\(letGo):"
          + " \(result)")
    }
    if counts.differences > 0 { throw ExitCode(1) }
  }

  private func show(_ difference: Difference) {
    guard difference.kind != .taken || all else { return }
    if json {
      Console.print(line: difference.json)
    } else {
      Console.print(PlainText(lines: Self.line(difference)))
    }
  }

  private func verify(
    _ active: ActiveConfiguration, beside daemonRuns: Bool = false,
    _ tell: @escaping (Difference) -> Void
  ) throws -> VerifiedCounts {
    let verification = try Verification(active, tell: tell)
    try verification.run(daemonRuns: daemonRuns)
    return verification.counts
  }

  /// More differences than this are no matter of files on their way.
  private static let mostOnTheirWay = 10_000

  /// Files move while they are looked at: what differs is looked at once more, and what does not differ then
  /// was none.
  private func besideDaemon(_ active: ActiveConfiguration) throws -> VerifiedCounts {
    func key(_ difference: Difference) -> String {
      "\(difference.kind) \(difference.place)/\(difference.path)"
    }
    var suspects: [String: Difference] = [:], areTooMany = false
    let first = try verify(active, beside: true) { difference in
      if difference.kind == .taken || areTooMany { return show(difference) }
      suspects[key(difference)] = difference
      guard suspects.count > Self.mostOnTheirWay else { return }
      areTooMany = true
      suspects.values.forEach(show)
      suspects = [:]
    }
    guard first.differences > 0, !areTooMany else { return first }
    var both = 0
    var counts = try verify(active, beside: true) { difference in
      guard difference.kind != .taken, suspects[key(difference)] != nil else { return }
      both += 1
      show(difference)
    }
    counts.differences = both
    return counts
  }

  private static func line(_ difference: Difference) -> String {
    let kind = ShownText.padded(difference.kind.rawValue, to: 10)
    let job = difference.job.map { " (job \($0))" } ?? ""
    return "\(kind) \(difference.place)/\(difference.path.printable)\(job):"
      + " \(difference.message.plain)"
  }
}
