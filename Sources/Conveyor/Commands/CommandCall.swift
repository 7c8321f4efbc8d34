internal import Files
internal import Glibc
internal import Pipelines
internal import PluginKit
package import SystemPackage
internal import Workers

/// One call of a plugin's command: which files it may read, where it writes, where results go.
package struct CommandCall {
  let command: PluginCommands.Command
  let arguments: [String]
  let installation: Installation
  /// Limits and the spool come from it; nil where there is none, or where it has mistakes.
  let active: ActiveConfiguration?
  let landlockCeiling: Int?
  let recognize: Recognize

  /// Makes a PDF with text of a picture or scan, with the passwords of a file, one a line.
  ///
  /// - Returns: 0, or the exit status of what could not; it has said why.
  package typealias Recognize = (_ file: FilePath, _ result: FilePath, _ passwords: FilePath?) ->
    Int32

  package init(
    _ command: PluginCommands.Command, arguments: [String], installation: Installation,
    active: ActiveConfiguration?, landlockCeiling: Int?, recognize: @escaping Recognize
  ) {
    self.command = command
    self.arguments = arguments
    self.installation = installation
    self.active = active
    self.landlockCeiling = landlockCeiling
    self.recognize = recognize
  }

  /// Runs the command to its end.
  ///
  /// - Parameter absolute: a path as typed, made absolute.
  /// - Returns: its exit status.
  package func run(_ absolute: (String) -> FilePath) throws(CommandFailure) -> Int32 {
    let typed = CommandWords(arguments, command.manifest)
    var results = CommandResults(
      replaces: typed.overwrites || typed.replaces == .earlier,
      changesInputs: typed.replaces == .inputs)
    var words: [Word] = []
    for word in typed.words {
      switch word {
      case .plain(let text): words.append(.text(text))
      case .read(let text):
        words.append(.source(absolute(text)))
        try check(absolute(text))
      case .open(let prefix, let text):
        words.append(.opened(prefix: prefix, absolute(text)))
        try check(absolute(text))
      case .write(let prefix, let text):
        words.append(.result(prefix: prefix, try results.add(absolute(text))))
      }
    }
    try results.check(
      arguments: words.compactMap { if case .source(let path) = $0 { path } else { nil } },
      opened: words.compactMap { if case .opened(_, let path) = $0 { path } else { nil } })
    let state = try stateFolder()
    let scratch: ScratchFolder, writable: Folder
    do throws(FileError) { scratch = try ScratchFolder(for: "command") } catch {
      throw CommandFailure(message: "\(error)", status: .later)
    }
    defer { scratch.remove() }
    do throws(FileError) {
      // The command writes in there alone.
      try scratch.folder.makeFolder("work", mode: 0o700)
      writable = try scratch.folder.folder("work")
      try results.prepare(in: writable)
    } catch {
      throw CommandFailure(message: "\(error)", status: .later)
    }
    var status = try run(words, in: writable, state: state)
    if status == CommandManifest.asksForText, command.manifest.recognizes {
      let passwords = typed.file(of: Self.passwordOptions).map(absolute)
      do throws(FileError) {
        guard try recognize(in: &words, scratch, passwords) else { return 130 }
      } catch { throw CommandFailure(message: "\(error)", status: .later) }
      status = try run(words, in: writable, state: state, isRecognized: true)
    }
    if status == 0 { try results.place(from: writable) }
    return status
  }

  /// As `PasswordOption` of PluginCommands has them.
  private static let passwordOptions = ["--passwords", "--password-file"]

  private func run(
    _ words: [Word], in work: Folder, state: String?, isRecognized: Bool = false
  ) throws(CommandFailure) -> Int32 {
    var foreign = ForeignCommand(
      command.foreign, name: command.manifest.name,
      arguments: words.map { $0.text(in: work.path) },
      readableFiles: words.compactMap(\.readable), workFolder: work.path)
    foreign.stateFolder = state
    foreign.isRecognized = isRecognized
    if let configuration = active?.configuration {
      foreign.limits = configuration.defaults.limits
      foreign.processorSeconds = max(2, configuration.defaults.timeout / 1000 + 1)
      foreign.isolationRequired = configuration.isolationRequired
    }
    let setup = WorkerSetup(
      programs: installation.programs.string, landlockCeiling: landlockCeiling)
    do throws(ForeignCommand.Failure) { return try foreign.run(setup) } catch {
      throw CommandFailure(
        message: error.message, status: error.isLimit ? .input : .programMissing,
        isLimit: error.isLimit)
    }
  }

  /// Puts PDFs with text in the place of the files to read. One that could not be made has been told of, and is read
  /// as it is: what has text may be enough.
  ///
  /// - Returns: false where that was interrupted.
  private func recognize(
    in words: inout [Word], _ scratch: ScratchFolder, _ passwords: FilePath?
  ) throws(FileError) -> Bool {
    for index in words.indices {
      guard case .source(let path) = words[index] else { continue }
      let folder = try scratch.folder.makeFolders(FilePath("text/\(index)"), mode: 0o700)
      // Commands name what they make after the file.
      let result = folder.path.appending("\(path.stem ?? "document").pdf")
      switch recognize(path, result, passwords) {
      case 0: words[index] = .source(result)
      case 130: return false
      default: break
      }
    }
    return true
  }

  private enum Word {
    case text(String)
    case source(FilePath)
    case opened(prefix: String, FilePath)
    case result(prefix: String, FilePath)

    func text(in work: FilePath) -> String {
      switch self {
      case .text(let text): text
      case .source(let path): path.string
      case .opened(let prefix, let path): prefix + path.string
      case .result(let prefix, let path): prefix + work.appending(path.components).string
      }
    }

    var readable: String? {
      switch self {
      case .source(let path), .opened(_, let path): path.string
      case .text, .result: nil
      }
    }
  }

  /// The file must be there and be one: a grant on a folder would cover all that is below it.
  private func check(_ path: FilePath) throws(CommandFailure) {
    var status = stat()
    let isReadable = unsafe stat(path.string, &status) == 0 && path.allows(R_OK)
    // Whatever is called next may set it too.
    let reason = Errno(rawValue: errno)
    guard isReadable else {
      throw CommandFailure(
        message: "\(path.printable) cannot be read: \(reason)", status: .input)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CommandFailure(
        message: "\(path.printable) cannot be read: it is no regular file", status: .input)
    }
  }

  /// Where the plugin's steps keep their state, made where it is missing.
  private func stateFolder() throws(CommandFailure) -> String? {
    guard command.manifest.state else { return nil }
    guard let active else {
      throw CommandFailure(
        message: "\(command.manifest.name) keeps state in the spool, so it needs a configuration"
          + " without mistakes: start where one is, or name one with procd -c FILE"
          + " \(command.manifest.name)", status: .configuration)
    }
    do throws(FileError) {
      let spool = try Folder.make(active.spool, mode: 0o700)
      return try spool.makeFolders(FilePath("state").appending(command.plugin), mode: 0o700)
        .path.string
    } catch {
      let cure =
        error.errno == .permissionDenied
        ? "; call it as the user who runs procd, with sudo -u procd in front, or in a folder with a pipelines.json"
          + " of your own" : ""
      throw CommandFailure(
        message: "the state cannot be kept: \(error)\(cure)", status: .configuration)
    }
  }
}
