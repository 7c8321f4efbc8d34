internal import Bytes
internal import Dates
internal import PDFSyntax
public import PluginKit
internal import SystemPackage
internal import TableText

/// The step `ocr.tesseract`: images and scanned PDFs become searchable PDFs.
public final class ImageOCRPlugin: Plugin {
  private var recognizers: [LanguageChoice: Recognizers] = [:]
  private var barcodes: BarcodeReader?

  /// A plugin that has loaded no languages yet.
  public init() {}

  /// What libheif decodes, which starts threads.
  static let threadedTypes = [
    "image/heic", "image/heif", "image/avif", "image/heic-sequence", "image/heif-sequence",
  ]

  /// The steps `ocr.tesseract`, which is split by page; `pages.join`, which makes one PDF of
  /// several files; and `pages.split`, which makes several of one.
  public static let manifest = PluginManifest(
    name: "image-ocr", version: "1.0.0",
    about: "Makes searchable PDFs of images and of scanned PDFs",
    steps: [
      StepManifest(
        name: "ocr.tesseract",
        about: "Recognizes the text of images and scanned PDF pages with Tesseract",
        accepts: ["image/*", "application/pdf"],
        outputs: [
          OutputManifest("pdf", mime: "application/pdf", fileExtension: "pdf"),
          OutputManifest("text", mime: "text/plain", fileExtension: "txt", always: false),
          OutputManifest(
            "words", mime: "application/jsonl", fileExtension: "words.jsonl", always: false),
          OutputManifest(
            "hocr", mime: "application/xhtml+xml", fileExtension: "hocr.html", always: false),
          OutputManifest(
            "alto", mime: "application/xml", fileExtension: "alto.xml", always: false),
          OutputManifest(
            "beside", mime: "text/plain", fileExtension: "recognized.txt", always: false),
        ],
        options: ObjectShape(
          "options of ocr.tesseract",
          [
            Field(
              "languages", .oneOrMany(.text),
              "Languages of the text as Tesseract names them, the main one first; auto: those"
                + " installed that the page is in",
              byDefault: [.string(LanguageChoice.automaticName)]),
            Field(
              "mode", .oneOf(ReadingMode.allCases.map(\.rawValue)),
              "Pages of a PDF: skip those with text; redo text that recognition put there; force",
              byDefault: "skip"),
            Field("passwords", .secret, "Passwords for locked PDFs, one a line, tried in turn"),
            Field(
              "straighten", .oneOf(Straightening.allCases.map(\.rawValue)),
              "none: as the file says; turn: text upright; full: also lines level",
              byDefault: "full"),
            Field(
              "crop", .oneOf(["none", "sheet", "sheet?"]),
              "sheet: of a photo of a sheet of paper on a darker ground, the PDF has the sheet alone, flattened",
              byDefault: "none"),
            Field(
              "blankPages", .oneOf(["keep", "drop"]),
              "drop: pages of scans with nothing on them are left out of the results, unless all are so",
              byDefault: "keep"),
            Field(
              "title", .oneOf(["none", "firstLines"]),
              "firstLines: a subject or headline on the first page is the title of the PDF of an image",
              byDefault: "none"),
            Field(
              "date", .oneOf(["none", "dmy", "mdy", "ymd"]),
              "Finds the date in the upper half of the first page; how to read dates that could be two",
              byDefault: "none"),
            Field(
              "words", .boolean,
              "Whether the words are also given, with boxes, lines, blocks and confidence",
              byDefault: false),
            Field(
              "hocr", .boolean, "Whether the text is also given as hOCR, placed on the pictures",
              byDefault: false),
            Field(
              "alto", .boolean, "Whether the text is also given as ALTO, placed on the pictures",
              byDefault: false),
            Field(
              "attach", .list(.oneOf(["text", "words", "hocr", "alto"])),
              "Which of these the PDF of an image carries as attached files, which makes it PDF/A-3b"
            ),
          ]),
        facts: [
          FactManifest("pages", "Pages of the result"),
          FactManifest("pagesRecognized", "Pages that were recognized"),
          FactManifest("words", "Words that were found"),
          FactManifest("confidence", "Mean confidence of the words, 0 to 100"),
          FactManifest("dpi", "Resolution of the first page in pixels per inch"),
          FactManifest("dpiGuessed", "Whether the resolution is a guess from the size in pixels"),
          FactManifest("language", "The main language of the text"),
          FactManifest("pagesTurned", "Pages that were turned upright"),
          FactManifest("pagesLevelled", "Pages whose lines were made level"),
          FactManifest(
            "pagesCropped", "Photos of which the sheet alone was kept, with the option `crop`"),
          FactManifest("pagesBlank", "Pages with nothing on them, left out or not"),
          FactManifest(
            "pagesUnread", "Pages that show what looks like text, and hardly any was read"),
          FactManifest("pagesPartly", "Pages with letters that are in no word that was read"),
          FactManifest("pagesUnsure", "Pages most of which was read with little confidence"),
          FactManifest("title", "The title that was found, with the option `title`"),
          FactManifest(
            "documentDate", "The date that was found, YYYY-MM-DD, with the option `date`"),
          FactManifest("pdfa", "Whether the result claims PDF/A-2b, or PDF/A-3b with `attach`"),
          FactManifest("pdfaReason", "Why it does not"),
          FactManifest("signed", "Whether a PDF is signed, and so was not changed"),
          FactManifest(
            "perPage",
            "For each page its origin (native, ocr, blank, dropped, lost), and of those that were read words,"
              + " confidence, turn and angle in degrees clockwise, languages, dpi and where it is"
              + " from, and doubts (unread, unsure, cut, language: and its name)"),
        ],
        splitByPage: true, travels: true, dataFolders: LanguageData.folder().map { [$0] } ?? [],
        threadedTypes: threadedTypes),
      JoinStep.manifest, SplitStep.manifest,
    ])

