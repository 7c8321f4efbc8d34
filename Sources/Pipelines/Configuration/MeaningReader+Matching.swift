internal import PluginKit

/// Values that no file can have, and steps that cannot read what they are given: such a rule would never do what was
/// meant, and nobody would be told.
extension MeaningReader {
  /// Complains of patterns that match nothing.
  mutating func checkPatterns(_ match: JSONNode) {
    for member in match.members {
      if member.name == "modified" || member.name == "size" { checkRange(member.value) }
      if ["mime", "name", "path"].contains(member.name), Self.entries(member.value).isEmpty {
        complain(
          "match.never", "an empty list matches no file", at: member.value.range,
          hint: "leave \"\(member.name)\" out if it does not matter")
      }
      for node in Self.entries(member.value) {
        guard let text = node.value.stringValue else { continue }
        switch member.name {
        case "mime": checkMediaType(text, at: node.range)
        case "name" where text.contains("/"):
          complain(
            "match.never", "a file's name has no slash in it, so \"\(text)\" matches none",
            at: node.range, hint: "\"path\" is compared with the way below the inbox")
        case "name": checkName(text, at: node.range)
        case "path": checkPath(text, at: node.range)
        default: break
        }
      }
    }
  }

  /// Complains of a lower bound above the upper one.
  private mutating func checkRange(_ node: JSONNode) {
    func text(_ key: String) -> String { node[key]?.value.stringValue ?? "" }
    let ranges: [(String, String, isEmpty: Bool)] = [
      ("min", "max", Quantity.bytes(text("min")) ?? 0 > Quantity.bytes(text("max")) ?? .max),
      ("from", "until", node["until"] != nil && text("from") > text("until")),
      (
        "olderThan", "newerThan",
        Quantity.milliseconds(text("olderThan")) ?? 0
          > Quantity.milliseconds(text("newerThan")) ?? .max
      ),
    ]
    for (low, high, _) in ranges.filter(\.isEmpty) {
      complain(
        "match.never", "no file is both \(low) \(text(low)) and \(high) \(text(high))",
        at: node.range, hint: "exchange them")
    }
  }

  static func entries(_ node: JSONNode) -> [JSONNode] {
    if case .array(let nodes) = node.kind { nodes } else { [node] }
  }

  private static let wordType =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
  private static let sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

  /// Endings of files and names that are not registered, with the media types that are meant (IANA).
  private static let mediaTypes = [
    "pdf": "application/pdf", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png",
    "tif": "image/tiff", "tiff": "image/tiff", "gif": "image/gif", "bmp": "image/bmp",
    "webp": "image/webp", "heic": "image/heic", "jp2": "image/jp2", "txt": "text/plain",
    "text": "text/plain", "csv": "text/csv", "xml": "text/xml", "html": "text/html",
    "json": "application/json", "zip": "application/zip", "image": "image/*",
    "text/txt": "text/plain",
    "image/jpg": "image/jpeg", "image/tif": "image/tiff", "application/x-pdf": "application/pdf",
    "image/pdf": "application/pdf", "text/pdf": "application/pdf",
    "docx": wordType, "application/docx": wordType, "xlsx": sheetType,
    "application/xlsx": sheetType,
    "odt": "application/vnd.oasis.opendocument.text",
    "ods": "application/vnd.oasis.opendocument.spreadsheet", "eml": "message/rfc822",
    "epub": "application/epub+zip", "rtf": "text/rtf",
  ]

  /// The kinds of media types that there are (IANA), and `inode`, which libmagic has besides.
  private static let kinds = [
    "application", "audio", "font", "image", "inode", "message", "model", "multipart", "text",
    "video",
  ]

