internal import Bytes
internal import FoundationEssentials
internal import PDFInput
internal import PDFSyntax
internal import PDFText
internal import PageStyle
internal import PluginKit
internal import SystemPackage

/// `listen.html`: the text, its times and the audio in one file that opens from disk.
///
/// The text stands in the page as it is read; each passage has its times in `data-t`: when its first
/// word begins, how much later each next one does, and how much later the last one ends, in
/// milliseconds. Words are separated by a blank, or by U+200B where none is to be seen. Where the picture of
/// the page is shown beside it, `data-b` has the places of the words in the picture.
struct ListenPageWriter: PassageWriter {
  private let file: FileOutput
  private let title: NarrationTitle
  private let picture: (Int, Int) -> PagePicture?
  private var page = 0
  /// The picture of the page that is written, and how many bytes of pictures may follow.
  private var shown: PagePicture?
  private var room = SpeechLimits.pictures
  /// The levels of the headings that the next passage stands below.
  private var above: [Int] = []
  /// A number made of the text, under which the browser remembers the place.
  private var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325

  /// - Parameter picture: the picture of a page, of so many bytes at most.
  init(
    path: String, _ title: NarrationTitle, picture: @escaping (Int, Int) -> PagePicture?
  ) throws(PluginFailure) {
    self.picture = picture
    file = try FileOutput(path: path, name: NarrationFile.listen.name)
    self.title = title
    try file.write { bytes in
      bytes.append("<!doctype html>\n<html lang=\"")
      bytes.append(attribute: title.language)
      bytes.append("\">\n<head>\n<meta charset=\"utf-8\">\n")
      bytes.append(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1, viewport-fit=cover\">\n"
      )
      // Nothing is fetched from anywhere, whatever the text is.
      bytes.append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ")
      bytes.append(
        "style-src 'unsafe-inline'; script-src 'unsafe-inline'; media-src blob: file:; img-src data:\">\n"
      )
      bytes.append("<title>")
      bytes.append(markup: title.title)
      bytes.append("</title>\n<style>\n")
      bytes.append(contentsOf: PageStyle.css)
      bytes.append(contentsOf: PackageResources.listen_css)
      bytes.append("</style>\n</head>\n<body>\n<header>\n<h1>")
      bytes.append(markup: title.title)
      bytes.append("</h1>\n<p id=\"about\" lang=\"en\"></p>\n")
      bytes.append(
        "<details id=\"contents\" lang=\"en\" hidden><summary>Contents</summary><ol></ol>")
      bytes.append("</details>\n</header>\n<main>\n")
    }
  }

  var count: Int { file.count }

  mutating func add(_ spoken: SpokenPassage) throws(PluginFailure) {
    let passage = spoken.passage
    for byte in passage.text.utf8 { fingerprint = (fingerprint ^ UInt64(byte)) &* 0x100_0000_01B3 }
    if passage.page != page { try begin(passage.page) }
    let shown = shown, tag = tag(passage.kind)
    try file.write { bytes in
      bytes.append("<")
      bytes.append(tag)
      Self.append(classOf: passage, to: &bytes)
      if spoken.language != title.language {
        bytes.append(" lang=\"")
        bytes.append(attribute: spoken.language)
        bytes.append("\"")
      }
      if !spoken.starts.isEmpty {
        Self.append(timesOf: spoken, to: &bytes)
        if let shown { Self.append(placesOf: passage, in: shown, to: &bytes) }
      }
      bytes.append(">")
      for (index, word) in passage.words.enumerated() {
        if index > 0 { bytes.append(word.isGlued ? "\u{200B}" : " ") }
        bytes.append(markup: word.text)
        // Wide, so that it shows where a cell ends.
        if word.endsCell { bytes.append("\u{2003}") }
      }
      bytes.append("</")
      bytes.append(tag)
      bytes.append(">\n")
    }
  }

  /// Begins a page, with its picture where it has one.
  private mutating func begin(_ number: Int) throws(PluginFailure) {
    let endsSheet = shown != nil, saysPage = title.pages > 1
    page = number
    shown = room > 0 ? picture(number, room) : nil
    room -= shown?.jpeg.count ?? 0
    let shown = shown
    try file.write { bytes in
      if endsSheet { bytes.append("</div>\n</section>\n") }
      if saysPage {
        bytes.append("<div class=\"page\" lang=\"en\">Page ")
        bytes.append(decimal: number)
        bytes.append("</div>\n")
      }
      guard let shown else { return }
      bytes.append(
        "<section class=\"sheet\">\n<details class=\"scan\" lang=\"en\"><summary>Picture of page ")
      bytes.append(decimal: number)
      bytes.append("</summary><div class=\"frame\"><img alt=\"Page ")
      bytes.append(decimal: number)
      bytes.append(" as it looks\" width=\"")
      bytes.append(decimal: shown.width)
      bytes.append("\" height=\"")
      bytes.append(decimal: shown.height)
      bytes.append("\" src=\"data:image/jpeg;base64,")
      bytes.append(contentsOf: Data(shown.jpeg).base64EncodedData())
      bytes.append("\"><i hidden></i></div></details>\n<div class=\"words\">\n")
    }
  }

