internal import ArgumentParser
internal import Glibc
internal import PDFInput
internal import PDFSyntax
internal import PluginCommands
internal import PluginKit
internal import SystemPackage

/// The command `procd speak`.
struct SpeakCommand: PluginCommand {
  static let configuration = CommandConfiguration(
    commandName: "procd speak", abstract: "Reads a text, PDF or picture aloud.")

  @Argument(
    help:
      "A text, PDF or picture (text in pictures and scanned pages is recognized first); - for standard input."
  )
  var file: String?

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      """
      What to write, by its extension; may be given several times: .html, a page with text and audio that opens from \
      disk; .opus and .wav, audio; .json, times of words; .vtt, captions. Without it Opus goes to standard output.
      """, valueName: "out"))
  var output: [String] = []

  @OptionGroup var overwriting: OverwriteFlag

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The language, such as en, de or pt-br; auto detects it for each paragraph.", valueName: "tag"
    ))
  var language = "auto"

  @Flag(help: "List the languages.")
  var languages = false

  @Option(help: "A variant of the voice, such as f3 or m5.")
  var voice = ""

  @Flag(help: "List the variants.")
  var voices = false

  @Option(help: "Words a minute, 80 to 450.")
  var speed = 175

  @Option(help: "Whether tables are read: read or skip.")
  var tables = SpeechOptions.Choice.read

  @Option(help: "Whether program code is read: read or skip.")
  var code = SpeechOptions.Choice.skip

  @Flag(help: "Read the text as Markdown; the default for files that end with .md.")
  var markdown = false

  @OptionGroup var passwords: PasswordOption

  @Flag(help: "Print what was made as JSON.")
  var json = false

  mutating func validate() throws {
    guard !languages, !voices else { return }
    guard let file else { throw ValidationError("name one file to read, or - for standard input") }
    guard SpeechOptions.speeds.contains(speed) else {
      throw ValidationError("--speed is a number of words a minute from 80 to 450")
    }
    markdown = markdown || SpeechStep.isMarkdown(file)
    // What is wrong with the names of results is told before anything is read.
    _ = try places(scratch: "")
  }

  var options: SpeechOptions {
    var options = SpeechOptions()
    (options.language, options.voice, options.speed) = (language, voice, speed)
    (options.tables, options.code) = (tables, code)
    return options
  }

  /// Where the results go, by the extensions of their files.
  func places(scratch: String) throws(ValidationError) -> NarrationPlaces {
    var places = NarrationPlaces(scratch: scratch)
    places.mostBytes = .max
    for path in output {
      let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
      guard let file = NarrationFile(ending: ending) else {
        throw ValidationError("-o ends with .html, .opus, .wav, .json or .vtt")
      }
      guard places.files.updateValue(path, forKey: file) == nil else {
        throw ValidationError("there are two files .\(ending) to write; name one")
      }
    }
    places.audioName = SpeechStep.stem(places.files[.opus] ?? output.first ?? "audio") + ".opus"
    return places
  }

  func execute() throws(PluginFailure) {
    if languages || voices {
      let engine = try SpeechEngine.shared()
      let names = languages ? engine.languages.sorted() : engine.variants
      return try CommandOutput.print(names.joined(separator: "\n") + "\n")
    }
    do throws(PluginFailure) { try speak() } catch {
      var failure = error
      if failure.code == "pdf.password" {
        failure.hint = "name a file with the password by --passwords"
      } else if failure.hint == DocumentOpening.recognizing {
        failure.hint =
          file == "-"
          ? "name the file: the text of pictures and scans is recognized then"
          : "texts and PDFs are read aloud, and what procd convert makes text of: pictures, scans, office documents, mail"
      }
      throw failure
    }
  }

  private func speak() throws(PluginFailure) {
    let scratch = unsafe getenv("PROCD_WORK").map { unsafe String(cString: $0) } ?? "."
    var places: NarrationPlaces
    do throws(ValidationError) { places = try self.places(scratch: scratch) } catch {
      throw .typed(error.message)
    }
    let printsAudio = places.files.isEmpty
    if printsAudio {
      guard isatty(1) == 0 else {
        throw .typed("say where the audio is to go: -o letter.html, -o letter.opus, or a pipe")
      }
      places.files[.opus] = scratch + "/narration.opus"
    }
    // Libraries may print what they like.
    let standardOutput = CommandOutput.reserved()
    let name = file == "-" ? nil : file
    let bytes = if let name { try PDFInput.bytes(of: FilePath(name)) } else { try standardInput() }
    let document = try DocumentOpening.open(
      bytes, passwords: PDFInput.passwords(inFile: passwords.file), mostPages: .max,
      isMarkdown: markdown
    ) { missing in
      // What came by standard input is used up.
      if name != nil { CommandInput.askForText("\(missing); recognizing it first") }
    }
    var narration = try Narration(
      document, SpeechEngine.shared(), options, places, name: name.map(SpeechStep.stem) ?? "Text",
      file: name, TerminalHost())
    let facts = try narration.run()
    if isatty(2) == 1 { TerminalHost.show("\r\u{1B}[K") }
    if printsAudio, let path = places.files[.opus] {
      defer { unsafe _ = unlink(path) }
      try CommandOutput.copy(path, to: standardOutput)
    } else if json {
      try CommandOutput.write(facts.json.text, to: standardOutput)
    }
  }

  private func standardInput() throws(PluginFailure) -> FileBytes {
    guard let bytes = CommandInput.all(most: SpeechLimits.inputBytes) else {
      throw PluginFailure(
        .input, "speech.long", "standard input has more than \(SpeechLimits.inputBytes >> 20) MiB",
        hint: "name the file")
    }
    return FileBytes(bytes)
  }
}

extension SpeechOptions.Choice: ExpressibleByArgument {}

/// Shows how far it is, where somebody looks.
private struct TerminalHost: StepHost {
  private let isSeen = isatty(2) == 1

  func progress(_ done: Int, of total: Int, unit: String) {
    if isSeen { Self.show("\r\(unit) \(done) of \(total)\u{1B}[K") }
  }

  func note(_ code: String, _ message: String, page: Int?) {
    CommandOutput.warn("\(message) [\(code)]")
  }

  static func show(_ text: String) {
    // Where it cannot be seen, nothing is lost.
    _ = try? CommandOutput.write(Array(text.utf8), to: 2)
  }
}
