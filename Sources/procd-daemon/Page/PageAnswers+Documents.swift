import Conveyor
import Files
import JobLedger
import PageAPI
import Pipelines
import PluginKit
import Synchronization
import SystemPackage
import Workers

/// One document: its files, its pages, its text.
extension PageAnswers {
  func row(_ head: JSON) throws -> JobRow {
    guard let row = try ledger()?.job(head["job"]?.stringValue ?? "") else {
      throw PageRefusal.noJob
    }
    return row
  }

  var outbox: Folder? { try? Folder.open(active.folder(.outbox)) }

  func job(_ head: JSON) throws -> JSON {
    let row = try row(head)
    let outbox = outbox, results = row.results
    let original = originalFile(of: row)
    let standing = results.map { result in outbox.flatMap { result.file(in: $0) } != nil }
    let pdf = self.pdf(of: row)
    let audio = zip(results, standing).enumerated()
      .first { $0.element.1 && $0.element.0.artifact.mime.hasPrefix("audio/") }?.offset
    func has(_ types: String...) -> Bool {
      zip(results, standing).contains { result, stands in
        stands && types.contains { result.artifact.mime.hasPrefix($0) }
      }
    }
    return [
      "job": json(row), "report": row.report, "why": why(of: row).map { .string($0) },
      "needsPassword": .bool(row.needsPassword), "unlocks": .bool(unlocks(row)),
      "offer": row.errorCode == "route.unmatched"
        ? offer(mime: row.mime ?? "", name: row.path.lastComponent?.string ?? "") : nil,
      "isLocked": .bool(isLocked(row)), "attempts": .array(try attempts(row)),
      "isDeleted": .bool(try Deletion.isDeleted(row, in: active)),
      "results": .array(
        zip(results, standing).map { result, stands in
          [
            "name": .string(result.path.lastComponent?.string ?? ""),
            "path": .string(result.path.repaired.text), "bytes": .integer(result.artifact.bytes),
            "mime": .string(result.artifact.mime), "stands": .bool(stands),
          ]
        }),
      "original": [
        "name": .string(row.path.lastComponent?.string ?? ""), "stands": .bool(original != nil),
        "mime": row.mime.map { .string($0) },
        "bytes": .integer(row.report?["source"]?["bytes"]?.integerValue ?? row.size),
      ],
      "companions": .array(
        row.companions.map { companion in
          [
            "name": .string(companion.name.repaired.text), "bytes": .integer(companion.bytes),
            "stands": .bool(file(of: companion, of: row) != nil),
          ]
        }),
      "views": [
        "pages": pdf == nil
          ? (isPicture(row) && original != nil ? 1 : nil)
          : pages(of: row).map { .integer($0) } ?? 1,
        "text": .bool(has("text/plain", "text/markdown") || pdf != nil),
        "rows": .bool(has("text/csv") || zip(results, standing).contains { $0.isRows && $1 }),
        "notes": .bool(results.contains { $0.isNotes }),
        "annotate": .bool(pdf != nil && annotation(of: row) != nil),
        "audio": audio.map { .string("results/\($0)") },
      ],
    ]
  }

  /// The latest jobs of the same file: of its path and content, the newest first, with this one among them or behind them.
  private func attempts(_ row: JobRow) throws -> [JSON] {
    guard let content = row.sha256 else { return [] }
    return try ledger()?.attempts(path: row.path, sha256: content, limit: 20).map(json) ?? []
  }

  /// How many pages its steps counted.
  private func pages(of row: JobRow) -> Int? {
    (row.report?["steps"]?.arrayValue ?? []).compactMap { $0["facts"]?["pages"]?.integerValue }
      .max()
  }

  private func isPicture(_ row: JobRow) -> Bool {
    ["image/jpeg", "image/png"].contains(row.mime ?? "")
  }

  /// The PDF that shows its pages: a result, or the original.
  func pdf(of row: JobRow) -> FilePath? {
    // One that was opened with a password is not opened here.
    guard !isLocked(row) else { return nil }
    if let outbox {
      for result in row.results
      where result.artifact.mime == "application/pdf" && result.file(in: outbox) != nil {
        return outbox.path.appending(result.path.components)
      }
    }
    guard row.mime == "application/pdf", originalFile(of: row) != nil else { return nil }
    return originalPath(of: row)
  }

  /// One of the results if it is a PDF.
  private func pdf(_ index: Int, of row: JobRow) -> FilePath? {
    guard !isLocked(row), row.results.indices.contains(index), let outbox,
      row.results[index].artifact.mime == "application/pdf",
      row.results[index].file(in: outbox) != nil
    else { return nil }
    return outbox.path.appending(row.results[index].path.components)
  }

  /// The original of a job if it is a picture that browsers show.
  func picture(of row: JobRow) -> FilePath? {
    isPicture(row) && originalFile(of: row) != nil ? originalPath(of: row) : nil
  }

