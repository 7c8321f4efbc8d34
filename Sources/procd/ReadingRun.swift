import Glibc
import ReadingArguments

/// One run of a command over its files: opens everything, then reads file after file in confined
/// processes, and answers the worst exit code.
///
/// All is read by confined children, whose limits end a file and not the run. This process never looks into a
/// source; it puts the results of several children in order.
struct ReadingRun {
  let options: ReadingOptions
  /// The extension of files in the output folder.
  var fileExtension: String
  /// What else results may be, by the names of their files: `.jsonl with --json`.
  var otherNames: String?
  /// What comes before the first file's output on standard output, and begins each file in a folder.
  var header: [UInt8] = []
  /// What comes between two files' outputs on standard output.
  var separator: [UInt8] = []
  /// How a result is parted into several files of the output folder; nil where each is one.
  var parts: ResultParts?
  /// What the output of a file is that no other one can follow: `a workbook`; nil where they may stand together.
  var document: String?
  /// Whether the output is nothing for a terminal.
  var isBinary = false

  func run(_ body: @escaping SourceReader.Body) -> Int32 {
    if let document, options.output == nil {
      if options.files.count > 1 {
        Console.complain("each file gives \(document) of its own. Name a folder with -o.")
        return ExitCode.usage
      }
      if isBinary, isatty(1) == 1 {
        Console.complain("\(document) cannot be shown on a terminal. Name a file with -o.")
        return ExitCode.usage
      }
    }
    raiseDescriptorLimit()
    let passwords: [String]
    do throws(Passwords.Unreadable) { passwords = try Passwords.all(options) } catch {
      Console.complain("the passwords cannot be read: \(error.file): \(error.reason).")
      return ExitCode.usage
    }
    guard options.ocr else { return read(options.files.map { Source($0) }, passwords, body) }
    do throws(ReadFailure) {
      let recognized = try Recognition(options.files, passwords: passwords)
      let code = read(recognized.sources, passwords, body)
      return recognized.failed ? max(code, ExitCode.unreadable) : code
    } catch {
      Console.complain("nothing can be recognized: \(error.reason).")
      return ExitCode.programMissing
    }
  }

  private func read(
    _ sources: [Source], _ passwords: [String], _ body: @escaping SourceReader.Body
  ) -> Int32 {
    let reader = SourceReader(passwords: passwords, pages: options.pages, body: body)
    if let path = options.output {
      var results: ResultFolder
      do throws(ResultFolder.Failure) {
        results = try ResultFolder(
          path, of: sources, fileExtension: fileExtension, otherNames: otherNames, parts: parts,
          replaces: options.overwrite)
      } catch {
        Console.complain(error.text)
        return error.exitCode
      }
      let crew = ReadingCrew(sources: sources, reader: reader, head: header)
      return crew.run(jobs: options.jobs) { index, result in results.add(index, result) }
    }
    if options.jobs > 1, sources.count > 1 {
      var results = OrderedResults(header: header, separator: separator)
      let crew = ReadingCrew(sources: sources, reader: reader, head: [])
      return crew.run(jobs: options.jobs) { index, result in results.add(index, result) }
    }
    let crew = ReadingCrew(sources: sources, reader: reader, head: header, following: separator)
    return crew.run(jobs: 1) { _, result in
      ResultsTaken(sources: [], stop: result.code == ExitCode.outputFailed)
    }
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
