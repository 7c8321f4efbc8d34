internal import PDFSyntax
internal import PluginKit

/// What a file of notes asks for: a note that is to be added, changed or deleted. What is nil was not
/// said.
struct NoteRequest {
  /// The space that its places are in.
  enum Space { case shown, user }

  /// Where it stands in the file of notes, for people: `note 3`.
  var origin: String
  var space = Space.shown
  var id: String?
  var deletes = false
  var kind: NoteKind?
  /// From 1.
  var page: Int?
  /// Two corners.
  var box: [NotePoint]?
  /// Words to be found on pages.
  var words: String?
  /// Which of the places where they stand, from 1; all of them if nil.
  var occurrence: Int?
  /// Points as they are written, four of each quad.
  var quads: [[NotePoint]]?
  var strokes: [[NotePoint]]?
  var vertices: [NotePoint]?
  var lineEnds: [String]?
  var contents: String?
  var richContents: String?
  var author: String?
  var subject: String?
  var created: NoteDate?
  var modified: NoteDate?
  var color: NoteColor?
  var interior: NoteColor?
  var opacity: Double?
  var borderWidth: Double?
  var dashes: [Double]?
  var flags: NoteFlags?
  var icon: String?
  var inReplyTo: String?
  var isGrouped: Bool?
  var stateModel: String?
  var state: String?
  var style = Note.TextStyle()
  var popup: Popup?
  var attachment: Attachment?
  var target: Note.LinkTarget?
  var intent: String?

  enum Popup {
    case wanted(Bool)
    case at([NotePoint]?, isOpen: Bool)
  }

  /// A file to be carried.
  struct Attachment {
    var name: String
    var mime: String?
    var stream: PDFStream
  }

  /// A mistake in a file of notes.
  func mistake(_ message: String, hint: String? = nil) -> PluginFailure {
    PluginFailure(.input, "notes.request", "\(origin): \(message)", hint: hint)
  }
}
