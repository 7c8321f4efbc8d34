internal import Files
package import Pipelines
internal import PluginKit
internal import Series
internal import SystemPackage

/// Asks one source once, and does what follows.
package struct SourceRound: Sendable {
  let active: ActiveConfiguration
  let net: NetProgram
  let lists: Lists

  package init(_ active: ActiveConfiguration, _ net: NetProgram, _ lists: Lists) {
    (self.active, self.net, self.lists) = (active, net, lists)
  }

  package enum Outcome: Sendable, Equatable {
    /// A new file stands in the inbox.
    case received(name: String, bytes: Int)
    case unchanged
    case failed(NetAnswer.Failure)
    /// Another process asks just now.
    case busy
    /// It is not its time yet.
    case early
    /// procd stops.
    case stopped
  }

  package struct Result: Sendable {
    package var outcome: Outcome
    package var state: SourceState?
    /// Failures before this round.
    package var failuresBefore = 0
  }

  /// - Parameters:
  ///   - onlyWhenDue: whether the source's time is waited for.
  ///   - tell: keeps notices before the state says that they were told.
  package func ask(
    _ source: Source, onlyWhenDue: Bool, while isWanted: @escaping @Sendable () -> Bool,
    tell: ([Notice]) async throws -> Void,
    progress: @escaping @Sendable (_ done: Int, _ total: Int?) -> Void
  ) async -> Result {
    do {
      let place = try SourceFolder(source, spool: active.spool)
      guard place.lock() else { return Result(outcome: .busy) }
      let now = wallTime()
      var state = (place.state() ?? SourceState(source, at: now)).about(source, at: now)
      let before = state.failures
      // A file that an earlier run had begun to hand in.
      if let handing = state.handingIn {
        try finish(handing, &state, place)
        if onlyWhenDue { return Result(outcome: .unchanged, state: state, failuresBefore: before) }
      }
      guard !onlyWhenDue || state.isDue(at: now, source) else {
        return Result(outcome: .early, state: state)
      }
      let request = state.request(source, folder: place.folder.path.string)
      let answer = await net.answer(to: .fetch(request), while: isWanted, progress: progress)
      let outcome = try await take(answer, &state, place, isByHand: !onlyWhenDue, tell)
      return Result(outcome: outcome, state: state, failuresBefore: before)
    } catch {
      // Our own disk: the source is not to blame, and is asked again soon.
      return Result(
        outcome: .failed(NetAnswer.Failure("net.disk", "\(error)", isPassing: true)))
    }
  }

  private func take(
    _ answer: NetAnswer, _ state: inout SourceState, _ place: SourceFolder, isByHand: Bool,
    _ tell: ([Notice]) async throws -> Void
  ) async throws -> Outcome {
    let source = place.source
    switch answer {
    case .unchanged:
      state.unchanged(source, at: wallTime())
      try place.save(state)
      try confirm(state, source)
      return .unchanged
    case .received(let file):
      let sha256 = try place.digest().sha256
      let actions = state.received(file, sha256: sha256, source, at: wallTime(), isDated: true)
      guard case .handIn(let handing)? = actions.first else {
        try place.discardBody()
        try place.save(state)
        try confirm(state, source)
        return .unchanged
      }
      try place.save(state)
      let name = try finish(handing, &state, place)
      return .received(name: name, bytes: file.bytes)
    case .failed(let failure) where failure.code == "host.stopping": return .stopped
    case .failed(let failure):
      let actions = state.failed(failure, source, at: wallTime(), isByHand: isByHand)
      for case .tell(let notice) in actions {
        try await tell([notice])
      }
      try place.save(state)
      return .failed(failure)
    case .progress, .accepted: return .stopped
    }
  }

  /// The list that came from here last is what it is still: its page says when that was seen.
  private func confirm(_ state: SourceState, _ source: Source) throws {
    guard let name = state.name, let checked = state.checked, let reader = try lists.reader() else {
      return
    }
    let path = FilePath(source.to).appending(name).lexicallyNormalized()
    let confirmed = try lists.store().confirm(path: path.string, at: checked)
    guard !confirmed.isEmpty else { return }
    let outbox = try Folder.open(active.folder(.outbox))
    for series in Set(confirmed) { try StatusPages.renew(series, reader, outbox: outbox) }
  }

  @discardableResult
  private func finish(
    _ handing: SourceState.HandingIn, _ state: inout SourceState, _ place: SourceFolder
  ) throws(FileError) -> String {
    let name = try place.handIn(handing, inbox: active.inbox, at: wallTime())
    state.handedIn(as: name, place.source, at: wallTime())
    try place.save(state)
    return name
  }
}
