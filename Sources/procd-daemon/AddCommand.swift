import ArgumentParser
import Conveyor
import Files
import Glibc
import Pipelines
import PlainText
import ReadingArguments
import SystemPackage

struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Hand a file to the inbox: it appears there whole or not at all.")

  @Argument(help: "The file; - for standard input.")
  var file: String

  @Option(help: "The name it gets; needed for standard input.")
  var name: String?

  @OptionGroup var options: ConfigurationOption

  func validate() throws {
    guard file != "-" || name != nil else {
      throw ValidationError("Standard input needs a name: --name letter.pdf")
    }
    if let name, name.contains("/") || name.isEmpty { throw ValidationError("\(name) is no name.") }
  }

  func run() throws {
    let active = try options.load()
    do {
      let inbox = try Folder.make(active.inbox)
      let temporary = FilePath(".procd-add-\(JobIdentifiers.make(at: 0).suffix(12))")
      let target = try inbox.creating(temporary, mode: 0o666)
      do {
        try fill(target)
        try target.sync()
        try rename(temporary, in: inbox)
      } catch {
        try inbox.remove(temporary)
        throw error
      }
    } catch let error as FileError {
      Console.complain("procd: \(error)")
      throw ExitCode(74)
    }
  }

  private func fill(_ target: OpenFile) throws(FileError) {
    if file == "-" {
      while let bytes = readInput(), !bytes.isEmpty { try target.write(bytes.span) }
      return
    }
    let path = absolutePath(file)
    guard let last = path.lastComponent else {
      throw FileError("open", path, .noSuchFileOrDirectory)
    }
    let source = try Folder.open(path.removingLastComponent()).following(FilePath(name: last))
    _ = try source.copy(to: target)
  }

  private func readInput() -> [UInt8]? {
    let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, unsafe read(0, buffer.baseAddress, buffer.count))
    }
    return chunk.isEmpty ? nil : chunk
  }

  /// Gives the file its name; where that is taken, one with a number.
  private func rename(_ temporary: FilePath, in inbox: Folder) throws(FileError) {
    let wanted =
      name.map { FilePath(typed: $0) } ?? absolutePath(file).lastComponent.map {
        FilePath(name: $0)
      } ?? "unnamed"
    var candidate = wanted, number = 1
    while try inbox.rename(temporary, to: inbox, as: candidate) == .taken {
      number += 1
      let (stem, suffix) = wanted.stemAndSuffix
      candidate = FilePath(bytes: stem + Array("-\(number)".utf8) + suffix)
    }
    try inbox.sync()
    Console.print("\(candidate.printable)")
  }
}
