internal import Bytes
internal import MarkdownText
internal import PDFText
internal import PlacedText
internal import PluginKit

/// The forms of the text that a run asks for, filled page by page.
struct Writers {
  private var text = ByteWriter(reserving: 4096)
  private var layout: ByteWriter?
  private var jsonLines: ByteWriter?
  private var markdown: MarkdownWriter?
  private var hocr: HOCRWriter?
  private var alto: ALTOWriter?
  private let joinsHyphens: Bool
  private var pages = 0
  private(set) var words = 0
  private(set) var characters = 0
  private(set) var unknownCharacters = 0
  private(set) var emptyPages = 0

  init(_ options: Options, _ extractor: TextExtractor) {
    joinsHyphens = options.flag("joinHyphens")
    if options.flag("layout") { layout = ByteWriter(reserving: 4096) }
    if options.flag("words") { jsonLines = ByteWriter(reserving: 4096) }
    if options.flag("hocr") { hocr = HOCRWriter(system: "procd") }
    if options.flag("alto") { alto = ALTOWriter(system: "procd") }
    if options.flag("markdown") {
      markdown = MarkdownWriter(
        reading: extractor, keepsRunningLines: options.flag("runningLines"))
    }
  }

  /// Bytes in all forms together.
  var count: Int {
    text.count + (layout?.count ?? 0) + (jsonLines?.count ?? 0) + (markdown?.count ?? 0)
      + (hocr?.count ?? 0) + (alto?.count ?? 0)
  }

  /// Adds the next page; nil is one that could not be read.
  mutating func add(_ page: TextPage?) {
    if pages > 0 {
      text.append(0x0C)
      layout?.append(0x0C)
    }
    pages += 1
    guard let page else {
      emptyPages += 1
      return
    }
    text.append(contentsOf: joinsHyphens ? page.joinedText() : page.utf8)
    layout?.append(contentsOf: page.layoutText())
    markdown?.add(page)
    if var lines = jsonLines.take() {
      lines.append("{")
      page.appendJSON(to: &lines, withText: false)
      lines.append("}\n")
      jsonLines = lines
    }
    if hocr != nil || alto != nil {
      let placed = PlacedPage(page)
      hocr?.add(placed)
      alto?.add(placed)
    }
    words += page.words.count
    characters += page.characters
    unknownCharacters += page.unknownCharacters
    if page.isEmpty { emptyPages += 1 }
  }

  /// How many running heads and feet Markdown leaves out; nil without Markdown.
  var runningLines: Int? { markdown?.leftOut }

  /// Writes one artifact for each form.
  mutating func artifacts(_ run: StepRun) throws(PluginFailure) -> [Artifact] {
    let plain = "text/plain; charset=utf-8"
    var artifacts = [
      try run.write(role: "text", name: "text.txt", mime: plain, bytes: text.bytes)
    ]
    if let layout {
      artifacts.append(
        try run.write(role: "layout", name: "layout.txt", mime: plain, bytes: layout.bytes))
    }
    if let markdown = markdown?.finish() {
      artifacts.append(
        try run.write(
          role: "markdown", name: "markdown.md", mime: "text/markdown", bytes: markdown))
    }
    if let jsonLines {
      artifacts.append(
        try run.write(
          role: "words", name: "words.jsonl", mime: "application/jsonl", bytes: jsonLines.bytes))
    }
    if let hocr = hocr?.finish() {
      artifacts.append(
        try run.write(
          role: "hocr", name: "hocr.html", mime: "application/xhtml+xml", bytes: hocr))
    }
    if let alto = alto?.finish() {
      artifacts.append(
        try run.write(role: "alto", name: "alto.xml", mime: "application/xml", bytes: alto))
    }
    return artifacts
  }
}
