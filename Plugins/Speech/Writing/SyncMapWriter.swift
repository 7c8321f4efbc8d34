internal import Bytes
internal import PDFText
internal import PluginKit

/// `sync.json`: when each word is heard, and where it stands. docs/read-aloud.md has its form.
struct SyncMapWriter {
  private let file: FileOutput
  private var isFirst = true

  init(path: String, _ title: NarrationTitle) throws(PluginFailure) {
    file = try FileOutput(path: path, name: "sync.json")
    try file.write { bytes in
      bytes.append("{\"version\":1,\"title\":")
      bytes.append(json: title.title.utf8)
      bytes.append(",\"language\":")
      bytes.append(json: title.language.utf8)
      bytes.append(",\"pages\":")
      bytes.append(decimal: title.pages)
      bytes.append(",\n\"passages\":[")
    }
  }

  var count: Int { file.count }

  mutating func add(_ spoken: SpokenPassage) throws(PluginFailure) {
    guard !spoken.starts.isEmpty else { return }
    let separates = !isFirst
    isFirst = false
    try file.write { bytes in
      bytes.append(separates ? ",\n" : "\n")
      bytes.append("{\"kind\":")
      bytes.append(json: spoken.passage.kind.name.utf8)
      bytes.append(",\"page\":")
      bytes.append(decimal: spoken.passage.page)
      bytes.append(",\"language\":")
      bytes.append(json: spoken.language.utf8)
      bytes.append(",\"words\":[")
      for (index, word) in spoken.passage.words.enumerated() where index < spoken.starts.count {
        if index > 0 { bytes.append(",") }
        bytes.append("\n{\"text\":")
        bytes.append(json: word.text.utf8)
        if word.isGlued { bytes.append(",\"glued\":true") }
        bytes.append(",\"start\":")
        bytes.append(fixed: spoken.starts[index], digits: 3)
        bytes.append(",\"end\":")
        bytes.append(fixed: spoken.end(ofWord: index), digits: 3)
        Self.append(word.place, to: &bytes)
        if let rest = word.rest {
          bytes.append(",\"rest\":{")
          Self.append(rest, to: &bytes, isFirst: true)
          bytes.append("}")
        }
        bytes.append("}")
      }
      bytes.append("]}")
    }
  }

  func finish(_ chapters: [Chapter], seconds: Double) throws(PluginFailure) {
    try file.write { bytes in
      bytes.append("],\n\"chapters\":[")
      for (index, chapter) in chapters.enumerated() {
        if index > 0 { bytes.append(",") }
        bytes.append("\n{\"title\":")
        bytes.append(json: chapter.title.utf8)
        bytes.append(",\"level\":")
        bytes.append(decimal: chapter.level)
        bytes.append(",\"page\":")
        bytes.append(decimal: chapter.page)
        bytes.append(",\"start\":")
        bytes.append(fixed: chapter.time, digits: 3)
        bytes.append("}")
      }
      bytes.append("],\n\"duration\":")
      bytes.append(fixed: seconds, digits: 3)
      bytes.append("}\n")
    }
    try file.flush()
  }

  private static func append(
    _ place: PassageWord.Place, to bytes: inout ByteWriter, isFirst: Bool = false
  ) {
    if !isFirst { bytes.append(",") }
    bytes.append("\"page\":")
    bytes.append(decimal: place.page)
    guard let box = place.box else { return }
    bytes.append(",\"box\":[")
    for (index, value) in [box.x0, box.y0, box.x1, box.y1].enumerated() {
      if index > 0 { bytes.append(",") }
      bytes.append(fixed: value, digits: 2)
    }
    bytes.append("]")
  }
}
