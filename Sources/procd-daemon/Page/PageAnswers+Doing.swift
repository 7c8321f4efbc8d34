import Conveyor
import Files
import Glibc
import Intake
import JobLedger
import PageAPI
import Pipelines
import PluginKit
import Synchronization
import SystemPackage
import Workers

/// What changes something: all of it is done as the commands do it.
extension PageAnswers {
  // MARK: - Trying again

  func retry(_ body: JSON) async throws -> JSON {
    let active = active
    guard let ledger = try ledger() else { return ["retried": .array([]), "refused": .array([])] }
    let standing = try Quarantined(in: active, ledger)
    var wanted: [(row: JobRow, path: FilePath)] = [], refused: [JSON] = []
    let jobs = (body["jobs"]?.arrayValue ?? []).compactMap(\.stringValue)
    if body["all"]?.boolValue == true {
      wanted = try standing.rows()
    } else {
      for job in jobs {
        if let row = try ledger.job(job), let original = active.original(of: row),
          original.place == .quarantine, standing.paths.contains(original.path)
        {
          wanted.append((row, original.path))
        } else {
          refused.append([
            "job": .string(job), "reason": "Its file is no longer in the quarantine.",
          ])
        }
      }
    }
    let password = body["password"]?.stringValue
    guard password == nil || wanted.count <= 1 else {
      throw PageRefusal(400, "web.request", "A password is for one file.")
    }
    if let password, let row = wanted.first?.row {
      guard Health.ask(active).pulse != nil else {
        throw PageRefusal(
          409, "web.daemon",
          "No procd is running that could take the password. It is stored nowhere.")
      }
      // First: whoever rings meanwhile rings for both.
      try SpokenPassword.leave(password, for: row.path, in: active.spool)
    }
    let done = try await RetryRequest(active).make(wanted.map(\.path))
    if !done.accepted.isEmpty { Spool.ringForRequests(in: active.spool) }
    for path in done.hindered {
      guard let entry = wanted.first(where: { $0.path == path }) else { continue }
      refused.append([
        "job": .string(entry.row.id),
        "reason": "The inbox has a file of its name, which is to be taken first.",
      ])
    }
    let retried = wanted.filter { done.accepted.contains($0.path) }.map { JSON.string($0.row.id) }
    return ["retried": .array(retried), "refused": .array(refused)]
  }

  /// What is asked for a file that is handed in.
  func wish(_ head: JSON) throws -> Wish {
    let rule = head["rule"]?.stringValue
    if let rule, !active.configuration.pipelines.contains(where: { $0.id == rule }) {
      throw PageRefusal(404, "web.rules", "There is no such rule.")
    }
    return Wish(
      rule: rule,
      options: head["crop"]?.boolValue.map { ["crop": .string($0 ? "sheet?" : "none")] } ?? [:])
  }

  /// Copies the originals of documents into the inbox, each with the wish for a rule.
  func processAgain(_ body: JSON) async throws -> JSON {
    let wish = try self.wish(body), active = active
    guard let ledger = try ledger() else { throw PageRefusal.noJob }
    let inbox = try Folder.make(active.inbox)
    var done: [JSON] = [], refused: [JSON] = []
    for job in (body["jobs"]?.arrayValue ?? []).compactMap(\.stringValue) {
      guard let row = try ledger.job(job), let original = originalFile(of: row),
        let name = row.path.lastComponent
      else {
        refused.append(["job": .string(job), "reason": "Its original is gone, or is a folder."])
        continue
      }
      let file = try HandIn(to: inbox, as: FilePath(name: name), way: Uploads.way)
      do {
        try file.copy(original)
        try file.leave(wish, in: active.spool)
        _ = try file.finish(in: inbox.makeFolders(row.path.removingLastComponent()))
        done.append(.string(job))
      } catch {
        try? file.giveUp()
        throw error
      }
    }
    return ["done": .array(done), "refused": .array(refused)]
  }

  // MARK: - Deleting

