internal import PDFSyntax
internal import PluginKit

/// Reads what is to be done to notes from XFDF (ISO 19444-1).
enum XFDFChanges {
  static func read(_ bytes: [UInt8], name: String) throws(PluginFailure) -> [NoteRequest] {
    let root: XMLElement
    do throws(XMLReader.Mistake) {
      root = try XMLReader.read(bytes, markupOf: "contents-richtext")
    } catch {
      throw PluginFailure(
        .input, "notes.file", "\(name) cannot be read: \(error.message)",
        hint: "export it anew")
    }
    guard root.name == "xfdf" else {
      throw PluginFailure(
        .input, "notes.file", "\(name) is XML, but no XFDF",
        hint: "export the notes as XFDF")
    }
    var requests: [NoteRequest] = []
    for annotations in root.children where annotations.name == "annots" {
      for element in annotations.children {
        guard let kind = NoteKind(named: element.name) else { continue }
        requests.append(
          try request(
            element, kind, origin: "\(name), line \(element.line)"))
      }
    }
    // ISO 19444-1 has no way to delete; the list of names that viewers' web services write is taken.
    for list in root.children where list.name == "delete" {
      for element in list.children where element.name == "id" {
        var request = NoteRequest(origin: "\(name), line \(element.line)", space: .user)
        request.id = NoteText.line(element.text)
        request.deletes = true
        requests.append(request)
      }
    }
    return requests
  }

  private static func request(
    _ element: XMLElement, _ kind: NoteKind, origin: String
  ) throws(PluginFailure) -> NoteRequest {
    var request = NoteRequest(origin: origin, space: .user)
    request.kind = kind
    let values = Values(element: element, origin: request)
    request.id = values.text("name")
    if let page = try values.number("page", 0...9_999_999) { request.page = Int(page) + 1 }
    request.box = try values.points("rect", exactly: 2)
    if let points = try values.points("coords") {
      request.quads = stride(from: 0, to: points.count - points.count % 4, by: 4).map {
        Array(points[$0..<$0 + 4])
      }
    }
    try readShape(element, values, into: &request)
    try readTexts(element, values, into: &request)
    try readLooks(values, into: &request)
    if let popup = element.child("popup") {
      let own = Values(element: popup, origin: request)
      request.popup = .at(
        try own.points("rect", exactly: 2), isOpen: popup.attributes["open"] == "yes")
    } else {
      request.popup = .wanted(false)
    }
    request.target = target(element)
    if kind == .fileAttachment { request.attachment = try attachment(element, request) }
    return request
  }

  private static func readShape(
    _ element: XMLElement, _ values: Values, into request: inout NoteRequest
  ) throws(PluginFailure) {
    if let list = element.child("vertices") {
      request.vertices = try values.points(list.text, "vertices")
    }
    if let start = try values.points("start", exactly: 1),
      let end = try values.points("end", exactly: 1)
    {
      request.vertices = start + end
    }
    if let list = element.child("inklist") {
      request.strokes = []
      for gesture in list.children where gesture.name == "gesture" {
        request.strokes?.append(try values.points(gesture.text, "gesture"))
      }
    }
    let ends = [values.text("head"), values.text("tail")]
    if ends.contains(where: { $0 != nil }) { request.lineEnds = ends.map { $0 ?? "None" } }
  }

  private static func readTexts(
    _ element: XMLElement, _ values: Values, into request: inout NoteRequest
  ) throws(PluginFailure) {
    request.author = values.text("title").map(NoteText.line)
    request.subject = values.text("subject").map(NoteText.line)
    request.created = values.text("creationdate").flatMap(NoteDate.init(pdf:))
    request.modified = values.text("date").flatMap(NoteDate.init(pdf:))
    if let rich = element.child("contents-richtext") {
      // The markup may stand there as markup or as text.
      let markup = rich.markup.map { $0.contains("<") ? $0 : RichText.plain($0) } ?? rich.text
      request.richContents = markup
      request.contents = RichText.plain(markup)
    }
    if let plain = element.child("contents") { request.contents = NoteText.cleaned(plain.text) }
    request.icon = values.text("icon")
    if request.kind == .caret, let symbol = values.text("symbol") {
      request.icon = symbol == "paragraph" ? "P" : "None"
    }
    request.inReplyTo = values.text("inreplyto")
    request.isGrouped = values.text("replyType").map { $0.lowercased() == "group" }
    request.stateModel = values.text("statemodel")
    request.state = values.text("state")
    request.intent = values.text("IT") ?? values.text("intent")
  }

