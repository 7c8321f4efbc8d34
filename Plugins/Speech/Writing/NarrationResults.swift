internal import Glibc
internal import PluginKit

/// Where the results of a narration go; nil for what is not wanted.
struct NarrationPlaces: Sendable, Equatable {
  var opus: String?
  var wave: String?
  var sync: String?
  var captions: String?
  var listen: String?
  /// A folder for what is needed on the way.
  var scratch: String
  /// What the audio beside a page is called that is too large to hold it.
  var audioName = "audio.opus"
  /// Bytes that all results may have together.
  var mostBytes = 1 << 30

  /// None of the results.
  init(scratch: String) { self.scratch = scratch }

  var isEmpty: Bool {
    opus == nil && wave == nil && sync == nil && captions == nil && listen == nil
  }
}

/// The files that a narration is written into while it is made.
struct NarrationResults {
  private let places: NarrationPlaces
  private var opus: AudioFile?
  private var wave: AudioFile?
  private var sync: SyncMapWriter?
  private var captions: CaptionWriter?
  private var listen: ListenPageWriter?
  /// The Opus file, which the page holds within itself, also where nobody asked for it.
  private let opusPath: String

  init(_ places: NarrationPlaces, _ title: NarrationTitle) throws(PluginFailure) {
    self.places = places
    opusPath = places.opus ?? places.scratch + "/narration.opus"
    if places.opus != nil || places.listen != nil {
      opus = try AudioFile(path: opusPath, name: "audio.opus", .opus, title: title.title)
    }
    if let path = places.wave {
      wave = try AudioFile(path: path, name: "audio.wav", .wave, title: title.title)
    }
    if let path = places.sync { sync = try SyncMapWriter(path: path, title) }
    if let path = places.captions { captions = try CaptionWriter(path: path) }
    if let path = places.listen { listen = try ListenPageWriter(path: path, title) }
  }

  mutating func write(_ samples: [Int16]) throws(PluginFailure) {
    try opus?.write(samples)
    try wave?.write(samples)
    try checkSize()
  }

  mutating func add(_ passage: SpokenPassage) throws(PluginFailure) {
    try sync?.add(passage)
    try captions?.add(passage)
    try listen?.add(passage)
  }

  /// Writes the ends of all files; the page is last, because it holds the audio.
  mutating func finish(_ chapters: [Chapter], seconds: Double) throws(PluginFailure) {
    try opus?.finish()
    try wave?.finish()
    try sync?.finish(chapters, seconds: seconds)
    try captions?.finish()
    if let listen {
      try listen.finish(
        chapters, seconds: seconds, audio: opusPath, audioName: places.audioName)
      if places.opus == nil { unsafe _ = unlink(opusPath) }
    }
  }

  private func checkSize() throws(PluginFailure) {
    let bytes =
      (opus?.count ?? 0) + (wave?.count ?? 0) + (sync?.count ?? 0) + (captions?.count ?? 0)
      + (listen?.count ?? 0)
    guard bytes <= places.mostBytes else {
      throw FileOutput.tooLarge(wave == nil ? "the results" : "audio.wav")
    }
  }
}
