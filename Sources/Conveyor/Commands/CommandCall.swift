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

  package init(
    _ command: PluginCommands.Command, arguments: [String], installation: Installation,
    active: ActiveConfiguration?, landlockCeiling: Int?
  ) {
    self.command = command
    self.arguments = arguments
    self.installation = installation
    self.active = active
    self.landlockCeiling = landlockCeiling
  }

  /// Runs the command to its end.
  ///
  /// - Parameter absolute: a path as typed, made absolute.
  /// - Returns: its exit status.
  package func run(_ absolute: (String) -> FilePath) throws(CommandFailure) -> Int32 {
    var readable: [String] = [], results = CommandResults(), words: [Word] = []
    for word in CommandWords(arguments, command.manifest).words {
      switch word {
      case .plain(let text): words.append(.text(text))
      case .read(let prefix, let text):
        let path = absolute(text)
        try check(path)
        readable.append(path.string)
        words.append(.text(prefix + path.string))
      case .write(let prefix, let text):
        words.append(.result(prefix: prefix, try results.add(absolute(text))))
      }
    }
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
    let work = writable.path
    var foreign = ForeignCommand(
      command.foreign, name: command.manifest.name,
      arguments: words.map { $0.text(in: work) }, readableFiles: readable, workFolder: work)
    foreign.stateFolder = state
    if let configuration = active?.configuration {
      foreign.limits = configuration.defaults.limits
      foreign.isolationRequired = configuration.isolationRequired
    }
    let setup = WorkerSetup(
      programs: installation.programs.string, landlockCeiling: landlockCeiling)
    let status: Int32
    do throws(ForeignCommand.Failure) { status = try foreign.run(setup) } catch {
      throw CommandFailure(message: error.message, status: .programMissing)
    }
    if status == 0 { try results.place(from: writable) }
    return status
  }

  private enum Word {
    case text(String)
    case result(prefix: String, FilePath)

    func text(in work: FilePath) -> String {
      switch self {
      case .text(let text): text
      case .result(let prefix, let path): prefix + work.appending(path.components).string
      }
    }
  }

  /// The file must be there and be one: a grant on a folder would cover all that is below it.
  private func check(_ path: FilePath) throws(CommandFailure) {
    var status = stat()
    guard unsafe stat(path.string, &status) == 0, unsafe access(path.string, R_OK) == 0 else {
      throw CommandFailure(
        message: "\(path.printable) cannot be read: \(Errno(rawValue: errno))", status: .input)
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
      throw CommandFailure(message: "the state cannot be kept: \(error)", status: .configuration)
    }
  }
}
