import ArgumentParser
import Conveyor
import Files
import Glibc
import Intake
import Pipelines
import PlainText
import ReadingArguments
import SystemPackage

struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Put files into the inbox: each appears there whole or not at all."
  )

  @Argument(help: "Files; - for standard input.")
  var files: [String]

  @Option(help: "The name for a single file; needed for standard input.")
  var name: String?

  @Option(help: "The rule that takes them, whatever the rules say of such files.")
  var rule: String?

  @OptionGroup var options: ConfigurationOption

  func validate() throws {
    guard name == nil || files.count == 1 else {
      throw ValidationError("--name is for one file; each of several keeps its own name.")
    }
    guard !files.contains("-") || name != nil else {
      throw ValidationError("Standard input needs a name: --name letter.pdf")
    }
    if let name, name.contains("/") || name.isEmpty || name == "." || name == ".." {
      throw ValidationError(
        "--name takes a name without a folder, and \"\(name)\" is none; for a folder of the inbox copy the file there."
      )
    }
  }

  func run() throws {
    let active = try options.loadToLook(probed: .inbox)
    let ignored = IgnoreList(active.configuration.inbox.ignore)
    if let rule, !active.configuration.pipelines.contains(where: { $0.id == rule }) {
      Console.complain("procd: there is no rule \(rule.plain); `procd check` lists them")
      throw Status.configuration
    }
    if rule != nil { try ConfigurationOption.open(active) }
    var worst: ExitCode?
    for file in files {
      let name =
        name.map { FilePath(typed: $0) }
        ?? absolutePath(file).lastComponent.map { FilePath(name: $0) } ?? "unnamed"
      if let pattern = ignored.pattern(for: name.string, isFolder: false) {
        Console.complain(
          "procd: \(name.printable) would be left alone in the inbox, by the pattern \(pattern.plain); give"
            + " it another name with --name")
        worst = worst ?? Status.inputQuarantined
        continue
      }
      let source: OpenFile?
      do { source = try file == "-" ? nil : Self.open(file) } catch {
        Console.complain("procd: \(error)")
        worst = worst ?? Status.inputQuarantined
        continue
      }
      do {
        try add(
          source, as: name, to: try Folder.make(active.inbox), spool: active.spool,
          mayBeEmpty: active.configuration.pipelines.contains { $0.companions != nil })
      } catch let error where error.errno == .invalidArgument {
        Console.complain("procd: \(error)")
        worst = worst ?? Status.inputQuarantined
      } catch  where error.errno == .permissionDenied {
        Console.complain(
          "procd: user \(Accounts.currentUser) may not put files into the inbox, \(active.inbox.printable); cure: be"
            + " a member of its group, or have its owner allow it")
        throw Status.notPermitted
      } catch {
        Console.complain("procd: \(error)")
        worst = ExitCode(74)
      }
    }
    if let worst { throw worst }
  }

  private static func open(_ file: String) throws(FileError) -> OpenFile {
    let path = absolutePath(file)
    guard let last = path.lastComponent else {
      throw FileError("open", path, .noSuchFileOrDirectory)
    }
    let opened = try Folder.open(path.removingLastComponent()).following(FilePath(name: last))
    guard try opened.status().kind != .folder else {
      throw FileError("hand in", path, .isDirectory, reason: "it is a folder; name its files")
    }
    guard try opened.status().kind == .regular else {
      throw FileError(
        "hand in", path, .invalidArgument,
        reason: "it is a fifo, socket or device; - takes what comes by standard input")
    }
    return opened
  }

  /// - Parameter file: nil for standard input.
  private func add(
    _ file: OpenFile?, as name: FilePath, to inbox: Folder, spool: FilePath, mayBeEmpty: Bool
  ) throws(FileError) {
    let handIn = try HandIn(to: inbox, as: name)
    do throws(FileError) {
      var isEmpty = true
      if let file {
        isEmpty = try file.status().size == 0
        try handIn.copy(file)
      } else {
        while let bytes = readInput(), !bytes.isEmpty {
          isEmpty = false
          try handIn.write(bytes)
        }
      }
      // What comes with another file may be empty.
      guard !isEmpty || mayBeEmpty else {
        throw FileError(
          "hand in", name, .invalidArgument, reason: "it is empty, and would go to the quarantine")
      }
      try handIn.leave(Wish(rule: rule), in: spool)
      Console.print("\(try handIn.finish().printable)")
    } catch {
      try handIn.giveUp()
      throw error
    }
  }

  private func readInput() -> [UInt8]? {
    let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, unsafe read(0, buffer.baseAddress, buffer.count))
    }
    return chunk.isEmpty ? nil : chunk
  }
}