  /// The documents that can be brought back.
  func deleted() throws -> JSON {
    let rows = try ledger().map { try Deletion.deleted(in: active, $0) } ?? []
    return [
      "total": .integer(rows.count),
      "files": .array(
        rows.prefix(500).map { row in
          ["job": json(row), "deleted": row.letGo.map { .string(timestamp($0)) }]
        }),
    ]
  }

  /// Deletes documents or brings them back.
  ///
  /// - Parameter act: returns what stays.
  func change(
    _ body: JSON, _ act: (Deletion, JobRow) async throws -> [FilePath]
  ) async throws -> JSON {
    guard let reader = try ledger() else { throw PageRefusal.noJob }
    let deletion = Deletion(
      active, try Ledger(path: active.spool.appending(Spool.ledgerName.components)))
    var changed: [JSON] = [], refused: [JSON] = []
    for job in (body["jobs"]?.arrayValue ?? []).compactMap(\.stringValue) {
      do {
        guard let row = try reader.job(job) else {
          throw Deletion.Refusal(reason: "there is no such job")
        }
        for path in try await act(deletion, row) {
          refused.append([
            "job": .string(job),
            "reason": .string("\(path.repaired.text) was changed or cannot be moved, and stays"),
          ])
        }
        thumbnails.forget(job)
        changed.append(.string(job))
      } catch let refusal as Deletion.Refusal {
        refused.append(["job": .string(job), "reason": .string(refusal.reason)])
      }
    }
    return ["changed": .array(changed), "refused": .array(refused)]
  }

  func reload() throws -> JSON {
    let loaded = try? options.read()
    guard let new = loaded?.active else {
      throw PageRefusal(
        409, "web.configuration",
        "The configuration has mistakes; procd keeps running with the old one.")
    }
    let running = Health.ask(new).pulse?.folders
    guard running == nil || running == new.foldersMark else {
      throw PageRefusal(
        409, "web.configuration",
        "The folders in the configuration changed: procd has to be restarted for that.")
    }
    switch RunningRules.reload(active) {
    case .told: return ["lines": .array(["The running procd reloads its configuration."])]
    case .notRunning:
      throw PageRefusal(409, "web.daemon", "No procd is running that could reload it.")
    case .refused:
      throw PageRefusal(409, "web.daemon", "The running procd cannot be told.")
    }
  }

  // MARK: - Uploads

