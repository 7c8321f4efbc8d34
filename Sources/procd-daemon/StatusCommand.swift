import ArgumentParser
import Conveyor
import Files
import Glibc
import Intake
import JobLedger
import Pipelines
import PlainText
import PluginKit
import ReadingArguments
import SystemPackage

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what is running and what is waiting and why, or the history of one file.")

  @Argument(help: "A file, by name or path below the inbox.")
  var file: String?

  @Flag(help: "Print as JSON.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func run() throws {
    guard let looked = try options.loadToLook(orTell: file == nil ? tell : nil) else { return }
    try ConfigurationOption.becomeOwner(of: looked.spool)
    // A spool that the configuration names by now may not be there yet.
    let isClosed = ConfigurationOption.isClosed(looked.spool)
    if file == nil, isClosed || !looked.spool.allows(F_OK),
      let answer = StatusAnswer.ask(looked), tell(answer)
    {
      let health = StatusAnswer.health(answer)?.asked(for: looked)
      if let health, health.other != nil { Console.complain("procd: \(health.sentence)") }
      return
    }
    if file == nil, looked.statusSocket != nil, isClosed {
      Console.complain("procd: \(Health.unanswered(looked).sentence)")
    }
    try ConfigurationOption.open(looked)
    ConfigurationOption.tellLoss(looked)
    if file != nil { try ConfigurationOption.refuseSilent(looked, .all) }
    let path = options.path()
    let view = try StatusView(active: looked, configuration: path)
    if let file {
      try view.story(of: file, json: json)
    } else if json {
      Console.print(json: try view.json())
    } else {
      Console.print(PlainText(lines: try view.text()))
    }
  }

  /// Prints what the running procd answered; false where it could not tell.
  private func tell(_ answer: JSON) -> Bool {
    guard let text = answer["text"]?.stringValue else { return false }
    json ? Console.print(json: answer["status"] ?? .null) : Console.print(PlainText(lines: text))
    return true
  }
}

/// What `status` sees: the ledger, the inbox, the lock.
struct StatusView {
  let active: ActiveConfiguration
  let configuration: FilePath
  private let ledger: LedgerReader?
  private let waiting: [(path: FilePath, reason: WaitReason)]
  private let polls: Bool
  let health: Health
  /// The folders that do not answer, which are not looked into.
  private let silent: [SilentFolder]
  /// How many files of jobs the quarantine has.
  private let quarantined: Int
  /// Whether this process is the daemon.
  private let isDaemon: Bool

  /// - Parameters:
  ///   - isWaiting: whether this process is the daemon, and waits for a disk at its start.
  ///   - running: the daemon's own, which knows more than its folders show if their disk is gone.
  init(
    active: ActiveConfiguration, configuration: FilePath, isWaiting: Bool = false,
    running: Conveyor? = nil
  ) throws {
    self.active = active
    isDaemon = isWaiting || running != nil
    self.configuration = configuration
    silent = active.silentFolders()
    health = running?.health ?? Health.ask(active)
    let ledger =
      try running?.ledger.reader
      ?? Ledger.reading(path: active.spool.appending(Spool.ledgerName.components))
    self.ledger = ledger
    let looks = active.answer(.quarantine)
    quarantined = try ledger.map { looks ? try Quarantined(in: active, $0).paths.count : 0 } ?? 0
    guard active.silentFolders(.inbox).isEmpty, let folder = try? Folder.open(active.inbox) else {
      waiting = []
      polls = false
      return
    }
    let inbox = active.inboxFolder(wake: nil)
    try inbox.scan(at: wallTime())
    // One that waits for a disk is not known to have a right or not.
    let takesLeases =
      ServiceRights.allowLeases(spool: active.spool)
      || health.pulse == nil && active.missingPlace != nil
    let stuck = health.pulse?.stuck ?? [:]
    let isStopped = health.pulse?.paused != nil
    waiting = inbox.judged(at: wallTime()).map { path, found in
      // It has been quiet; if somebody has it open the running procd would have said so.
      let reason = found == .settlingUnleased && takesLeases ? .due : found
      if reason == .due, isStopped { return (path, .paused) }
      // What the running procd found out, which may be another user's, and may more than this one.
      if let text = stuck[path.printable] { return (path, WaitReason(told: text)) }
      return (path, reason)
    }
    polls =
      health.pulse?.polls ?? false || active.configuration.inbox.watch == .poll
      || (active.configuration.inbox.watch == .auto
        && !EventSafety.isSafe(folder.fileSystemType()))
  }

