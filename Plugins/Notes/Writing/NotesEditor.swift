internal import Bytes
internal import PDFSyntax
internal import PDFText
internal import PDFWriter
internal import PluginKit

/// Adds, changes and deletes notes of a document by an incremental update.
struct NotesEditor {
  /// What was done.
  struct Outcome {
    var added: [String] = []
    var changed: [String] = []
    var deleted: [String] = []
    /// What was asked for and is that way already.
    var unchanged = 0
    /// What people should know.
    var complaints: [String] = []
  }

  let document: NotesDocument
  let file: PDFFile
  private let now: NoteDate?
  private(set) var outcome = Outcome()
  var update: IncrementalUpdate
  /// Whether the result is a file of its own because the cross-references of this one are broken.
  let rewrites: Bool
  private var pages: PageAnnotations
  private var notes: [String: Note] = [:]
  /// The objects of notes by their identifiers, those to come included.
  var references: [String: PDFReference] = [:]
  var gone: Set<String> = []
  /// How far identifiers were counted on that were asked for more than once.
  private var namesakes: [String: Int] = [:]
  /// The answers to each note, by its identifier.
  private var answers: [String: [Note]] = [:]
  /// Dictionaries that were changed, by the identifiers of their notes.
  private var changed: [String: PDFDictionary] = [:]
  private let book = FontBook()
  private var fonts: [Int: PDFReference] = [:]
  private var search: WordPlaces

  /// - Parameter now: the time that changes get; nil for none but what is asked for.
  init(_ document: NotesDocument, now: NoteDate?) {
    self.document = document
    self.now = now
    file = document.file
    pages = PageAnnotations(document.extractor)
    search = WordPlaces(document.extractor)
    // Offsets of a file with something before its header can be counted from either.
    let base = file.headerOffset == 0 ? IncrementalUpdate.Base(file) : nil
    rewrites = base == nil
    update =
      base.map { IncrementalUpdate(of: $0) }
      ?? IncrementalUpdate(
        rewriting: file.trailer, highestNumber: file.largestObjectNumber,
        encryption: file.objectEncryption)
    for note in document.notes {
      notes[note.id] = note
      references[note.id] = note.place.reference
      if let parent = note.inReplyTo { answers[parent, default: []].append(note) }
    }
  }

  /// Does what a file of notes asks for; all or, where it throws, nothing.
  mutating func apply(_ requests: [NoteRequest]) throws(PluginFailure) {
    var expanded: [(request: NoteRequest, note: Note?)] = []
    for request in requests {
      let known = request.id.flatMap { notes[$0] }
      if request.deletes {
        guard let known else { throw unknown(request, request.id) }
        expanded.append((request, known))
      } else if let known {
        expanded.append((request, known))
      } else {
        for new in try search.expand(request) { expanded.append((new, nil)) }
      }
    }
    // Identifiers first: an answer may stand before what it answers.
    var identifiers: [String] = []
    for (place, (request, note)) in expanded.enumerated() {
      if let note {
        identifiers.append(note.id)
        continue
      }
      let id = identifier(for: request, place: place)
      identifiers.append(id)
      references[id] = update.reserve()
    }
    for ((request, note), id) in zip(expanded, identifiers) {
      if let note {
        if request.deletes { delete(note) } else { try change(note, by: request) }
      } else {
        try add(request, id: id)
      }
    }
  }

  /// What is asked for by identifiers alone.
  mutating func delete(_ identifiers: [String]) throws(PluginFailure) {
    for id in identifiers {
      let request = NoteRequest(origin: id, id: id, deletes: true)
      guard let note = notes[id] else { throw unknown(request, id) }
      delete(note)
    }
  }

  private func unknown(_ request: NoteRequest, _ id: String?) -> PluginFailure {
    PluginFailure(
      .input, "notes.unknown",
      id.map { "there is no note \"\($0.prefix(100))\" in the document" }
        ?? "\(request.origin): it says what is to be deleted, but no \"id\"",
      hint: "procd notes list shows the identifiers of notes in brackets")
  }

