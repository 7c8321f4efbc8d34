internal import Bytes
internal import PDFSyntax
internal import PDFText
public import PluginKit

/// The step `pdf.text`: PDFs become text in reading order.
public final class PDFTextPlugin: Plugin {
  public init() {}

  public static let manifest = PluginManifest(
    name: "pdf-text", version: "1.0.0", about: "Reads the text of PDF files",
    steps: [
      StepManifest(
        name: "pdf.text", about: "Gives the text of a PDF in reading order",
        accepts: ["application/pdf"],
        outputs: [
          OutputManifest("text", mime: "text/plain; charset=utf-8", fileExtension: "txt"),
          OutputManifest(
            "words", mime: "application/jsonl", fileExtension: "words.jsonl", always: false),
        ],
        options: ObjectShape(
          "options of pdf.text",
          [
            Field(
              "words", .boolean, "Whether the words are given too, with their boxes",
              byDefault: false)
          ]),
        facts: [
          FactManifest("pages", "Pages of the document"),
          FactManifest("pagesWithoutText", "Pages that show no text"),
          FactManifest("words", "Words in all"),
        ])
    ])

  public func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    let extractor = try PDFInput.open(run)
    var text = ByteWriter(), words = ByteWriter()
    var wordCount = 0, empty = 0
    for index in 0..<extractor.pageCount {
      if index > 0 { text.append(0x0C) }
      if let page = extractor.page(index) {
        text.append(contentsOf: page.utf8)
        wordCount += page.words.count
        if page.isEmpty { empty += 1 }
        if run.options.flag("words") { Self.write(page, to: &words) }
      } else {
        empty += 1
      }
      guard text.count + words.count <= run.limits.output else {
        throw PluginFailure(
          .input, "limit.output", "the text is larger than limits.output allows", page: index + 1)
      }
      host.progress(index + 1, of: extractor.pageCount, unit: "page")
    }
    var artifacts = [
      try run.write(
        role: "text", name: "text.txt", mime: "text/plain; charset=utf-8", bytes: text.bytes)
    ]
    if run.options.flag("words") {
      artifacts.append(
        try run.write(
          role: "words", name: "words.jsonl", mime: "application/jsonl", bytes: words.bytes))
    }
    PDFInput.tell(extractor, host)
    return StepOutput(
      artifacts: artifacts,
      facts: [
        "pages": .integer(extractor.pageCount), "pagesWithoutText": .integer(empty),
        "words": .integer(wordCount),
      ], partial: extractor.file.diagnostics.isPartial)
  }

  /// One line a word: page, box in points from the top left, text.
  private static func write(_ page: TextPage, to output: inout ByteWriter) {
    for word in page.words {
      let box = [word.box.x0, word.box.y0, word.box.x1, word.box.y1]
      let line: JSON = [
        "page": .integer(page.number),
        "box": .array(box.map { .number(($0 * 100).rounded() / 100) }),
        "text": .string(page.text(word)),
      ]
      output.append(contentsOf: line.line)
      output.append(0x0A)
    }
  }
}
