internal import PDFSyntax
internal import PDFText

/// Puts what is asked for into the dictionary of an annotation (PDF 32000-1, 12.5.2 to 12.5.6).
struct AnnotationKeys {
  let draft: NoteDraft
  let request: NoteRequest
  let space: PageSpace
  /// Whether the note was not there before.
  let isNew: Bool
  /// Whether how it looks was changed.
  let isRedrawn: Bool
  /// What counts as now; nil where times come from the request alone.
  let now: NoteDate?

  func apply(to dictionary: inout PDFDictionary) {
    if isNew {
      dictionary["Type"] = .name("Annot")
      dictionary["Subtype"] = .name(PDFName(draft.look.kind.rawValue))
      let flags: NoteFlags = draft.look.kind == .text ? [.print, .noZoom, .noRotate] : .print
      dictionary["F"] = .integer(flags.rawValue)
    }
    if isNew || request.id != nil, dictionary.string("NM").map(TextString.text) != draft.id {
      dictionary["NM"] = Self.text(draft.id)
    }
    applyTexts(to: &dictionary)
    if isNew || isRedrawn { applyLooks(to: &dictionary) }
    if let flags = request.flags { dictionary["F"] = .integer(flags.rawValue) }
    // A Text does not turn with its page whatever its flags say, but some viewers go by them.
    if isNew, draft.look.kind == .text, space.rotation != 0 {
      let flags = NoteFlags(rawValue: dictionary.integer("F") ?? 0)
      dictionary["F"] = .integer(flags.union([.noZoom, .noRotate]).rawValue)
    }
    if let target = request.target { apply(target, to: &dictionary) }
  }

  static func text(_ text: String) -> PDFObject { .string(TextString.bytes(text)) }

  private func applyTexts(to dictionary: inout PDFDictionary) {
    func set(_ key: PDFName, _ value: String?) {
      guard let value else { return }
      dictionary[key] = value.isEmpty ? nil : Self.text(value)
    }
    set("T", request.author)
    set("Subj", request.subject)
    set("StateModel", request.stateModel)
    set("State", request.state)
    if let contents = request.contents {
      let before = dictionary.string("Contents").map { NoteText.cleaned(TextString.text($0)) }
      // Ends of lines are carriage returns here (7.9.2.2); both are understood.
      if before != contents || isNew {
        dictionary["Contents"] = Self.text(contents)
        dictionary["RC"] = nil
      }
    }
    if let rich = request.richContents, XMLReader.body(of: rich) != nil {
      set("RC", rich)
    } else if draft.look.kind == .freeText, isNew || isRedrawn, let contents = draft.look.contents {
      dictionary["RC"] = Self.text(RichText.rich(contents, style: style))
    }
    if let created = request.created ?? (isNew ? now : nil), draft.look.kind != .link {
      dictionary["CreationDate"] = Self.text(created.pdf)
    }
    if let modified = request.modified ?? now { dictionary["M"] = Self.text(modified.pdf) }
    if let isGrouped = request.isGrouped, request.inReplyTo != nil {
      dictionary["RT"] = .name(isGrouped ? "Group" : "R")
    }
    if let intent = request.intent { dictionary["IT"] = .name(PDFName(intent)) }
  }

