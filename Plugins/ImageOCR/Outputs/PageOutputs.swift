internal import Bytes
internal import PDFText
internal import PDFWriter
internal import PlacedText
internal import PluginKit

/// What is written of a document's text beside the PDF, filled page by page.
struct PageOutputs {
  /// The forms that are wanted beside the plain text.
  struct Wanted: Sendable {
    var words = false
    var hocr = false
    var alto = false
  }

  private var text = ByteWriter(reserving: 4096)
  private var words: ByteWriter?
  private var hocr: HOCRWriter?
  private var alto: ALTOWriter?
  private var pages = 0
  private var finished: [Form]?

  init(_ wanted: Wanted) {
    if wanted.words { words = ByteWriter(reserving: 4096) }
    if wanted.hocr { hocr = HOCRWriter(system: ImageConversion.producer) }
    if wanted.alto { alto = ALTOWriter(system: ImageConversion.producer) }
  }

  /// Bytes in all forms together.
  var count: Int {
    text.count + (words?.count ?? 0) + (hocr?.count ?? 0) + (alto?.count ?? 0)
  }

  /// Whether no page has any text, recognized or its own.
  var areWithoutText: Bool { text.bytes.allSatisfy { $0 <= 0x20 } }

  /// Adds a page that was read.
  ///
  /// - Parameter seen: text that the page has besides, as it is shown.
  mutating func add(_ page: ReadPage, seen: ScanConversion.SeenText? = nil) {
    begin()
    if let seen { text.append(contentsOf: seen.utf8) }
    PageText.append(page.content, to: &text)
    words.mutate { page.appendJSON(to: &$0) }
    add { page.placed }
  }

  /// Adds a page of a PDF that has its text already; nil is one without any.
  mutating func add(_ page: TextPage?, number: Int) {
    begin()
    guard let page else { return }
    text.append(contentsOf: page.utf8)
    words.mutate { words in
      words.append("{")
      page.appendJSON(to: &words, withText: false)
      words.append("}\n")
    }
    add { PlacedPage(page) }
  }

  /// Adds a page to the forms that have places, from one walk over it.
  private mutating func add(_ page: () -> PlacedPage) {
    guard hocr != nil || alto != nil else { return }
    let page = page()
    hocr?.add(page)
    alto?.add(page)
  }

  /// Writes the text as that which lies beside a PDF.
  func beside(_ run: StepRun) throws(PluginFailure) -> Artifact {
    try run.write(role: "beside", name: "beside.txt", mime: "text/plain", bytes: text.bytes)
  }

  /// A form that is whole.
  struct Form {
    var role: String
    var name: String
    var mime: String
    var about: String
    var bytes: [UInt8]

    /// As what a PDF carries.
    var embedded: EmbeddedFile {
      EmbeddedFile(name: name, mime: mime, about: about, bytes: bytes)
    }
  }

  /// Ends all forms; what is added then counts no more.
  mutating func finish() -> [Form] {
    if let finished { return finished }
    var forms = [
      Form(
        role: "text", name: "document.txt", mime: "text/plain", about: "The text of the pages",
        bytes: text.bytes)
    ]
    if let words {
      forms.append(
        Form(
          role: "words", name: "document.words.jsonl", mime: "application/jsonl",
          about: "The words of the pages, with boxes and confidence", bytes: words.bytes))
    }
    if let hocr = hocr?.finish() {
      forms.append(
        Form(
          role: "hocr", name: "document.hocr.html", mime: "application/xhtml+xml",
          about: "The words of the pages as hOCR", bytes: hocr))
    }
    if let alto = alto?.finish() {
      forms.append(
        Form(
          role: "alto", name: "document.alto.xml", mime: "application/xml",
          about: "The words of the pages as ALTO", bytes: alto))
    }
    finished = forms
    return forms
  }

  /// Writes one artifact for each form.
  mutating func artifacts(_ run: StepRun) throws(PluginFailure) -> [Artifact] {
    var artifacts: [Artifact] = []
    for form in finish() {
      artifacts.append(
        try run.write(role: form.role, name: form.name, mime: form.mime, bytes: form.bytes))
    }
    return artifacts
  }

  private mutating func begin() {
    if pages > 0 { text.append(0x0C) }
    pages += 1
  }
}

extension Optional {
  fileprivate mutating func mutate(_ change: (inout Wrapped) -> Void) {
    guard var value = take() else { return }
    change(&value)
    self = value
  }
}
