import Conveyor
import Files
import Glibc
import JobLedger
import PageAPI
import Pipelines
import PluginKit
import ReadingArguments
import Synchronization
import SystemPackage
import Workers

/// What the page is told: read from the ledger, the folders and the running procd, by the code of the commands.
final class PageAnswers: Sendable {
  let options: ConfigurationOption
  let configuration: FilePath
  let setup: PageSetup
  let installation = Installation.ofThisProgram()
  let uploads = Uploads()
  let trials = ScratchShelf<RuleTrial>("try", most: 4)
  let parts = ScratchShelf<FilePath>("part", most: 200)
  let archives = ScratchShelf<Archive>("archive", most: 3)
  let painter: PagePainter
  let thumbnails: Thumbnails
  private let current: Mutex<(active: ActiveConfiguration, stamp: [Int64])>
  private let reader = Mutex<LedgerReader?>(nil)
  private let looked = Mutex<(at: Int, status: JSON)?>(nil)
  let opened = Mutex<Indexing?>(nil)
  /// Held while names for a document and its notes are looked for.
  let annotationNames = Mutex<Void>(())
  /// What costs much: a few at a time.
  let heavy = Turnstile(2)
  /// Held while rules are changed.
  let changingRules = Mutex<Void>(())
  /// Held while a session is ended.
  let ending = Mutex<Void>(())
  let counts = Mutex<[String: (at: Int, value: JSON)]>([:])

  init(_ options: ConfigurationOption, _ active: ActiveConfiguration, _ setup: PageSetup) {
    (self.options, self.setup) = (options, setup)
    configuration = options.path()
    current = Mutex((active, Self.stamp(configuration, active.spool)))
    thumbnails = Thumbnails(in: active.spool)
    painter = PagePainter(
      WorkerSetup(
        programs: installation.programs.string, landlockCeiling: landlockCeiling()),
      thumbnails: thumbnails)
  }

  /// When the configuration and that of the running procd were last changed.
  private static func stamp(_ file: FilePath, _ spool: FilePath) -> [Int64] {
    [file, spool.appending("running.json")].map { path in
      let name = path.lastComponent.map { FilePath(name: $0) } ?? ""
      let status = (try? Folder.open(path.removingLastComponent()))?.target(name)
      return status?.modified.milliseconds ?? 0
    }
  }

  /// The configuration that counts, read again where it was changed.
  var active: ActiveConfiguration {
    current.withLock { current in
      let stamp = Self.stamp(configuration, current.active.spool)
      // One with mistakes is not read again before it is changed again.
      if stamp != current.stamp {
        current = ((try? options.loadToLook()) ?? current.active, stamp)
      }
      return current.active
    }
  }

  /// Nil where nothing was processed yet.
  func ledger() throws -> LedgerReader? {
    try reader.withLock { reader in
      if let reader { return reader }
      reader = try Ledger.reading(
        path: active.spool.appending(Spool.ledgerName.components))
      return reader
    }
  }

  func answer(_ ask: Endpoint.Ask, _ head: JSON, _ body: [UInt8]) async -> PageReply {
    do {
      try refuseSilent(ask)
      return try await answer(ask, head, body: body)
    } catch let error as LedgerError {
      // Opened anew the next time: it may have been replaced.
      reader.withLock { $0 = nil }
      return .failure(503, "web.ledger", "\(error)")
    } catch let refusal as PageRefusal {
      return refusal.reply
    } catch {
      return .failure(503, "web.failed", "\(error)")
    }
  }

  /// Refuses what would go into a folder that does not answer.
  private func refuseSilent(_ ask: Endpoint.Ask) throws {
    let active = active
    let silent =
      switch ask {
      case .login, .logout, .session, .now, .jobs, .find, .figures, .reload, .uploadIsGivenUp:
        [SilentFolder]()
      case .uploadBegins, .uploadGoesOn, .uploadEnds, .assemble, .rules, .changeRules, .trial,
        .trialResult,
        .trialPicture:
        active.silentFolders(.inbox)
      case .makeArchive, .archive, .job, .text, .rows, .notes, .annotate, .quarantine, .retry,
        .again, .result, .original,
        .companion, .picture, .deleted, .delete, .restore:
        active.silentFolders()
      }
    if let first = silent.first { throw PageRefusal(503, "web.silent", "\(first.sentence).") }
  }

