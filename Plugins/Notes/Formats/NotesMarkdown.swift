import Bytes

/// Notes as Markdown for people: by page and heading, answers below what they answer.
struct NotesMarkdown {
  let document: NotesDocument
  let name: String

  var bytes: [UInt8] {
    let threads = NoteThreads(document.notes)
    var text = "# Notes in \(Self.escaped(name))\n\n"
    text += "\(NotesSummary(document).sentence(Self.escaped))\n"
    var page = 0
    var heading: String?
    for note in threads.roots {
      if note.page != page || note.heading != heading {
        (page, heading) = (note.page, note.heading)
        text += "\n## Page \(page)" + (heading.map { ": \(Self.escaped($0))" } ?? "") + "\n"
      }
      text += "\n"
      if let quote = note.quote { text += "> \(Self.escaped(quote))\n\n" }
      text += "\(Self.label(note))\n"
      if let body = Self.body(note) { text += "\n\(body)\n" }
      let answers = threads.answers(to: note)
      if !answers.isEmpty { text += "\n" }
      for (answer, depth) in answers { text += Self.answer(answer, depth: depth) }
    }
    return Array(text.utf8)
  }

  private static func answer(_ note: Note, depth: Int) -> String {
    let indent = String(repeating: "  ", count: depth)
    var text = "\(indent)- \(label(note))"
    if let body = body(note) {
      text +=
        ": "
        + body.split(separator: "\n", omittingEmptySubsequences: false)
        .joined(separator: "\n\(indent)  ")
    }
    return text + "\n"
  }

  /// Kind, author, time and what else tells a note from others.
  private static func label(_ note: Note) -> String {
    var parts = ["**\(note.kind.rawValue)**"]
    if let author = note.author { parts.append(escaped(author)) }
    if let date = note.modified ?? note.created { parts.append(short(date)) }
    if let subject = note.subject, subject.lowercased() != note.kind.element {
      parts.append("*\(escaped(subject))*")
    }
    if note.isGrouped { parts.append("grouped") }
    if let state = note.state { parts.append("state: \(escaped(state))") }
    if note.flags.contains(.hidden) { parts.append("hidden") }
    if note.kind == .stamp, let icon = note.icon { parts.append(escaped(icon)) }
    if let attachment = note.attachment {
      let size = attachment.bytes.map { ", \($0) bytes" } ?? ""
      parts.append("file \(escaped(attachment.name))\(size)")
    }
    switch note.target {
    case .uri(let address)?: parts.append(link(address))
    case .page(let page, _)?: parts.append("to page \(page)")
    case .file(let name)?: parts.append("to \(escaped(name))")
    case nil: break
    }
    return parts.joined(separator: " · ")
  }

  /// What a note says; where that is only what it marks, nothing, for it stands above already.
  private static func body(_ note: Note) -> String? {
    guard let contents = NotesSummary.ownWords(note) else { return nil }
    return contents.split(separator: "\n", omittingEmptySubsequences: false)
      .map { escaped(String($0)) }.joined(separator: "\\\n")
  }

  static func short(_ date: NoteDate) -> String {
    String(date.iso.prefix(16).map { $0 == "T" ? " " : $0 })
  }

  /// An address to click on where it leads to the web or to somebody's mail; any other is text.
  private static func link(_ address: String) -> String {
    let isPlain = address.utf8.allSatisfy { (0x21..<0x7F).contains($0) && $0 != 0x3C && $0 != 0x3E }
    let leads = ["http://", "https://", "mailto:"].contains { address.lowercased().hasPrefix($0) }
    return isPlain && leads ? "<\(address)>" : escaped(address)
  }

  /// As text that is nothing but text.
  private static func escaped(_ text: String) -> String {
    var output = ByteWriter()
    output.append(markdown: Array(text.utf8)[...], beginsBlock: true)
    var bytes = output.bytes
    // A number at the beginning would begin a list.
    let digits = bytes.prefix { (0x30...0x39).contains($0) }.count
    if digits > 0, digits < bytes.count, bytes[digits] == 0x2E || bytes[digits] == 0x29 {
      bytes.insert(0x5C, at: digits)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
