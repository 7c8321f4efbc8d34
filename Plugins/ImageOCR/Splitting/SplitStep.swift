internal import Bytes
internal import PDFSyntax
internal import PluginKit

/// The step `pages.split`: a stack of scanned documents becomes a PDF for each.
enum SplitStep {
  static let manifest = StepManifest(
    name: "pages.split",
    about: "Splits a stack of scans into a PDF for each document, at pages with a barcode",
    accepts: ["image/*", "application/pdf"],
    outputs: [OutputManifest("pdf", mime: "application/pdf", fileExtension: "pdf")],
    options: ObjectShape(
      "options of pages.split",
      [
        Field(
          "pattern", .regex,
          "What the whole text of a barcode matches that begins a document, in capital or small letters",
          byDefault: .string(Separators.usual)),
        Field(
          "keep", .boolean,
          "Whether the page with the barcode is the first of its document; else it is left out",
          byDefault: false),
        Field("passwords", .secret, "Passwords for locked PDFs, one a line, tried in turn"),
      ]),
    facts: [
      FactManifest("documents", "Documents that were made"),
      FactManifest("pages", "Pages of all documents together"),
      FactManifest("separators", "Pages with a barcode that begins a document"),
      FactManifest(
        "barcodes", "The text of each document's barcode, in order; empty where it has none"),
    ],
    threadedTypes: ImageOCRPlugin.threadedTypes)

  static func run(
    _ run: StepRun, _ host: any StepHost, barcodes: BarcodeReader
  ) throws(PluginFailure) -> StepOutput {
    let input = try run.source()
    let separators = try Separators(
      pattern: run.options.string("pattern") ?? Separators.usual,
      keepsPages: run.options.flag("keep"))
    let limits = OCRLimits(run)
    let join = PageJoin(limits: limits, passwords: run.options.lines("passwords"))
    let file = PageJoin.File(name: run.sourceName, bytes: FileBytes(try .mapped(input.path)))
    var opening = PageJoin.Result()
    let source = try join.open(file, &opening)
    try limits.check(pages: source.pageCount)

    let reader = StackReader(barcodes: barcodes, limits: limits)
    var found: [String?] = []
    for index in 0..<source.pageCount {
      found.append(separators.separator(among: try reader.texts(on: index, of: source)))
      host.progress(index + 1, of: source.pageCount, unit: "page")
    }
    let documents = separators.documents(found)
    guard !documents.isEmpty else {
      throw PluginFailure(
        .input, "pages.separators", "all pages are separators, so there is no document",
        hint: "Scan the stack again; if the barcodes stand on the documents, set \"keep\": true.")
    }

    var artifacts: [Artifact] = []
    var (pages, isPartial, notes) = (0, opening.isPartial, opening.notes)
    for (index, document) in documents.enumerated() {
      let path = "out/document-\((index + 1).padded(to: 4)).pdf"
      let pdf = try ResultFile("\(run.workFolder)/\(path)", name: "a result")
      let result = try join.write(
        document.pages.map { PageOrder.Place(file: 0, page: $0) }, of: [source],
        named: [file.name], progress: { _, _ in }
      ) { (piece) throws(PluginFailure) in
        try pdf.write(piece)
      }
      try pdf.close()
      (pages, isPartial) = (pages + result.pages, isPartial || result.isPartial)
      notes += result.notes
      artifacts.append(
        Artifact(
          role: "pdf", path: path, mime: "application/pdf",
          label: separators.nameDocuments ? document.barcode : nil))
      host.progress(index + 1, of: documents.count, unit: "document")
    }
    for note in notes { host.note("pages.input", note, page: nil) }
    return StepOutput(
      artifacts: artifacts,
      facts: [
        "documents": .integer(documents.count), "pages": .integer(pages),
        "separators": .integer(found.count { $0 != nil }),
        "barcodes": .array(documents.map { .string($0.barcode ?? "") }),
      ], partial: isPartial)
  }
}