  /// The daemon's process, nil where none runs.
  private var daemon: String? {
    if isDaemon { return "\(getpid())" }
    if health.pulse == nil, let waiting = WaitingRun.process(of: active) { return "\(waiting)" }
    guard let spool = try? Folder.open(active.spool) else { return nil }
    if spool.lock() { return nil }
    let pid = try? spool.reading("daemon.pid").readAll(limit: 100)
    return pid.map { String(decoding: $0, as: UTF8.self).filter(\.isNumber) } ?? "unknown"
  }

  /// Why the daemon takes nothing in, where one runs that does not.
  private var standstill: [String] {
    if !silent.isEmpty { return silent.map(\.sentence) }
    // One that waits for a disk at its start has nothing yet that could be asked.
    if health.pulse == nil, let missing = active.missingPlace { return [missing] }
    guard health.pulse != nil || daemon != nil || health.isOutOfReach, !health.isWell else {
      return []
    }
    // A file that stays is told among the others of the inbox; they are taken.
    if health.sentence == health.pulse?.overdue { return [] }
    return [health.pulse?.paused ?? health.pulse?.blocked ?? health.sentence]
  }

  private var troubles: [String] {
    (health.pulse?.troubles ?? []) + [RunningRules.note(active, health.pulse)].compactMap(\.self)
  }

  func text() throws -> String {
    var lines = ["configuration  \(configuration.printable)"]
    let absence = health.isOutOfReach ? "cannot be asked" : "does not run"
    lines.append("daemon         \(daemon.map { "runs as process \($0)" } ?? absence)")
    let how =
      polls ? "looked at every \(active.configuration.inbox.poll / 1000) s" : "watched by events"
    lines.append("inbox          \(active.inbox.printable) (\(how))")
    lines += standstill.map { "stopped        \($0)" } + troubles.map { "problem        \($0)" }
    lines += (health.pulse?.fleet ?? []).map { "fleet          \($0)" }
    let totals = try ledger?.totals() ?? LedgerReader.Totals()
    lines.append(
      "processed      \(totals.done) done, \(totals.quarantined) quarantined,"
        + " \(totals.duplicates) duplicates")
    if quarantined > 0 {
      lines.append("in quarantine  \(quarantined), see procd jobs --quarantined")
    }
    let unfinished = try ledger?.unfinished() ?? []
    lines.append("in work        \(unfinished.count)")
    let live = unfinished.isEmpty ? nil : LiveBoard.ask(spool: active.spool)
    let steps = Self.steps(live), busy = unfinished.filter { steps[$0.id] != nil }
    for row in (busy + unfinished.filter { steps[$0.id] == nil }).prefix(50) {
      lines.append(
        "  \(row.path.printable): \(describe(row, step: steps[row.id], isLive: live != nil))")
    }
    if unfinished.count > 50 {
      lines.append("  … and \(unfinished.count - 50) more (--json lists all)")
    }
    let files = waiting.filter { !$0.reason.isIgnored }
    let ignored = waiting.count - files.count
    let left = files.count { !$0.reason.willPass && !$0.reason.isForPartner }
    lines.append(
      "in the inbox   \(files.count)\(left > 0 ? "; \(left) of them cannot be taken, see why below" : "")"
        + (ignored > 0 ? "; and \(ignored) ignored" : ""))
    let groups = Staying.groups(files)
    for staying in groups.prefix(50) {
      let files = staying.count > 1 ? "\(staying.count) files " : ""
      lines.append(
        "  \(staying.path.printable): \(files)\(staying.text(in: active.inbox))")
    }
    if groups.count > 50 { lines.append("  … and \(groups.count - 50) more (--json lists all)") }
    lines += try ListsView(active: active).lines()
    return lines.joined(separator: "\n")
  }

