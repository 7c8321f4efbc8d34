/// What was typed behind `procd notes`.
struct NotesArguments: Equatable {
  enum Verb: String { case list, add, delete, export }
  enum Format: String, CaseIterable { case json, markdown, xfdf }

  /// Why the arguments cannot be used.
  struct Mistake: Error, Equatable { var message: String }

  /// Nil where help is asked for.
  var verb: Verb?
  var file = ""
  var identifiers: [String] = []
  var sources: [String] = []
  var output: String?
  var format: Format?
  var isForced = false
  var passwordFile: String?

  static let help = """
    usage: procd notes list FILE [--json|--markdown|--xfdf]
           procd notes export FILE -o NOTES.json|NOTES.md|NOTES.xfdf
           procd notes add FILE --from NOTES... -o OUT.pdf [--force]
           procd notes delete FILE ID... -o OUT.pdf [--force]

    list and export read the notes of a PDF: comments, marks on words, drawings, stamps, links, files.
    add writes those of a JSON or XFDF file into it; a note whose identifier is there is changed.
    OUT.pdf has every byte of FILE and what was added behind it, and may be FILE itself.

      --from NOTES          JSON or XFDF; may be given several times
      -o, --output FILE     where the result goes; - for standard output
      --force               write into encrypted and signed documents too
      --password-file FILE  passwords of FILE, one a line, tried in turn

    docs/notes.md shows what a file of notes says.

    """

  init(_ words: [String]) throws(Mistake) {
    var rest = words[...]
    var plain: [String] = []
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "-" else {
        plain.append(word)
        continue
      }
      switch word {
      case "-h", "--help": return
      case "--force": isForced = true
      case "--json", "--markdown", "--xfdf":
        guard format == nil else { throw Mistake(message: "two formats are asked for") }
        format = Format(rawValue: String(word.dropFirst(2)))
      case "--":
        plain += rest
        rest = []
      default: try take(word, &rest)
      }
    }
    guard let name = plain.first, name != "help" else { return }
    guard let verb = Verb(rawValue: name) else {
      throw Mistake(message: "there is no command \"\(name)\"; procd notes --help lists them")
    }
    self.verb = verb
    try check(verb, plain.dropFirst())
  }

  private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws(Mistake) {
    var name = word, value: String?
    if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
      name = String(word[..<equals])
      value = String(word[word.index(after: equals)...])
    } else if word.hasPrefix("-o"), !word.hasPrefix("--"), word.utf8.count > 2 {
      (name, value) = ("-o", String(word.dropFirst(2)))
    }
    guard ["-o", "--output", "--from", "--password-file"].contains(name) else {
      throw Mistake(message: "there is no option \(name); procd notes --help lists them")
    }
    guard let text = value ?? rest.popFirst(), !text.isEmpty else {
      throw Mistake(message: "\(name) needs a file")
    }
    switch name {
    case "--from": sources.append(text)
    case "--password-file": passwordFile = text
    default:
      guard output == nil else { throw Mistake(message: "two results are asked for") }
      output = text
    }
  }

  private mutating func check(_ verb: Verb, _ words: ArraySlice<String>) throws(Mistake) {
    guard let first = words.first else {
      throw Mistake(message: "name the PDF to \(verb.rawValue)")
    }
    file = first
    identifiers = Array(words.dropFirst())
    guard verb == .delete || identifiers.isEmpty else {
      throw Mistake(message: "\"\(identifiers[0])\" is one word too many")
    }
    let writes = verb == .add || verb == .delete
    guard verb == .add || sources.isEmpty else {
      throw Mistake(message: "--from is for procd notes add")
    }
    guard !writes || format == nil else {
      throw Mistake(message: "formats are for procd notes list and export")
    }
    switch verb {
    case .list:
      guard output == nil else { throw Mistake(message: "use procd notes export for a file") }
    case .export:
      guard let output else { throw Mistake(message: "say where the notes are to go: -o FILE") }
      if format == nil {
        let ending = output.split(separator: ".").last.map { $0.lowercased() } ?? ""
        switch ending {
        case "json": format = .json
        case "md", "markdown": format = .markdown
        case "xfdf", "xml": format = .xfdf
        default:
          throw Mistake(message: "say what the notes are to be: name.json, name.md or name.xfdf")
        }
      }
    case .add:
      guard !sources.isEmpty else {
        throw Mistake(message: "say which notes are to be added: --from FILE")
      }
      guard output != nil else { throw Mistake(message: "say where the PDF is to go: -o FILE") }
    case .delete:
      guard !identifiers.isEmpty else {
        throw Mistake(message: "say which notes are to be deleted, by their identifiers")
      }
      guard output != nil else { throw Mistake(message: "say where the PDF is to go: -o FILE") }
    }
  }
}