  private func applyLooks(to dictionary: inout PDFDictionary) {
    let look = draft.look
    let box = space.user(look.box, isUpright: look.isUpright)
    dictionary["Rect"] = Self.numbers([box.x0, box.y0, box.x1, box.y1])
    for key: PDFName in ["RD", "BE", "CL"] { dictionary[key] = nil }
    if dictionary.name("IT") == "FreeTextCallout" { dictionary["IT"] = nil }
    dictionary["C"] = look.color?.object
    if look.interior != nil || !isNew { dictionary["IC"] = look.interior?.object }
    if let opacity = look.opacity { dictionary["CA"] = .real(opacity) }
    if look.kind.isTextMarkup || look.kind == .link {
      if !look.quads.isEmpty { dictionary["QuadPoints"] = points(look.quads.flatMap(\.points)) }
    }
    let hasBorder = ![.highlight, .text, .fileAttachment, .caret, .stamp].contains(look.kind)
    if hasBorder, !look.kind.isTextMarkup {
      var border: PDFDictionary = [
        "Type": .name("Border"), "W": Self.number(look.borderWidth),
        "S": .name(look.dashes.isEmpty ? "S" : "D"),
      ]
      if !look.dashes.isEmpty { border["D"] = Self.numbers(look.dashes) }
      dictionary["BS"] = .dictionary(border)
      dictionary["Border"] =
        look.kind == .link ? Self.numbers([0, 0, look.borderWidth]) : nil
    }
    applyShape(look, to: &dictionary)
    if let icon = look.icon {
      dictionary[look.kind == .caret ? "Sy" : "Name"] = .name(PDFName(icon))
    } else if isNew, look.kind == .text {
      dictionary["Name"] = .name("Comment")
    }
    if look.kind == .freeText { applyStyle(look, to: &dictionary) }
  }

  private func applyShape(_ look: NoteLook, to dictionary: inout PDFDictionary) {
    switch look.kind {
    case .ink: dictionary["InkList"] = .array(look.strokes.map(points))
    case .line: dictionary["L"] = points(look.vertices)
    case .polygon, .polyLine: dictionary["Vertices"] = points(look.vertices)
    default: break
    }
    if look.kind == .line || look.kind == .polyLine, !look.lineEnds.isEmpty {
      let ends = (look.lineEnds + ["None", "None"]).prefix(2)
      dictionary["LE"] = .array(ends.map { .name(PDFName($0)) })
    }
  }

  /// What viewers need to let the text be edited (12.7.3.3).
  private func applyStyle(_ look: NoteLook, to dictionary: inout PDFDictionary) {
    let color = look.style.color ?? .black
    let parts = ([color.red, color.green, color.blue, look.style.size ?? 12]).map { value in
      String(decoding: ObjectSerializer.bytes(of: Self.number(value)), as: UTF8.self)
    }
    dictionary["DA"] = Self.text(
      "\(parts[0]) \(parts[1]) \(parts[2]) rg /Helv \(parts[3]) Tf")
    dictionary["DS"] = Self.text(style)
    if let alignment = look.style.alignment { dictionary["Q"] = .integer(alignment.rawValue) }
    // Viewers that write the text anew take from here how the page is turned.
    if space.rotation != 0 { dictionary["Rotate"] = .integer(space.rotation) }
  }

  /// The default style (12.7.3.4).
  private var style: String {
    let look = draft.look
    let size = String(
      decoding: ObjectSerializer.bytes(of: Self.number(look.style.size ?? 12)), as: UTF8.self)
    let color = (look.style.color ?? .black).text
    let side = (look.style.alignment ?? .left).name
    return "font: Helvetica,sans-serif \(size)pt; text-align:\(side); color:\(color)"
  }

  private func apply(_ target: Note.LinkTarget, to dictionary: inout PDFDictionary) {
    dictionary["Dest"] = nil
    switch target {
    case .uri(let address):
      dictionary["A"] = .dictionary([
        "Type": .name("Action"), "S": .name("URI"), "URI": .string(Array(address.utf8)),
      ])
    case .file(let name):
      dictionary["A"] = .dictionary([
        "Type": .name("Action"), "S": .name("GoToR"), "F": Self.text(name),
        "D": .array([.integer(0), .name("Fit")]),
      ])
    case .page:
      // The page's object is put there by whoever knows it.
      dictionary["A"] = nil
    }
  }

  private func points(_ points: [NotePoint]) -> PDFObject {
    Self.numbers(
      points.flatMap { point in
        let user = space.user(point)
        return [user.x, user.y]
      })
  }

  static func numbers(_ values: [Double]) -> PDFObject { .array(values.map(number)) }

  /// Rounded to a thousandth, which is less than can be seen.
  static func number(_ value: Double) -> PDFObject {
    let rounded = (value * 1000).rounded() / 1000
    return Int(exactly: rounded).map { .integer($0) } ?? .real(rounded)
  }
}