  mutating func checkMediaType(_ text: String, at range: Range<Int>) {
    let kind = String(text.lowercased().prefix { $0 != "/" })
    let near =
      Self.kinds.contains(kind) || kind.hasPrefix("x-") || kind.contains("*")
      ? nil : nearestName(to: kind, among: Self.kinds).map { $0 + text.dropFirst(kind.count) }
    let meant = Self.mediaTypes[text.lowercased().drop { $0 == "." }.description] ?? near
    let similar = nearestName(
      to: text.lowercased(), among: Self.mediaTypes.values.sorted(), within: 1)
    if meant == nil, text.contains("/"), let similar, similar != text.lowercased() {
      // One letter more or another one may be a type of somebody's; exchanged letters are a mistake.
      let isExchanged = similar.sorted() == text.lowercased().sorted()
      complain(
        "match.never", "\"\(text)\" is not a known type", at: range,
        hint: "did you mean \"\(similar)\"?", severity: isExchanged ? .error : .warning)
      return
    }
    guard meant != nil || !text.contains("/") && (!text.contains("*") || text.contains(".")) else {
      return
    }
    complain(
      "match.never", "no file is of the type \"\(text)\"", at: range,
      hint: meant.map { "did you mean \"\($0)\"?" }
        ?? "media types are written such as application/pdf; procd explain tells that of a file")
  }

  /// Complains of names that an inbox leaves alone, and of patterns that are no patterns here.
  private mutating func checkName(_ text: String, at range: Range<Int>) {
    if inbox.ignore.contains(text) || text.hasPrefix(".") && !text.contains("*") {
      complain(
        "match.never",
        "files with such a name are left alone in an inbox, so \"\(text)\" matches none",
        at: range,
        hint: text.hasPrefix(".") ? "did you mean \"*\(text)\"?" : "give them another name",
        severity: .warning)
    } else if Self.mediaTypes[text.lowercased()] != nil, !text.contains("/") {
      complain(
        "match.never", "\"\(text)\" matches only a file with just that name", at: range,
        hint: "did you mean \"*.\(text)\"?", severity: .warning)
    } else if text.contains(".*") || text.contains("(?") || text.hasPrefix("^")
      || text.hasSuffix("$") || text.contains("|") || text.contains(", ") || text.contains("[")
      || text.contains("{") && text.contains(",")
    {
      complain(
        "match.never", "\"\(text)\" seems to be an expression: here * and ? alone have a meaning",
        at: range, hint: "write several patterns as a list: [\"*.pdf\", \"*.jpg\"]",
        severity: .warning)
    }
  }

  private mutating func checkPath(_ text: String, at range: Range<Int>) {
    if hasShellWords(text) {
      return complain(
        "match.never", "no path below the inbox begins so: \"\(text)\"", at: range,
        hint: "no shell replaces ~ and $HOME here, and paths begin below the inbox")
    }
    let name = text.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    if !name.isEmpty, !text.hasPrefix("/"), !text.contains(where: { "*?".contains($0) }),
      !name.contains(".")
    {
      return complain(
        "match.never", "\"\(text)\" matches only a file with just that name", at: range,
        hint: "if it is a folder of the inbox, write \"\(text)/**\"", severity: .warning)
    }
    if !inbox.recursive, text.contains("/"), !text.hasPrefix("**/") {
      return complain(
        "match.never", "sub-folders of the inbox are not watched, so \"\(text)\" matches none",
        at: range, hint: "leave out \"recursive\": false, or match by name")
    }
    let inbox = inbox.path
    if text.hasSuffix("/") || text.hasPrefix("../") {
      return complain(
        "match.never", "a path below the inbox never \(text.hasSuffix("/") ? "ends" : "begins") so",
        at: range,
        hint: text.hasSuffix("/")
          ? "write \"\(text)**\" for all in that folder" : "paths begin below the inbox")
    }
    let folder = inbox.split(separator: "/").last.map(String.init) ?? inbox
    let beginning = ["\(inbox)/", "./\(inbox)/", "\(folder)/"].first { text.hasPrefix($0) }
    guard text.hasPrefix("/") || text.hasPrefix("./") || beginning != nil else { return }
    let rest = beginning.map { String(text.dropFirst($0.count)) } ?? ""
    // A folder of the inbox may have the inbox's own name.
    let mayBe = beginning == "\(folder)/" && !text.hasPrefix("/")
    complain(
      "match.never",
      "paths begin below the inbox, so \"\(text)\" matches \(mayBe ? "only a folder of that name in it" : "none")",
      at: range,
      hint: rest.isEmpty ? "write it without what leads to the inbox" : "write \"\(rest)\"",
      severity: mayBe ? .warning : .error)
  }

