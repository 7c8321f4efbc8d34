import ArgumentParser
import Conveyor
import Files
import JobLedger
import Pipelines
import PlainText
import PluginKit
import ReadingArguments
import SystemPackage

struct JobsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jobs", abstract: "List jobs, the newest first.")

  @Option(name: .shortAndLong, help: "How many.")
  var number = 20

  @Flag(help: "Only those that ended in quarantine.")
  var quarantined = false

  @Flag(help: "Print as JSON Lines.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func run() throws {
    let active = try options.loadWithSpool()
    let ledger = try Ledger.reading(path: active.spool.appending(Spool.ledgerName.components))
    let rows =
      try ledger?.recent(limit: max(1, number), outcome: quarantined ? .quarantined : nil) ?? []
    for row in rows {
      if json {
        Console.print(line: JobText.json(row))
      } else {
        Console.print("\(JobText.line(row))")
      }
    }
    if rows.isEmpty, !json { Console.print("no jobs yet") }
  }
}

struct RetryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Take quarantined files up again: they go back into the inbox.")

  @Argument(help: "Files in the quarantine, by name or path.")
  var files: [String] = []

  @Flag(help: "All that are in the quarantine.")
  var all = false

  @OptionGroup var options: ConfigurationOption

  func validate() throws {
    guard all || !files.isEmpty else { throw ValidationError("Name a file, or say --all.") }
  }

  func run() async throws {
    let active = try options.loadWithSpool()
    let ledgerPath = active.spool.appending(Spool.ledgerName.components)
    guard let reader = try Ledger.reading(path: ledgerPath) else {
      Console.complain("procd: nothing was processed here yet")
      throw Status.inputQuarantined
    }
    let quarantine = active.folder(.quarantine)
    let rows = try reader.recent(limit: 100_000, outcome: .quarantined)
    let named = files.map { (absolute: absolutePath($0), typed: FilePath(typed: $0)) }
    var wanted: [FilePath] = [], failed = false
    for row in rows {
      guard var path = row.original, path.removePrefix(quarantine),
        (try? Folder.open(quarantine))?.holds(path) == true, !wanted.contains(path)
      else { continue }
      let name = path.lastComponent.map { FilePath(name: $0) }
      let matches = named.contains {
        $0.absolute == row.original || $0.typed == path || $0.typed == name
      }
      if all || matches { wanted.append(path) }
    }
    if !all, wanted.count < files.count {
      Console.complain(
        "procd: not all of these are in the quarantine; procd jobs --quarantined lists it")
      failed = true
    }
    let ledger = try Ledger(path: ledgerPath)
    for path in wanted {
      try await ledger.add(.retry(path), at: wallTime())
      Console.print("\(path.printable) will be tried again")
    }
    Spool.ringForRequests(in: active.spool)
    if let spool = try? Folder.open(active.spool), !wanted.isEmpty, spool.lock() {
      Console.print("no daemon runs; it happens at the next procd run")
    }
    if all {
      let others = Self.others(than: wanted, in: quarantine)
      for path in others.prefix(20) {
        Console.complain(
          "procd: \(path.printable) stays: no job put it there; move it into the inbox by hand")
      }
      if others.count > 20 { Console.complain("procd: and \(others.count - 20) more stay") }
      if wanted.isEmpty, others.isEmpty { Console.print("the quarantine is empty") }
    }
    if failed { throw Status.inputQuarantined }
  }

  /// What stands in the quarantine and is not tried again, without notes and reports.
  private static func others(than wanted: [FilePath], in quarantine: FilePath) -> [FilePath] {
    var others: [FilePath] = []
    var waiting: [(FilePath, Folder)] =
      (try? Folder.open(quarantine)).map { [(FilePath(), $0)] } ?? []
    while let (path, folder) = waiting.popLast() {
      for name in (try? folder.names()) ?? [] {
        guard let component = name.lastComponent, !name.string.hasPrefix(".procd"),
          !name.string.hasSuffix(".why.txt"), !name.string.hasSuffix(".report.json"),
          let status = try? folder.status(name)
        else { continue }
        let entry = path.appending(component)
        if wanted.contains(entry) { continue }
        if status.kind == .folder, let below = try? folder.folder(name) {
          waiting.append((entry, below))
        } else if status.kind == .regular {
          others.append(entry)
        }
      }
    }
    return others.sorted { $0.string < $1.string }
  }
}

extension Folder {
  /// Whether something stands at a path below this folder.
  fileprivate func holds(_ path: FilePath) -> Bool {
    guard let last = path.lastComponent,
      let folder = try? folder(path.removingLastComponent())
    else { return false }
    do { return try folder.exists(FilePath(name: last)) } catch { return false }
  }
}
