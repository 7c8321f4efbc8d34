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

  @Option(name: .shortAndLong, help: "How many; by default 20, or all with --quarantined.")
  var number: Int?

  @Flag(help: "Only those whose file is in quarantine.")
  var quarantined = false

  @Flag(help: "Print as JSON Lines.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func run() throws {
    let active = try options.loadWithSpool(probed: .all)
    let ledger = try Ledger.reading(path: active.spool.appending(Spool.ledgerName.components))
    let limit = max(1, number ?? (quarantined ? .max : 20))
    var rows: [(row: JobRow, path: FilePath?)] = []
    if let ledger, quarantined {
      for (row, path) in try Quarantined(in: active, ledger).rows(limit: limit) {
        rows.append((row, path))
      }
    } else if let ledger {
      for row in try ledger.recent(limit: limit) { rows.append((row, nil)) }
    }
    for (row, path) in rows {
      if json {
        Console.print(line: JobText.json(row, in: active))
      } else {
        // By the name that procd retry takes, where another file has that under which it came.
        let name = path.flatMap { $0 == row.path ? nil : ", there as \($0.printable)" }
        Console.print("\(JobText.line(row) + (name ?? ""))")
      }
    }
    if rows.isEmpty, !json {
      Console.print(
        quarantined ? "the quarantine holds no file that a job put there" : "no jobs yet")
    }
  }
}

struct RetryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Try quarantined files again: they go back into the inbox.")

  @Argument(help: "Files in the quarantine, by name or path.")
  var files: [String] = []

  @Flag(help: "All that are in the quarantine.")
  var all = false

  @OptionGroup var options: ConfigurationOption

  func validate() throws {
    guard all || !files.isEmpty else { throw ValidationError("Name a file, or say --all.") }
  }

  func run() async throws {
    let active = try options.loadWithSpool(probed: .all)
    RunningRules.tell(active)
    let ledgerPath = active.spool.appending(Spool.ledgerName.components)
    guard let reader = try Ledger.reading(path: ledgerPath) else {
      Console.complain("procd: nothing has been processed here yet")
      throw Status.inputQuarantined
    }
    let quarantined = try Quarantined(in: active, reader), standing = quarantined.paths
    var wanted: [FilePath] = all ? standing : [], unknown: [String] = []
    for file in files {
      let absolute = absolutePath(file), typed = FilePath(typed: file), shown = file.plain
      let whole = standing.filter { $0 == typed }
      var found =
        !whole.isEmpty
        ? whole
        : standing.filter { absolute == active.folder(.quarantine).appending($0.components) }
      // By the name under which it came, which several may have had and what came with others has not there.
      let rows = found.isEmpty ? try quarantined.rows() : []
      if found.isEmpty { found = rows.filter { $0.row.path == typed }.map(\.path) }
      if found.isEmpty {
        found = rows.filter { row, path in
          [row.path, path].contains { $0.lastComponent.map { FilePath(name: $0) } == typed }
        }.map(\.path)
      }
      // As `jobs` shows a name that holds a line break, or in another Unicode normal form.
      if found.isEmpty, file.hasSeveralSpellings {
        found = rows.filter { $0.row.path.isShown(as: shown) || $0.path.isShown(as: shown) }
          .map(\.path)
      }
      wanted += found.filter { !wanted.contains($0) }
      if found.isEmpty { unknown.append(typed.printable) }
    }
    for name in unknown {
      Console.complain("procd: no job put \(name) into quarantine, or it is no longer there")
    }
    if !unknown.isEmpty { Console.complain("procd: procd jobs --quarantined lists what is there") }
    let (accepted, repeated, hindered) = try await RetryRequest(active).make(wanted)
    for path in hindered {
      Console.complain(
        "procd: \(path.printable) stays in quarantine: the inbox has a file of the same name, which must be taken first"
      )
    }
    wanted = accepted
    Spool.ringForRequests(in: active.spool)
    let isAlone = (try? Folder.open(active.spool))?.lock() ?? false
    let when =
      isAlone ? "will go back into the inbox at the next procd run" : "goes back into the inbox now"
    for path in wanted {
      let before = repeated.contains(path) ? ", as was asked before" : ""
      Console.print("\(path.printable) \(when)\(before)")
    }
    var stays = !hindered.isEmpty || !unknown.isEmpty
    if all {
      let others = Self.others(than: wanted + hindered, in: active.folder(.quarantine))
      for path in others.prefix(20) {
        Console.complain(
          "procd: \(path.printable) stays in quarantine: no job put it there; move it into the inbox by hand"
        )
      }
      if others.count > 20 {
        Console.complain("procd: and \(others.count - 20) more stay in quarantine")
      }
      if wanted.isEmpty, others.isEmpty { Console.print("the quarantine is empty") }
      stays = stays || !others.isEmpty
    }
    if stays { throw Status.inputQuarantined }
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

/// Asks for quarantined files to be taken up again.
struct RetryRequest {
  private let active: ActiveConfiguration

  init(_ active: ActiveConfiguration) { self.active = active }

  /// - Parameter paths: relative to the quarantine.
  /// - Returns: those that are asked for, which of them had been asked for before, and those whose name in the inbox is
  ///   taken.
  func make(
    _ paths: [FilePath]
  ) async throws(LedgerError) -> (accepted: [FilePath], repeated: [FilePath], hindered: [FilePath])
  {
    let ledger = try Ledger(path: active.spool.appending(Spool.ledgerName.components))
    let inbox = try? Folder.open(active.inbox)
    var accepted: [FilePath] = [], repeated: [FilePath] = [], hindered: [FilePath] = []
    var wanted: [(path: FilePath, row: JobRow?)] = []
    for path in paths {
      let original = active.original(in: .quarantine, at: path)
      wanted.append((path, try ledger.reader.job(original: original)))
    }
    // In the order in which they came: of several of one name, the newest is to be the last again.
    for (path, row) in wanted.sorted(by: { ($0.row?.id ?? "") < ($1.row?.id ?? "") }) {
      if let row, inbox?.holds(row.path) == true {
        hindered.append(path)
      } else {
        if try await !ledger.add(.retry(path), at: wallTime()) { repeated.append(path) }
        accepted.append(path)
      }
    }
    return (accepted, repeated, hindered)
  }
}

/// The files of jobs that are in the quarantine, those of the newest jobs first.
struct Quarantined {
  private let ledger: LedgerReader
  private let jobs: [String]
  /// Where they lie, relative to the quarantine.
  let paths: [FilePath]

  init(in active: ActiveConfiguration, _ ledger: LedgerReader) throws(LedgerError) {
    self.ledger = ledger
    let place = active.folder(.quarantine)
    guard let folder = try? Folder.open(place) else {
      (jobs, paths) = ([], [])
      return
    }
    var jobs: [String] = [], paths: [FilePath] = [], seen: Set<FilePath> = []
    for (job, original) in try ledger.quarantinedOriginals() {
      let path = original.standing(in: place).path
      guard original.place == .quarantine, seen.insert(path).inserted, folder.holds(path) else {
        continue
      }
      jobs.append(job)
      paths.append(path)
    }
    (self.jobs, self.paths) = (jobs, paths)
  }

  /// The jobs of some of them.
  func rows(offset: Int = 0, limit: Int = .max) throws(LedgerError) -> [(
    row: JobRow, path: FilePath
  )] {
    var rows: [(JobRow, FilePath)] = []
    for (job, path) in zip(jobs, paths).dropFirst(offset).prefix(limit) {
      if let row = try ledger.job(job) { rows.append((row, path)) }
    }
    return rows
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