  /// Complains of a step that can read nothing of what it is given.
  ///
  /// - Parameters:
  ///   - steps: what stands before it.
  ///   - taken: what the rule's files are, as far as its conditions tell; nil where they do not.
  mutating func checkReads(
    _ step: Pipeline.Step, _ node: JSONNode, steps: [KnownStep], taken: [String]?
  ) {
    guard steps.allSatisfy({ $0.manifest != nil }), catalog?[step.use] != nil else { return }
    // All of procd's own steps read that; what those of others call what they read is not declared.
    if case .worker? = catalog?[step.use]?.program,
      !step.inputs.contains(where: { $0.role == "source" })
    {
      let roles = step.inputs.map { "\"\($0.role)\"" }.joined(separator: ", ")
      complain(
        "step.reads", "\(step.use) is given nothing as \"source\", only \(roles)",
        at: (node["in"] ?? node["use"])?.range ?? node.range,
        hint: "write \"in\": { \"source\": … }, or what it reads without a role")
    }
    for (role, references) in step.inputs where !references.isEmpty {
      var given: [String] = []
      for reference in references {
        switch reference {
        case .source:
          guard let taken else { return }
          given += taken
        case .companions: return
        case .artifact(let id, let role):
          given +=
            steps.first { $0.id == id }?.manifest?.outputs.filter { $0.role == role }.map(\.mime)
            ?? []
        }
      }
      let reads = step.manifest.accepts
      // What a mail brings may be anything; a step for each file passes over what it cannot read.
      if step.each, given.contains("application/octet-stream") { continue }
      // A plugin of somebody else may read more than it declares, and what has no type of its own may be anything.
      let isOurs = if case .worker? = catalog?[step.use]?.program { true } else { false }
      let unread = given.filter { type in !reads.contains { Self.overlap(type, $0) } }
      if isOurs, role == "source", references == [.source], step.condition == nil,
        let type = unread.first,
        unread.count < given.count
      {
        complain(
          "step.reads", "\(step.use) does not read \(type), which the rule takes too",
          at: (node["in"] ?? node["use"])?.range ?? node.range,
          hint: "make a rule of its own for \(type), or give the step an \"if\"", severity: .warning
        )
      }
      guard !given.isEmpty, unread.count == given.count else { continue }
      complain(
        "step.reads",
        "\(step.use) reads \(reads.joined(separator: ", ")), and is given"
          + " \(given.joined(separator: ", "))",
        at: (node["in"] ?? node["use"])?.range ?? node.range,
        hint: "\"in\" names what a step reads: source, or STEP.ROLE of a step before it",
        severity: isOurs && !given.contains("application/octet-stream") ? .error : .warning)
    }
  }

  /// Whether some media type may be of both patterns.
  static func overlap(_ left: String, _ right: String) -> Bool {
    let (left, right) = (left.lowercased(), right.lowercased())
    return glob(left, matches: right) || glob(right, matches: left)
      || left.prefix { $0 != "*" } == right.prefix { $0 != "*" }
  }

  /// Complains of what a shell would replace in the path of a place.
  mutating func checkShellWords(_ key: String, _ path: String, at range: Range<Int>) {
    guard hasShellWords(path) || key != "to" && beginsInSomeHome(path) else { return }
    complain(
      "place.shell", "\(key) is taken as it is written: a folder called \"\(path)\"",
      at: range, hint: "no shell replaces ~ and $HOME here; write the whole path")
  }

  private func hasShellWords(_ path: String) -> Bool {
    // A dollar alone is a letter of names like any other: shares of Windows end with one.
    let isReplaced = path.split(separator: "/").contains { name in
      name.hasPrefix("${") || ["$HOME", "$USER", "$PWD", "%h"].contains(name)
    }
    // Any other variable is replaced too, but hardly anybody means one within a path.
    let first = path.split(separator: "/").first ?? ""
    let isVariable =
      path.contains("/") && first.count > 1 && first.hasPrefix("$")
      && first.dropFirst().allSatisfy { $0 == "_" || $0.isASCII && ($0.isUppercase || $0.isNumber) }
    return isReplaced || isVariable || path == "~" || path.hasPrefix("~/")
  }

  /// Whether a shell would replace the beginning of a path by the home of a user: `~ada/scans`.
  private func beginsInSomeHome(_ path: String) -> Bool {
    path.hasPrefix("~")
      && path.dropFirst().prefix { $0 != "/" }
        .allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
  }
}
