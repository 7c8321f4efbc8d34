internal import PDFInput
internal import PluginKit
internal import SystemPackage

/// The step `speech.narrate`.
enum SpeechStep {
  static func run(_ run: StepRun, _ host: any StepHost) throws(PluginFailure) -> StepOutput {
    let source = try run.source()
    let document = try DocumentOpening.open(
      PDFInput.bytes(of: source.path), passwords: run.options.lines("passwords"),
      mostPages: run.limits.pages,
      isMarkdown: mediaType(source.mime, matches: "text/markdown")
        || isMarkdown(run.sourceName))
    try (document as? PDFDocument)?.tellUnread(of: run, host)
    // procd sets an option for each result that a pipeline uses.
    let asked = NarrationFile.allCases.filter { run.options.flag($0.rawValue) }
    let wanted = (asked.isEmpty ? [.listen] : asked).map {
      Artifact(role: $0.rawValue, path: "out/\($0.name)", mime: $0.mime)
    }
    var places = NarrationPlaces(scratch: run.workFolder)
    places.mostBytes = run.limits.output
    places.audioName = stem(run.sourceName) + ".opus"
    for artifact in wanted {
      if let file = NarrationFile(rawValue: artifact.role) {
        places.files[file] = "\(run.workFolder)/\(artifact.path)"
      }
    }
    var narration = try Narration(
      document, SpeechEngine.shared(), SpeechOptions(run.options), places,
      name: stem(run.sourceName), file: source.path.string, host
    )
    let facts = try narration.run()
    return StepOutput(artifacts: wanted, facts: facts.json, partial: facts.isPartial)
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
