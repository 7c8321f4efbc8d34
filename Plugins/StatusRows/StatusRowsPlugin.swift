internal import Bytes
internal import PDFSyntax
internal import PDFText
public import PluginKit
internal import TableText

/// The step `status.rows`: a status list becomes rows of number, status and date.
public final class StatusRowsPlugin: Plugin {
  public init() {}

  public static let manifest = PluginManifest(
    name: "status-rows", version: "1.0.0", about: "Reads the rows of status lists",
    steps: [
      StepManifest(
        name: "status.rows", about: "Gives number, status and date of each row",
        accepts: ["application/pdf"],
        outputs: [
          OutputManifest("csv", mime: "text/csv; charset=utf-8", fileExtension: "csv"),
          OutputManifest("json", mime: "application/jsonl", fileExtension: "jsonl"),
        ],
        options: ObjectShape(
          "options of status.rows",
          [
            Field("digits", .integer(4...30), "How many digits a number has", byDefault: 11),
            Field("passwords", .secret, "Passwords for locked files, one a line, tried in turn"),
            Field("prefix", .string, "The digits that a number begins with", byDefault: "2"),
          ]),
        facts: [
          FactManifest("rows", "Rows that were found"),
          FactManifest("numbers", "Different numbers among them"),
          FactManifest("columns", "Columns that hold something: number, status, date"),
          FactManifest("confidence", "The lowest confidence of a row, 0 to 1"),
          FactManifest("pages", "Pages of the document"),
        ])
    ])

  public func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    let extractor = try Self.open(run)
    let pattern = NumberPattern(
      digits: run.options.integer("digits") ?? 11, prefix: run.options.string("prefix") ?? "2")
    var list = StatusList(pattern: pattern)
    for index in 0..<extractor.pageCount {
      if let page = extractor.page(index) { list.add(page) }
      host.progress(index + 1, of: extractor.pageCount, unit: "page")
    }
    let rows = list.rows()
    var csv = ByteWriter(), json = ByteWriter()
    csv.append(contentsOf: StatusRow.csvHeader)
    for row in rows {
      row.write(csv: &csv)
      row.write(json: &json)
    }
    let columns = [
      !rows.isEmpty, rows.contains { !$0.status.isEmpty }, rows.contains { !$0.date.isEmpty },
    ].count { $0 }
    return StepOutput(
      artifacts: [
        try run.write(
          role: "csv", name: "rows.csv", mime: "text/csv; charset=utf-8", bytes: csv.bytes),
        try run.write(
          role: "json", name: "rows.jsonl", mime: "application/jsonl", bytes: json.bytes),
      ],
      facts: [
        "rows": .integer(rows.count), "numbers": .integer(Set(rows.map(\.number)).count),
        "columns": .integer(columns), "confidence": .number(rows.map(\.confidence).min() ?? 0),
        "pages": .integer(extractor.pageCount),
      ], partial: extractor.file.diagnostics.isPartial)
  }

  private static func open(_ run: StepRun) throws(PluginFailure) -> TextExtractor {
    let source = try run.source()
    let bytes: FileBytes
    do { bytes = FileBytes(try MappedFile(path: source.path)) } catch {
      throw PluginFailure(.internal, "step.read", "the file could not be read (\(error))")
    }
    do throws(PDFError) {
      return try TextExtractor(PDFFile(bytes, passwords: run.options.lines("passwords")))
    } catch {
      throw PluginFailure(
        .input, error == .passwordNeeded ? "pdf.password" : "pdf.broken", error.description)
    }
  }
}
