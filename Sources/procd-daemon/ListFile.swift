import ArgumentParser
import Conveyor
import Files
import Glibc
import Pipelines
import PlainText
import PluginKit
import ReadingArguments
import Series
import SystemPackage

/// What a list does not show by itself, as `procd rows` takes it too.
struct ListReading: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "With --in: what a number looks like; eleven digits from 20000000000 to 28999999999 when left"
        + " out.", valueName: "regex"))
  var pattern: PatternArgument?

  @Option(
    help: ArgumentHelp(
      "With --in: what the columns contain from left to right: number, status, date, or - for others.",
      valueName: "number,status,date"))
  var columns: ColumnsArgument?

  @Option(
    help: ArgumentHelp(
      "With --in: the order of day, month and year in numeric dates: dmy, mdy or ymd.",
      valueName: "order"))
  var dateOrder: RowsArguments.Order?

  var isGiven: Bool { pattern != nil || columns != nil || dateOrder != nil }

  /// The options of the step `status.rows`.
  fileprivate var options: JSON {
    [
      "pattern": pattern.map { .string($0.expression) },
      "columns": columns.map { .array($0.names.map { .string($0) }) },
      "dateOrder": dateOrder.map { .string($0.rawValue) },
    ]
  }
}

/// A status list that is read here and now.
struct ListFile {
  let path: FilePath
  /// What it is called, where that is not the name of the file.
  private let name: String?

  /// Whether more of it is to come, so that nothing is said of what is missing.
  private let isArriving: Bool

  init(_ path: FilePath, name: String? = nil, isArriving: Bool = false) {
    (self.path, self.name, self.isArriving) = (path, name, isArriving)
  }

  /// For people.
  private var called: String { name.map(\.plain) ?? path.printable }

  /// Its rows, and what is known of it as an edition.
  func read(
    _ reading: ListReading, options: ConfigurationOption
  ) async throws -> (ListContent, Edition) {
    guard let name = path.lastComponent,
      let parent = try? Folder.open(path.removingLastComponent()),
      let status = try? parent.following(FilePath(name: name)).status()
    else { throw failed("no such file") }
    guard status.kind == .regular else {
      throw failed(status.kind == .folder ? "this is a folder; name a PDF" : "this is no file")
    }
    let scratch = try ScratchFolder(for: "lookup")
    defer { scratch.remove() }
    let bench = try workbench(reading, options, in: scratch.path)
    defer { bench.close() }
    let converted: Workbench.Converted
    do throws(WorkbenchFailure) {
      converted = try await bench.convert(path, as: FilePath(name: name), role: "json")
    } catch {
      throw failed(
        error.failure.code == "route.unmatched" ? "this is not a PDF" : error.failure.message)
    }
    guard let rows = converted.results.first, let staged = rows.staged.lastComponent else {
      throw failed("no rows were found in it")
    }
    let bytes = try Folder.open(rows.staged.removingLastComponent())
      .reading(FilePath(name: staged)).readAll(limit: max(1, rows.bytes))
    let content = try ListContent(jsonLines: bytes)
    if converted.partial, !isArriving {
      let notes = converted.steps.flatMap(\.notes)
      // What was lost says more than what was repaired on the way.
      let why = notes.first { $0.hasSuffix("[pdf.lost]") } ?? notes.first ?? "rows may be missing"
      Console.complain("\(called): only part of it could be read: \(why)")
    }
    guard content.rowCount > 0 else {
      throw failed(
        "no number was found in it; is it a scan, or do its numbers look otherwise? see --pattern")
    }
    let shown = self.name ?? FilePath(name: name).printable, now = wallTime()
    let date = EditionDate.of(
      shown, modified: status.modified.seconds, arrived: now, order: reading.dateOrder?.rawValue
    ).date
    return (
      content,
      Edition(
        series: shown, job: "file", name: shown, date: date, arrived: now,
        isPartial: converted.partial, numbers: content.numbers.count, rows: content.rowCount)
    )
  }

  /// Says why it cannot be read.
  private func failed(_ why: String) -> ExitCode {
    if !isArriving { Console.complain("\(called): \(why)") }
    return Status.inputQuarantined
  }

  private func workbench(
    _ reading: ListReading, _ options: ConfigurationOption, in folder: FilePath
  ) throws -> Workbench {
    let loaded = options.loader.load(
      lookupConfiguration(reading).text, name: "built-in", path: absolutePath("pipelines.json"))
    guard let active = loaded.active else {
      Console.complain(PlainText(lines: loaded.file.rendered()), end: "")
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
private func lookupConfiguration(_ reading: ListReading) -> JSON {
  let step: JSON = ["id": "rows", "use": "status.rows", "with": reading.options]
  return [
    "version": 1,
    "pipelines": [
      [
        "id": "list", "match": ["mime": "application/pdf"], "steps": .array([step]),
        "emit": ["rows.json"],
      ]
    ],
  ]
}