  func beginUpload(_ head: JSON) async throws -> PageReply {
    let name = head["name"]?.stringValue ?? "", folder = head["folder"]?.stringValue ?? ""
    try mayComeIn(name, folder: folder)
    let active = active
    let path = FilePath(folder).appending(FilePath(name).components)
    let purpose =
      head["purpose"]?.stringValue.flatMap(Endpoint.Purpose.init) ?? .explain
    let target = try Folder.make(purpose == .inbox ? active.inbox : active.spool)
    let since = milliseconds()
    while true {
      let handle = try uploads.begin(path, in: target, for: purpose)
      if let handle { return PageReply(head: ["handle": .string(handle)]) }
      guard milliseconds() - since < Turnstile.patience else {
        throw PageRefusal(503, "web.busy", "Too many files come at once. Try it again in a moment.")
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  /// Refuses names that no file and folder of the inbox can have, and those that the inbox leaves alone.
  func mayComeIn(_ name: String, folder: String) throws {
    guard !name.isEmpty, !name.contains("/"), !name.utf8.contains(0), name != ".", name != ".."
    else {
      throw PageRefusal(400, "web.name", "A file cannot have this name.")
    }
    let parts = folder.split(separator: "/", omittingEmptySubsequences: true)
    guard !folder.hasPrefix("/"), !folder.utf8.contains(0), parts.count <= 32,
      parts.allSatisfy({ $0 != "." && $0 != ".." && $0.utf8.count <= 255 })
    else { throw PageRefusal(400, "web.name", "A folder of the inbox cannot have this name.") }
    let active = active
    let ignored = IgnoreList(active.configuration.inbox.ignore)
    let pattern =
      ignored.pattern(for: name, isFolder: false)
      ?? parts.lazy.compactMap { ignored.pattern(for: String($0), isFolder: true) }.first
    if let pattern {
      throw PageRefusal(
        409, "web.ignored",
        "The inbox leaves such files alone, by the pattern \(pattern). Give it another name.")
    }
  }

  private static let givenUp = PageRefusal(
    409, "web.upload",
    "The upload came too slowly while many others came. Nothing was handed in: try it again.")

  func goOn(_ head: JSON, _ body: [UInt8]) throws -> PageReply {
    guard
      try uploads.write(body, to: head["handle"]?.stringValue ?? "", most: setup.uploads)
    else { throw Self.givenUp }
    return PageReply()
  }

  func endUpload(_ head: JSON) async throws -> JSON {
    guard let upload = uploads.take(head["handle"]?.stringValue ?? "") else {
      throw Self.givenUp
    }
    do {
      if upload.purpose == .part { return ["part": .string(try keepPart(upload))] }
      try await heavy.pass()
      defer { heavy.leave() }
      let told = try await explained(upload)
      switch upload.purpose {
      case .inbox, .part: break
      case .explain:
        try upload.file.giveUp()
        return told
      case .trial:
        return told.setting("try", .string(try beginTrial(upload.file, as: upload.path)))
      }
      let wish = try self.wish(head)
      if wish.rule == nil, told["taken"]?.boolValue != true, told["companion"]?.boolValue != true,
        head["anyway"]?.boolValue != true
      {
        let why =
          told["code"] == nil
          ? "No rule takes this file" : told["lines"]?.arrayValue?.first?.stringValue ?? ""
        let hint = told["hint"]?.stringValue.map {
          $0.prefix(1).uppercased() + $0.dropFirst() + ". "
        }
        var refusal = PageRefusal(
          409, "web.rule",
          "\(hint ?? "")\(why): it would go to the quarantine. Nothing was handed in.")
        refusal.reply.head = refusal.reply.head.setting("offer", told["offer"])
        throw refusal
      }
      let folder = upload.path.removingLastComponent()
      let target = try Folder.make(active.inbox).makeFolders(folder)
      try upload.file.leave(wish, in: active.spool)
      let name = try upload.file.finish(in: target)
      return [
        "path": .string(folder.appending(name.components).repaired.text),
        "companion": told["companion"],
      ]
    } catch {
      try? upload.file.giveUp()
      guard (error as? FileError)?.errno == .fileNameTooLong else { throw error }
      throw PageRefusal.longName
    }
  }

  /// What `explain` says of a file that has come.
  private func explained(_ upload: Uploads.Upload) async throws -> JSON {
    let active = active
    let scratch = try ScratchFolder(for: "explain")
    defer { scratch.remove() }
    let bench = try Workbench(
      active, installation: installation, in: scratch.path, slots: 1,
      landlockCeiling: landlockCeiling())
    defer { bench.close() }
    do {
      let explanation = try await bench.explain(upload.file.path, as: upload.path)
      let lines = ExplainCommand.text(upload.path.repaired.text, explanation)
      return [
        "taken": .bool(explanation.pipeline != nil),
        // The inbox keeps it until the file comes that it belongs to.
        "companion": active.companionRules.waitOfCompanion(upload.path) == nil ? nil : true,
        "pipeline": explanation.pipeline.map { .string($0.id) },
        "hint": explanation.pipeline == nil
          ? explanation.file.hintAtContent.map { .string($0) } : nil,
        "mime": .string(explanation.file.mime),
        "offer": explanation.pipeline == nil
          ? offer(mime: explanation.file.mime, name: upload.path.lastComponent?.string ?? "") : nil,
        "lines": .array(lines.split(separator: "\n").map { .string(String($0)) }),
      ]
    } catch {
      return [
        "taken": false, "lines": .array([.string(error.failure.message)]),
        "code": .string(error.failure.code),
      ]
    }
  }
}