  private func answer(
    _ ask: Endpoint.Ask, _ head: JSON, body: [UInt8]
  ) async throws -> PageReply {
    switch ask {
    case .login: return try await login(try JSONReader.read(body).value)
    case .logout: return try logout(head)
    case .session: return .json(session())
    case .now: return .json(await now())
    case .jobs: return .json(try jobs(head))
    case .job: return .json(try job(head))
    case .text: return .json(try await text(head))
    case .rows: return .json(try await rows(head))
    case .notes: return .json(try notes(head))
    case .annotate: return .json(try await annotate(head, try JSONReader.read(body).value))
    case .find: return .json(try find(head))
    case .quarantine: return .json(try quarantine(head))
    case .figures: return .json(try figures(head))
    case .rules: return .json(try rules())
    case .changeRules: return .json(try changeRules(JSONReader.read(body).value))
    case .trial: return .json(try await runTrial(head, JSONReader.read(body).value))
    case .trialResult: return try trialResult(head)
    case .trialPicture: return try await trialPicture(head)
    case .retry: return .json(try await retry(try JSONReader.read(body).value))
    case .again: return .json(try await processAgain(JSONReader.read(body).value))
    case .reload: return .json(try reload())
    case .deleted: return .json(try deleted())
    case .makeArchive: return .json(try await makeArchive(JSONReader.read(body).value))
    case .archive: return try archive(head)
    case .assemble: return .json(try await assemble(JSONReader.read(body).value), status: 201)
    case .delete:
      return .json(
        try await change(JSONReader.read(body).value) {
          try await $0.delete($1, at: wallTime())
        })
    case .restore:
      return .json(
        try await change(JSONReader.read(body).value) {
          try await $0.restore($1)
          return []
        })
    case .result: return try result(head)
    case .original: return try original(head)
    case .companion: return try companion(head)
    case .picture: return try await picture(head)
    case .uploadBegins: return try await beginUpload(head)
    case .uploadGoesOn: return try goOn(head, body)
    case .uploadEnds:
      let told = try await endUpload(head)
      return .json(told, status: told["path"] == nil ? 200 : 201)
    case .uploadIsGivenUp:
      uploads.giveUp(head["handle"]?.stringValue ?? "")
      return .json([:])
    }
  }

  // MARK: - Now

  private func session() -> JSON {
    let active = active
    return [
      "version": .string(ProgramVersion.number), "inbox": .string(active.inbox.printable),
      "outbox": .string(active.folder(.outbox).printable), "canUpload": true,
      "uploadLimit": .integer(setup.uploads), "pictures": .bool(painter.isThere),
      "folders": .array(
        (active.silentFolders(.inbox).isEmpty ? Self.folders(of: active.inbox) : [])
          .map { .string($0) }),
      // None if the ledger cannot be read: the page still opens, and `now` reports that.
      "senders": .array(((try? ledger()?.senders()) ?? []).map { .string($0) }),
      "login": .string(setup.password == nil ? "token" : "password"),
    ]
  }

  /// The sub-folders of the inbox, two deep, as far as their names are text.
  private static func folders(of inbox: FilePath) -> [String] {
    guard let root = try? Folder.open(inbox) else { return [] }
    var found: [String] = []
    func look(_ folder: Folder, _ path: String, _ depth: Int) {
      for name in ((try? folder.names()) ?? []).sorted(by: { $0.string < $1.string })
      where found.count < 200 {
        guard !name.string.hasPrefix("."), let text = String(validating: name.bytes, as: UTF8.self),
          (try? folder.status(name))??.kind == .folder
        else { continue }
        found.append(path + text)
        if depth < 2, let below = try? folder.folder(name) {
          look(below, path + text + "/", depth + 1)
        }
      }
    }
    look(root, "", 1)
    return found
  }

  /// What the running procd says of the moment; nil where none runs.
  func live() -> JSON? { LiveBoard.ask(spool: active.spool) }

  func now(isFresh: Bool = false) async -> JSON { await now(live(), isFresh: isFresh) }

  /// Milliseconds for which what `status` says may be told again.
  private static let statusAge = 2000

  /// - Parameter isFresh: whether all is to be looked at anew, which costs something where much waits.
  func now(_ live: JSON?, isFresh: Bool) async -> JSON {
    let status = self.status(isFresh: isFresh)
    let recent = (try? ledger()?.finished(JobFilter(), offset: 0, limit: 20)) ?? []
    let waiting = (status["waiting"]?.arrayValue ?? []).filter { $0["ignored"] == nil }
    let inWork = status["jobs"]?.arrayValue ?? []
    return [
      "serial": live?["serial"] ?? 0, "time": .string(timestamp(wallTime())),
      "version": .string(ProgramVersion.number),
      "daemon": status["daemon"], "paused": status["paused"],
      // Where the ledger cannot be read, nothing else here says so.
      "troubles": .array(
        [status["failure"]].compactMap(\.self) + (status["troubles"]?.arrayValue ?? [])),
      "fleet": status["fleet"] ?? .array([]),
      "busy": live?["busy"] ?? .array([]), "perMinute": live?["perMinute"],
      "inWork": .array(Array(inWork.prefix(50))), "inWorkCount": .integer(inWork.count),
      "waiting": .array(Array(waiting.prefix(50))), "waitingCount": .integer(waiting.count),
      "totals": [
        "done": status["done"] ?? 0, "quarantined": status["quarantined"] ?? 0,
        "duplicates": status["duplicates"] ?? 0, "inQuarantine": status["inQuarantine"] ?? 0,
      ],
      "recent": .array(recent.map(json)), "lists": status["lists"] ?? .array([]),
    ]
  }

