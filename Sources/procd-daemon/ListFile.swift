import ArgumentParser
import Conveyor
import Files
import Glibc
import Pipelines
import PluginKit
import Series
import SystemPackage

/// A status list that is read here and now.
struct ListFile {
  let path: FilePath
  /// What it is called, where that is not the name of the file.
  private let name: String?
  /// When it was last known to be the newest one, milliseconds since 1970; nil stands for the time of
  /// reading.
  private let checked: Int64?

  init(_ path: FilePath, name: String? = nil, checked: Int64? = nil) {
    (self.path, self.name, self.checked) = (path, name, checked)
  }

  /// For people.
  private var called: String { name.map(Console.plain) ?? path.printable }

  /// Its rows, and what is known of it as an edition.
  func read(options: ConfigurationOption) async throws -> (ListContent, Edition) {
    guard let name = path.lastComponent,
      let parent = try? Folder.open(path.removingLastComponent()),
      let status = try? parent.following(FilePath(name: name)).status()
    else {
      Console.complain("\(called): no such file")
      throw Status.inputQuarantined
    }
    let scratch = try ScratchFolder(for: "lookup")
    defer { scratch.remove() }
    let bench = try workbench(options, in: scratch.path)
    defer { bench.close() }
    let converted: Workbench.Converted
    do throws(WorkbenchFailure) {
      converted = try await bench.convert(path, as: FilePath(name: name), role: "json")
    } catch {
      Console.complain("\(called): \(Console.plain(error.failure.message))")
      throw Status.inputQuarantined
    }
    guard let rows = converted.results.first, let staged = rows.staged.lastComponent else {
      Console.complain("\(called): no rows were found in it")
      throw Status.inputQuarantined
    }
    let bytes = try Folder.open(rows.staged.removingLastComponent())
      .reading(FilePath(name: staged)).readAll(limit: max(1, rows.bytes))
    let content = try ListContent(jsonLines: bytes)
    let shown = self.name ?? FilePath(name: name).printable
    return (
      content,
      Edition(
        series: shown, job: "file", name: shown,
        date: EditionDate.inName(shown) ?? EditionDate.day(of: status.modified.seconds),
        arrived: checked ?? wallTime(), isPartial: converted.partial,
        numbers: content.numbers.count,
        rows: content.rowCount)
    )
  }

  private func workbench(_ options: ConfigurationOption, in folder: FilePath) throws -> Workbench {
    let loaded = options.loader.load(
      Array(lookupConfiguration.utf8), name: "built-in", path: absolutePath("pipelines.json"))
    guard let active = loaded.active else {
      Console.complain(loaded.file.rendered(), end: "")
      throw Status.configuration
    }
    do {
      return try Workbench(
        active, installation: .ofThisProgram(), in: folder, slots: 1,
        landlockCeiling: landlockCeiling())
    } catch {
      Console.complain("procd: \(error.failure.message)")
      throw ExitCode(73)
    }
  }
}

/// What `lookup --in` reads a file with.
private let lookupConfiguration = #"""
  {
    "version": 1,
    "pipelines": [
      {
        "id": "list",
        "match": { "mime": "application/pdf" },
        "steps": [{ "id": "rows", "use": "status.rows" }],
        "emit": ["rows.json"]
      }
    ]
  }
  """#