  /// Loads the decoders of pictures, and the models of the languages that the options name or the library that reads
  /// barcodes.
  public func warm(step: String, options: Options) throws(PluginFailure) {
    HEIFDecoder.prepare()
    switch step {
    case JoinStep.manifest.name: return
    case SplitStep.manifest.name: _ = try barcodeReader()
    default: _ = try recognizers(for: LanguageChoice(options.strings("languages"))).first()
    }
  }

  /// Recognizes some pages, makes the PDF of pages that were recognized, or does both; or joins
  /// or splits files.
  public func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    switch run.step {
    case JoinStep.manifest.name: try JoinStep.run(run, host)
    case SplitStep.manifest.name: try SplitStep.run(run, host, barcodes: try barcodeReader())
    default: try recognize(run, host)
    }
  }

  private func recognize(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    let source = try run.source()
    var options = OCROptions()
    options.languages = LanguageChoice(run.options.strings("languages"))
    options.straightening =
      run.options.string("straighten").flatMap(Straightening.init(rawValue:)) ?? .full
    let crop = run.options.string("crop")
    options.cropsToSheet = crop == "sheet" || crop == "sheet?"
    options.missesSheets = crop == "sheet"
    options.mode = run.options.string("mode").flatMap(ReadingMode.init(rawValue:)) ?? .skip
    options.passwords = run.options.lines("passwords")
    options.dropsBlankPages = run.options.string("blankPages") == "drop"
    options.head = DocumentHead.Wanted(
      title: run.options.string("title") == "firstLines",
      date: run.options.string("date").flatMap(DateOrder.init(rawValue:)))
    options.attached = Set(run.options.strings("attach"))
    options.outputs.words = run.options.flag("words") || options.attached.contains("words")
    options.outputs.hocr = run.options.flag("hocr") || options.attached.contains("hocr")
    options.outputs.alto = run.options.flag("alto") || options.attached.contains("alto")
    let recognizers = try recognizers(for: options.languages)
    recognizers.begin()
    options.limits = OCRLimits(run)
    let bytes = FileBytes(try .mapped(source.path))
    let reader = PageReader(recognizers: recognizers)
    if let part = run.part, !part.join {
      return try Self.read(part, of: bytes, options: options, reader: reader, run, host)
    }
    let parts = run.part == nil ? nil : try Self.parts(run)
    return try Self.convert(bytes, parts: parts, options: options, reader: reader, run, host)
  }

  /// Reads some pages of a file; one that is to stay as it is gives nothing.
  private static func read(
    _ pages: StepRun.Part, of bytes: FileBytes, options: OCROptions, reader: PageReader,
    _ run: StepRun, _ host: any StepHost
  ) throws(PluginFailure) -> StepOutput {
    var artifacts: [Artifact] = []
    for number in pages.page...pages.last {
      let part =
        bytes.isPDF
        ? try ScanConversion(options: options, reader: reader).read(number, of: bytes)
        : try ImageConversion(options: options, reader: reader).read(number, of: bytes.span)
      host.progress(number - pages.page + 1, of: pages.last - pages.page + 1, unit: "page")
      guard let part else { continue }
      artifacts.append(
        try run.write(
          role: "part", name: "page-\(number).part", mime: PagePart.mime, bytes: part.encoded()))
    }
    return StepOutput(artifacts: artifacts)
  }

  /// Where the pages that were read lie, by their number.
  private static func parts(_ run: StepRun) throws(PluginFailure) -> [Int: FilePath] {
    var parts: [Int: FilePath] = [:]
    for input in run.inputs["parts"] ?? [] {
      let bytes = FileBytes(try .mapped(input.path))
      guard let number = PagePart.number(of: bytes.span) else { throw unreadablePart }
      parts[number] = input.path
    }
    return parts
  }

  private static func part(at path: FilePath) throws(PluginFailure) -> PagePart {
    let bytes = FileBytes(try .mapped(path))
    guard let part = PagePart(bytes.span.array(0..<bytes.count)) else { throw unreadablePart }
    return part
  }

  private static var unreadablePart: PluginFailure {
    PluginFailure(.internal, "ocr.part", "what the run of a page gave cannot be read")
  }

  private static func convert(
    _ bytes: FileBytes, parts: [Int: FilePath]?, options: OCROptions, reader: PageReader,
    _ run: StepRun, _ host: any StepHost
  ) throws(PluginFailure) -> StepOutput {
    let pdf = try ResultFile("\(run.workFolder)/out/\(pdfName)", name: "the result")
    var made = try convert(bytes, parts: parts, options: options, reader: reader, to: pdf) {
      host.progress($0, of: $1, unit: "page")
    }
    try pdf.close()
    var artifacts = [Artifact(role: "pdf", path: "out/\(pdfName)", mime: "application/pdf")]
    artifacts += try made.outputs.artifacts(run)
    // Of a signed file the text lies beside the PDF and nowhere in it.
    if made.facts.isSigned { artifacts.append(try made.outputs.beside(run)) }
    if bytes.isPDF, !options.attached.isEmpty {
      host.note(
        "ocr.input",
        "Text recognition attached nothing: only PDFs made of pictures get its `attach`.", page: nil
      )
    }
    if made.outputs.areWithoutText, made.facts.blankNote == nil,
      artifacts.contains(where: { $0.role == "text" })
    {
      host.note("text.none", "no text was recognized", page: nil)
    }
    for note in made.facts.notes { host.note("ocr.input", note, page: nil) }
    if options.missesSheets, !bytes.isPDF, let whole = made.facts.uncroppedNote {
      host.note("ocr.input", whole, page: nil)
    }
    if let blank = made.facts.blankNote { host.note("ocr.blank", blank, page: nil) }
    for doubt in made.facts.doubts {
      host.note(doubt.noteCode, doubt.sentence, page: doubt.page)
    }
    return StepOutput(
      artifacts: artifacts, facts: made.facts.json,
      partial: made.facts.isPartial)
  }

  private static let pdfName = "document.pdf"

  private func barcodeReader() throws(PluginFailure) -> BarcodeReader {
    if let barcodes { return barcodes }
    let reader = try BarcodeReader()
    barcodes = reader
    return reader
  }

  private func recognizers(for choice: LanguageChoice) throws(PluginFailure) -> Recognizers {
    if let known = recognizers[choice] { return known }
    let made = try Recognizers(choice)
    recognizers[choice] = made
    return made
  }

  /// Converts a file of either kind.
  ///
  /// - Parameter parts: where the pages lie that were read before, by their number; nil reads them all
  ///   here.
  static func convert(
    _ bytes: FileBytes, parts: [Int: FilePath]? = nil, options: OCROptions, reader: PageReader,
    to output: ResultFile, progress: (Int, Int) -> Void
  ) throws(PluginFailure) -> (facts: OCRFacts, outputs: PageOutputs) {
    guard bytes.count > 0 else {
      throw PluginFailure(.input, "file.empty", "the file is empty")
    }
    func known(_ number: Int) throws(PluginFailure) -> PagePart? {
      guard let path = parts?[number] else { return nil }
      return try part(at: path)
    }
    if bytes.isPDF {
      let result = try ScanConversion(options: options, reader: reader)
        .convert(bytes, part: parts == nil ? nil : known, progress: progress)
      try result.output.write(to: output, original: bytes.span)
      return (result.facts, result.outputs)
    }
    func read(_ number: Int) throws(PluginFailure) -> PagePart {
      try known(number) ?? PagePart(number: number)
    }
    let result = try ImageConversion(options: options, reader: reader).convert(
      bytes.span, part: parts == nil ? nil : read, progress: progress
    ) { (piece) throws(PluginFailure) in
      try output.write(piece)
    }
    return (result.facts, result.outputs)
  }
}
