internal import PluginKit

/// The step `speech.narrate`.
enum SpeechStep {
  static func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    let source = try run.source()
    let document = try DocumentOpening.open(
      path: source.path, passwords: run.options.lines("passwords"), mostPages: run.limits.pages,
      isMarkdown: mediaType(source.mime, matches: "text/markdown")
        || isMarkdown(run.sourceName))
    let wanted = artifacts(run.options)
    var places = NarrationPlaces(scratch: run.workFolder)
    places.mostBytes = run.limits.output
    places.audioName = stem(run.sourceName) + ".opus"
    for artifact in wanted {
      let path = "\(run.workFolder)/\(artifact.path)"
      switch artifact.role {
      case "opus": places.opus = path
      case "wav": places.wave = path
      case "sync": places.sync = path
      case "captions": places.captions = path
      default: places.listen = path
      }
    }
    var narration = try Narration(
      document, SpeechEngine.shared(), SpeechOptions(run.options), places,
      name: stem(run.sourceName), host
    )
    let facts = try narration.run()
    return StepOutput(artifacts: wanted, facts: facts.json, partial: facts.isPartial)
  }

  /// What the options ask for; procd sets an option for each result that a pipeline uses.
  private static func artifacts(_ options: Options) -> [Artifact] {
    let all = [
      Artifact(role: "listen", path: "out/listen.html", mime: "text/html; charset=utf-8"),
      Artifact(role: "opus", path: "out/audio.opus", mime: "audio/ogg"),
      Artifact(role: "wav", path: "out/audio.wav", mime: "audio/wav"),
      Artifact(role: "sync", path: "out/sync.json", mime: "application/json"),
      Artifact(role: "captions", path: "out/captions.vtt", mime: "text/vtt; charset=utf-8"),
    ]
    let asked = all.filter { options.flag($0.role) }
    return asked.isEmpty ? [all[0]] : asked
  }

  static func isMarkdown(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasSuffix(".md") || name.hasSuffix(".markdown")
  }

  /// A file's name without folders and extension.
  static func stem(_ name: String) -> String {
    let last = name.split(separator: "/").last.map(String.init) ?? name
    guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return last }
    return String(last[..<dot])
  }
}