  /// What `procd status --json` says, a moment ago at most.
  private func status(isFresh: Bool) -> JSON {
    looked.withLock { looked in
      let now = milliseconds()
      if let looked, now - looked.at < (isFresh ? 200 : Self.statusAge) { return looked.status }
      let status: JSON
      do {
        status = try StatusView(active: active, configuration: configuration).json()
      } catch {
        status = ["failure": .string("\(error)")]
      }
      looked = (milliseconds(), status)
      return status
    }
  }

  func json(_ row: JobRow) -> JSON {
    let companions = row.companions.map { JSON.string($0.name.repaired.text) }
    return JobText.json(row, in: active).setting("size", .integer(row.size))
      .setting("companions", companions.isEmpty ? nil : .array(companions))
  }

  // MARK: - Lists

  private func jobs(_ head: JSON) throws -> JSON {
    guard let ledger = try ledger() else { return ["total": 0, "jobs": .array([])] }
    let filter = JobFilter(
      outcome: head["outcome"]?.stringValue.flatMap(Report.Outcome.init),
      pipeline: head["pipeline"]?.stringValue, name: head["name"]?.stringValue,
      folder: head["in"]?.stringValue,
      since: head["since"]?.stringValue.flatMap(milliseconds(ofDay:)),
      until: head["until"]?.stringValue.flatMap(milliseconds(ofDay:)).map { $0 + 86_400_000 },
      sender: head["sender"]?.stringValue)
    let rows = try ledger.finished(
      filter, order: head["order"]?.stringValue.flatMap(JobOrder.init) ?? .newest,
      offset: head.count("offset", 0), limit: head.count("limit", 100))
    let total = try remembered("jobs \(filter)", for: 2000) {
      .integer(try ledger.count(filter))
    }
    return ["total": total, "jobs": .array(rows.map(listed))]
  }

  /// A job as lists of documents show it.
  private func listed(_ row: JobRow) -> JSON {
    let facts = (row.report?["steps"]?.arrayValue ?? []).compactMap { $0["facts"] }
    func fact(_ name: String) -> JSON? { facts.lazy.compactMap { $0[name] }.first }
    let texts = row.report?["texts"]
    return json(row).setting("picture", hasPicture(row) ? true : nil)
      .setting("sender", texts?["sender"] ?? fact("from"))
      .setting("date", texts?["date"] ?? fact("documentDate") ?? fact("date"))
  }

  /// A count that is dear, and may be some time old.
  func remembered(_ name: String, for age: Int, _ make: () throws -> JSON) throws -> JSON {
    if let kept = counts.withLock({ $0[name] }), milliseconds() - kept.at < age {
      return kept.value
    }
    let value = try make()
    counts.withLock { counts in
      if counts.count > 200 { counts = [:] }
      counts[name] = (milliseconds(), value)
    }
    return value
  }

  private func quarantine(_ head: JSON) throws -> JSON {
    let active = active
    guard let ledger = try ledger() else { return ["total": 0, "files": .array([])] }
    let offset = head.count("offset", 0), limit = head.count("limit", 50)
    let all = try Quarantined(in: active, ledger)
    let files = try all.rows(offset: offset, limit: limit).map { row, path -> JSON in
      [
        "job": json(row), "name": .string(path.lastComponent?.string ?? ""),
        "why": why(of: row).map { .string($0) }, "needsPassword": .bool(row.needsPassword),
        "unlocks": .bool(unlocks(row)),
        "offer": row.errorCode == "route.unmatched"
          ? offer(mime: row.mime ?? "", name: path.lastComponent?.string ?? "") : nil,
        "page": row.report?["error"]?["page"],
      ]
    }
    return ["total": .integer(all.paths.count), "files": .array(Array(files))]
  }

  /// What stands in the note beside a quarantined file.
  func why(of row: JobRow) -> String? {
    guard row.outcome == .quarantined, let original = active.original(of: row)?.whole,
      let name = original.lastComponent,
      let folder = try? Folder.open(original.removingLastComponent()),
      let bytes = try? folder.reading(
        FilePath(bytes: FilePath(name: name).bytes + Array(".why.txt".utf8))
      )
      .readAll(limit: 64 << 10)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Why something is not answered, for people.
struct PageRefusal: Error {
  var reply: PageReply
  init(_ status: Int, _ code: String, _ message: String) {
    reply = .failure(status, code, message)
  }
  static let longName = PageRefusal(
    400, "web.name", "A file cannot have this name: it is too long.")
  static let noJob = PageRefusal(404, "web.job", "There is no such job. It may have been removed.")
}

extension JobRow {
  /// Whether a password would help.
  var needsPassword: Bool {
    outcome == .quarantined && errorCode.map { $0.hasSuffix(".password") } == true
  }
}

extension JSON {
  /// A number that is asked with; never below zero or beyond what is sensible, whoever asks.
  func count(_ name: String, _ otherwise: Int) -> Int {
    min(1_000_000_000, max(0, self[name]?.integerValue ?? otherwise))
  }
}