  private static func readLooks(
    _ values: Values, into request: inout NoteRequest
  ) throws(PluginFailure) {
    request.color = values.text("color").flatMap(NoteColor.init(text:))
    request.interior = values.text("interior-color").flatMap(NoteColor.init(text:))
    request.opacity = try values.number("opacity", 0...1)
    request.borderWidth = try values.number("width", 0...1000)
    if let dashes = values.text("dashes") {
      request.dashes = dashes.split { $0 == "," || $0.isWhitespace }.prefix(16)
        .compactMap { Double($0) }.filter { $0 >= 0 && $0 < 1000 }
    }
    if let names = values.text("flags") {
      // Words that are none come from other versions of the format.
      request.flags = NoteFlags(
        names: names.split(separator: ",").map(NoteText.trimmed)
          .filter { NoteFlags.all.contains($0.lowercased()) })
    }
    request.style.alignment = values.text("justification").flatMap { Note.Alignment(name: $0) }
    if let appearance = values.element.child("defaultappearance") {
      let style = TextStyleReader.read(appearance.text)
      (request.style.size, request.style.color) = (style.size, style.color)
    }
  }

  private static func target(_ element: XMLElement) -> Note.LinkTarget? {
    guard let action = element.child("OnActivation")?.child("Action") else { return nil }
    if let address = action.child("URI")?.attributes["Name"] { return .uri(address) }
    if let name = action.child("GoToR")?.child("File")?.attributes["OriginalName"] {
      return .file(name)
    }
    guard let place = action.child("GoTo")?.child("Dest")?.children.first,
      let page = place.attributes["Page"].flatMap({ Int($0) }), (0..<10_000_000).contains(page)
    else { return nil }
    return .page(page + 1, top: nil)
  }

  private static func attachment(
    _ element: XMLElement, _ request: NoteRequest
  ) throws(PluginFailure) -> NoteRequest.Attachment? {
    guard let data = element.child("data") else { return nil }
    guard data.attributes["encoding"]?.lowercased() != "ascii" else {
      throw request.mistake("its file is not in hexadecimal form")
    }
    guard let bytes = hexadecimal(data.text) else {
      throw request.mistake("its file is no sequence of hexadecimal digits")
    }
    var stream = PDFStream(bytes: bytes)
    if data.attributes["MODE"]?.lowercased() != "filtered",
      let filter = data.attributes["filter"] ?? data.attributes["FILTER"]
    {
      guard filter == "FlateDecode" else {
        throw request.mistake("its file is packed by \(filter.prefix(40)), which is not read here")
      }
      stream.dictionary["Filter"] = .name("FlateDecode")
    }
    return NoteRequest.Attachment(
      name: NoteText.line(element.attributes["file"] ?? "file"),
      mime: element.attributes["mimetype"], stream: stream)
  }

  private static func hexadecimal(_ text: String) -> [UInt8]? {
    var digits: [UInt8] = []
    digits.reserveCapacity(text.utf8.count)
    for byte in text.utf8 where ![0x20, 0x0A, 0x0D, 0x09].contains(byte) {
      guard let digit = CharacterClass.hexadecimal(byte) else { return nil }
      digits.append(digit)
    }
    guard digits.count % 2 == 0 else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// Attributes of an element as what they mean.
  private struct Values {
    let element: XMLElement
    let origin: NoteRequest

    func text(_ name: String) -> String? {
      guard let value = element.attributes[name], !value.isEmpty else { return nil }
      return value
    }

    func number(
      _ name: String, _ range: ClosedRange<Double>
    ) throws(PluginFailure) -> Double? {
      guard let text = text(name) else { return nil }
      guard let number = Double(NoteText.trimmed(text)), range.contains(number) else {
        throw origin.mistake("the attribute \(name) is no number that can be")
      }
      return number
    }

    func points(_ name: String, exactly count: Int? = nil) throws(PluginFailure) -> [NotePoint]? {
      guard let text = text(name) else { return nil }
      let points = try points(text, name)
      guard count.map({ points.count == $0 }) ?? true else {
        throw origin.mistake("the attribute \(name) has not the right count of numbers")
      }
      return points
    }

    func points(_ text: String, _ name: String) throws(PluginFailure) -> [NotePoint] {
      let words = text.split { $0 == "," || $0 == ";" || $0.isWhitespace }
      guard words.count % 2 == 0, words.count <= 2 * NotesLimits.pointsOfNote else {
        throw origin.mistake("\(name) has not the right count of numbers")
      }
      var points: [NotePoint] = []
      for index in stride(from: 0, to: words.count, by: 2) {
        guard let x = Double(words[index]), let y = Double(words[index + 1]),
          NotePoint(x, y).isUsable
        else { throw origin.mistake("\(name) has what is no place on a page") }
        points.append(NotePoint(x, y))
      }
      return points
    }
  }
}
