import Bytes
import Glibc
import PDFSyntax
import PDFText
import ReadingArguments

/// One run of a command over its files: opens everything, confines the process, reads file after
/// file, and answers the worst exit code.
struct ReadingRun {
  /// Writes what a command makes of one open file.
  typealias Body = (_ extractor: TextExtractor, _ source: Source, _ output: inout OutputFile) ->
    Void

  let options: ReadingOptions
  /// The extension of files in the output folder.
  let fileExtension: String
  /// What comes before the first file's output on standard output.
  var header: [UInt8] = []
  /// What comes between two files' outputs on standard output.
  var separator: [UInt8] = []

  func run(_ body: Body) -> Int32 {
    raiseDescriptorLimit()
    let sources = options.files.map { Source($0) }
    var folder: Int32 = -1
    if let path = options.output {
      unsafe mkdir(path, 0o777)
      folder = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard folder >= 0 else {
        Console.complain("the output folder \(path) cannot be opened")
        return ExitCode.outputFailed
      }
    }
    confine()
    var worst = ExitCode.allWell
    var standard = OutputFile(descriptor: 1)
    var isFirst = true
    for source in sources {
      guard let extractor = open(source) else {
        worst = max(worst, ExitCode.unreadable)
        continue
      }
      if folder >= 0 {
        worst = max(worst, write(extractor, source, in: folder, body))
      } else {
        standard.write(isFirst ? header : separator)
        isFirst = false
        body(extractor, source, &standard)
      }
      warn(source, extractor.file.diagnostics)
    }
    standard.flush()
    if !standard.isSound { worst = max(worst, ExitCode.outputFailed) }
    return worst
  }

  private func open(_ source: Source) -> TextExtractor? {
    do {
      let bytes = try source.read()
      let file = try PDFFile(bytes, password: options.password)
      return try TextExtractor(file)
    } catch let failure as ReadFailure {
      Console.complain("\(source.name): \(failure.reason).")
    } catch let error as PDFError {
      var text = error.description
      if error == .passwordNeeded, options.password != nil { text = "the password is wrong" }
      Console.complain("\(source.name): \(text).")
    } catch {
      Console.complain("\(source.name): it cannot be read.")
    }
    return nil
  }

  private func warn(_ source: Source, _ diagnostics: Diagnostics) {
    guard diagnostics.isPartial,
      let first = diagnostics.list.first(where: { $0.severity == .lost })
    else { return }
    Console.complain("\(source.name): only part of it could be read: \(first).")
  }

  private func write(
    _ extractor: TextExtractor, _ source: Source, in folder: Int32, _ body: Body
  ) -> Int32 {
    let name = source.stem + fileExtension
    let part = "." + name + ".part"
    let descriptor = unsafe openat(folder, part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      Console.complain("\(name) cannot be written.")
      return ExitCode.outputFailed
    }
    var output = OutputFile(descriptor: descriptor)
    output.write(header)
    body(extractor, source, &output)
    output.flush()
    let isClosed = close(descriptor) == 0
    guard output.isSound, isClosed, unsafe renameat(folder, part, folder, name) == 0 else {
      unsafe unlinkat(folder, part, 0)
      Console.complain("\(name) cannot be written.")
      return ExitCode.outputFailed
    }
    return ExitCode.allWell
  }

  /// All sources are open at once, so that the process may give up opening files.
  private func raiseDescriptorLimit() {
    var limit = rlimit()
    guard options.files.count > 500, unsafe getrlimit(__rlimit_resource_t(7), &limit) == 0 else {
      return
    }
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(__rlimit_resource_t(7), &limit)
  }
}
