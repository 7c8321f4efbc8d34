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
      Checked: every result, report and original that stands where the ledger says is read whole and \
      held against its SHA-256; originals of done jobs stand in the archive, with their reports; \
      nothing stands in these folders that no job put there; no name is kept and no temporary file \
      left after its job; the ledger's file is sound.

      Not checked: results that are gone from the outbox and files that left the quarantine are \
      normal, they are counted (--all names them); files still in the inbox; times, owners and \
      modes; whether a result is right for its original; lists, notices and sources.

      Nothing is changed. Beside a running procd files may move while they are looked at: what it \
      has in hand is left out, and a difference that is gone when asked again was none. Ends with 0 \
      where all agrees, 1 with differences, 70 where the ledger is damaged, 75 where there is none.
      """)

  @Flag(help: "Also list what others have taken from the outbox and the quarantine.")
  var all = false

  @Flag(help: "Print JSON Lines: each difference, then what was looked at.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func run() throws {
    let active = try options.loadWithSpool()
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