  /// The identifier of a new note: its own, or one that its content gives.
  private mutating func identifier(for request: NoteRequest, place: Int) -> String {
    if let id = request.id, !id.isEmpty {
      var unique = id, count = namesakes[id] ?? 1
      while references[unique] != nil {
        count += 1
        unique = "\(id)-\(count)"
      }
      namesakes[id] = count
      return unique
    }
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    let parts =
      "\(place)|\(request.page ?? 0)|\(request.kind?.rawValue ?? "")|\(request.contents ?? "")"
    for byte in parts.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    while true {
      let id = "procd-" + String(sum, radix: 36)
      if references[id] == nil { return id }
      sum &+= 1
    }
  }

  // MARK: One note

  private mutating func add(_ request: NoteRequest, id: String) throws(PluginFailure) {
    let number = request.page ?? 1
    guard let page = document.extractor.pageObject(number - 1) else {
      throw request.mistake(
        "there is no page \(number): the document has"
          + " \(NotesSummary.count(document.pageCount, "page"))")
    }
    guard let own = references[id], let home = pages.reference(number) else {
      throw request.mistake("page \(number) is no object of its own and cannot be changed")
    }
    let space = PageSpace(page)
    var draft = try NoteDraft(new: request, id: id, page: number, space)
    var dictionary = PDFDictionary()
    let appearance = try draw(&draft, space, redraws: true)
    AnnotationKeys(
      draft: draft, request: request, space: space, isNew: true, isRedrawn: true, now: now
    ).apply(to: &dictionary)
    dictionary["P"] = .reference(home)
    if let appearance { dictionary["AP"] = .dictionary(["N": .reference(appearance)]) }
    try finish(&dictionary, draft, request, space)
    update.put(.dictionary(dictionary), as: own)
    pages.append(.reference(own), page: number)
    if let popup = popup(for: own, draft, request, dictionary, space) {
      pages.append(.reference(popup), page: number)
      dictionary["Popup"] = .reference(popup)
      update.put(.dictionary(dictionary), as: own)
    }
    outcome.added.append(id)
  }

  private mutating func change(_ note: Note, by request: NoteRequest) throws(PluginFailure) {
    guard !gone.contains(note.id) else {
      throw request.mistake("\"\(note.id.prefix(100))\" is deleted by the same file")
    }
    guard request.kind == nil || request.kind == note.kind else {
      throw request.mistake(
        "\"\(note.id.prefix(100))\" is a \(note.kind.rawValue) and cannot become a"
          + " \(request.kind?.rawValue ?? "")", hint: "delete it and add another")
    }
    guard request.page == nil || request.page == note.page else {
      throw request.mistake(
        "\"\(note.id.prefix(100))\" stands on page \(note.page) and cannot go to another",
        hint: "delete it and add another")
    }
    guard let page = document.extractor.pageObject(note.page - 1) else { return }
    var asked = request
    if let words = request.words {
      var searched = request
      (searched.page, searched.occurrence) = (note.page, request.occurrence ?? 1)
      asked.quads = try search.expand(searched).first?.quads
      if asked.quads == nil { throw request.mistake("page \(note.page) lacks \"\(words)\"") }
      asked.space = .shown
    }
    let space = PageSpace(page)
    let before = changed[note.id] ?? original(note)
    var draft = try NoteDraft(note, before, changedBy: asked, space, file)
    let redraws = draft.look != NoteDraft.look(of: note, space)
    let appearance = try draw(&draft, space, redraws: redraws)
    var dictionary = before
    AnnotationKeys(
      draft: draft, request: asked, space: space, isNew: false, isRedrawn: redraws, now: nil
    ).apply(to: &dictionary)
    try finish(&dictionary, draft, asked, space)
    guard dictionary != before || appearance != nil else {
      outcome.unchanged += 1
      return
    }
    if let appearance { dictionary["AP"] = .dictionary(["N": .reference(appearance)]) }
    if request.modified == nil, let now { dictionary["M"] = AnnotationKeys.text(now.pdf) }
    write(dictionary, note)
    outcome.changed.append(note.id)
  }

