internal import Bytes
internal import PDFInput
internal import PDFSyntax
internal import PDFText
public import PluginKit

/// The step `pdf.text`: PDFs become text in reading order; `pdf.attachments`, which gives the files in them; and
/// `pdf.unlock`, which gives copies that need no password.
public final class PDFTextPlugin: Plugin {
  /// A plugin that holds nothing.
  public init() {}

  /// The steps `pdf.text`, `pdf.attachments` and `pdf.unlock`.
  public static let manifest = PluginManifest(
    name: "pdf-text", version: "1.0.0", about: "Reads the text of PDF files",
    steps: [
      StepManifest(
        name: "pdf.text", about: "Gives the text of a PDF in reading order",
        accepts: ["application/pdf"],
        outputs: [
          OutputManifest("text", mime: "text/plain; charset=utf-8", fileExtension: "txt"),
          OutputManifest(
            "layout", mime: "text/plain; charset=utf-8", fileExtension: "layout.txt", always: false),
          OutputManifest("markdown", mime: "text/markdown", fileExtension: "md", always: false),
          OutputManifest(
            "words", mime: "application/jsonl", fileExtension: "words.jsonl", always: false),
          OutputManifest(
            "hocr", mime: "application/xhtml+xml", fileExtension: "hocr.html", always: false),
          OutputManifest(
            "alto", mime: "application/xml", fileExtension: "alto.xml", always: false),
        ],
        options: ObjectShape(
          "options of pdf.text",
          [
            Field(
              "joinHyphens", .boolean,
              "Whether words that a line's end divides are put together in `text`",
              byDefault: false),
            Field(
              "layout", .boolean,
              "Whether the text is also given as it stands on the page, columns kept by blanks",
              byDefault: false),
            Field(
              "markdown", .boolean,
              "Whether the text is also given as Markdown with headings, lists and tables",
              byDefault: false),
            Field(
              "ligatures", .boolean,
              "Whether ligatures and forms of Arabic letters stay as the fonts have them",
              byDefault: false),
            Field("passwords", .secret, "Passwords for locked files, one a line, tried in turn"),
            Field(
              "runningLines", .boolean,
              "Whether what recurs at the head or foot of pages stays in Markdown",
              byDefault: false),
            Field(
              "words", .boolean,
              "Whether the words are also given, with boxes, lines, blocks and fonts",
              byDefault: false),
            Field(
              "hocr", .boolean, "Whether the text is also given as hOCR, placed in points",
              byDefault: false),
            Field(
              "alto", .boolean, "Whether the text is also given as ALTO, placed in points",
              byDefault: false),
          ]),
        facts: [
          FactManifest("pages", "Pages of the document"),
          FactManifest("runningLines", "Running heads and feet that Markdown leaves out"),
          FactManifest("pagesWithoutText", "Pages that show no text"),
          FactManifest("words", "Words in all"),
          FactManifest("characters", "Characters in all, blanks left out"),
          FactManifest(
            "unknownCharacters", "Characters that the file does not name; they are U+FFFD"),
          FactManifest(
            "guessedLetters",
            "Whether a font does not say what its letters are, so that its codes were taken for Latin-1"
          ),
          FactManifest("encrypted", "Whether the file is encrypted"),
          FactManifest("repaired", "Whether the file's structure had to be found by scanning"),
          FactManifest("producer", "The program that made the PDF, where stated"),
          FactManifest("title", "The title, where stated"),
          FactManifest("language", "The language of the text, where stated"),
          FactManifest("attachments", "Files that are attached to the document"),
          FactManifest("attachmentNames", "Their names"),
        ]),
      AttachmentsStep.manifest, UnlockStep.manifest,
    ])

  /// Reads and writes a sample page once, so that no run pays for the first uses of types.
  public func warm(step: String, options: Options) throws(PluginFailure) {
    guard step == "pdf.text", let extractor = TextExtractor.rehearsal() else { return }
    var writers = Writers(options, extractor)
    writers.add(extractor.page(0))
    _ = facts(extractor, writers, extractor.attachedFiles)
  }

  /// Writes the text in the forms that the pipeline asks for, the attached files, or an unlocked copy; ends with
  /// `limit.output` if it grows too long.
  public func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    switch run.step {
    case AttachmentsStep.manifest.name: return try AttachmentsStep.run(run, host)
    case UnlockStep.manifest.name: return try UnlockStep.run(run, host)
    default: break
    }
    let extractor = try PDFInput.open(run)
    extractor.keepsLigatures = run.options.flag("ligatures")
    var writers = Writers(run.options, extractor)
    var sparse: [Int] = []
    for index in 0..<extractor.pageCount {
      let page = extractor.page(index)
      if page?.hasLittleText ?? true { sparse.append(index) }
      writers.add(page)
      guard writers.count <= run.limits.output else {
        throw PluginFailure(
          .input, "limit.output", "the text is larger than limits.output allows", page: index + 1)
      }
      host.progress(index + 1, of: extractor.pageCount, unit: "page")
    }
    let artifacts = try writers.artifacts(run)
    let lacksContent = PDFInput.tell(extractor, host)
    let attached = extractor.attachedFiles
    PDFInput.tell(attached, host)
    if writers.characters > 0 {
      try PDFInput.tellUnread(extractor, among: sparse, of: run, host)
    }
    if let sentence = TextPage.sentence(
      ofUnknown: writers.unknownCharacters, among: writers.characters)
    {
      host.note(
        "text.unknown", "\(sentence); recognizing its pages may read them (ocr.tesseract)",
        page: nil)
    }
    // Recognition says so itself where it has looked at them.
    if writers.characters == 0, extractor.pageCount > 0, try run.source().madeBy != "ocr.tesseract"
    {
      host.note(
        "text.none", "no text was found on its pages; ocr.tesseract recognizes scans", page: nil)
    }
    return StepOutput(
      artifacts: artifacts, facts: facts(extractor, writers, attached),
      partial: lacksContent)
  }

  private func facts(
    _ extractor: TextExtractor, _ writers: Writers, _ attached: AttachedFiles
  ) -> JSON {
    let information = DocumentInformation(extractor.file)
    var facts: [JSON.Member] = [
      JSON.Member("pages", .integer(extractor.pageCount)),
      JSON.Member("pagesWithoutText", .integer(writers.emptyPages)),
      JSON.Member("words", .integer(writers.words)),
      JSON.Member("characters", .integer(writers.characters)),
      JSON.Member("unknownCharacters", .integer(writers.unknownCharacters)),
      JSON.Member("guessedLetters", .bool(extractor.guessedLetters)),
      JSON.Member("encrypted", .bool(extractor.file.isEncrypted)),
      JSON.Member("repaired", .bool(extractor.file.wasRebuilt)),
    ]
    if let count = writers.runningLines {
      facts.append(JSON.Member("runningLines", .integer(count)))
    }
    for (name, value) in [
      ("producer", information.producer), ("title", information.title),
      ("language", information.language),
    ] {
      if let value { facts.append(JSON.Member(name, .string(value))) }
    }
    return .object(facts + attached.facts)
  }
}