  /// What runs of each job, as the running procd says.
  private static func steps(_ live: JSON?) -> [String: String] {
    var steps: [String: String] = [:]
    for busy in live?["busy"]?.arrayValue ?? [] {
      guard let job = busy["job"]?.stringValue, let step = busy["step"]?.stringValue else {
        continue
      }
      var told = step
      if let done = busy["done"]?.integerValue, let total = busy["total"]?.integerValue {
        told += ", \(done) of \(total)\(busy["unit"]?.stringValue.map { " \($0)s" } ?? "")"
      }
      steps[job] = (steps[job].map { "\($0); " } ?? "") + told
    }
    return steps
  }

  /// - Parameters:
  ///   - step: what runs of it.
  ///   - isLive: whether a procd runs that says what does.
  private func describe(_ row: JobRow, step: String?, isLive: Bool) -> String {
    if step == nil, row.errorCode == JobRow.heldUp, let message = row.errorMessage {
      return "is tried again, or at the next start: \(message.plain)"
    }
    return switch row.state {
    case .claimed, .running:
      (row.pipeline.map { "taken by the rule \($0)" } ?? (isLive ? "taken" : "claimed"))
        + (row.suspect ? ", alone" : "")
        + (step.map { ": runs \($0)" } ?? (isLive ? "; waits for its turn" : ""))
    case .waiting:
      "waits until \(row.notBefore.map(timestamp) ?? "the next start")"
        + (row.errorMessage.map { ": \($0)" } ?? "")
    case .publishing: "is being published"
    case .done: "done"
    }
  }

  func json() throws -> JSON {
    let totals = try ledger?.totals() ?? LedgerReader.Totals()
    return [
      "configuration": .string(configuration.printable), "daemon": daemon.map { .string($0) },
      "paused": standstill.first.map { .string($0) },
      "troubles": .array(troubles.map { .string($0) }),
      "fleet": health.pulse.flatMap { pulse in
        pulse.fleet.isEmpty ? nil : .array(pulse.fleet.map { .string($0) })
      },
      "inbox": .string(active.inbox.printable), "watch": polls ? "poll" : "events",
      "done": .integer(totals.done), "quarantined": .integer(totals.quarantined),
      "duplicates": .integer(totals.duplicates),
      "inQuarantine": .integer(quarantined),
      "jobs": .array((try ledger?.unfinished() ?? []).map { JobText.json($0, in: active) }),
      "waiting": .array(
        waiting.map {
          [
            "path": .string($0.path.repaired.text), "reason": .string($0.reason.text),
            "code": $0.reason.code.map { .string($0) }, "willPass": .bool($0.reason.willPass),
            "ignored": $0.reason.isIgnored ? true : nil,
          ]
        }),
      "lists": try ListsView(active: active).listsJSON(),
      "sources": ListsView(active: active).sourcesJSON(),
      "notify": try ListsView(active: active).notifyJSON(),
    ]
  }

  /// Everything that is known of one file.
  func story(of file: String, json: Bool) throws {
    let jobs = try jobs(of: file), relative = pathInInbox(file)
    let spellings = [file.plain, relative.printable]
    let here = waiting.first { $0.path == relative || spellings.contains($0.path.printable) }
    guard !jobs.isEmpty || here != nil else {
      Console.complain("procd: nothing is known of \(file)")
      throw Status.inputQuarantined
    }
    let stories = try jobs.map { (row: $0, fate: try isGone($0) ? try fate($0) : nil) }
    if json {
      Console.print(json: [
        "waiting": here.map { .string($0.reason.text) },
        "jobs": .array(stories.map { JobText.json($0.row, in: active, isGone: $0.fate != nil) }),
      ])
      return
    }
    if let here {
      Console.print("\(here.path.printable) stands in the inbox and \(here.reason.text)")
      if let why = health.pulse.map(\.paused) ?? active.missingPlace ?? "it does not run" {
        Console.print("procd takes in no files now: \(why.plain)")
      }
    }
    for story in stories {
      Console.print(
        PlainText(lines: JobText.story(story.row, fate: story.fate, in: active)))
    }
  }

