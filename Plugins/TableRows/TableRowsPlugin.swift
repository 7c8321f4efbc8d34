internal import Bytes
internal import PDFInput
internal import PDFSyntax
internal import PDFText
internal import PDFWriter
public import PluginKit
internal import Spreadsheets
internal import TableText

/// The step `tables.rows`: the tables of a PDF become CSV and JSON Lines.
public final class TableRowsPlugin: Plugin {
  /// A plugin that holds nothing.
  public init() {}

  /// The step `tables.rows`.
  public static let manifest = PluginManifest(
    name: "table-rows", version: "1.0.0", about: "Reads the tables of PDF files",
    steps: [
      StepManifest(
        name: "tables.rows", about: "Gives the tables of a PDF, with lines drawn or without",
        accepts: ["application/pdf"],
        outputs: [
          OutputManifest("csv", mime: "text/csv; charset=utf-8", fileExtension: "csv"),
          OutputManifest("json", mime: "application/jsonl", fileExtension: "jsonl"),
          OutputManifest(
            "table", mime: "text/csv; charset=utf-8", fileExtension: "csv", always: false),
          OutputManifest(
            "xlsx", mime: WorkbookWriter.mime, fileExtension: "xlsx", always: false),
          OutputManifest("pdf", mime: "application/pdf", fileExtension: "pdf", always: false),
        ],
        options: ObjectShape(
          "options of tables.rows",
          [
            Field(
              "area",
              .such(.list(.number(0...100_000), atLeast: 4), .box),
              "Only what lies in this box of each page: x0, y0, x1, y1 in points from the top left"),
            Field(
              "columnsAt", .list(.number(0...100_000), atLeast: 1),
              "Where columns are parted, in points from the left; each page, or its area, is one"
                + " table then"),
            Field(
              "excel", .boolean,
              "Whether CSV has semicolons and a byte order mark, as spreadsheets like it",
              byDefault: false),
            Field(
              "fill", .oneOf(["none", "down"]),
              "Whether the text of a merged cell is repeated in each row that it belongs to",
              byDefault: "none"),
            Field(
              "noFormulas", .boolean,
              "Whether an apostrophe is put before cells that a spreadsheet would run; with excel it is",
              byDefault: false),
            Field("passwords", .secret, "Passwords for locked files, one a line, tried in turn"),
            Field(
              "pdf", .boolean,
              "Whether the PDF is also given with its tables attached, as PDF/A-3 if it was PDF/A",
              byDefault: false),
            Field(
              "xlsx", .boolean,
              "Whether the tables are also given as a workbook of Excel, with a sheet for each",
              byDefault: false),
          ]),
        facts: [
          FactManifest("tables", "Tables that were found"),
          FactManifest("rows", "Rows of all tables, heads left out"),
          FactManifest("columns", "The most columns that a table has"),
          FactManifest("pages", "Pages of the document"),
        ])
    ])

  /// Reads a sample page once, so that no run pays for the first uses of types.
  public func warm(step: String, options: Options) throws(PluginFailure) {
    _ = TextExtractor.rehearsal()?.page(0)
  }

  /// Writes the tables as CSV, JSON Lines and a workbook, and attaches them; ends with `limit.output` where they grow too long.
  public func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    let options = try Self.options(run.options), extractor = try PDFInput.open(run)
    var results = Results(
      form: CSVForm(
        excel: run.options.flag("excel"), noFormulas: run.options.flag("noFormulas")))
    let workbook = run.options.flag("xlsx") ? try WorkbookFile(run, name: "tables.xlsx") : nil
    let sparse = try TableList.read(extractor, options) { tables, page throws(PluginFailure) in
      if let workbook {
        for (index, table) in tables.enumerated() {
          table.write(to: workbook.writer, number: results.tables.count + index + 1)
          try workbook.keep()
        }
      }
      results.add(tables)
      guard results.count + (workbook?.count ?? 0) <= run.limits.output else {
        throw PluginFailure(
          .input, "limit.output", "the tables are larger than limits.output allows", page: page)
      }
      if let page { host.progress(page, of: extractor.pageCount, unit: "page") }
    }
    let lacksContent = PDFInput.tell(extractor, host)
    let isUnread = try PDFInput.tellUnread(extractor, among: sparse, of: run, host)
    if results.tables.isEmpty { host.note("tables.none", "no table was found", page: nil) }
    if results.tables.count > RowFiles.mostTables {
      host.note(
        "tables.many", "only the first \(RowFiles.mostTables) tables have files of their own",
        page: nil)
    }
    var artifacts = try results.artifacts(run)
    if let workbook, !results.tables.isEmpty { artifacts.append(try workbook.finish(host)) }
    if run.options.flag("pdf"), !results.tables.isEmpty,
      let copy = try PDFInput.attach(
        results.attached, to: extractor, of: run, name: "tables.pdf",
        beside: results.count + (workbook?.count ?? 0), host)
    {
      artifacts.append(copy)
    }
    return StepOutput(
      artifacts: artifacts,
      facts: [
        "tables": .integer(results.tables.count), "rows": .integer(results.rows),
        "columns": .integer(results.columns), "pages": .integer(extractor.pageCount),
      ], partial: lacksContent || isUnread)
  }

  private static func options(_ options: Options) throws(PluginFailure) -> TableOptions {
    var result = TableOptions(
      columnsAt: options["columnsAt"]?.arrayValue?.compactMap(\.doubleValue) ?? [],
      fillsDown: options.string("fill") == "down")
    guard let area = options["area"] else { return result }
    guard ValueRule.box.holds(for: area), let box = area.arrayValue?.compactMap(\.doubleValue)
    else {
      throw PluginFailure(
        .options, "option.area", "\(ValueRule.box.expectation) is expected as area")
    }
    result.area = TextPage.Box(x0: box[0], y0: box[1], x1: box[2], y1: box[3])
    return result
  }
}

/// The forms of the tables, filled as tables are found.
private struct Results {
  let form: CSVForm
  private(set) var tables: [[UInt8]] = []
  private var json = ByteWriter()
  private(set) var rows = 0
  private(set) var columns = 0
  private var bytes = 0

  init(form: CSVForm) { self.form = form }

  /// Bytes in all forms together: each table stands in its own file and in that of all.
  var count: Int { 2 * bytes + json.count }

  mutating func add(_ found: [TextTable]) {
    for table in found {
      var csv = ByteWriter()
      table.write(csv: &csv, form)
      tables.append(csv.bytes)
      bytes += csv.count
      table.write(json: &json, number: tables.count)
      rows += table.rows.count
      columns = max(columns, table.columns)
    }
  }

  /// What the PDF carries.
  var attached: [EmbeddedFile] {
    RowFiles.ofTables(tables, start: form.start, json: json.bytes)
  }

  /// All tables in one file, parted by empty lines; each in one of its own, where there are several;
  /// their rows as JSON Lines.
  func artifacts(_ run: StepRun) throws(PluginFailure) -> [Artifact] {
    let mime = "text/csv; charset=utf-8"
    let all = form.start + tables.joined(separator: [0x0D, 0x0A])
    var artifacts = [
      try run.write(role: "csv", name: "tables.csv", mime: mime, bytes: all),
      try run.write(
        role: "json", name: "tables.jsonl", mime: "application/jsonl", bytes: json.bytes),
    ]
    for (index, table) in tables.prefix(RowFiles.mostTables).enumerated() {
      artifacts.append(
        try run.write(
          role: "table", name: RowFiles.name(ofTable: index + 1), mime: mime,
          bytes: form.start + table))
    }
    return artifacts
  }
}
