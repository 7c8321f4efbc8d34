internal import Outbox
internal import Pipelines
internal import PluginKit
internal import SystemPackage

extension FileProcessor {
  /// Finds the texts that the names of a file's results hold.
  ///
  /// - Parameter notes: told where the document could not be searched: it is not lost for its name.
  /// - Returns: what was found, by name; nil where the pipeline names nothing so.
  func texts(
    _ pipeline: Pipeline, of file: ProbedFile, _ made: [String: [CollectedArtifact]],
    _ emitted: [CollectedArtifact], _ alone: Bool, _ notes: inout [String]
  ) async throws -> JSON? {
    guard !pipeline.texts.isEmpty else { return nil }
    var questions: [(input: StepInput, texts: JSON)] = []
    for text in pipeline.texts {
      guard let input = input(of: text, file, made, emitted) else { continue }
      let place = questions.firstIndex { $0.input.path == input.path } ?? questions.count
      if place == questions.count { questions.append((input, [:])) }
      questions[place].texts = questions[place].texts.setting(text.name, text.question)
    }
    var found: JSON = [:]
    for question in questions {
      do {
        let result = try await ask(
          "probe.find", ["texts": question.texts], file.claimed, mime: question.input.mime,
          about: question.input, alone: alone)
        let texts = result.output.facts["texts"]
        for member in question.texts.members ?? [] {
          found = found.setting(member.name, texts?[member.name])
          if texts?[member.name] == nil {
            notes.append("the text \"\(member.name)\" for names was not found")
          }
        }
      } catch let failed as ProcessingFailed {
        let names = (question.texts.members ?? []).map(\.name).joined(separator: ", ")
        notes.append(
          "texts for names (\(names)) could not be looked for: \(failed.failure.message)")
      }
    }
    return found
  }

  /// Where a text is looked for.
  private func input(
    of text: NamedText, _ file: ProbedFile, _ made: [String: [CollectedArtifact]],
    _ emitted: [CollectedArtifact]
  ) -> StepInput? {
    func input(_ artifact: CollectedArtifact) -> StepInput {
      StepInput(
        path: artifact.path, mime: artifact.mime, bytes: artifact.bytes,
        sha256: artifact.sha256)
    }
    for reference in text.from {
      switch reference {
      case .source where file.claimed.arrival.isFolder: continue
      case .source: return self.input(file.claimed, mime: file.mime)
      case .companions: continue
      case .artifact(let step, let role):
        if let artifact = made[step]?.first(where: { $0.role == role }) { return input(artifact) }
      }
    }
    guard text.from.isEmpty else { return nil }
    return emitted.first { $0.mime.hasPrefix("text/plain") || $0.mime == "application/pdf" }.map(
      input)
  }
}
