internal import PluginKit

/// What there is of notes, for facts and headlines.
struct NotesSummary {
  private let notes: [Note]
  private let pageCount: Int

  init(_ document: NotesDocument) {
    notes = document.notes
    pageCount = document.pageCount
  }

  var authors: [String] { Set(notes.compactMap(\.author)).sorted() }
  var pagesWithNotes: Int { Set(notes.map(\.page)).count }

  /// - Parameter shown: how the words of others are written.
  func sentence(_ shown: (String) -> String) -> String {
    guard !notes.isEmpty else { return "No notes." }
    let names = authors.map(shown).joined(separator: ", ")
    let unnamed = notes.count { $0.author == nil }
    let from =
      authors.isEmpty || authors.count > 8
      ? ""
      : unnamed == 0
        ? " by \(names)" : " (\(notes.count - unnamed) by \(names), \(unnamed) without an author)"
    return "\(Self.count(notes.count, "note"))\(from) on \(pagesWithNotes) of"
      + " \(Self.count(pageCount, "page"))."
  }

  static func count(_ number: Int, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  var facts: JSON {
    func number(_ kinds: NoteKind...) -> JSON {
      .integer(notes.count { kinds.contains($0.kind) })
    }
    return [
      "notes": .integer(notes.count), "pages": .integer(pageCount),
      "pagesWithNotes": .integer(pagesWithNotes),
      "authors": .array(authors.prefix(100).map { .string($0) }),
      "highlights": number(.highlight), "texts": number(.text), "freeTexts": number(.freeText),
      "links": number(.link), "attachments": number(.fileAttachment),
      "replies": .integer(notes.count { $0.inReplyTo != nil && !$0.isGrouped }),
    ]
  }

  /// The contents of a note, unless they are no more than the words that it marks: some viewers put
  /// those there.
  static func ownWords(_ note: Note) -> String? {
    guard let contents = note.contents else { return nil }
    guard let quote = note.quote else { return contents }
    func letters(_ text: String) -> [Character] {
      text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    let (own, marked) = (letters(contents), letters(quote))
    return own == marked && !own.isEmpty ? nil : contents
  }
}
