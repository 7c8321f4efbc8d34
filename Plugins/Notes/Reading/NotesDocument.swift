internal import Bytes
internal import PDFInput
internal import PDFSyntax
internal import PDFText
internal import PluginKit
internal import SystemPackage

/// An open PDF with its notes.
struct NotesDocument {
  let extractor: TextExtractor
  var file: PDFFile { extractor.file }
  private(set) var notes: [Note] = []
  /// What could not be read as it stands, for people.
  private(set) var complaints: [String] = []
  private var budget: ReadingBudget

  var pageCount: Int { extractor.pageCount }

  init(path: FilePath, passwords: [String], mostPages: Int = .max) throws(PluginFailure) {
    try self.init(PDFInput.bytes(of: path), passwords: passwords, mostPages: mostPages)
  }

  init(
    _ bytes: FileBytes, passwords: [String] = [], mostPages: Int = .max,
    budget: ReadingBudget = ReadingBudget()
  ) throws(PluginFailure) {
    do throws(PluginFailure) {
      extractor = try PDFInput.open(bytes, passwords: passwords, mostPages: mostPages)
    } catch {
      guard error.code == "pdf.password" else { throw error }
      throw PluginFailure(
        error.class, error.code, error.message,
        hint: "name a file with the password, by the step's option \"passwords\" or"
          + " --passwords")
    }
    // A note that covers a word is no word of the page.
    extractor.readsAnnotations = false
    var reader = AnnotationReader(extractor, budget)
    notes = try reader.read()
    complaints = reader.complaints
    self.budget = reader.budget
  }

  /// Adds to the notes what their pages say of them: marked words, headings, order.
  mutating func readPages(_ progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }) {
    let headings = PageHeadings(extractor)
    var passedOver = 0
    let wanted = notes.indices.filter { index in
      // Links are many, and say nothing of their own.
      notes[index].kind != .link
    }
    var done = 0
    for (page, indices) in Dictionary(grouping: wanted, by: { notes[$0].page }).sorted(by: {
      $0.key < $1.key
    }) {
      defer {
        done += indices.count
        progress(done, wanted.count)
      }
      guard let text = extractor.page(page - 1), let object = extractor.pageObject(page - 1)
      else { continue }
      let words = PageWords(text), space = PageSpace(object)
      let onPage = headings.onPage(words, &budget)
      for index in indices {
        let note = notes[index]
        var quads = note.quads
        if note.kind.isTextMarkup, quads.isEmpty, let box = note.rectangle {
          quads = [Quad(shown: space.shown(box)).map(space.user)]
        }
        let marked =
          note.kind.isTextMarkup ? words.marked(by: quads.map { $0.map(space.shown) }, &budget) : []
        if let marked, budget.has(text: words.size(of: marked)) {
          if !marked.isEmpty { notes[index].quote = words.text(of: marked) }
        } else {
          passedOver += 1
        }
        let box = note.rectangle.map { space.shown($0, isUpright: note.isUpright) }
        let first = marked?.first ?? box.flatMap { words.nearest($0, &budget) }
        notes[index].word = first ?? Int.max
        notes[index].heading = onPage.heading(at: first, top: box?.y0)
      }
    }
    if passedOver > 0 {
      complaints.append(
        "the words of \(passedOver) marks were not read: the document has too many marks on too many words"
      )
    }
  }

  var isPartial: Bool { file.diagnostics.isPartial || !complaints.isEmpty }

  /// Tells what was odd about the file.
  func tell(_ host: any StepHost) {
    PDFInput.tell(extractor, host)
    for complaint in complaints.prefix(20) { host.note("notes.odd", complaint, page: nil) }
  }
}
