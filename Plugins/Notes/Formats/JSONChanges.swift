internal import FoundationEssentials
internal import PDFWriter
internal import PluginKit

/// Reads what is to be done to notes from JSON: a list, or an object with the list `notes`.
struct JSONChanges {
  private let name: String
  private let json: JSON
  private var request: NoteRequest

  static func read(_ bytes: [UInt8], name: String) throws(PluginFailure) -> [NoteRequest] {
    let value: JSON
    do throws(JSONError) { value = try JSONReader.read(bytes).value } catch {
      let line = bytes.prefix(error.offset).count { $0 == 0x0A } + 1
      throw PluginFailure(
        .input, "notes.file", "\(name) is no correct JSON (line \(line)): \(error.message)",
        hint: "mend it there")
    }
    guard let items = value.arrayValue ?? value["notes"]?.arrayValue else {
      throw PluginFailure(
        .input, "notes.file", "\(name) has no list of notes",
        hint: "write [ … ] around the notes, or { \"notes\": [ … ] }")
    }
    var requests: [NoteRequest] = []
    for (index, item) in items.enumerated() {
      var reader = JSONChanges(item, name: name, number: index + 1)
      try reader.read()
      requests.append(reader.request)
    }
    return requests
  }

  private init(_ json: JSON, name: String, number: Int) {
    (self.json, self.name) = (json, name)
    request = NoteRequest(origin: "\(name), note \(number)")
  }

  /// What `procd notes list --json` says and what cannot be asked for: passed over.
  private static let told: Set<String> = ["quote", "heading"]
  private static let known: Set<String> = [
    "id", "type", "page", "box", "author", "subject", "contents", "created", "modified", "color",
    "interiorColor", "opacity", "borderWidth", "dashes", "flags", "quads", "strokes", "vertices",
    "lineEnds", "icon", "fontSize", "textColor", "align", "inReplyTo", "replyType", "stateModel",
    "state", "attachment", "target", "popup", "richContents", "words", "occurrence", "delete",
    "file",
  ]

