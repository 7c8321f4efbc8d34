internal import Bytes
internal import PDFText
internal import PluginKit

/// `sync.json`: when each word is heard, and where it stands. docs/read-aloud.md has its form.
struct SyncMapWriter: PassageWriter {
  private let file: FileOutput
  private var isFirst = true

  init(path: String, _ title: NarrationTitle) throws(PluginFailure) {
    file = try FileOutput(path: path, name: NarrationFile.sync.name)
    try file.write { bytes in
      bytes.append("{")
      bytes.append(member: "version", integer: 1)
      bytes.append(member: "title", text: title.title)
      bytes.append(member: "language", text: title.language)
      bytes.append(member: "pages", integer: title.pages)
      bytes.append(",\n\"passages\":[")
    }
  }

  var count: Int { file.count }

  mutating func add(_ spoken: SpokenPassage) throws(PluginFailure) {
    guard !spoken.starts.isEmpty else { return }
    let separator: StaticString = isFirst ? "\n{" : ",\n{"
    isFirst = false
    try file.write { bytes in
      bytes.append(separator)
      bytes.append(member: "kind", text: spoken.passage.kind.name)
      bytes.append(member: "page", integer: spoken.passage.page)
      bytes.append(member: "language", text: spoken.language)
      bytes.append(member: "words")
      let words = spoken.passage.words.prefix(spoken.starts.count)
      bytes.append(array: words.indices) { bytes, index in
        bytes.append("\n{")
        bytes.append(member: "text", text: words[index].text)
        if words[index].isGlued { bytes.append(member: "glued", flag: true) }
        bytes.append(member: "start", fixed: spoken.starts[index], digits: 3)
        bytes.append(member: "end", fixed: spoken.end(ofWord: index), digits: 3)
        Self.append(words[index].place, to: &bytes)
        if let rest = words[index].rest {
          bytes.append(member: "rest")
          bytes.append("{")
          Self.append(rest, to: &bytes)
          bytes.append("}")
        }
        bytes.append("}")
      }
      bytes.append("}")
    }
  }

  func finish(_ end: NarrationEnd) throws(PluginFailure) {
    try file.write { bytes in
      bytes.append("],\n\"chapters\":")
      bytes.append(array: end.chapters) { bytes, chapter in
        bytes.append("\n{")
        bytes.append(member: "title", text: chapter.title)
        bytes.append(member: "level", integer: chapter.level)
        bytes.append(member: "page", integer: chapter.page)
        bytes.append(member: "start", fixed: chapter.time, digits: 3)
        bytes.append("}")
      }
      bytes.append(",\n\"duration\":")
      bytes.append(fixed: end.seconds, digits: 3)
      bytes.append("}\n")
    }
    try file.close()
  }

  private static func append(_ place: PassageWord.Place, to bytes: inout ByteWriter) {
    bytes.append(member: "page", integer: place.page)
    guard let box = place.box else { return }
    bytes.append(member: "box")
    bytes.append(array: [box.x0, box.y0, box.x1, box.y1]) { $0.append(fixed: $1, digits: 2) }
  }
}
