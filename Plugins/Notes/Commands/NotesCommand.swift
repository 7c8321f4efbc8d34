internal import Bytes
internal import Glibc
internal import PDFInput
internal import PDFSyntax
internal import PluginKit
internal import SystemPackage

/// The command `procd notes`.
struct NotesCommand {
  let arguments: NotesArguments

  static func run(_ words: [String]) -> Int32 {
    do throws(PluginFailure) {
      let arguments: NotesArguments
      do throws(NotesArguments.Mistake) { arguments = try NotesArguments(words) } catch {
        complain(error.message)
        return 64
      }
      guard let verb = arguments.verb else {
        write(Array(NotesArguments.help.utf8), to: 1)
        return 0
      }
      let command = NotesCommand(arguments: arguments)
      switch verb {
      case .list, .export: try command.read()
      case .add, .delete: try command.change(verb)
      }
      return 0
    } catch {
      complain("\(error.message)\(error.hint.map { " (\($0))" } ?? "") [\(error.code)]")
      return status(error)
    }
  }

  private func read() throws(PluginFailure) {
    var document = try open()
    document.readPages()
    tell(document)
    let name = arguments.file.split(separator: "/").last.map(String.init) ?? arguments.file
    let bytes =
      switch arguments.format {
      case .json: NotesJSON(document: document).bytes
      case .markdown: NotesMarkdown(document: document, name: name).bytes
      case .xfdf: XFDFWriter(document: document, name: name).bytes
      case nil: Array(NotesListing(document: document).text.utf8)
      }
    try put(bytes)
  }

  private func change(_ verb: NotesArguments.Verb) throws(PluginFailure) {
    var requests: [NoteRequest] = []
    for source in arguments.sources {
      requests += try ChangeReader.read(
        path: FilePath(source), name: source.split(separator: "/").last.map(String.init) ?? source)
    }
    let document = try open()
    tell(document)
    if !arguments.isForced { try WritePermission.check(document.file) }
    var editor = NotesEditor(document, now: NoteDate(secondsSince1970: time(nil)))
    if verb == .add {
      try editor.apply(requests)
    } else {
      try editor.delete(arguments.identifiers)
    }
    let (bytes, outcome) = try NotesResult.checked(editor, document)
    for complaint in outcome.complaints { Self.complain(complaint) }
    try put(bytes)
    guard arguments.output != "-" else { return }
    let parts = [
      (outcome.added.count, "added"), (outcome.changed.count, "changed"),
      (outcome.deleted.count, "deleted"), (outcome.unchanged, "unchanged"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    Self.write(
      Array("\(parts.isEmpty ? "nothing to do" : parts.joined(separator: ", "))\n".utf8), to: 1)
  }

  // MARK: Files

  private func open() throws(PluginFailure) -> NotesDocument {
    var passwords: [String] = []
    if let file = arguments.passwordFile { passwords = try PDFInput.passwords(inFile: file) }
    return try NotesDocument(path: FilePath(arguments.file), passwords: passwords)
  }

  private func tell(_ document: NotesDocument) {
    for diagnostic in document.file.diagnostics.list.prefix(5) where diagnostic.severity == .lost {
      Self.complain(diagnostic.message)
    }
    for complaint in document.complaints.prefix(5) { Self.complain(complaint) }
  }

  private func put(_ bytes: [UInt8]) throws(PluginFailure) {
    guard let path = arguments.output, path != "-" else {
      guard Self.write(bytes, to: 1) else { throw Self.unwritten }
      return
    }
    let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Self.unwritten }
    let isWhole = Self.write(bytes, to: descriptor)
    guard close(descriptor) == 0, isWhole else { throw Self.unwritten }
  }

  private static var unwritten: PluginFailure {
    PluginFailure(.transient, "disk.full", "the result could not be written (errno \(errno))")
  }

  @discardableResult
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { raw in
        unsafe Glibc.write(descriptor, raw.baseAddress?.advanced(by: offset), raw.count - offset)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      offset += written
    }
    return true
  }

  private static func complain(_ message: String) {
    write(Array("procd notes: \(NoteText.line(message))\n".utf8), to: 2)
  }

  private static func status(_ failure: PluginFailure) -> Int32 {
    switch failure.class {
    case .input: 65
    case .options: 64
    case .transient: 74
    case .internal, .cancelled: 70
    }
  }
}
