internal import Bytes
internal import PluginKit

/// Captions in WebVTT (W3C), one cue for a sentence or a good part of one.
struct CaptionWriter: PassageWriter {
  private let file: FileOutput

  /// Two lines of captions, as broadcasters have them, hold about this many letters.
  private static let lettersOfCue = 84
  private static let lettersOfLine = 42

  init(path: String) throws(PluginFailure) {
    file = try FileOutput(path: path, name: NarrationFile.captions.name)
    try file.write("WEBVTT\n")
  }

  var count: Int { file.count }

  func add(_ spoken: SpokenPassage) throws(PluginFailure) {
    guard !spoken.starts.isEmpty else { return }
    for cue in Self.cues(spoken.passage.words) {
      try file.write { bytes in
        bytes.append("\n")
        Self.append(time: spoken.starts[cue.lowerBound], to: &bytes)
        bytes.append(" --> ")
        // A cue must not be empty in time.
        let end = max(
          spoken.end(ofWord: cue.upperBound - 1), spoken.starts[cue.lowerBound] + 0.001)
        Self.append(time: end, to: &bytes)
        bytes.append("\n")
        Self.append(spoken.passage.words[cue], to: &bytes)
        bytes.append("\n")
      }
    }
  }

  func finish(_ end: NarrationEnd) throws(PluginFailure) { try file.close() }

  /// The words of each cue.
  static func cues(_ words: [PassageWord]) -> [Range<Int>] {
    var cues: [Range<Int>] = []
    var start = 0, letters = 0
    for (index, word) in words.enumerated() {
      let length = word.text.count + 1
      if index > start, letters + length > lettersOfCue {
        cues.append(start..<index)
        (start, letters) = (index, 0)
      }
      letters += length
      if word.endsSentence(before: words.dropFirst(index + 1).first), letters > lettersOfLine / 2 {
        cues.append(start..<index + 1)
        (start, letters) = (index + 1, 0)
      }
    }
    if start < words.count { cues.append(start..<words.count) }
    return cues
  }

  private static func append(_ words: ArraySlice<PassageWord>, to bytes: inout ByteWriter) {
    var letters = 0
    for (index, word) in words.enumerated() {
      if index > 0, !word.isGlued {
        bytes.append(letters >= lettersOfLine ? "\n" : " ")
        if letters >= lettersOfLine { letters = 0 }
      }
      letters += word.text.count + 1
      bytes.append(markup: word.text)
    }
  }

  /// Hours, minutes, seconds and thousandths.
  static func append(time: Double, to bytes: inout ByteWriter) {
    let milliseconds = Int((max(0, min(time, 1e7)) * 1000).rounded())
    bytes.append(decimal: milliseconds / 3_600_000, width: 2)
    bytes.append(":")
    bytes.append(decimal: milliseconds / 60_000 % 60, width: 2)
    bytes.append(":")
    bytes.append(decimal: milliseconds / 1000 % 60, width: 2)
    bytes.append(".")
    bytes.append(decimal: milliseconds % 1000, width: 3)
  }
}
