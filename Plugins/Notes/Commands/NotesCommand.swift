internal import ArgumentParser
internal import Glibc
internal import PDFInput
internal import PDFSyntax
internal import PluginCommands
internal import PluginKit
internal import SystemPackage

/// `procd notes …`
struct NotesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "procd notes",
    abstract: "Notes of PDFs: comments, marks on words, drawings, stamps, links, files.",
    discussion: """
      A result keeps every byte of the PDF, with changes appended, and may replace the PDF itself. \
      docs/notes.md describes files of notes.
      """,
    subcommands: [List.self, Export.self, Add.self, Delete.self])

  enum Format: String, EnumerableFlag {
    case json, markdown, xfdf
  }

  /// The PDF that a verb is about.
  struct Source: ParsableArguments {
    @Argument(help: "A PDF.")
    var file: String

    @OptionGroup var passwords: PasswordOption

    var name: String { file.split(separator: "/").last.map(String.init) ?? file }

    func open() throws(PluginFailure) -> NotesDocument {
      try NotesDocument(
        path: FilePath(file), passwords: PDFInput.passwords(inFile: passwords.file))
    }

    /// Tells what was odd about it.
    static func tell(_ document: NotesDocument) {
      for diagnostic in document.file.diagnostics.list.prefix(5)
      where diagnostic.severity == .lost {
        CommandOutput.warn(NoteText.line(diagnostic.message))
      }
      for complaint in document.complaints.prefix(5) {
        CommandOutput.warn(NoteText.line(complaint))
      }
    }

    /// Its notes.
    ///
    /// - Parameter format: nil for a list to be looked at.
    func notes(_ format: Format?) throws(PluginFailure) -> [UInt8] {
      var document = try open()
      document.readPages()
      Self.tell(document)
      return switch format {
      case .json: NotesJSON(document: document).bytes
      case .markdown: NotesMarkdown(document: document, name: name).bytes
      case .xfdf: XFDFWriter(document: document, name: name).bytes
      case nil: Array(NotesListing(document: document).text.utf8)
      }
    }
  }

  struct List: PluginCommand {
    static let configuration = CommandConfiguration(abstract: "Print the notes of a PDF.")

    @Flag(help: "The format; a short list when left out.")
    var format: Format?

    @OptionGroup var source: Source

    func execute() throws(PluginFailure) { try CommandOutput.write(source.notes(format), to: nil) }
  }

  struct Export: PluginCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the notes of a PDF into a file.")

    @Option(
      name: [.customShort("o", allowingJoined: true), .long],
      help: ArgumentHelp(
        "The output file, whose extension gives the format: .json, .md or .xfdf; - for standard output.",
        valueName: "file"))
    var output: String

    @OptionGroup var overwriting: OverwriteFlag

    @Flag(help: "The format, if the extension does not give it.")
    var format: Format?

    @OptionGroup var source: Source

    mutating func validate() throws {
      let ending = output.split(separator: ".").last.map { $0.lowercased() } ?? ""
      let known: [String: Format] = [
        "json": .json, "md": .markdown, "markdown": .markdown, "xfdf": .xfdf, "xml": .xfdf,
      ]
      format = format ?? known[ending]
      guard format != nil else {
        throw ValidationError("say what the notes are to be: name.json, name.md or name.xfdf")
      }
    }

    func execute() throws(PluginFailure) {
      try CommandOutput.write(source.notes(format), to: output)
    }
  }

  /// Where a changed PDF goes, and what may be changed.
  struct Target: ParsableArguments {
    @Option(
      name: [.customShort("o", allowingJoined: true), .long],
      help: ArgumentHelp(
        "Where the PDF goes, which may be the PDF that is read; - for standard output.",
        valueName: "file"))
    var output: String

    @OptionGroup var overwriting: OverwriteFlag

    @Flag(help: "Write into encrypted and signed documents too.")
    var force = false

    func change(
      _ source: Source, _ edit: (inout NotesEditor) throws(PluginFailure) -> Void
    ) throws(PluginFailure) {
      let document = try source.open()
      Source.tell(document)
      if !force { try WritePermission.check(document.file) }
      var editor = NotesEditor(document, now: NoteDate(secondsSince1970: time(nil)))
      try edit(&editor)
      let (bytes, outcome) = try NotesResult.checked(editor, document)
      for complaint in outcome.complaints { CommandOutput.warn(NoteText.line(complaint)) }
      try CommandOutput.write(bytes, to: output)
      guard output != "-" else { return }
      let parts = [
        (outcome.added.count, "added"), (outcome.changed.count, "changed"),
        (outcome.deleted.count, "deleted"), (outcome.unchanged, "unchanged"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      try CommandOutput.print(
        parts.isEmpty ? "nothing to do\n" : parts.joined(separator: ", ") + "\n")
    }
  }

  struct Add: PluginCommand {
    static let configuration = CommandConfiguration(
      abstract: "Write notes into a PDF; a note whose identifier exists is changed.")

    @Option(
      name: .customLong("from"),
      help: ArgumentHelp(
        "A JSON or XFDF file of notes; may be given several times.", valueName: "notes"))
    var files: [String]

    @OptionGroup var source: Source
    @OptionGroup var target: Target

    func execute() throws(PluginFailure) {
      var requests: [NoteRequest] = []
      for file in files {
        requests += try ChangeReader.read(
          path: FilePath(file), name: file.split(separator: "/").last.map(String.init) ?? file)
      }
      try target.change(source) { editor throws(PluginFailure) in try editor.apply(requests) }
    }
  }

  struct Delete: PluginCommand {
    static let configuration = CommandConfiguration(abstract: "Delete notes of a PDF.")

    @OptionGroup var source: Source

    @Argument(help: "The identifiers of notes, which list shows in brackets.")
    var ids: [String]

    @OptionGroup var target: Target

    func execute() throws(PluginFailure) {
      try target.change(source) { editor throws(PluginFailure) in try editor.delete(ids) }
    }
  }
}
