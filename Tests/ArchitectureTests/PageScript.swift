/// The texts of a script: its strings and templates, with the code around each.
struct PageScript {
  struct Text {
    /// The pieces between the holes; a string has one.
    var pieces: [String]
    /// The code before it on its line.
    var before: Substring
    var line: Int

    /// Whether it goes through the catalogue: t`…`.
    var isTranslated: Bool {
      before.hasSuffix("t") && before.dropLast().last.map { !Self.isName($0) } ?? true
    }
    /// As the catalogue names it: `Took {1} files`.
    var key: String {
      pieces.dropFirst().enumerated().reduce(pieces[0]) { $0 + "{\($1.offset + 1)}" + $1.element }
    }

    static func isName(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || "_$.".contains(character)
    }
  }

  private(set) var texts: [Text] = []
  private let source: [Character]
  private var at = 0, line = 1, lineStart = 0

  init(_ source: String) {
    self.source = Array(source)
    while at < self.source.count { readCode() }
  }

  private func starts(_ word: String) -> Bool { source[at...].starts(with: word) }

  private mutating func step() {
    if source[at] == "\n" {
      line += 1
      lineStart = at + 1
    }
    at += 1
  }

  private mutating func skip(past end: String) {
    while at < source.count, !starts(end) { step() }
    for _ in end where at < source.count { step() }
  }

  /// Reads to the end, or to the brace that closes a hole of a template.
  private mutating func readCode() {
    var open = 0
    while at < source.count {
      if starts("//") {
        skip(past: "\n")
      } else if starts("/*") {
        skip(past: "*/")
      } else if source[at] == "/", beginsExpression {
        readExpression()
      } else if source[at] == "`" || source[at] == "'" || source[at] == "\"" {
        readText(closing: source[at])
      } else {
        if source[at] == "{" { open += 1 }
        if source[at] == "}" { open -= 1 }
        step()
        if open < 0 { return }
      }
    }
  }

  /// Whether a slash begins a regular expression here, and is not a division.
  private var beginsExpression: Bool {
    let code = source[..<at].reversed().drop { $0 == " " || $0 == "\n" }
    return code.first.map { "(,=:[!&|?{};>".contains($0) } ?? true
      || code.starts(with: "return".reversed())
  }

  private mutating func readExpression() {
    var isClass = false
    step()
    while at < source.count, source[at] != "/" || isClass {
      if source[at] == "[" { isClass = true }
      if source[at] == "]" { isClass = false }
      if source[at] == "\\" { step() }
      step()
    }
    step()
  }

  private mutating func readText(closing end: Character) {
    let index = texts.count
    texts.append(
      Text(pieces: [""], before: Substring(String(source[lineStart..<at])), line: line))
    step()
    while at < source.count, source[at] != end {
      if end == "`", starts("${") {
        step()
        step()
        readCode()
        texts[index].pieces.append("")
        continue
      }
      texts[index].pieces[texts[index].pieces.count - 1].append(source[at])
      if source[at] == "\\", at + 1 < source.count {
        step()
        texts[index].pieces[texts[index].pieces.count - 1].append(source[at])
      }
      step()
    }
    if at < source.count { step() }
  }
}
