/// The words behind `procd guide`.
struct Arguments {
  private(set) var words: [String] = []
  private(set) var flags: Set<String> = []
  private var values: [String: [String]] = [:]

  /// What was typed wrongly, for people.
  struct Mistake: Error {
    var message: String
  }

  static let valued: Set<String> = [
    "--channel", "--from", "--to", "--at", "--zone", "--limit", "--day-starts", "--keep-past",
    "--days",
    "--only", "--output",
  ]
  static let plain: Set<String> = ["--any", "--all", "--json", "--help"]

  init(_ arguments: [String]) throws(Mistake) {
    var rest = arguments[...], ended = false
    while let word = rest.popFirst() {
      if ended || !word.hasPrefix("-") || word == "-" || Int(word) != nil {
        words.append(word)
      } else if word == "--" {
        ended = true
      } else {
        var name = word, value: String?
        if let equals = word.firstIndex(of: "="), word.hasPrefix("--") {
          name = String(word[..<equals])
          value = String(word[word.index(after: equals)...])
        } else if word.hasPrefix("-o"), word.count > 2 {
          (name, value) = ("--output", String(word.dropFirst(2)))
        }
        if name == "-o" { name = "--output" }
        if name == "-h" { name = "--help" }
        if Self.plain.contains(name), value == nil {
          flags.insert(name)
        } else if Self.valued.contains(name) {
          guard let value = value ?? rest.popFirst() else {
            throw Mistake(message: "\(name) needs a value")
          }
          values[name, default: []].append(value)
        } else {
          throw Mistake(message: "there is no option \(word)")
        }
      }
    }
  }

  /// The last value of an option.
  subscript(name: String) -> String? { values[name]?.last }

  func all(_ name: String) -> [String] { values[name] ?? [] }
}
