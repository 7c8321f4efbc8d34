internal import PDFSyntax
internal import PDFText
internal import PDFWriter
internal import PluginKit

// The objects that go with a note: what it answers, where it leads, the file that it carries, its window.
extension NotesEditor {
  /// What leads to other objects.
  mutating func finish(
    _ dictionary: inout PDFDictionary, _ draft: NoteDraft, _ request: NoteRequest,
    _ space: PageSpace
  ) throws(PluginFailure) {
    if let parent = request.inReplyTo {
      guard parent != draft.id, let reference = references[parent], !gone.contains(parent) else {
        throw request.mistake("it answers \"\(parent.prefix(100))\", which is no note here")
      }
      dictionary["IRT"] = .reference(reference)
    }
    if case .page(let number, let top)? = request.target {
      guard let page = document.extractor.pageObject(number - 1), let reference = page.reference
      else { throw request.mistake("its target, page \(number), is not there") }
      let y = top.map { PageSpace(page).user(NotePoint(0, $0)).y }
      dictionary["Dest"] = .array(
        y.map { [.reference(reference), .name("XYZ"), .null, AnnotationKeys.number($0), .null] }
          ?? [.reference(reference), .name("Fit")])
    }
    if draft.look.kind == .link, dictionary["A"] == nil, dictionary["Dest"] == nil {
      throw request.mistake("it needs a \"target\"")
    }
    if let attachment = request.attachment {
      if !holds(dictionary, attachment) { dictionary["FS"] = .reference(embed(attachment)) }
    } else if draft.look.kind == .fileAttachment, dictionary["FS"] == nil {
      throw request.mistake("it needs a \"file\"")
    }
  }

  /// Whether an annotation carries this very file.
  private func holds(
    _ dictionary: PDFDictionary, _ attachment: NoteRequest.Attachment
  ) -> Bool {
    guard let own = AttachmentReader.read(dictionary, file), own.name == attachment.name,
      let stream = own.stream
    else { return false }
    func bytes(_ stream: PDFStream) -> [UInt8] {
      file.decode(stream, limit: NotesLimits.attachments).bytes
    }
    return bytes(stream) == bytes(attachment.stream)
  }

  /// A file specification with the file in it (7.11.4).
  private mutating func embed(_ attachment: NoteRequest.Attachment) -> PDFReference {
    var stream = attachment.stream
    stream.dictionary["Type"] = .name("EmbeddedFile")
    if let mime = attachment.mime { stream.dictionary["Subtype"] = .name(PDFName(mime)) }
    let size = file.decode(stream, limit: NotesLimits.attachments).bytes.count
    stream.dictionary["Params"] = .dictionary(["Size": .integer(size)])
    let content = update.add(.stream(stream))
    return update.add(
      .dictionary([
        "Type": .name("Filespec"), "F": AnnotationKeys.text(attachment.name),
        "UF": AnnotationKeys.text(attachment.name),
        "EF": .dictionary(["F": .reference(content), "UF": .reference(content)]),
      ]))
  }

  /// The window for a note's contents, where one is wanted: by itself for notes that say something that
  /// does not stand on the page.
  mutating func popup(
    for note: PDFReference, _ draft: NoteDraft, _ request: NoteRequest, _ dictionary: PDFDictionary,
    _ space: PageSpace
  ) -> PDFReference? {
    let says = dictionary["Contents"] != nil && dictionary["IRT"] == nil
    var box: TextPage.Box?
    var isOpen = false
    switch request.popup {
    case .wanted(let isWanted)?: if !isWanted { return nil }
    case .at(let corners, let opens)?:
      isOpen = opens
      box = corners.flatMap {
        TextPage.Box(around: request.space == .shown ? $0 : $0.map(space.shown))
      }
    case nil: if !says { return nil }
    }
    guard ![.freeText, .link].contains(draft.look.kind), let home = dictionary["P"] else {
      return nil
    }
    let top = draft.look.box.y0
    let own = box ?? TextPage.Box(x0: space.width, y0: top, x1: space.width + 200, y1: top + 120)
    let rectangle = space.user(own)
    return update.add(
      .dictionary([
        "Type": .name("Annot"), "Subtype": .name("Popup"),
        "Rect": AnnotationKeys.numbers([rectangle.x0, rectangle.y0, rectangle.x1, rectangle.y1]),
        "Parent": .reference(note), "P": home, "Open": .boolean(isOpen), "F": .integer(28),
      ]))
  }
}