  private mutating func delete(_ note: Note) {
    guard gone.insert(note.id).inserted else { return }
    outcome.deleted.append(note.id)
    // What says the state of a note goes with it, and what says the state of that: a file may make this as
    // long a chain as it likes.
    var waiting = [note]
    while let note = waiting.popLast() {
      remove(note)
      for answer in answers[note.id] ?? [] where !gone.contains(answer.id) {
        if answer.stateModel != nil {
          gone.insert(answer.id)
          waiting.append(answer)
          continue
        }
        // Answers go on as answers to what was answered, or stand by themselves.
        var dictionary = changed[answer.id] ?? original(answer)
        let parent = note.inReplyTo.flatMap { gone.contains($0) ? nil : references[$0] }
        dictionary["IRT"] = parent.map { .reference($0) }
        if parent == nil { dictionary["RT"] = nil }
        write(dictionary, answer)
      }
    }
  }

  /// Takes a note and its window off their page.
  private mutating func remove(_ note: Note) {
    var numbers: Set<Int> = [], indices: Set<Int> = []
    if let reference = note.place.reference {
      numbers.insert(reference.number)
    } else {
      indices.insert(note.place.index)
    }
    if let popup = note.popup?.reference { numbers.insert(popup.number) }
    pages.remove(numbers, indices: indices, page: note.page)
  }

  // MARK: Parts of it

  private func original(_ note: Note) -> PDFDictionary {
    if let reference = note.place.reference {
      return file.resolve(.reference(reference)).dictionary ?? [:]
    }
    guard let page = document.extractor.pageObject(note.page - 1),
      let entries = file.array(page.dictionary, "Annots"),
      entries.indices.contains(note.place.index)
    else { return [:] }
    return entries[note.place.index].dictionary ?? [:]
  }

  private mutating func write(_ dictionary: PDFDictionary, _ note: Note) {
    changed[note.id] = dictionary
    if let reference = note.place.reference {
      update.put(.dictionary(dictionary), as: reference)
    } else {
      pages.replace(note.place.index, by: .dictionary(dictionary), page: note.page)
    }
  }

  private mutating func draw(
    _ draft: inout NoteDraft, _ space: PageSpace, redraws: Bool
  ) throws(PluginFailure) -> PDFReference? {
    guard redraws, draft.look.kind != .link else { return nil }
    let appearance = Appearance(draft.look, pageHeight: space.height, book)
    if [.freeText, .stamp].contains(draft.look.kind), book.plain == nil {
      throw PluginFailure(
        .internal, "notes.fonts", "no font was found, so no text can be drawn",
        hint: "apt install fonts-dejavu-core fontconfig-config")
    }
    draft.look.box = appearance.box
    if appearance.isClipped {
      outcome.complaints.append(
        "the text of \"\(draft.id.prefix(100))\" is too long for page \(draft.page), and its end is"
          + " not shown")
    }
    for font in appearance.fonts where fonts[font] == nil { fonts[font] = update.reserve() }
    return update.add(appearance.form(space, fonts: fonts))
  }

  // MARK: The end

  /// The bytes of the whole result; nil where nothing was to be done.
  consuming func finish() -> (bytes: [UInt8], outcome: Outcome)? {
    var editor = self
    let outcome = editor.outcome
    guard !(outcome.added.isEmpty && outcome.changed.isEmpty && outcome.deleted.isEmpty) else {
      return nil
    }
    editor.pages.write(to: &editor.update)
    for (font, reference) in editor.fonts.sorted(by: { $0.key < $1.key }) {
      FontEmbedding.write(editor.book.fonts[font], as: reference, to: &editor.update)
    }
    var complete = outcome
    if !editor.book.missing.isEmpty {
      let letters = editor.book.missing.sorted().prefix(10).compactMap { Unicode.Scalar($0) }
      complete.complaints.append(
        "no font here has \(letters.map { "\"\($0)\"" }.joined(separator: ", "))")
    }
    guard editor.rewrites else {
      let original = editor.file.bytes
      return (original.span.array(0..<original.count) + editor.update.finish(), complete)
    }
    for key: PDFName in ["Root", "Info", "Encrypt"] {
      editor.update.copy(editor.file.trailer[key] ?? .null, from: editor.file)
    }
    complete.complaints.append(
      "the cross-references of the document are broken, so it was written anew")
    return (editor.update.finish(), complete)
  }
}
