internal import Files
internal import Intake
internal import Pipelines

/// A folder of a server.
extension SourceRound {
  /// Looks into the folder, again a moment later where something is new, and hands in what both looks saw
  /// alike, one file after the other. Nothing is changed on the server.
  ///
  /// - Throws: what kept a file from coming, after all others have come.
  func takeFolder(
    _ question: Question, _ state: inout SourceState, _ place: SourceFolder,
    _ files: inout [(name: String, bytes: Int)]
  ) async throws -> Outcome {
    let source = place.source
    let first = try await look(question, source)
    var due = state.due(first, first)
    if !due.isEmpty {
      // Where it is cut short, procd ends, and the next question is not answered.
      try? await Task.sleep(for: .milliseconds(SourceState.betweenLooks))
      due = state.due(first, try await look(question, source))
    }
    var trouble: NetAnswer.Failure?
    for file in due {
      do {
        guard let handedIn = try await take(file, question, &state, place) else { continue }
        files.append(handedIn)
      } catch let failure as NetAnswer.Failure where Self.concernsOne(failure) {
        trouble =
          trouble
          ?? NetAnswer.Failure(failure.code, "\(file.name): \(failure.message)", isPassing: true)
      }
    }
    if let trouble {
      state.lookedInto(at: wallTime())
      throw trouble
    }
    state.unchanged(source, at: wallTime())
    try place.save(state)
    return files.isEmpty ? .unchanged : .received
  }

  private func look(
    _ question: Question, _ source: Source
  ) async throws(NetAnswer.Failure) -> [NetAnswer.Listed] {
    guard case .listed(var files) = try await question.answer(listing: true) else { return [] }
    // Mails have numbers only, and each mailbox has a first one.
    if source.isMailbox {
      for index in files.indices { files[index].name = "\(source.id)-\(files[index].name)" }
    }
    let ignored = IgnoreList(active.configuration.inbox.ignore)
    return files.filter { file in
      let isNamed = source.names.contains { glob($0, matches: file.name, ignoresCase: true) }
      return (isNamed || source.names.isEmpty)
        && ignored.pattern(for: file.name, isFolder: false) == nil
    }
  }

  /// - Returns: what stands in the inbox now; nil where the file has no content, or the one that it had.
  private func take(
    _ file: NetAnswer.Listed, _ question: Question, _ state: inout SourceState,
    _ place: SourceFolder
  ) async throws -> (name: String, bytes: Int)? {
    var question = question
    question.fetch.url += file.path
    // What is known of the last file is not known of this one.
    (question.fetch.etag, question.fetch.modified) = (nil, nil)
    do {
      guard case .received(let received) = try await question.answer() else { return nil }
      let digest = try place.digest().sha256
      if let handing = state.received(received, sha256: digest, file) {
        try place.save(state)
        return (try finish(handing, &state, place), received.bytes)
      }
      try place.discardBody()
    } catch let failure as NetAnswer.Failure where failure.code == "net.empty" {
      // Many servers have files without content that only say that something is there.
      state.know(file, sha256: nil)
    }
    try place.save(state)
    return nil
  }

  /// Whether the other files may well be had.
  private static func concernsOne(_ failure: NetAnswer.Failure) -> Bool {
    ["net.missing", "net.large", "net.refused"].contains(failure.code)
  }
}
