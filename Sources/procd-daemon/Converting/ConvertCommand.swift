import ArgumentParser
import Conveyor
import Files
import Glibc
import Pipelines
import PlainText
import PluginKit
import SystemPackage

struct ConvertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Process files here and now: no inbox, no ledger, inputs stay where they are.",
    discussion: """
      Uses built-in rules, regardless of any configuration here, unless -c names one: images become searchable PDFs, \
      PDFs become text. `convert IN OUT.pdf` converts one file into one, whose type is given by OUT's extension: the \
      tables of a PDF for .csv and .xlsx; - stands for standard input or output. With -o DIR, results are named \
      DIR/{stem}.ext, or DIR/{name}.ext if two inputs that rules take would give the same name. In folders, files \
      that no rule takes are skipped. With --join, the inputs become one document in the order given, and files in a \
      folder are ordered by name; -o may then name the PDF itself. --set pages.order=odd-even interleaves two files, one of fronts and one of backs from last to first.

      With -r, a tree is processed folder by folder. Links to files in it count as files; names that begin with a dot \
      and the folder of the results are skipped, and results beside their inputs. Results appear whole, so an interrupted run can be continued with \
      --update.
      """)

  @Argument(help: "Files and folders.")
  var inputs: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The folder for the results, or the name of a single result.", valueName: "dir"))
  var output: String?

  @Flag(help: "Replace existing files.")
  var overwrite = false

  @Flag(name: .shortAndLong, help: "Also convert what is in subfolders; results mirror the tree.")
  var recursive = false

  @Option(
    help: ArgumentHelp(
      "In folders, only files with a matching name: '*.pdf'.", valueName: "pattern"))
  var only: [String] = []

  @Option(
    help: ArgumentHelp("In folders, no files with a matching name: '*.txt'.", valueName: "pattern"))
  var skip: [String] = []

  @Flag(help: "Make one document of all inputs.")
  var join = false

  @Flag(
    help: "Make a PDF of each document in a stack, which begins at a page with a separator barcode."
  )
  var split = false

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("Only results of this role: pdf, text, csv, …", valueName: "role"))
  var roles: [String] = []
  var to: String? { roles.first }

  @Option(
    name: [.customShort("l"), .long],
    help: ArgumentHelp("Languages of scans, as Tesseract names them: eng+deu.", valueName: "lang"))
  var language: String?

  @Option(help: "A password for locked PDFs; others can see it while the command runs.")
  var password: String?

  @Option(
    help: ArgumentHelp(
      "A file of passwords for locked PDFs, one per line, tried in turn; the environment variable PROCD_PASSWORDS does the same.",
      valueName: "file"))
  var passwords: String?

  @Option(
    help: ArgumentHelp(
      "An option of a step: ocr.straighten=turn, ocr.attach=alto,words.",
      valueName: "step.option=value"))
  var set: [String] = []

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: "How many steps to run at a time; one per core when left out.")
  var jobs: Int?

  @Flag(help: "Skip inputs that were converted before and have not changed since.")
  var update = false

  @Flag(help: "Print a line of JSON per file.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func validate() throws {
    guard !inputs.isEmpty else { throw ValidationError("Name a file or folder.") }
    // It would be the current folder.
    guard !inputs.contains(""), output != "" else {
      throw ValidationError("A name is empty; is a variable not set?")
    }
    guard password == nil || passwords == nil else {
      throw ValidationError("Take one of --password and --passwords.")
    }
    guard !split || !join && options.file == nil else {
      throw ValidationError("Take one of --split, --join and -c.")
    }
    guard roles.count < 2 else { throw ValidationError("--to names one role.") }
    if let jobs, jobs < 1 || jobs > 1024 { throw ValidationError("--jobs takes 1 to 1024.") }
  }

  func run() async throws {
    signal(SIGPIPE, SIG_IGN)
    // Not in validate(), which comes before words that nobody knows are told.
    guard !join || output != nil else {
      throw ValidationError("Say where the document goes: --join A.jpg B.jpg -o OUT.pdf.")
    }
    guard output != nil || inputs.count == 2 && Self.namesFile(inputs[1]) else {
      throw ValidationError(
        "Say where results go: convert IN.jpg OUT.pdf for one file, or -o FOLDER.")
    }
    let (active, role, mark) = try ConvertSettings(command: self).active()
    guard !join else { return try await convertJoined(active, role) }
    if isOfOneFile { return try await convertOne(active, role) }
    guard !sources.contains("-") else {
      throw ValidationError(
        "What comes by standard input gets the name of its result: convert - OUT.pdf.")
    }
    let output = absolutePath(target)
    let inputs = ConvertInputs(
      sources.map(absolutePath), recursive: recursive, sparing: output, only: only, skip: skip)
    for missing in inputs.missing { Console.complain("procd: \(missing): no such file or folder") }
    guard inputs.hasSome else { throw Status.inputQuarantined }
    let bench = try bench(active, in: output)
    let progress = json ? nil : ConvertProgress(inputs)
    let counts = try await Self.untilInterrupted(bench, progress, isWhole: false) {
      await ConvertRun(
        bench: bench, role: role, options: mark, output: output, update: update,
        replaces: overwrite ? .all : update ? .own : .none,
        json: json, progress: progress,
        passesOver: inputs.hasFolders
      ).convert(inputs)
    }
    progress?.end()
    if !json, let passed = counts.passedOver.sentence(wanting: role) {
      Console.complain("procd: \(passed)")
    }
    if counts.empty > 0, !json {
      Console.complain(
        counts.empty == 1
          ? "procd: 1 file was passed over: it is empty"
          : "procd: \(counts.empty) files were passed over: they are empty")
    }
    if counts.files == 0, !json {
      let patterns = only + skip
      Console.complain(
        "procd: there was nothing to convert: "
          + (patterns.isEmpty ? "no file lies there" : "no name there fits --only and --skip"))
    }
    if counts.foldersLeftOut > 0 {
      Console.complain(
        "procd: \(counts.foldersLeftOut == 1 ? "1 folder" : "\(counts.foldersLeftOut) folders") in there"
          + " \(counts.foldersLeftOut == 1 ? "was" : "were") not looked into; -r does that")
    }
    let tried = counts.files - counts.passedOver.count - counts.empty
    let missing = inputs.missing.count
    if counts.failed > 0, tried + missing > 1 {
      Console.complain("procd: \(counts.failed + missing) of \(tried + missing) failed")
    }
    for folder in counts.unreadable {
      Console.complain("procd: \(folder) could not be read; its contents were left out")
    }
    if counts.isDiskFull { throw Status.outputFailed }
    guard counts.failed == 0, inputs.missing.isEmpty, counts.unreadable.isEmpty else {
      throw Status.inputQuarantined
    }
  }
}