  /// Returns the path in the inbox for a path or name that the user typed.
  private func pathInInbox(_ typed: String) -> FilePath {
    var path = absolutePath(typed)
    return path.removePrefix(active.inbox) ? path : FilePath(typed: typed)
  }

  /// The jobs of a file, the newest first: by its path or name in the inbox, as it is shown, or by a file that procd put
  /// somewhere.
  func jobs(of file: String) throws -> [JobRow] {
    let relative = pathInInbox(file)
    var jobs = try ledger?.jobs(path: relative) ?? []
    if jobs.isEmpty { jobs = try ledger?.jobs(named: file) ?? [] }
    if jobs.isEmpty { jobs = try self.jobs(behind: absolutePath(file)) }
    if jobs.isEmpty, file.hasSeveralSpellings {
      let spellings = [file.plain, relative.printable]
      jobs = try ledger?.jobs(unusual: { spellings.contains(where: $0.isShown) }) ?? []
    }
    return jobs
  }

  /// The jobs of a file that procd put somewhere: an original, a report, a result.
  private func jobs(behind file: FilePath) throws -> [JobRow] {
    guard let ledger else { return [] }
    if let original = active.original(at: file), let job = try ledger.job(original: original) {
      return [job]
    }
    var name = file
    if !name.removePrefix(active.folder(.outbox)) {
      name = name.lastComponent.map { FilePath(name: $0) } ?? name
    }
    let text = name.repaired.text
    let ending = ".report.json"
    if text.hasSuffix(ending) {
      let jobs = try ledger.jobs(named: String(text.dropLast(ending.count)))
      if !jobs.isEmpty { return jobs }
    }
    let jobs = try ledger.jobs(result: text)
    guard jobs.isEmpty, let last = name.lastComponent.map({ FilePath(name: $0) }) else {
      return jobs
    }
    // A report names what lies beside it without their folder.
    return try ledger.jobs(result: last.repaired.text)
      .filter { $0.results.contains { $0.path.printable == name.printable } }
  }

  /// What became of an original that does not lie where it was put.
  private func fate(_ row: JobRow) throws -> String {
    let place = active.original(of: row)?.whole.printable ?? ""
    if let time = row.letGo {
      if try Deletion.isDeleted(row, in: active) {
        return "deleted \(timestamp(time)); procd delete --undo \(row.id) brings it back"
      }
      return "deleted \(timestamp(time)), as \"keep\" says; it was at \(place)"
    }
    if row.outcome == .quarantined,
      let later = try ledger?.jobs(path: row.path).last(where: {
        $0.arrived > row.arrived && $0.sha256 == row.sha256
      })
    {
      return "tried again as job \(later.id)"
    }
    return "no longer at \(place)"
  }

  /// Whether the original of a finished job does not lie where it was put: nothing does, or that of a later job.
  private func isGone(_ row: JobRow) throws -> Bool {
    guard silent.isEmpty, let original = active.original(of: row),
      let name = original.path.lastComponent
    else {
      return false
    }
    if let ledger, let last = try ledger.job(original: original), last.id != row.id { return true }
    let folder = original.whole.removingLastComponent()
    do throws(FileError) { return try !Folder.open(folder).exists(FilePath(name: name)) } catch {
      return error.errno == .noSuchFileOrDirectory
    }
  }
}

extension WaitReason {
  /// Whether the file is left alone by its name.
  fileprivate var isIgnored: Bool { if case .ignored = self { true } else { false } }
}
