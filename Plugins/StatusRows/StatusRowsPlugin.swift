internal import Bytes
internal import Dates
internal import PDFInput
internal import PDFSyntax
internal import PDFText
public import PluginKit
internal import Spreadsheets
internal import TableText

/// The step `status.rows`: a status list becomes rows of number, status and date.
public final class StatusRowsPlugin: Plugin {
  /// A plugin that holds nothing.
  public init() {}

  /// The step `status.rows`.
  public static let manifest = PluginManifest(
    name: "status-rows", version: "1.0.0", about: "Reads the rows of status lists",
    steps: [
      StepManifest(
        name: "status.rows", about: "Gives number, status and date of each row",
        accepts: ["application/pdf"],
        outputs: [
          OutputManifest("csv", mime: "text/csv; charset=utf-8", fileExtension: "csv"),
          OutputManifest("json", mime: "application/jsonl", fileExtension: "jsonl"),
          OutputManifest(
            "xlsx", mime: WorkbookWriter.mime, fileExtension: "xlsx", always: false),
          OutputManifest("pdf", mime: "application/pdf", fileExtension: "pdf", always: false),
        ],
        options: ObjectShape(
          "options of status.rows",
          [
            Field(
              "columns",
              .such(
                .list(.oneOf(["number", "status", "date", "-"]), atLeast: 1), .columns),
              "What the columns hold from left to right, - for one that is not wanted; found out"
                + " when left out"),
            Field(
              "dateOrder", .oneOf(["dmy", "mdy", "ymd"]),
              "How dates of digits are meant; the whole column decides when left out"),
            Field(
              "excel", .boolean,
              "Whether CSV has semicolons and a byte order mark, as spreadsheets like it",
              byDefault: false),
            Field(
              "noFormulas", .boolean,
              "Whether an apostrophe is put before cells that a spreadsheet would run; with excel it is",
              byDefault: false),
            Field("passwords", .secret, "Passwords for locked files, one a line, tried in turn"),
            Field(
              "pdf", .boolean,
              "Whether the PDF is also given with its rows attached, as PDF/A-3 if it was PDF/A",
              byDefault: false),
            Field(
              "pattern", .regex,
              "What a number looks like; eleven digits from 20000000000 to 28999999999 when left out"
            ),
            Field(
              "xlsx", .boolean, "Whether the rows are also given as a workbook of Excel",
              byDefault: false),
          ]),
        facts: [
          FactManifest("rows", "Rows that were found"),
          FactManifest("numbers", "Different numbers among them"),
          FactManifest("columns", "Columns that hold something: number, status, date"),
          FactManifest("doubtful", "Rows that may not be as they were meant"),
          FactManifest("datesUnclear", "Rows with a date whose meaning stays open"),
          FactManifest("confidence", "The lowest confidence of a row, 0 to 1"),
          FactManifest("pages", "Pages of the document"),
        ])
    ])

  /// Reads a sample page once, so that no run pays for the first uses of types.
  public func warm(step: String, options: Options) throws(PluginFailure) {
    _ = TextExtractor.rehearsal()?.page(0)
  }

  /// Writes the rows as CSV, JSON Lines and a workbook, and attaches them; ends with `limit.output` where they grow too long.
  public func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    var list = try Self.list(run.options)
    let extractor = try PDFInput.open(run)
    let rows = list.rows(
      of: extractor, progress: { host.progress($0, of: extractor.pageCount, unit: "page") })
    let form = CSVForm(
      excel: run.options.flag("excel"), noFormulas: run.options.flag("noFormulas"))
    var csv = ByteWriter(), json = ByteWriter()
    let workbook = run.options.flag("xlsx") ? try WorkbookFile(run, name: "rows.xlsx") : nil
    if let workbook { StatusRow.beginSheet(in: workbook.writer) }
    csv.append(contentsOf: StatusRow.csvHeader(form))
    for row in rows {
      row.write(csv: &csv, form)
      row.write(json: &json)
      if let workbook {
        row.write(to: workbook.writer)
        try workbook.keep()
      }
      guard csv.count + json.count + (workbook?.count ?? 0) <= run.limits.output else {
        throw PluginFailure(
          .input, "limit.output", "the rows are larger than limits.output allows", page: row.page)
      }
    }
    let lacksContent = PDFInput.tell(extractor, host)
    let isUnread = try PDFInput.tellUnread(extractor, among: list.sparsePages, of: run, host)
    if rows.isEmpty { host.note("tables.none", "no row of a status list was found", page: nil) }
    var artifacts = [
      try run.write(
        role: "csv", name: "rows.csv", mime: "text/csv; charset=utf-8", bytes: csv.bytes),
      try run.write(
        role: "json", name: "rows.jsonl", mime: "application/jsonl", bytes: json.bytes),
    ]
    if let workbook { artifacts.append(try workbook.finish(host)) }
    if run.options.flag("pdf"), !rows.isEmpty,
      let copy = try PDFInput.attach(
        RowFiles.ofStatusList(csv: csv.bytes, json: json.bytes), to: extractor, of: run,
        name: "rows.pdf", beside: csv.count + json.count + (workbook?.count ?? 0), host)
    {
      artifacts.append(copy)
    }
    return StepOutput(
      artifacts: artifacts,
      facts: Self.facts(rows, extractor), partial: lacksContent || isUnread)
  }

  private static func list(_ options: Options) throws(PluginFailure) -> StatusList {
    var pattern = NumberPattern()
    if let expression = options.string("pattern") {
      do { pattern = try NumberPattern(expression) } catch {
        throw PluginFailure(.options, "option.pattern", "pattern is no regular expression")
      }
    }
    let columns = options.strings("columns").compactMap { StatusColumn(rawValue: $0) }
    guard options["columns"].map(ValueRule.columns.holds) ?? true else {
      throw PluginFailure(
        .options, "option.columns", "\(ValueRule.columns.expectation) is expected as columns")
    }
    return StatusList(
      pattern: pattern, columns: columns,
      dateOrder: options.string("dateOrder").flatMap { DateOrder(rawValue: $0) })
  }

  private static func facts(_ rows: [StatusRow], _ extractor: TextExtractor) -> JSON {
    let columns = [
      !rows.isEmpty, rows.contains { !$0.status.isEmpty }, rows.contains { !$0.date.isEmpty },
    ].count { $0 }
    return [
      "rows": .integer(rows.count), "numbers": .integer(Set(rows.map(\.number)).count),
      "columns": .integer(columns), "doubtful": .integer(rows.count { $0.doubt != nil }),
      "datesUnclear": .integer(rows.count { !$0.date.isEmpty && $0.dateISO == nil }),
      "confidence": .number(rows.map(\.confidence).min() ?? 0),
      "pages": .integer(extractor.pageCount),
    ]
  }
}