  func finish(_ end: NarrationEnd) throws(PluginFailure) {
    let sound = try PDFInput.bytes(of: FilePath(end.audio))
    let embeds = sound.count <= SpeechLimits.embeddedAudio
    try file.write { bytes in
      if shown != nil { bytes.append("</div>\n</section>\n") }
      bytes.append("</main>\n")
      bytes.append(contentsOf: PackageResources.player_html)
      bytes.append("<script type=\"application/json\" id=\"data\">{")
      bytes.append(member: "title")
      bytes.append(script: title.title)
      bytes.append(member: "id")
      bytes.append("\"")
      bytes.append(hexadecimal: (0..<8).map { UInt8(truncatingIfNeeded: fingerprint >> (8 * $0)) })
      bytes.append("\"")
      bytes.append(member: "pages", integer: title.pages)
      bytes.append(member: "seconds", fixed: end.seconds, digits: 3)
      bytes.append(member: "audio")
      if embeds { bytes.append("null") } else { bytes.append(script: end.audioName) }
      bytes.append(member: "chapters")
      bytes.append(array: end.chapters) { bytes, chapter in
        bytes.append("[")
        bytes.append(fixed: chapter.time, digits: 3)
        bytes.append(",")
        bytes.append(decimal: min(chapter.level, 6))
        bytes.append(",")
        bytes.append(script: chapter.title)
        bytes.append("]")
      }
      bytes.append("}</script>\n<script type=\"text/plain\" id=\"audio\">")
    }
    // Groups of three bytes make four letters; only the end of the file may fill one up.
    for start in stride(from: 0, to: embeds ? sound.count : 0, by: 48 << 10) {
      let piece = sound.span.array(start..<min(start + 48 << 10, sound.count))
      try file.write { $0.append(contentsOf: Data(piece).base64EncodedData()) }
    }
    try file.write { bytes in
      bytes.append("</script>\n<script>\n")
      bytes.append(contentsOf: PackageResources.listen_js)
      bytes.append("</script>\n</body>\n</html>\n")
    }
    try file.close()
  }

  /// Headings go down one step at a time, whatever sizes a document leaves out: who moves by headings
  /// would miss a level.
  private mutating func tag(_ kind: Passage.Kind) -> StaticString {
    guard case .heading(let level) = kind else { return "p" }
    above.removeAll { $0 >= level }
    above.append(level)
    return above.count == 1 ? "h2" : above.count == 2 ? "h3" : "h4"
  }

  private static func append(classOf passage: Passage, to bytes: inout ByteWriter) {
    var names: [String] = []
    switch passage.kind {
    case .item, .row, .code: names.append(passage.kind.name)
    default: break
    }
    if passage.isSilent { names.append("silent") }
    guard !names.isEmpty else { return }
    bytes.append(" class=\"\(names.joined(separator: " "))\"")
  }

  private static func append(timesOf spoken: SpokenPassage, to bytes: inout ByteWriter) {
    bytes.append(" data-t=\"")
    var before = 0
    for (index, time) in (spoken.starts + [spoken.end]).enumerated() {
      let milliseconds = Int((time * 1000).rounded())
      if index > 0 { bytes.append(" ") }
      bytes.append(decimal: milliseconds - before)
      before = milliseconds
    }
    bytes.append("\"")
  }
}

extension ListenPageWriter {
  /// Where the words stand in the picture of the page; a dash for those that stand elsewhere.
  private static func append(
    placesOf passage: Passage, in picture: PagePicture, to bytes: inout ByteWriter
  ) {
    bytes.append(" data-b=\"")
    for (index, word) in passage.words.enumerated() {
      if index > 0 { bytes.append(" ") }
      guard word.place.page == passage.page, let box = word.place.box else {
        bytes.append("-")
        continue
      }
      bytes.append(picture.place(of: box).map(String.init).joined(separator: ","))
    }
    bytes.append("\"")
  }
}

extension ByteWriter {
  /// Text between quotes in a tag.
  fileprivate mutating func append(attribute text: String) {
    append(markup: text, isAttribute: true)
  }

  /// A JSON string inside a script, which ends at the first `</script` whatever surrounds it.
  fileprivate mutating func append(script text: String) {
    var string = ByteWriter(reserving: text.utf8.count + 2)
    string.append(json: text.utf8)
    for byte in string.bytes {
      if byte == UInt8(ascii: "<") { append("\\u003c") } else { append(byte) }
    }
  }
}
