internal import PDFSyntax

/// An annotation that says something to people (PDF 32000-1, 12.5), as it is read.
struct Note: Sendable {
  /// `NM`, or the page and number of its object.
  var id: String
  /// From 1.
  var page: Int
  var kind: NoteKind
  /// `Rect` in user space; nil where it cannot be used.
  var rectangle: Rectangle?
  /// `T`.
  var author: String?
  /// `Subj`.
  var subject: String?
  /// `Contents`, or the text of `RC` where that is missing.
  var contents: String?
  /// `RC` as it stands.
  var richContents: String?
  var created: NoteDate?
  var modified: NoteDate?
  /// `C`: of the background of a FreeText, of the border or mark of all others.
  var color: NoteColor?
  /// `IC`.
  var interior: NoteColor?
  var opacity: Double?
  var borderWidth: Double?
  /// The lengths of dashes and gaps.
  var dashes: [Double] = []
  var flags: NoteFlags = []
  /// `QuadPoints` in user space.
  var quads: [Quad] = []
  /// `InkList` in user space.
  var strokes: [[NotePoint]] = []
  /// `Vertices`, or the two ends of a line, in user space.
  var vertices: [NotePoint] = []
  var lineEnds: [String] = []
  /// `Name`: the icon of a Text, FileAttachment or Stamp; `Sy` of a Caret.
  var icon: String?
  /// The identifier of the note that it answers or is grouped with.
  var inReplyTo: String?
  /// Whether it is grouped with that note and is no answer (`RT`).
  var isGrouped = false
  var stateModel: String?
  var state: String?
  /// How the text of a FreeText looks.
  var style = TextStyle()
  var popup: Popup?
  var attachment: Attachment?
  var target: LinkTarget?
  /// `IT`.
  var intent: String?

  /// Whether it stays upright on a page that is turned; a Text always does (12.5.6.4).
  var isUpright: Bool { kind == .text || flags.contains(.noRotate) }

  // What the page says of it.

  /// The words that a mark marks.
  var quote: String?
  /// The heading of the outline under which it stands.
  var heading: String?
  /// The word of its page at which it stands, in reading order.
  var word = Int.max

  var place: Place

  /// Where the annotation is in the file.
  struct Place: Sendable {
    var reference: PDFReference?
    /// In the page's `Annots`.
    var index: Int
  }

  /// The window in which a viewer shows a note's contents (12.5.6.14).
  struct Popup: Sendable, Equatable {
    var rectangle: Rectangle?
    var isOpen: Bool
    var reference: PDFReference?
  }

  /// A file that a note carries (12.5.6.15).
  struct Attachment: Sendable {
    var name: String
    var bytes: Int?
    var mime: String?
    var stream: PDFStream?
  }

  /// Where a link leads (12.5.6.5).
  enum LinkTarget: Sendable, Equatable {
    case uri(String)
    /// From 1, and how far below its top edge.
    case page(Int, top: Double?)
    case file(String)
  }

  /// Of `DA` and `Q` of a FreeText.
  struct TextStyle: Sendable, Equatable {
    var size: Double?
    var color: NoteColor?
    var alignment: Alignment?
    /// `DA` as it stands.
    var appearance: String?
  }

  /// `Q` (table 174).
  enum Alignment: Int, Sendable {
    case left, center, right

    var name: String { ["left", "center", "right"][rawValue] }

    init?(name: String) {
      switch name {
      case "left": self = .left
      case "center", "centered": self = .center
      case "right": self = .right
      default: return nil
      }
    }
  }
}
