internal import PDFSyntax
internal import PDFText
internal import PluginKit

/// Reads the annotations of a document that are notes (PDF 32000-1, 12.5).
struct AnnotationReader {
  private let extractor: TextExtractor
  private let file: PDFFile
  private var destinations: Destinations?
  private(set) var complaints: [String] = []
  private(set) var budget: ReadingBudget
  /// The identifier of each note by the number of its object.
  private var identifiers: [Int: String] = [:]
  private var taken: Set<String> = []
  /// What each note answers, as its `IRT` has it.
  private var answers: [(note: Int, to: PDFObject)] = []

  init(_ extractor: TextExtractor, _ budget: ReadingBudget) {
    self.extractor = extractor
    self.budget = budget
    file = extractor.file
  }

  mutating func read() throws(PluginFailure) -> [Note] {
    var notes: [Note] = []
    var examined = 0
    var seen: Set<Int> = []
    for index in 0..<extractor.pageCount {
      guard let page = extractor.pageObject(index),
        let entries = file.array(page.dictionary, "Annots")
      else { continue }
      for (place, entry) in entries.enumerated() {
        examined += 1
        guard examined <= NotesLimits.annotations else { throw Self.tooMany() }
        // One object in two places is one note.
        if let number = entry.reference?.number, !seen.insert(number).inserted { continue }
        guard let dictionary = file.resolve(entry).dictionary,
          let kind = file.name(dictionary, "Subtype").flatMap({ NoteKind(rawValue: $0.text) })
        else { continue }
        let own = Note.Place(reference: entry.reference, index: place)
        guard let note = try note(kind, dictionary, page: index + 1, place: own) else { continue }
        if let other = dictionary["IRT"], !other.isNull { answers.append((notes.count, other)) }
        notes.append(note)
        guard notes.count <= NotesLimits.notes else { throw Self.tooMany() }
      }
    }
    connect(&notes)
    return notes
  }

  private static func tooMany() -> PluginFailure {
    PluginFailure(
      .input, "notes.many",
      "the document has more than \(NotesLimits.notes) notes or \(NotesLimits.annotations)"
        + " annotations", hint: "divide it into parts")
  }

  /// Puts identifiers in the place of references to other notes.
  private func connect(_ notes: inout [Note]) {
    let known = Set(notes.map(\.id))
    for (index, object) in answers {
      if let number = object.reference?.number, let id = identifiers[number] {
        if id != notes[index].id { notes[index].inReplyTo = id }
      } else if let bytes = file.resolve(object).string {
        // As FDF has it: the other's name.
        let name = TextString.text(bytes)
        if known.contains(name), name != notes[index].id { notes[index].inReplyTo = name }
      }
    }
  }

  // MARK: One note

  private mutating func note(
    _ kind: NoteKind, _ dictionary: PDFDictionary, page: Int, place: Note.Place
  ) throws(PluginFailure) -> Note? {
    var target: Note.LinkTarget?
    if kind == .link {
      target = linkTarget(dictionary)
      if target == nil { return nil }
    }
    var note = Note(id: "", page: page, kind: kind, place: place)
    note.id = identifier(dictionary, page: page, place: place)
    note.target = target
    try readTexts(dictionary, into: &note)
    readLooks(dictionary, into: &note)
    try readGeometry(dictionary, into: &note)
    if kind == .freeText { note.style = TextStyleReader.read(dictionary, file) }
    note.popup = popup(dictionary)
    if kind == .fileAttachment { note.attachment = AttachmentReader.read(dictionary, file) }
    return note
  }

  private mutating func identifier(
    _ dictionary: PDFDictionary, page: Int, place: Note.Place
  ) -> String {
    let name = file.string(dictionary, "NM").map { NoteText.line(TextString.text($0)) } ?? ""
    var id = name
    if name.isEmpty || name.utf8.count > 1000 || taken.contains(name) {
      id = place.reference.map { "\(page)-\($0.number)" } ?? "\(page)-i\(place.index)"
      while taken.contains(id) { id += "x" }
    }
    taken.insert(id)
    if let number = place.reference?.number { identifiers[number] = id }
    return id
  }

