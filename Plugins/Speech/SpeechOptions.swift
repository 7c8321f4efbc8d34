internal import PluginKit

/// How a document is to be read aloud.
struct SpeechOptions: Sendable, Equatable {
  enum Choice: String, Sendable { case read, skip }

  /// A language tag such as `de` or `pt-BR`, or `auto`.
  var language = "auto"
  /// A variant of the engine's voice such as `f3`; empty for the usual one.
  var voice = ""
  /// Words a minute.
  var speed = 175
  var tables = Choice.read
  var code = Choice.skip

  /// Words a minute that the engine can speak.
  static let speeds = 80...450

  init() {}

  init(_ options: Options) {
    language = options.string("language") ?? language
    voice = options.string("voice") ?? voice
    speed = options.integer("speed") ?? speed
    tables = options.string("tables").flatMap(Choice.init) ?? tables
    code = options.string("code").flatMap(Choice.init) ?? code
  }
}
