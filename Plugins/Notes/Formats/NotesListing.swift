/// Notes as a short list for a terminal.
struct NotesListing {
  let document: NotesDocument

  var text: String {
    let threads = NoteThreads(document.notes)
    var text = ""
    for note in threads.roots {
      text += Self.line(note, indent: "")
      for (answer, depth) in threads.answers(to: note) {
        text += Self.line(answer, indent: String(repeating: "  ", count: depth + 1))
      }
    }
    return text + NotesSummary(document).sentence { Self.plain($0, 40) } + "\n"
  }

  private static func line(_ note: Note, indent: String) -> String {
    var line = indent
    line += "p. \(note.page)  \(note.kind.rawValue)  [\(plain(note.id, 60))]"
    if let author = note.author { line += "  \(plain(author, 40))" }
    if let date = note.modified ?? note.created { line += "  \(NotesMarkdown.short(date))" }
    if let state = note.state { line += "  \(plain(state, 40))" }
    line += "\n"
    func add(_ mark: String, _ text: String) { line += "\(indent)    \(mark)\(plain(text, 300))\n" }
    if let quote = note.quote { add("» ", quote) }
    if let words = NotesSummary.ownWords(note) { add("", words) }
    switch note.target {
    case .uri(let address)?: add("→ ", address)
    case .page(let page, _)?: add("→ ", "page \(page)")
    case .file(let name)?: add("→ ", name)
    case nil: break
    }
    if let attachment = note.attachment {
      add("+ ", attachment.name + (attachment.bytes.map { " (\($0) bytes)" } ?? ""))
    }
    return line
  }

  /// One line that cannot steer a terminal.
  private static func plain(_ text: String, _ most: Int) -> String {
    let line = NoteText.line(text)
    let shown = String.UnicodeScalarView(
      line.unicodeScalars.filter { scalar in
        // Joiners belong to the spelling of some languages; the rest of the kind turns text around or hides it.
        scalar.properties.generalCategory != .format || scalar == "\u{200C}" || scalar == "\u{200D}"
      })
    let text = String(shown)
    return text.count > most ? text.prefix(most) + "…" : text
  }
}