  private mutating func text(
    _ dictionary: PDFDictionary, _ key: PDFName
  ) throws(PluginFailure) -> String? {
    let object = file.resolve(dictionary[key])
    let bytes: [UInt8]
    switch object {
    case .string(let own): bytes = own
    case .stream(let stream): bytes = file.decode(stream, limit: NotesLimits.textOfNote).bytes
    default: return nil
    }
    try budget.take(text: bytes.count)
    let text = NoteText.cleaned(TextString.text(Array(bytes.prefix(NotesLimits.textOfNote))))
    return text.isEmpty ? nil : text
  }

  private mutating func readTexts(
    _ dictionary: PDFDictionary, into note: inout Note
  ) throws(PluginFailure) {
    if note.kind != .link {
      note.author = try text(dictionary, "T").map(NoteText.line)
      note.subject = try text(dictionary, "Subj").map(NoteText.line)
    }
    note.contents = try text(dictionary, "Contents")
    note.richContents = try text(dictionary, "RC")
    if note.contents == nil, let rich = note.richContents {
      let plain = RichText.plain(rich)
      note.contents = plain.isEmpty ? nil : plain
    }
    note.created = try text(dictionary, "CreationDate").flatMap(NoteDate.init(pdf:))
    note.modified = try text(dictionary, "M").flatMap(NoteDate.init(pdf:))
    note.stateModel = try text(dictionary, "StateModel").map(NoteText.line)
    note.state = try text(dictionary, "State").map(NoteText.line)
    note.isGrouped = file.name(dictionary, "RT") == "Group"
    note.intent = file.name(dictionary, "IT")?.display
    note.icon = file.name(dictionary, note.kind == .caret ? "Sy" : "Name")?.display
  }

  private func readLooks(_ dictionary: PDFDictionary, into note: inout Note) {
    note.flags = NoteFlags(rawValue: file.integer(dictionary, "F") ?? 0)
    note.color = file.numbers(dictionary, "C").flatMap { NoteColor($0) }
    note.interior = file.numbers(dictionary, "IC").flatMap { NoteColor($0) }
    if let opacity = file.number(dictionary, "CA"), (0...1).contains(opacity) {
      note.opacity = opacity
    }
    let widths = 0...NotesLimits.coordinate
    if let style = file.dictionary(dictionary, "BS") {
      if let width = file.number(style, "W"), widths.contains(width) { note.borderWidth = width }
      if file.name(style, "S") == "D" {
        note.dashes = Self.dashes(file.numbers(style, "D") ?? [3])
      }
    } else if let border = file.array(dictionary, "Border"), border.count > 2 {
      if let width = file.resolve(border[2]).number, widths.contains(width) {
        note.borderWidth = width
      }
      if border.count > 3, let dashes = file.resolve(border[3]).array {
        note.dashes = Self.dashes(dashes.prefix(16).map { file.resolve($0).number ?? 0 })
      }
    }
    note.lineEnds = (lineEnds(dictionary) ?? []).map { NoteText.line($0) }
  }

  private static func dashes(_ numbers: [Double]) -> [Double] {
    let usable = numbers.prefix(16).filter { $0.isFinite && $0 >= 0 && $0 < 1000 }
    return usable.contains { $0 > 0 } ? usable : []
  }

  /// `LE`: two names, or one of a FreeText with a callout (12.5.6.6).
  private func lineEnds(_ dictionary: PDFDictionary) -> [String]? {
    switch file.resolve(dictionary["LE"]) {
    case .array(let names): names.prefix(2).compactMap { file.resolve($0).name?.display }
    case .name(let name): [name.display]
    default: nil
    }
  }