  /// Whether there is a picture of its first page, as far as its report tells.
  func hasPicture(_ row: JobRow) -> Bool {
    painter.isThere && !isLocked(row) && row.letGo == nil
      && (row.mime == "application/pdf"
        || row.results.contains { $0.artifact.mime == "application/pdf" })
      || isPicture(row) && row.letGo == nil
  }

  /// Whether its PDFs open with a password only: it needs one, and no step gave an unlocked copy.
  private func isLocked(_ row: JobRow) -> Bool {
    row.needsPassword
      || row.report?["source"]?["locked"]?.boolValue == true
        && !(row.report?["steps"]?.arrayValue ?? []).contains {
          $0["facts"]?["unlocked"]?.boolValue == true
        }
  }

  /// Whether its rule gives a copy that opens without a password.
  func unlocks(_ row: JobRow) -> Bool {
    active.configuration.pipelines.first { $0.id == row.pipeline }?
      .steps.contains { $0.use == "pdf.unlock" } ?? false
  }

  /// Where the file of a job lies; what came with companions is in a folder with them.
  private func originalPath(of row: JobRow) -> FilePath? {
    guard let path = active.original(of: row)?.whole else { return nil }
    guard row.mime != folderMediaType, let name = row.path.lastComponent,
      (try? Folder.open(path)) != nil
    else { return path }
    return path.appending(name)
  }

  /// Where the original lies, as long as it is of its size.
  func originalFile(of row: JobRow) -> OpenFile? {
    guard row.letGo == nil, let path = originalPath(of: row),
      let name = path.lastComponent,
      let file = try? Folder.open(path.removingLastComponent()).reading(FilePath(name: name)),
      let status = try? file.status(), status.kind == .regular,
      status.size == row.report?["source"]?["bytes"]?.integerValue ?? row.size
    else { return nil }
    return file
  }

  /// A file that came with that of a job, as long as it is of its size.
  private func file(of companion: ClaimedFile.Member, of row: JobRow) -> OpenFile? {
    guard row.letGo == nil, let folder = active.original(of: row)?.whole,
      let file = try? Folder.open(folder).reading(companion.name),
      let status = try? file.status(), status.kind == .regular, status.size == companion.bytes
    else { return nil }
    return file
  }

  // MARK: - Files

  /// A piece of a file is so long at most.
  private static let piece = 512 << 10

  func piece(of file: OpenFile, _ head: JSON, name: String, mime: String) throws
    -> PageReply
  {
    let size = try file.status().size, at = min(head.count("at", 0), size)
    return PageReply(
      head: ["size": .integer(size), "name": .string(name), "type": .string(mime)],
      body: try file.bytes(at: at, count: min(Self.piece, size - at)))
  }

  func result(_ head: JSON) throws -> PageReply {
    let results = try row(head).results,
      index = head["index"]?.stringValue.flatMap { Int($0) } ?? -1
    guard results.indices.contains(index), let outbox,
      let file = results[index].file(in: outbox)
    else {
      throw PageRefusal(
        404, "web.result", "The result is no longer where procd put it, or was changed since.")
    }
    return try piece(
      of: file, head, name: results[index].path.lastComponent?.string ?? "result",
      mime: results[index].artifact.mime)
  }

  func original(_ head: JSON) throws -> PageReply {
    let row = try row(head)
    guard let file = originalFile(of: row) else {
      throw PageRefusal(
        404, "web.original", "The original is no longer where procd put it, or is a folder.")
    }
    return try piece(
      of: file, head, name: row.path.lastComponent?.string ?? "original",
      mime: row.mime ?? "application/octet-stream")
  }

  func companion(_ head: JSON) throws -> PageReply {
    let row = try row(head), index = head["index"]?.stringValue.flatMap { Int($0) } ?? -1
    guard row.companions.indices.contains(index),
      let file = file(of: row.companions[index], of: row)
    else {
      throw PageRefusal(404, "web.original", "The file is no longer where procd put it.")
    }
    return try piece(
      of: file, head, name: row.companions[index].name.repaired.text,
      mime: "application/octet-stream")
  }

  func picture(_ head: JSON) async throws -> PageReply {
    let row = try row(head)
    let text = head["page"]?.stringValue ?? ""
    guard let page = Int(text.hasSuffix(".png") ? text.dropLast(4) : text[...]), page > 0 else {
      throw PageRefusal(404, "web.page", "There is no such page.")
    }
    let result = head["result"]?.integerValue
    guard let pdf = result.map({ pdf($0, of: row) }) ?? pdf(of: row) else {
      // A picture that a browser knows is its own picture.
      guard page == 1, result == nil, isPicture(row), let file = originalFile(of: row) else {
        throw PageRefusal(404, "web.page", "There is no picture of this page.")
      }
      return try piece(of: file, head, name: "page", mime: row.mime ?? "")
    }
    let width = head["width"]?.integerValue ?? 1000
    let key = row.id + (result.map { " \($0)" } ?? "")
    let bytes =
      if let near = head["near"]?.stringValue {
        try await strip(of: row, pdf, page: page, near: near, width: width)
      } else {
        try await painter.picture(of: pdf, page: page, width: width, job: key)
      }
    return piece(of: bytes, head)
  }

