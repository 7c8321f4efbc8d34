/// What the engine made of a text.
struct Utterance: Equatable, Sendable {
  /// The beginning of a word.
  struct WordEvent: Equatable, Sendable {
    /// The place of its first scalar in the text, from 0.
    var scalar: Int
    /// The sample at which it begins.
    var sample: Int
  }

  /// One channel at ``SpeechEngine/sampleRate``.
  var samples: [Int16] = []
  var events: [WordEvent] = []
}
