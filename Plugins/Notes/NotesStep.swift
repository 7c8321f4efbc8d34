internal import Bytes
internal import PDFSyntax
internal import PluginKit

/// The step `pdf.notes`: reads the notes of a PDF, and writes those of files that came with it.
enum NotesStep {
  static func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    let source = try run.source()
    let passwords = run.options.lines("passwords")
    var document = try NotesDocument(
      path: source.path, passwords: passwords, mostPages: run.limits.pages)
    var artifacts: [Artifact] = []
    var outcome = NotesEditor.Outcome()
    let files = run.inputs["notes"] ?? []
    if !files.isEmpty {
      let written = try write(files, into: document, isForced: run.options.flag("force"))
      outcome = written.outcome
      for complaint in outcome.complaints { host.note("notes.written", complaint, page: nil) }
      artifacts.append(
        try run.write(
          role: "pdf", name: "pdf.pdf", mime: "application/pdf", bytes: written.bytes))
      // What is told of notes is told of those that are there now.
      document = try NotesDocument(FileBytes(written.bytes), passwords: passwords)
    }
    document.readPages { done, total in host.progress(done, of: total, unit: "note") }
    document.tell(host)
    let name = run.sourceName
    for (role, file, mime) in [
      ("markdown", "markdown.md", "text/markdown; charset=utf-8"),
      ("json", "json.json", "application/json"),
      ("xfdf", "xfdf.xfdf", "application/vnd.adobe.xfdf"),
    ] where run.options.flag(role) {
      let bytes =
        switch role {
        case "markdown": NotesMarkdown(document: document, name: name).bytes
        case "json": NotesJSON(document: document).bytes
        default: XFDFWriter(document: document, name: name).bytes
        }
      artifacts.append(try run.write(role: role, name: file, mime: mime, bytes: bytes))
    }
    var facts = NotesSummary(document).facts
    if !files.isEmpty {
      facts = facts.setting("added", .integer(outcome.added.count))
        .setting("changed", .integer(outcome.changed.count))
        .setting("deleted", .integer(outcome.deleted.count))
    }
    return StepOutput(artifacts: artifacts, facts: facts, partial: document.isPartial)
  }

  private static func write(
    _ files: [StepInput], into document: NotesDocument, isForced: Bool
  ) throws(PluginFailure) -> (bytes: [UInt8], outcome: NotesEditor.Outcome) {
    var requests: [NoteRequest] = []
    for file in files {
      requests += try ChangeReader.read(path: file.path, name: file.name ?? "the file of notes")
    }
    if !isForced { try WritePermission.check(document.file) }
    // The same files give the same result: times are those that the notes name.
    var editor = NotesEditor(document, now: nil)
    try editor.apply(requests)
    return try NotesResult.checked(editor, document)
  }
}
