internal import CEspeak
internal import Glibc
internal import PluginKit

/// The speech engine, libespeak-ng. The library has one state for the whole process, so there is one
/// of these, used by one thread at a time.
@safe final class SpeechEngine {
  /// Samples a second; the same for all voices that come with it.
  static let sampleRate = 22_050
  /// The language tags that it has a voice for, in small letters.
  var languages: Set<String> { Set(files.keys) }
  /// The names of voices by language tag. A tag alone does not always name a voice: that of `en-gb`
  /// is called `en`.
  private let files: [String: String]
  /// The variants of voices, such as `f3`.
  let variants: [String]
  private var selected = ""
  private let collector = Collector()

  // The library is never shut down: `espeak_Terminate` waits for a thread of its own that may have
  // ended before, and then hangs. The end of the process frees everything.
  private static nonisolated(unsafe) let started = Result<SpeechEngine, PluginFailure> {
    () throws(PluginFailure) in try SpeechEngine()
  }

  /// The engine of this process, started when it is first asked for.
  ///
  /// - Throws: `speech.engine` where its data is not installed.
  static func shared() throws(PluginFailure) -> SpeechEngine {
    try unsafe started.get()
  }

  private init() throws(PluginFailure) {
    // Blocks of 200 ms: few calls, and still little memory.
    let rate = Self.quietly {
      espeak_Initialize(AUDIO_OUTPUT_SYNCHRONOUS, 200, nil, Int32(espeakINITIALIZE_DONT_EXIT))
    }
    guard rate == Self.sampleRate else {
      throw PluginFailure(
        .internal, "speech.engine", "the speech engine could not be started",
        hint: "install the package espeak-ng-data")
    }
    unsafe espeak_SetSynthCallback(receiveSpeech)
    files = Self.installedVoices()
    variants = Self.installedVariants()
  }

  /// The tag that the engine knows of a language, or nil: `de-AT` becomes `de`.
  func known(_ language: String) -> String? {
    var tag = String(language.lowercased().prefix(40)).replacing("_", with: "-")
    let renamed = ["zh": "cmn", "no": "nb", "iw": "he", "in": "id", "tl": "fil"]
    while true {
      if files[tag] != nil { return tag }
      if let other = renamed[tag], files[other] != nil { return other }
      guard let dash = tag.lastIndex(of: "-") else { return nil }
      tag = String(tag[..<dash])
    }
  }

  /// Chooses who speaks from now on.
  ///
  /// - Parameters:
  ///   - language: one that ``known(_:)`` gave.
  ///   - variant: one of ``variants``, or empty.
  func select(language: String, variant: String) throws(PluginFailure) {
    let voice = files[language] ?? language
    let name = variant.isEmpty ? voice : "\(voice)+\(variant)"
    guard name != selected else { return }
    guard unsafe espeak_SetVoiceByName(name) == EE_OK else {
      throw PluginFailure(
        .internal, "speech.engine", "the voice \(name) could not be loaded",
        hint: "install the package espeak-ng-data anew")
    }
    selected = name
  }

  /// - Parameter wordsPerMinute: as ``SpeechOptions/speeds`` allows.
  func setSpeed(_ wordsPerMinute: Int) {
    _ = espeak_SetParameter(espeakRATE, Int32(clamping: wordsPerMinute), 0)
  }

  /// Speaks plain text; nothing in it is markup.
  func speak(_ text: String) throws(PluginFailure) -> Utterance {
    collector.utterance = Utterance()
    collector.utterance.samples.reserveCapacity(text.utf8.count * 2000)
    let receiver = unsafe Unmanaged.passUnretained(collector).toOpaque()
    let answer = unsafe text.withCString { pointer in
      unsafe espeak_Synth(
        pointer, text.utf8.count + 1, 0, POS_CHARACTER, 0, UInt32(espeakCHARS_UTF8), nil, receiver)
    }
    guard answer == EE_OK else {
      throw PluginFailure(.internal, "speech.engine", "the speech engine gave up on a sentence")
    }
    let utterance = collector.utterance
    collector.utterance = Utterance()
    return utterance
  }

