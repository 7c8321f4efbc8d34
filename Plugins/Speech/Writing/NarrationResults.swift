internal import Glibc
internal import PluginKit

/// What a narration is written into, by the roles of the step's artifacts.
enum NarrationFile: String, CaseIterable {
  case listen, opus, wav, sync, captions

  /// What people call it.
  var name: String {
    switch self {
    case .listen: "listen.html"
    case .opus: "audio.opus"
    case .wav: "audio.wav"
    case .sync: "sync.json"
    case .captions: "captions.vtt"
    }
  }

  var mime: String {
    switch self {
    case .listen: "text/html; charset=utf-8"
    case .opus: "audio/ogg"
    case .wav: "audio/wav"
    case .sync: "application/json"
    case .captions: "text/vtt; charset=utf-8"
    }
  }

  /// By what a file's name ends with, in small letters.
  init?(ending: String) {
    switch ending {
    case "html", "htm": self = .listen
    case "opus", "ogg": self = .opus
    case "wav": self = .wav
    case "json": self = .sync
    case "vtt": self = .captions
    default: return nil
    }
  }
}

/// Where the results of a narration go.
struct NarrationPlaces: Sendable, Equatable {
  /// The paths of those that are wanted.
  var files: [NarrationFile: String] = [:]
  /// A folder for what is needed on the way.
  var scratch: String
  /// What the audio beside a page is called that is too large to hold it.
  var audioName = "audio.opus"
  /// Bytes that all results may have together.
  var mostBytes = 1 << 30
}

/// A file of what is said and when.
protocol PassageWriter {
  /// Bytes so far.
  var count: Int { get }
  mutating func add(_ spoken: SpokenPassage) throws(PluginFailure)
  /// Writes its end.
  func finish(_ end: NarrationEnd) throws(PluginFailure)
}

/// What is known of a narration behind its last word.
struct NarrationEnd {
  var chapters: [Chapter]
  var seconds: Double
  /// The path of the finished Opus file.
  var audio: String
  /// What it is called beside the page, where it is too large to stand in it.
  var audioName: String
}

/// The files that a narration is written into while it is made.
struct NarrationResults {
  private let places: NarrationPlaces
  private var sounds: [AudioFile] = []
  private var writers: [any PassageWriter] = []
  /// The Opus file, which the page holds within itself, also where nobody asked for it.
  private let opusPath: String

  /// - Parameter picture: the picture of a page, counted from 1, of so many bytes at most.
  init(
    _ places: NarrationPlaces, _ title: NarrationTitle,
    picture: @escaping (Int, Int) -> PagePicture?
  ) throws(PluginFailure) {
    self.places = places
    let files = places.files
    opusPath = files[.opus] ?? places.scratch + "/narration.opus"
    if files[.opus] != nil || files[.listen] != nil {
      sounds.append(try AudioFile(path: opusPath, .opus, title: title.title))
    }
    if let path = files[.wav] {
      sounds.append(try AudioFile(path: path, .wav, title: title.title))
    }
    if let path = files[.sync] { writers.append(try SyncMapWriter(path: path, title)) }
    if let path = files[.captions] { writers.append(try CaptionWriter(path: path)) }
    // The last one, because it holds the audio.
    if let path = files[.listen] {
      writers.append(try ListenPageWriter(path: path, title, picture: picture))
    }
  }

  mutating func write(_ samples: [Int16]) throws(PluginFailure) {
    for sound in sounds { try sound.write(samples) }
    let bytes = sounds.reduce(0) { $0 + $1.count } + writers.reduce(0) { $0 + $1.count }
    guard bytes <= places.mostBytes else {
      throw FileOutput.tooLarge(
        places.files[.wav] == nil ? "the results" : NarrationFile.wav.name)
    }
  }

  mutating func add(_ passage: SpokenPassage) throws(PluginFailure) {
    for index in writers.indices { try writers[index].add(passage) }
  }

  /// Writes the ends of all files.
  func finish(_ chapters: [Chapter], seconds: Double) throws(PluginFailure) {
    for sound in sounds { try sound.finish() }
    let end = NarrationEnd(
      chapters: chapters, seconds: seconds, audio: opusPath, audioName: places.audioName)
    for writer in writers { try writer.finish(end) }
    if places.files[.listen] != nil, places.files[.opus] == nil { unsafe _ = unlink(opusPath) }
  }
}