  /// A piece of a picture that was drawn.
  func piece(of picture: [UInt8], _ head: JSON) -> PageReply {
    let at = min(head.count("at", 0), picture.count)
    return PageReply(
      head: [
        "size": .integer(picture.count), "name": "page",
        "type": picture.first == 0xFF ? "image/jpeg" : "image/png",
      ],
      body: Array(picture[at..<min(picture.count, at + Self.piece)]))
  }

  // MARK: - Text

  func text(_ head: JSON) async throws -> JSON {
    let row = try row(head), page = head["page"]?.integerValue ?? 1
    if let pdf = pdf(of: row), let procd = installation.procd {
      var run = ProgramRun(
        [procd.string, "extract", "--json", "--pages", "\(page)", pdf.string],
        environment: ["LC_ALL=C.UTF-8"], milliseconds: 30_000)
      run.longestLine = 16 << 20
      let lines = Mutex<[JSON]>([])
      try await heavy.pass()
      _ = await run.run(line: { line in
        if let json = try? JSONReader.read(line).value { lines.withLock { $0.append(json) } }
      })
      heavy.leave()
      let read = lines.withLock(\.self)
      let pages = read.last?["pages"]?.integerValue ?? pages(of: row) ?? 1
      guard let found = read.first(where: { $0["page"]?.integerValue == page }) else {
        throw PageRefusal(404, "web.page", "The text of this page cannot be read.")
      }
      // A scan has no text on its pages if its rule gives only the recognized text, as a result.
      if found["blocks"]?.arrayValue?.isEmpty ?? true {
        do { return try writtenText(page, of: row) } catch is PageRefusal {
          // No such result either, so the page is shown without text.
        }
      }
      return Self.page(found, pages, recognized: recognized(page, of: row))
    }
    return try writtenText(page, of: row)
  }

  /// The text of a page in a result that is nothing but text, with form feeds between its pages.
  private func writtenText(_ page: Int, of row: JobRow) throws -> JSON {
    guard let outbox,
      let file = row.results.first(where: {
        $0.artifact.mime.hasPrefix("text/plain") || $0.artifact.mime.hasPrefix("text/markdown")
      })?.file(in: outbox)
    else { throw PageRefusal(404, "web.text", "There is no text of this document.") }
    let parts = try file.beginning(64 << 20)
      .split(separator: 0x0C, omittingEmptySubsequences: false)
    guard parts.indices.contains(page - 1) else {
      throw PageRefusal(404, "web.page", "There is no such page.")
    }
    return [
      "page": .integer(page), "pages": .integer(parts.count),
      "text": .string(String(decoding: parts[page - 1].prefix(1 << 20), as: UTF8.self)),
    ]
  }

  /// The words of a page as they were recognized, with their confidence; where they are a result.
  private func recognized(_ page: Int, of row: JobRow) -> JSON? {
    guard let outbox,
      let file = row.results.first(where: { $0.artifact.role == "words" })?.file(in: outbox),
      let text = try? file.readAll(limit: 64 << 20)
    else { return nil }
    let start = Array("{\"page\":\(page),".utf8)
    guard let line = text.split(separator: 0x0A).first(where: { $0.starts(with: start) }) else {
      return nil
    }
    return try? JSONReader.read(Array(line)).value
  }

  private static func page(_ found: JSON, _ pages: Int, recognized: JSON?) -> JSON {
    var words: [JSON] = []
    for block in (recognized ?? found)["blocks"]?.arrayValue ?? [] {
      for line in block["lines"]?.arrayValue ?? [] {
        for (index, word) in (line["words"]?.arrayValue ?? []).enumerated() {
          let box = (word["box"]?.arrayValue ?? []).map { $0.measure ?? 0 }
          guard box.count == 4 else { continue }
          words.append([
            "text": word["text"], "x": .hundredths(box[0]), "y": .hundredths(box[1]),
            "w": .hundredths(box[2] - box[0]), "h": .hundredths(box[3] - box[1]),
            "confidence": word["confidence"]?.measure.map { .hundredths($0 / 100) },
            "line": index == 0 ? true : nil,
          ])
        }
      }
    }
    return [
      "page": found["page"], "pages": .integer(pages), "text": found["text"] ?? "",
      "width": found["width"], "height": found["height"],
      "words": words.isEmpty ? nil : .array(words),
    ]
  }
}

extension JobRow.Result {
  /// Whether it has rows as lines of JSON: not the words of recognition, which are written so too.
  var isRows: Bool {
    artifact.role != "words"
      && ["application/jsonl", "application/x-ndjson"].contains(artifact.mime)
  }
  /// Whether it has the notes of a document as JSON.
  var isNotes: Bool { artifact.mime == "application/json" && path.string.hasSuffix("notes.json") }
}

extension JSON {
  /// A number to two digits.
  fileprivate static func hundredths(_ value: Double) -> JSON {
    .number((value * 100).rounded() / 100)
  }

  /// A number of either kind.
  var measure: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}
