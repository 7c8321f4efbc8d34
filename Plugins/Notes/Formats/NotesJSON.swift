internal import PDFText
internal import PluginKit

/// Notes as JSON; what it says can be read back as changes (``ChangeReader``).
///
/// Boxes and points are as everywhere: in points from the top left of the page as shown.
struct NotesJSON {
  let document: NotesDocument

  var bytes: [UInt8] {
    let value: JSON = [
      "pages": .integer(document.pageCount), "notes": .array(values()),
    ]
    return value.text
  }

  func values() -> [JSON] {
    var spaces: [Int: PageSpace] = [:]
    return document.notes.map { note in
      if spaces[note.page] == nil, let page = document.extractor.pageObject(note.page - 1) {
        spaces = [note.page: PageSpace(page)]
      }
      return value(note, spaces[note.page])
    }
  }

  private func value(_ note: Note, _ space: PageSpace?) -> JSON {
    func text(_ value: String?) -> JSON? { value.map { .string($0) } }
    func box(_ box: TextPage.Box?) -> JSON? { box.map { Self.numbers($0.numbers) } }
    func points(_ points: [NotePoint]) -> JSON {
      Self.numbers(
        points.flatMap { point in
          let shown = space?.shown(point) ?? point
          return [shown.x, shown.y]
        })
    }
    let members: [(String, JSON?)] = [
      ("id", .string(note.id)), ("type", .string(note.kind.rawValue)),
      ("page", .integer(note.page)),
      ("box", box(note.rectangle.flatMap { space?.shown($0, isUpright: note.isUpright) })),
      ("author", text(note.author)), ("subject", text(note.subject)),
      ("contents", text(note.contents)), ("quote", text(note.quote)),
      ("heading", text(note.heading)),
      ("created", text(note.created?.iso)), ("modified", text(note.modified?.iso)),
      ("color", text(note.color?.text)), ("interiorColor", text(note.interior?.text)),
      ("opacity", note.opacity.map { Self.number($0, 4) }),
      ("borderWidth", note.borderWidth.map { Self.number($0) }),
      ("dashes", note.dashes.isEmpty ? nil : Self.numbers(note.dashes)),
      ("flags", note.flags.isEmpty ? nil : .array(note.flags.names.map { .string($0) })),
      ("quads", note.quads.isEmpty ? nil : .array(note.quads.map { points($0.points) })),
      ("strokes", note.strokes.isEmpty ? nil : .array(note.strokes.map(points))),
      ("vertices", note.vertices.isEmpty ? nil : points(note.vertices)),
      (
        "lineEnds",
        note.lineEnds.isEmpty ? nil : .array(note.lineEnds.map { .string($0) })
      ),
      ("icon", text(note.icon)),
      ("fontSize", note.style.size.map { Self.number($0) }),
      ("textColor", text(note.style.color?.text)), ("align", text(note.style.alignment?.name)),
      ("inReplyTo", text(note.inReplyTo)),
      ("replyType", note.isGrouped ? "group" : nil),
      ("stateModel", text(note.stateModel)), ("state", text(note.state)),
      ("attachment", note.attachment.map(Self.value)), ("target", note.target.map(Self.value)),
      (
        "popup",
        note.popup.map { popup in
          [
            "box": box(popup.rectangle.flatMap { space?.shown($0) }), "open": .bool(popup.isOpen),
          ]
        }
      ),
      ("richContents", text(note.richContents)),
    ]
    return .object(members.compactMap { name, value in value.map { JSON.Member(name, $0) } })
  }

  private static func value(_ attachment: Note.Attachment) -> JSON {
    [
      "name": .string(attachment.name), "bytes": attachment.bytes.map { .integer($0) },
      "mime": attachment.mime.map { .string($0) },
    ]
  }

  private static func value(_ target: Note.LinkTarget) -> JSON {
    switch target {
    case .uri(let address): ["uri": .string(address)]
    case .page(let page, let top): ["page": .integer(page), "top": top.map { number($0) }]
    case .file(let name): ["file": .string(name)]
    }
  }

  static func numbers(_ values: [Double]) -> JSON { .array(values.map { number($0) }) }

  /// Rounded, and whole where it is whole.
  static func number(_ value: Double, _ digits: Int = 2) -> JSON {
    guard value.isFinite, value.magnitude < 1e12 else { return .null }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    return Int(exactly: rounded).map { .integer($0) } ?? .number(rounded)
  }
}