  private mutating func readGeometry(
    _ dictionary: PDFDictionary, into note: inout Note
  ) throws(PluginFailure) {
    note.rectangle = rectangle(dictionary)
    let quads = try points(dictionary, "QuadPoints")
    for start in stride(from: 0, to: quads.count - quads.count % 4, by: 4) {
      if let quad = Quad(points: Array(quads[start..<start + 4])) { note.quads.append(quad) }
    }
    switch note.kind {
    case .line: note.vertices = try points(dictionary, "L")
    case .polygon, .polyLine: note.vertices = try points(dictionary, "Vertices")
    case .ink:
      for stroke in (file.array(dictionary, "InkList") ?? []).prefix(NotesLimits.pointsOfNote) {
        guard let numbers = file.resolve(stroke).array else { continue }
        let points = try points(numbers, note.page)
        if !points.isEmpty { note.strokes.append(points) }
      }
    default: break
    }
    if note.rectangle == nil {
      complaints.append("a note on page \(note.page) has no place that can be used")
    }
  }

  private func rectangle(_ dictionary: PDFDictionary) -> Rectangle? {
    guard let numbers = file.array(dictionary, "Rect"), numbers.count >= 4 else { return nil }
    let values = numbers.prefix(4).compactMap { file.resolve($0).number }
    guard values.count == 4, values.allSatisfy({ $0.magnitude < NotesLimits.coordinate }) else {
      return nil
    }
    return Rectangle(values)
  }

  private mutating func points(
    _ dictionary: PDFDictionary, _ key: PDFName
  ) throws(PluginFailure) -> [NotePoint] {
    guard let numbers = file.array(dictionary, key) else { return [] }
    return try points(numbers, 0)
  }

  /// Pairs of numbers; a pair that is no place is left out, and so is what a note has too much of.
  private mutating func points(
    _ numbers: [PDFObject], _ page: Int
  ) throws(PluginFailure) -> [NotePoint] {
    let count = min(numbers.count / 2, NotesLimits.pointsOfNote)
    if numbers.count / 2 > count {
      complaints.append("a note has more than \(NotesLimits.pointsOfNote) points")
    }
    try budget.take(points: count)
    var points: [NotePoint] = []
    for index in 0..<count {
      guard let x = file.resolve(numbers[2 * index]).number,
        let y = file.resolve(numbers[2 * index + 1]).number
      else { continue }
      let point = NotePoint(x, y)
      if point.isUsable { points.append(point) }
    }
    return points
  }

  private func popup(_ dictionary: PDFDictionary) -> Note.Popup? {
    guard let entry = dictionary["Popup"], let popup = file.resolve(entry).dictionary else {
      return nil
    }
    return Note.Popup(
      rectangle: rectangle(popup), isOpen: file.resolve(popup["Open"]).boolean ?? false,
      reference: entry.reference)
  }

  private mutating func linkTarget(_ dictionary: PDFDictionary) -> Note.LinkTarget? {
    if let action = file.dictionary(dictionary, "A") {
      switch file.name(action, "S")?.text {
      case "URI":
        guard let bytes = file.string(action, "URI"), !bytes.isEmpty else { return nil }
        return .uri(NoteText.line(String(decoding: bytes.prefix(8192), as: UTF8.self)))
      case "GoToR", "Launch", "GoToE":
        return AttachmentReader.name(action["F"], file).map { .file($0) }
      default: break
      }
    }
    if destinations == nil { destinations = Destinations(extractor) }
    return destinations?.place(of: dictionary).map { .page($0.page, top: $0.top) }
  }
}

/// What is left of the limits that hold for all notes together.
struct ReadingBudget {
  private var text = NotesLimits.text
  private var points = NotesLimits.points
  private var comparisons: Int

  init(comparisons: Int = NotesLimits.comparisons) { self.comparisons = comparisons }

  mutating func take(text bytes: Int) throws(PluginFailure) {
    guard has(text: bytes) else { throw Self.large }
  }

  mutating func take(points count: Int) throws(PluginFailure) {
    points -= count
    if points < 0 { throw Self.large }
  }

  /// Whether there is room for a text; it is taken then.
  mutating func has(text bytes: Int) -> Bool {
    text -= min(text + 1, bytes)
    return text >= 0
  }

  /// Whether so many words may be looked at yet.
  mutating func has(comparisons count: Int) -> Bool {
    comparisons -= min(comparisons + 1, count)
    return comparisons >= 0
  }

  private static var large: PluginFailure {
    PluginFailure(
      .input, "notes.large",
      "the notes of the document have more than 64 MiB of text or 4 million"
        + " points", hint: "divide it into parts")
  }
}
