/// Bounds on what a file may cost; real documents stay far below them.
enum NotesLimits {
  /// Entries of all `Annots` of a document that are looked at.
  static let annotations = 500_000
  /// Notes of a document.
  static let notes = 100_000
  /// Points of all notes together.
  static let points = 4_000_000
  /// Points of one note.
  static let pointsOfNote = 400_000
  /// Bytes of text of all notes together.
  static let text = 64 << 20
  /// Bytes of one text of a note.
  static let textOfNote = 4 << 20
  /// Words, lines and letters that are looked at to find out what all notes of a document mark or stand at.
  static let comparisons = 400_000_000
  /// No page is larger by far (PDF 32000-1, Annex C).
  static let coordinate = 1e7
  /// How many answers deep a thread is shown.
  static let replyDepth = 32

  /// Bytes of a file of notes.
  static let changesFile = 64 << 20
  /// Changes of one file of notes.
  static let changes = 50_000
  /// Characters that a FreeText may show.
  static let lettering = 100_000
  /// Notes that one file of changes may add, however often the words stand that it asks for.
  static let added = 100_000
  /// Occurrences that one request may mark.
  static let occurrences = 10_000
  /// Bytes of the files that notes carry, together.
  static let attachments = 128 << 20
  /// Bytes of one tag of an XFDF file: the points of a drawing stand in attributes.
  static let tagBytes = 8 << 20
  /// Attributes of one tag, which libxml2 compares with each other. XFDF has thirty.
  static let attributes = 100
  /// Nesting of an XFDF file.
  static let xmlDepth = 64
}