  /// Runs something whose words on standard error nobody should see: the library looks for a sound
  /// device though it plays nothing, and complains where it may not.
  private static func quietly<Value>(_ body: () -> Value) -> Value {
    let errors = fcntl(2, F_DUPFD_CLOEXEC, 3)
    var ends: [Int32] = [-1, -1]
    let isPipe = unsafe ends.withUnsafeMutableBufferPointer { ends in
      unsafe ends.baseAddress.map { unsafe pipe($0) } == 0
    }
    defer {
      if errors >= 0 {
        if isPipe { dup2(errors, 2) }
        close(errors)
      }
      if isPipe { for end in ends { close(end) } }
    }
    if isPipe, errors >= 0 { dup2(ends[1], 2) }
    return body()
  }

  // MARK: What is installed

  private static func installedVoices() -> [String: String] {
    var files: [String: String] = [:]
    let voices = unsafe voices(nil)
    for index in unsafe voices.indices {
      let voice = unsafe voices[index]
      guard var cursor = unsafe voice.pointee.languages,
        let identifier = unsafe voice.pointee.identifier
      else { continue }
      let path = unsafe String(cString: identifier)
      // Voices of MBROLA need data of their own, which nothing here can count on.
      guard !path.hasPrefix("mb/"), let file = path.split(separator: "/").last else { continue }
      // Each language is a byte of priority and a string; an empty one ends the list.
      while unsafe cursor.pointee != 0, files.count < 1000 {
        let tag = unsafe String(cString: cursor + 1)
        let language = tag.lowercased()
        // A voice of that very name comes before one that knows the language too.
        if files[language] == nil || file.lowercased() == language {
          files[language] = String(file)
        }
        unsafe cursor += tag.utf8.count + 2
      }
    }
    return files
  }

  private static func installedVariants() -> [String] {
    var names: [String] = []
    let wanted = "variant"
    unsafe wanted.withCString { language in
      var specification = unsafe espeak_VOICE()
      unsafe specification.languages = language
      let voices: [UnsafePointer<espeak_VOICE>] = unsafe withUnsafeMutablePointer(
        to: &specification
      ) { pointer in unsafe Self.voices(pointer) }
      for index in unsafe voices.indices {
        let voice = unsafe voices[index]
        guard let identifier = unsafe voice.pointee.identifier else { continue }
        let path = unsafe String(cString: identifier)
        guard path.hasPrefix("!v/") else { continue }
        names.append(String(path.dropFirst(3)))
      }
    }
    return names.sorted()
  }

  private static func voices(
    _ specification: UnsafeMutablePointer<espeak_VOICE>?
  ) -> [UnsafePointer<espeak_VOICE>] {
    var found: [UnsafePointer<espeak_VOICE>] = unsafe []
    guard let list = unsafe espeak_ListVoices(specification) else { return unsafe found }
    var index = 0
    while index < 2000, let voice = unsafe list[index] {
      unsafe found.append(voice)
      index += 1
    }
    return unsafe found
  }
}

/// Gathers what the engine gives piece by piece.
private final class Collector {
  var utterance = Utterance()
  static let mostSamples = SpeechLimits.utteranceSeconds * SpeechEngine.sampleRate
}

/// Called by the engine for each block of sound; 1 ends the utterance.
private func receiveSpeech(
  _ samples: UnsafeMutablePointer<Int16>?, _ count: Int32,
  _ events: UnsafeMutablePointer<espeak_EVENT>?
) -> Int32 {
  guard var event = unsafe events, let receiver = unsafe event.pointee.user_data else { return 0 }
  let collector = unsafe Unmanaged<Collector>.fromOpaque(receiver).takeUnretainedValue()
  while unsafe event.pointee.type != espeakEVENT_LIST_TERMINATED {
    // Events without a length come at the end and belong to no word.
    if unsafe event.pointee.type == espeakEVENT_WORD, unsafe event.pointee.length > 0 {
      unsafe collector.utterance.events.append(
        Utterance.WordEvent(
          scalar: max(0, Int(event.pointee.text_position) - 1),
          sample: max(0, Int(event.pointee.sample))))
    }
    unsafe event += 1
  }
  if let samples = unsafe samples, count > 0 {
    unsafe collector.utterance.samples.append(
      contentsOf: UnsafeBufferPointer(start: samples, count: Int(count)))
  }
  return collector.utterance.samples.count > Collector.mostSamples ? 1 : 0
}
