internal import Bytes
internal import PDFSyntax
internal import PDFText

/// Notes as XFDF (ISO 19444-1). Places are in the page's user space, as that standard has it, pages are
/// counted from 0.
struct XFDFWriter {
  let document: NotesDocument
  /// What the document is called.
  let name: String

  var bytes: [UInt8] {
    var writer = XMLWriter()
    writer.start(
      "xfdf", [("xmlns", "http://ns.adobe.com/xfdf/"), ("xml:space", "preserve")])
    writer.start("annots")
    var carried = NotesLimits.attachments
    for note in document.notes { write(note, to: &writer, &carried) }
    writer.end()
    writer.element("f", [("href", name)])
    writer.end()
    return writer.output.bytes
  }

  private func write(_ note: Note, to writer: inout XMLWriter, _ carried: inout Int) {
    let ends = note.lineEnds
    let isLine = note.kind == .line
    let line = isLine && note.vertices.count == 2 ? note.vertices : nil
    let attributes: [(String, String?)] = [
      ("page", String(note.page - 1)), ("rect", note.rectangle.map(Self.text)),
      ("name", note.id), ("title", note.author), ("subject", note.subject),
      ("creationdate", note.created?.pdf), ("date", note.modified?.pdf),
      ("color", note.color?.text), ("interior-color", note.interior?.text),
      ("opacity", note.opacity.map { Self.number($0) }),
      ("width", note.borderWidth.map { Self.number($0) }),
      ("style", note.dashes.isEmpty ? nil : "dash"),
      (
        "dashes",
        note.dashes.isEmpty ? nil : note.dashes.map { Self.number($0) }.joined(separator: ",")
      ),
      ("flags", note.flags.isEmpty ? nil : note.flags.names.joined(separator: ",")),
      ("coords", note.quads.isEmpty ? nil : Self.text(note.quads.flatMap(\.points))),
      ("start", line.map { Self.text([$0[0]]) }), ("end", line.map { Self.text([$0[1]]) }),
      ("head", ends.first), ("tail", ends.count > 1 ? ends[1] : nil),
      (note.kind == .caret ? "symbol" : "icon", Self.icon(note)),
      ("IT", note.intent),
      ("justification", Self.justification(note)),
      ("inreplyto", note.inReplyTo),
      ("replyType", note.isGrouped && note.inReplyTo != nil ? "group" : nil),
      ("statemodel", note.stateModel), ("state", note.state),
      ("file", note.attachment?.name), ("mimetype", note.attachment?.mime),
    ]
    writer.start(note.kind.element, attributes)
    writeContents(note, to: &writer)
    if !note.vertices.isEmpty, !isLine {
      writer.element("vertices", text: Self.text(note.vertices, separator: ";"))
    }
    if !note.strokes.isEmpty {
      writer.start("inklist")
      for stroke in note.strokes {
        writer.element("gesture", text: Self.text(stroke, separator: ";"))
      }
      writer.end()
    }
    if let appearance = note.style.appearance {
      writer.element("defaultappearance", text: appearance)
    }
    if let target = note.target { write(target, to: &writer) }
    if let attachment = note.attachment { write(attachment, to: &writer, &carried) }
    if let popup = note.popup, let rectangle = popup.rectangle {
      writer.element(
        "popup",
        [
          ("page", String(note.page - 1)), ("rect", Self.text(rectangle)),
          ("open", popup.isOpen ? "yes" : "no"),
        ])
    }
    writer.end()
  }

  /// Rich contents go as markup where they are correct XML, and else only as the plain text.
  private func writeContents(_ note: Note, to writer: inout XMLWriter) {
    if let contents = note.contents { writer.element("contents", text: contents) }
    guard let rich = note.richContents, let body = XMLReader.body(of: rich) else { return }
    writer.element("contents-richtext", markup: body)
  }

  private func write(_ target: Note.LinkTarget, to writer: inout XMLWriter) {
    writer.start("OnActivation")
    writer.start("Action", [("Trigger", "U")])
    switch target {
    case .uri(let address): writer.element("URI", [("Name", address)])
    case .file(let name):
      writer.start("GoToR")
      writer.element("File", [("OriginalName", name)])
      writer.end()
    case .page(let page, let top):
      let space = document.extractor.pageObject(page - 1).map(PageSpace.init)
      let y = top.flatMap { top in space.map { $0.user(NotePoint(0, top)).y } }
      writer.start("GoTo")
      writer.start("Dest")
      if let y {
        writer.element("XYZ", [("Page", String(page - 1)), ("Top", Self.number(y))])
      } else {
        writer.element("Fit", [("Page", String(page - 1))])
      }
      writer.end()
      writer.end()
    }
    writer.end()
    writer.end()
  }

  /// The bytes of an attached file in hexadecimal form, as they come from its filters.
  private func write(
    _ attachment: Note.Attachment, to writer: inout XMLWriter, _ carried: inout Int
  ) {
    guard let stream = attachment.stream else { return }
    let decoded = document.file.decode(stream, limit: carried)
    guard decoded.isComplete, decoded.pending == nil, decoded.bytes.count < carried else { return }
    carried -= decoded.bytes.count
    var digits = ByteWriter(reserving: 2 * decoded.bytes.count)
    digits.append(hexadecimal: decoded.bytes)
    writer.element(
      "data",
      [("MODE", "filtered"), ("encoding", "hex"), ("length", String(decoded.bytes.count))],
      text: String(decoding: digits.bytes, as: UTF8.self))
  }

  // MARK: Values

  private static func icon(_ note: Note) -> String? {
    guard note.kind == .caret else { return note.icon }
    return note.icon.map { $0 == "P" ? "paragraph" : "none" }
  }

  private static func justification(_ note: Note) -> String? {
    note.style.alignment.map { ["left", "centered", "right"][$0.rawValue] }
  }

  private static func number(_ value: Double) -> String {
    var writer = ByteWriter()
    writer.append(fixed: value, digits: 6)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func text(_ rectangle: Rectangle) -> String {
    [rectangle.x0, rectangle.y0, rectangle.x1, rectangle.y1].map(number).joined(separator: ",")
  }

  /// - Parameter separator: `;` in `vertices` and `gesture`.
  private static func text(_ points: [NotePoint], separator: String = ",") -> String {
    points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: separator)
  }
}
