internal import Bytes
internal import PDFText
internal import PluginKit

/// What is written of a document's text beside the PDF, filled page by page.
struct PageOutputs {
  /// The forms that are wanted beside the plain text.
  struct Wanted: Sendable {
    var words = false
    var hocr = false
  }

  private var text = ByteWriter(reserving: 4096)
  private var words: ByteWriter?
  private var hocr: HOCRWriter?
  private var pages = 0

  init(_ wanted: Wanted) {
    if wanted.words { words = ByteWriter(reserving: 4096) }
    if wanted.hocr { hocr = HOCRWriter(system: ImageConversion.producer) }
  }

  /// Bytes in all forms together.
  var count: Int { text.count + (words?.count ?? 0) + (hocr?.count ?? 0) }

  /// Adds a page that was read.
  ///
  /// - Parameter seen: text that the page has besides, as it is shown.
  mutating func add(_ page: ReadPage, seen: TextPage? = nil) {
    begin()
    if let seen { text.append(contentsOf: seen.utf8) }
    PageText.append(page.content, to: &text)
    words.mutate { page.appendJSON(to: &$0) }
    hocr?.add(page)
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
    hocr?.add(page)
  }

  /// Writes the text as that which lies beside a PDF.
  func beside(_ run: StepRun) throws(PluginFailure) -> Artifact {
    try run.write(role: "beside", name: "beside.txt", mime: "text/plain", bytes: text.bytes)
  }

  /// Writes one artifact for each form.
  func artifacts(_ run: StepRun) throws(PluginFailure) -> [Artifact] {
    var artifacts = [
      try run.write(role: "text", name: "document.txt", mime: "text/plain", bytes: text.bytes)
    ]
    if let words {
      artifacts.append(
        try run.write(
          role: "words", name: "document.words.jsonl", mime: "application/jsonl",
          bytes: words.bytes))
    }
    if let hocr {
      artifacts.append(
        try run.write(
          role: "hocr", name: "document.hocr.html", mime: "application/xhtml+xml",
          bytes: hocr.document))
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
