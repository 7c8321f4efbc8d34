import Conveyor
import Files
import JobLedger
import PageAPI
import Pipelines
import PluginKit
import SystemPackage
import Workers

/// New documents made of pages: several shots of a letter, or pages of documents that are there.
extension PageAnswers {
  private static let partName = FilePath("part")
  /// Milliseconds that joining may take.
  private static let patience = 120_000

  func keepPart(_ upload: Uploads.Upload) throws -> String {
    let scratch = try parts.makeScratch(in: active.spool)
    guard try upload.file.finish(in: scratch.folder, exactly: Self.partName) else {
      throw FileError("rename", upload.file.path, .fileExists)
    }
    return parts.keep(scratch, upload.path)
  }

  /// Makes a PDF of pages in the order and the rotation that are wanted, and hands it in.
  func assemble(_ body: JSON) async throws -> JSON {
    let name = body["name"]?.stringValue ?? "", folder = body["folder"]?.stringValue ?? ""
    try mayComeIn(name, folder: folder)
    let wish = try self.wish(body)
    let (files, choice) = try wantedPages(body["pages"]?.arrayValue ?? [])
    guard !choice.isEmpty else { throw PageRefusal(400, "web.request", "There is no page.") }
    try await heavy.pass()
    defer { heavy.leave() }
    let scratch = try ScratchFolder(for: "assemble", in: active.spool)
    defer { scratch.remove() }
    let bench = try Workbench(
      joining(choice), installation: installation, in: scratch.path, slots: 1,
      landlockCeiling: landlockCeiling())
    defer { bench.close() }
    let deadline = Task {
      try await Task.sleep(for: .milliseconds(Self.patience))
      bench.stop()
    }
    defer { deadline.cancel() }
    let joined: Workbench.Converted
    do { joined = try await bench.join(files, as: FilePath(name), role: "pdf") } catch {
      throw PageRefusal(409, error.failure.code, "\(error.failure.message).")
    }
    guard let pdf = joined.results.first, let last = pdf.staged.lastComponent else {
      throw PageRefusal(409, "web.pages", "There is no page that could be read.")
    }
    // Half a document would look like a whole one.
    guard !joined.partial else {
      throw PageRefusal(409, "web.pages", Self.note(of: joined) ?? "Not all pages can be read.")
    }
    let active = active, inbox = try Folder.make(active.inbox)
    let file = try HandIn(to: inbox, as: FilePath(name), way: Uploads.way)
    do {
      try file.copy(
        Folder.open(pdf.staged.removingLastComponent()).reading(FilePath(name: last)))
      try file.leave(wish, in: active.spool)
      let made = try file.finish(in: inbox.makeFolders(FilePath(folder)))
      for page in body["pages"]?.arrayValue ?? [] {
        page["part"]?.stringValue.map { parts.drop($0) }
      }
      return ["path": .string(FilePath(folder).appending(made.components).repaired.text)]
    } catch {
      try? file.giveUp()
      throw error
    }
  }

  private static func note(of joined: Workbench.Converted) -> String? {
    joined.steps.lazy.flatMap(\.notes).map { "\($0)" }.first
  }

  /// The files whose pages are wanted, and the pages as `pages.join` reads them.
  private func wantedPages(_ pages: [JSON]) throws -> (files: [FilePath], choice: [String]) {
    var files: [FilePath] = [], numbers: [FilePath: Int] = [:], choice: [String] = []
    for page in pages {
      let file: FilePath, number = page["page"]?.integerValue
      if let handle = page["part"]?.stringValue {
        guard let (scratch, _) = parts[handle] else {
          throw PageRefusal(404, "web.try", "A part is no longer kept: send it again.")
        }
        file = scratch.path.appending(Self.partName.components)
      } else {
        guard let row = try ledger()?.job(page["job"]?.stringValue ?? "") else {
          throw PageRefusal.noJob
        }
        guard let found = pdf(of: row) ?? picture(of: row) else {
          throw PageRefusal(404, "web.pdf", "There are no pages of this document any more.")
        }
        file = found
      }
      let index = numbers[file] ?? files.count + 1
      if numbers[file] == nil {
        numbers[file] = index
        files.append(file)
      }
      let rotation = ((page["rotate"]?.integerValue ?? 0) % 360 + 360) % 360
      guard rotation % 90 == 0 else {
        throw PageRefusal(400, "web.request", "Pages are turned by multiples of 90 degrees.")
      }
      choice.append(
        "\(index)" + (number.map { ":\($0)" } ?? "") + (rotation == 0 ? "" : "@\(rotation)"))
    }
    return (files, choice)
  }

  /// The configuration with one rule, which joins pages.
  private func joining(_ choice: [String]) throws -> ActiveConfiguration {
    let rule: JSON = [
      "version": 1,
      "pipelines": [["id": "assemble", "gather": "folder", "emit": ["pages.pdf"]]],
    ]
    let loaded = options.loader.load(rule.line, name: "assemble", path: configuration)
    guard var meant = loaded.file.configuration else {
      throw PageRefusal(503, "web.failed", "This procd has no step that joins pages.")
    }
    let options = meant.pipelines[0].steps[0].options.json
    meant.pipelines[0].steps[0].options = Options(
      checked: options.setting("pages", .array(choice.map { .string($0) })))
    meant.defaults = active.configuration.defaults
    return ActiveConfiguration(
      meant, catalog: loaded.catalog, base: active.base, text: rule.line, file: configuration)
  }
}
