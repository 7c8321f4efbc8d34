internal import Glibc
internal import PDFInput
internal import PluginKit
internal import SystemPackage

/// The command `procd speak`.
enum SpeakCommand {
  static func run(_ words: [String]) -> Never {
    do throws(PluginFailure) {
      let arguments: SpeakArguments
      do throws(SpeakArguments.Mistake) { arguments = try SpeakArguments(words) } catch {
        end(64, error.message)
      }
      switch arguments.mode {
      case .help: say(SpeakArguments.help)
      case .listVoices: say(try SpeechEngine.shared().variants.joined(separator: "\n") + "\n")
      case .listLanguages:
        say(try SpeechEngine.shared().languages.sorted().joined(separator: "\n") + "\n")
      case .speak: try speak(arguments)
      }
    } catch {
      let hint =
        error.code == "pdf.password"
        ? " (name a file with the password by --password-file)"
        : error.hint.map { " (\($0))" } ?? ""
      end(status(error.class), "\(error.message)\(hint) [\(error.code)]")
    }
    exit(0)
  }

  private static func speak(_ arguments: SpeakArguments) throws(PluginFailure) {
    let scratch = unsafe getenv("PROCD_WORK").map { unsafe String(cString: $0) } ?? "."
    var places: NarrationPlaces
    do throws(SpeakArguments.Mistake) { places = try arguments.places(scratch: scratch) } catch {
      end(64, error.message)
    }
    let printsAudio = places.isEmpty
    if printsAudio {
      guard isatty(1) == 0 else {
        end(64, "say where the audio is to go: -o letter.html, -o letter.opus, or a pipe")
      }
      places.opus = scratch + "/narration.opus"
    }
    // Standard output is for the result alone; libraries may print what they like.
    let output = fcntl(1, F_DUPFD_CLOEXEC, 3)
    dup2(2, 1)
    places.mostBytes = .max
    let passwords =
      if let file = arguments.passwordFile { try PDFInput.passwords(inFile: file) } else {
        [String]()
      }
    let document =
      if let file = arguments.file {
        try DocumentOpening.open(
          path: FilePath(file), passwords: passwords, mostPages: .max,
          isMarkdown: arguments.isMarkdown)
      } else {
        try DocumentOpening.open(
          bytes: standardInput(), passwords: passwords, mostPages: .max,
          isMarkdown: arguments.isMarkdown)
      }
    var narration = try Narration(
      document, SpeechEngine.shared(), arguments.options, places,
      name: arguments.file.map(SpeechStep.stem) ?? "Text", TerminalHost())
    let facts = try narration.run()
    if isatty(2) == 1 { tell("\r\u{1B}[K") }
    if printsAudio, let path = places.opus {
      copy(path, to: output)
    } else if arguments.printsJSON {
      write(facts.json.text, to: output)
    }
  }

  private static func standardInput() throws(PluginFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { raw in
        unsafe read(0, raw.baseAddress, raw.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += buffer.prefix(count)
      guard bytes.count <= SpeechLimits.inputBytes else {
        throw PluginFailure(
          .input, "speech.long", "standard input has more than 512 MiB", hint: "name the file")
      }
    }
  }

  private static func copy(_ path: String, to output: Int32) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while descriptor >= 0 {
      let count = unsafe buffer.withUnsafeMutableBytes { raw in
        unsafe read(descriptor, raw.baseAddress, raw.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      write(Array(buffer.prefix(count)), to: output)
    }
    unsafe _ = unlink(path)
  }

  // MARK: Saying

  private static func status(_ class: PluginFailure.Class) -> Int32 {
    switch `class` {
    case .input: 65
    case .options: 64
    case .transient: 75
    case .internal, .cancelled: 70
    }
  }

  private static func say(_ text: String) { write(Array(text.utf8), to: 1) }
  fileprivate static func tell(_ text: String) { write(Array(text.utf8), to: 2) }

  private static func end(_ status: Int32, _ message: String) -> Never {
    tell("procd speak: \(message)\n")
    exit(status)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var offset = 0
    while offset < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { raw in
        unsafe Glibc.write(descriptor, raw.baseAddress?.advanced(by: offset), raw.count - offset)
      }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { exit(74) }
      offset += written
    }
  }
}

/// Shows how far it is, where somebody looks.
private struct TerminalHost: StepHost {
  private let isSeen = isatty(2) == 1

  func progress(_ done: Int, of total: Int, unit: String) {
    guard isSeen else { return }
    SpeakCommand.tell("\r\(unit) \(done) of \(total)\u{1B}[K")
  }

  func note(_ code: String, _ message: String, page: Int?) {
    SpeakCommand.tell("procd speak: \(message) [\(code)]\n")
  }
}
