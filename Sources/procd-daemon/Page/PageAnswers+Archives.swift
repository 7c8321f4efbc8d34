import Conveyor
import Files
import JobLedger
import PageAPI
import Pipelines
import PluginKit
import Spreadsheets
import SystemPackage

/// Documents in one ZIP file.
extension PageAnswers {
  struct Archive: Sendable {
    var name: String
    var bytes: Int
  }

  /// Where the archive lies in its scratch folder.
  private static let archiveName = FilePath("documents.zip")
  /// A ZIP file without the extensions of ZIP64 is shorter than 4 GiB (APPNOTE 4.4.1.4).
  private static let mostBytes = 4_000_000_000
  private static let mostFiles = 20_000
  private static let chunk = 1 << 20

  /// Makes an archive of the results of some jobs; of a job without results, of its original.
  func makeArchive(_ body: JSON) async throws -> JSON {
    guard let ledger = try ledger() else { throw PageRefusal.noJob }
    let rows = try (body["jobs"]?.arrayValue ?? []).compactMap(\.stringValue)
      .compactMap { try ledger.job($0) }
    let originals = body["originals"]?.boolValue ?? false
    var files: [(name: String, file: OpenFile, size: Int)] = [], used: Set<String> = []
    var missing = 0
    for row in rows {
      let found = filesToKeep(of: row, originals: originals)
      if found.isEmpty { missing += 1 }
      for (name, file) in found {
        let unique = Self.unused(name, &used)
        files.append((unique, file, try file.status().size))
      }
    }
    let bytes = files.reduce(0) { $0 + $1.size }
    guard !files.isEmpty else {
      throw PageRefusal(404, "web.result", "None of these documents has a file any more.")
    }
    guard bytes < Self.mostBytes, files.count <= Self.mostFiles else {
      throw PageRefusal(
        413, "web.size", "That is more than 4 GB or 20,000 files: choose fewer documents.")
    }
    try await heavy.pass()
    defer { heavy.leave() }
    let scratch = try archives.makeScratch(in: active.spool)
    do {
      let target = try scratch.folder.creating(Self.archiveName, mode: 0o600)
      guard let zip = ZipWriter() else {
        throw PageRefusal(503, "web.busy", "There is no memory for an archive. Try it again later.")
      }
      var written = 0
      func flush(_ bytes: [UInt8]) throws {
        written += bytes.count
        try target.write(bytes.span)
      }
      for (name, file, size) in files {
        zip.begin(name)
        var at = 0
        while at < size {
          let bytes = try file.bytes(at: at, count: min(Self.chunk, size - at))
          guard !bytes.isEmpty else { break }
          zip.write(bytes)
          try flush(zip.takeBytes())
          at += bytes.count
        }
      }
      try flush(zip.finish())
      let day = timestamp(wallTime()).prefix(10)
      let archive = Archive(name: "procd \(day).zip", bytes: written)
      return [
        "archive": .string(archives.keep(scratch, archive)), "name": .string(archive.name),
        "bytes": .integer(written), "files": .integer(files.count), "missing": .integer(missing),
      ]
    } catch {
      scratch.remove()
      throw error
    }
  }

  func archive(_ head: JSON) throws -> PageReply {
    guard let (scratch, archive) = archives[head["archive"]?.stringValue ?? ""] else {
      throw PageRefusal(404, "web.result", "The archive is no longer kept: make it again.")
    }
    return try piece(
      of: scratch.folder.reading(Self.archiveName), head, name: archive.name,
      mime: "application/zip")
  }

  /// What of a job goes into an archive, with paths as in the outbox.
  private func filesToKeep(of row: JobRow, originals: Bool) -> [(name: String, file: OpenFile)] {
    let results = outbox.map { outbox in
      row.results.compactMap { result in
        result.file(in: outbox).map { (name: result.path.repaired.text, file: $0) }
      }
    }
    var files = results ?? []
    if originals || files.isEmpty, let file = originalFile(of: row) {
      files.append(((originals ? "originals/" : "") + row.path.repaired.text, file))
    }
    return files
  }

  private static func unused(_ name: String, _ used: inout Set<String>) -> String {
    let (stem, suffix) =
      name.lastIndex(of: ".").map { (name[..<$0], name[$0...]) } ?? (name[...], "")
    var candidate = name, number = 1
    while !used.insert(candidate).inserted {
      number += 1
      candidate = "\(stem)~\(number)\(suffix)"
    }
    return candidate
  }
}
