internal import PluginKit

/// What was typed behind `procd speak`.
struct SpeakArguments: Equatable {
  enum Mode: Equatable { case speak, help, listVoices, listLanguages }

  /// Why the arguments cannot be used.
  struct Mistake: Error, Equatable { var message: String }

  var mode = Mode.speak
  /// The file to read; nil for standard input.
  var file: String?
  var outputs: [String] = []
  var options = SpeechOptions()
  var isMarkdown = false
  var printsJSON = false
  /// A file with passwords of the document.
  var passwordFile: String?

  init(_ words: [String]) throws(Mistake) {
    var rest = words[...]
    var files: [String] = []
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        files.append(word)
        continue
      }
      switch word {
      case "-h", "--help": mode = .help
      case "--voices": mode = .listVoices
      case "--languages": mode = .listLanguages
      case "--json": printsJSON = true
      case "--markdown": isMarkdown = true
      case "--":
        files += rest
        rest = []
      default: try take(word, &rest)
      }
    }
    guard mode == .speak else { return }
    guard files.count == 1, let only = files.first else {
      throw Mistake(message: "name one file to read, or - for standard input")
    }
    file = only == "-" ? nil : only
    if !isMarkdown { isMarkdown = file.map(SpeechStep.isMarkdown) ?? false }
  }

  private mutating func take(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(Mistake) {
    var name = word, value: String?
    if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
      name = String(word[..<equals])
      value = String(word[word.index(after: equals)...])
    } else if word.hasPrefix("-o"), !word.hasPrefix("--"), word.utf8.count > 2 {
      name = "-o"
      value = String(word.dropFirst(2))
    }
    let known = [
      "-o", "--output", "-l", "--language", "--voice", "--speed", "--tables", "--code",
      "--password-file",
    ]
    guard known.contains(name) else {
      throw Mistake(message: "there is no option \(name); procd speak --help lists them")
    }
    guard let text = value ?? rest.popFirst(), !text.isEmpty else {
      throw Mistake(message: "\(name) needs a value")
    }
    switch name {
    case "-o", "--output": outputs.append(text)
    case "-l", "--language": options.language = text
    case "--voice": options.voice = text
    case "--password-file": passwordFile = text
    case "--speed":
      guard let speed = Int(text), SpeechOptions.speeds.contains(speed) else {
        throw Mistake(message: "--speed is a number of words a minute from 80 to 450")
      }
      options.speed = speed
    default:
      guard let choice = SpeechOptions.Choice(rawValue: text) else {
        throw Mistake(message: "\(name) is read or skip")
      }
      if name == "--tables" { options.tables = choice } else { options.code = choice }
    }
  }

  /// Where the results go, by the extensions of their files.
  func places(scratch: String) throws(Mistake) -> NarrationPlaces {
    var places = NarrationPlaces(scratch: scratch)
    for path in outputs {
      let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
      let isTaken: Bool
      switch ending {
      case "opus", "ogg": (isTaken, places.opus) = (places.opus != nil, path)
      case "wav": (isTaken, places.wave) = (places.wave != nil, path)
      case "json": (isTaken, places.sync) = (places.sync != nil, path)
      case "vtt": (isTaken, places.captions) = (places.captions != nil, path)
      case "html", "htm": (isTaken, places.listen) = (places.listen != nil, path)
      default:
        throw Mistake(message: "-o ends with .html, .opus, .wav, .json or .vtt")
      }
      if isTaken { throw Mistake(message: "there are two files .\(ending) to write; name one") }
    }
    let beside = places.opus ?? outputs.first ?? "audio"
    places.audioName = SpeechStep.stem(beside) + ".opus"
    return places
  }

  static let help = """
    Reads a text or PDF aloud.

    usage: procd speak FILE|- [-o OUT]... [options]

      -o, --output OUT     what to write, by its extension; may be given several times:
                           .html  a page with text and audio that opens from disk
                           .opus  audio   .wav  audio   .json  times of words   .vtt  captions
                           Without it Opus goes to standard output.
      -l, --language TAG   such as en, de or pt-br; auto finds it for each paragraph (auto)
          --languages      list the languages
          --voice NAME     a variant of the voice, such as f3 or m5
          --voices         list the variants
          --speed N        words a minute, 80 to 450 (175)
          --tables WHAT    read or skip (read)
          --code WHAT      read or skip (skip)
          --markdown       the text is Markdown; known of files that end with .md
          --password-file FILE
                           passwords of a locked PDF, one a line, tried in turn
          --json           print what was made as JSON

    """
}