  private mutating func read() throws(PluginFailure) {
    guard let members = json.members else { throw request.mistake("it is no object") }
    if let odd = members.first(where: {
      !Self.known.contains($0.name) && !Self.told.contains($0.name)
    }) {
      throw request.mistake(
        "\"\(odd.name.prefix(40))\" is no member of a note",
        hint: "known are \(Self.known.sorted().joined(separator: ", "))")
    }
    request.id = try text("id", 1000)
    request.deletes = try flag("delete") ?? false
    if let name = try text("type", 40) {
      guard let kind = NoteKind(named: name) else {
        throw request.mistake(
          "there is no type \"\(name)\"",
          hint: "known are \(NoteKind.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      request.kind = kind
    }
    request.page = try integer("page", 1...10_000_000)
    request.words = try text("words", 10_000)
    request.occurrence = try integer("occurrence", 1...NotesLimits.occurrences)
    try readPlaces()
    try readTexts()
    try readLooks()
    try readCarried()
  }

  private mutating func readPlaces() throws(PluginFailure) {
    request.box = try points("box", exactly: 2)
    request.vertices = try points("vertices")
    if let lists = try lists("quads") {
      var read: [[NotePoint]] = []
      for list in lists { read.append(try points(list, "quads", exactly: 4)) }
      request.quads = read
    }
    if let lists = try lists("strokes") {
      var read: [[NotePoint]] = []
      for list in lists { read.append(try points(list, "strokes")) }
      request.strokes = read
    }
    request.lineEnds = try texts("lineEnds", most: 2)
  }

  private mutating func readTexts() throws(PluginFailure) {
    request.author = try text("author", 10_000).map(NoteText.line)
    request.subject = try text("subject", 10_000).map(NoteText.line)
    request.contents = try text("contents", NotesLimits.textOfNote).map(NoteText.cleaned)
    request.richContents = try text("richContents", NotesLimits.textOfNote)
    request.created = try date("created")
    request.modified = try date("modified")
    request.icon = try text("icon", 200)
    request.inReplyTo = try text("inReplyTo", 1000)
    request.stateModel = try text("stateModel", 200)
    request.state = try text("state", 200)
    if let type = try text("replyType", 20) {
      guard ["reply", "group"].contains(type) else {
        throw request.mistake("\"replyType\" is reply or group")
      }
      request.isGrouped = type == "group"
    }
  }

  private mutating func readLooks() throws(PluginFailure) {
    request.color = try color("color")
    request.interior = try color("interiorColor")
    request.opacity = try number("opacity", 0...1)
    request.borderWidth = try number("borderWidth", 0...1000)
    if let value = given("dashes") {
      guard let items = value.arrayValue, items.count <= 16 else {
        throw request.mistake("\"dashes\" is a list of lengths")
      }
      request.dashes = items.compactMap(\.doubleValue).filter { $0 >= 0 && $0 < 1000 }
    }
    if let names = try texts("flags", most: 10) {
      guard let flags = NoteFlags(names: names) else {
        throw request.mistake(
          "\"flags\" has a word that is none",
          hint: "known are \(NoteFlags.all.joined(separator: ", "))")
      }
      request.flags = flags
    }
    request.style.size = try number("fontSize", 1...1000)
    request.style.color = try color("textColor")
    if let name = try text("align", 20) {
      guard let alignment = Note.Alignment(name: name) else {
        throw request.mistake("\"align\" is left, center or right")
      }
      request.style.alignment = alignment
    }
  }

  private mutating func readCarried() throws(PluginFailure) {
    if let value = given("popup") {
      if let wanted = value.boolValue {
        request.popup = .wanted(wanted)
      } else {
        let own = try value["box"].map { value throws(PluginFailure) in
          try points(value, "popup", exactly: 2)
        }
        request.popup = .at(own, isOpen: value["open"]?.boolValue ?? false)
      }
    }
    if let value = given("target") {
      if let address = value["uri"]?.stringValue {
        request.target = .uri(address)
      } else if let page = value["page"]?.integerValue, page > 0 {
        request.target = .page(page, top: value["top"]?.doubleValue)
      } else if let name = value["file"]?.stringValue {
        request.target = .file(name)
      } else {
        throw request.mistake("\"target\" is { \"uri\": … } or { \"page\": … }")
      }
    }
    if let value = given("file") {
      guard let name = value["name"]?.stringValue, let data = value["data"]?.stringValue,
        let bytes = Base64.bytes(data)
      else { throw request.mistake("\"file\" is { \"name\": …, \"data\": base64 }") }
      request.attachment = NoteRequest.Attachment(
        name: NoteText.line(name), mime: value["mime"]?.stringValue,
        stream: .compressed(bytes: bytes))
    }
  }

  // MARK: Values

  private func given(_ name: String) -> JSON? {
    guard let value = json[name], !value.isNull else { return nil }
    return value
  }

  private func text(_ name: String, _ most: Int) throws(PluginFailure) -> String? {
    guard let value = given(name) else { return nil }
    guard let text = value.stringValue else { throw request.mistake("\"\(name)\" is a text") }
    guard text.utf8.count <= most else { throw request.mistake("\"\(name)\" is too long") }
    return text
  }

  private func flag(_ name: String) throws(PluginFailure) -> Bool? {
    guard let value = given(name) else { return nil }
    guard let flag = value.boolValue else {
      throw request.mistake("\"\(name)\" is true or false")
    }
    return flag
  }

  private func integer(_ name: String, _ range: ClosedRange<Int>) throws(PluginFailure) -> Int? {
    guard let value = given(name) else { return nil }
    guard let number = value.integerValue, range.contains(number) else {
      throw request.mistake(
        "\"\(name)\" is a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private func number(
    _ name: String, _ range: ClosedRange<Double>
  ) throws(PluginFailure) -> Double? {
    guard let value = given(name) else { return nil }
    guard let number = value.doubleValue, range.contains(number) else {
      throw request.mistake(
        "\"\(name)\" is a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
    }
    return number
  }

  private func color(_ name: String) throws(PluginFailure) -> NoteColor? {
    guard let text = try text(name, 20) else { return nil }
    guard let color = NoteColor(text: text) else {
      throw request.mistake("\"\(name)\" is a colour such as #ffcc00")
    }
    return color
  }

  private func date(_ name: String) throws(PluginFailure) -> NoteDate? {
    guard let text = try text(name, 60) else { return nil }
    guard let date = NoteDate(iso: text) else {
      throw request.mistake("\"\(name)\" is a time such as 2026-01-05T10:30:00+01:00")
    }
    return date
  }

  private func texts(_ name: String, most: Int) throws(PluginFailure) -> [String]? {
    guard let value = given(name) else { return nil }
    let texts = (value.arrayValue ?? []).compactMap(\.stringValue)
    guard let items = value.arrayValue, items.count == texts.count, items.count <= most else {
      throw request.mistake("\"\(name)\" is a list of up to \(most) words")
    }
    return texts
  }

  private func lists(_ name: String) throws(PluginFailure) -> [JSON]? {
    guard let value = given(name) else { return nil }
    guard let lists = value.arrayValue, lists.count <= NotesLimits.pointsOfNote else {
      throw request.mistake("\"\(name)\" is a list of lists of numbers")
    }
    return lists
  }

  private func points(
    _ name: String, exactly count: Int? = nil
  ) throws(PluginFailure) -> [NotePoint]? {
    guard let value = given(name) else { return nil }
    return try points(value, name, exactly: count)
  }

  private func points(
    _ value: JSON, _ name: String, exactly count: Int? = nil
  ) throws(PluginFailure) -> [NotePoint] {
    let numbers = (value.arrayValue ?? []).compactMap(\.doubleValue)
    guard let items = value.arrayValue, items.count == numbers.count, numbers.count % 2 == 0,
      count.map({ numbers.count == 2 * $0 }) ?? true, numbers.count <= 2 * NotesLimits.pointsOfNote
    else {
      throw request.mistake(
        "\"\(name)\" is a list of \(count.map { "\(2 * $0)" } ?? "pairs of") numbers")
    }
    let points = stride(from: 0, to: numbers.count, by: 2).map {
      NotePoint(numbers[$0], numbers[$0 + 1])
    }
    guard points.allSatisfy(\.isUsable) else {
      throw request.mistake("\"\(name)\" has a number that is no place on a page")
    }
    return points
  }
}

/// Base 64 (RFC 4648).
enum Base64 {
  /// The bytes of a text, in the usual alphabet or that for addresses, padded or not; nil where it has other signs.
  /// Blanks are passed over.
  static func bytes(_ text: String) -> [UInt8]? {
    let blanks: Set<UInt8> = [0x20, 0x0A, 0x0D, 0x09]
    var letters = text.utf8.filter { !blanks.contains($0) }
    while letters.last == UInt8(ascii: "=") { letters.removeLast() }
    for index in letters.indices {
      if letters[index] == UInt8(ascii: "-") { letters[index] = UInt8(ascii: "+") }
      if letters[index] == UInt8(ascii: "_") { letters[index] = UInt8(ascii: "/") }
    }
    letters += repeatElement(UInt8(ascii: "="), count: (4 - letters.count % 4) % 4)
    return Data(base64Encoded: Data(letters)).map(Array.init)
  }
}
