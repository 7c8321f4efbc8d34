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
    /// New files stand in the inbox.
    case received
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
    /// What stands in the inbox now, with its bytes; also where something failed after it.
    package var files: [(name: String, bytes: Int)] = []
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
      var state = (try place.state() ?? SourceState(source, at: now)).about(source, at: now)
      let before = state.failures
      // A file that an earlier run had begun to hand in.
      if let handing = state.handingIn {
        try finish(handing, &state, place)
        if onlyWhenDue { return Result(outcome: .unchanged, state: state, failuresBefore: before) }
      }
      guard !onlyWhenDue || state.isDue(at: now, source) else {
        return Result(outcome: .early, state: state)
      }
      var result = Result(outcome: .unchanged, state: state, failuresBefore: before)
      do {
        let question = Question(
          fetch: try request(source, state, place), net: net, isWanted: isWanted,
          progress: progress)
        result.outcome =
          source.isFolder
          ? try await takeFolder(question, &state, place, &result.files)
          : try await takeFile(question, &state, place, &result.files)
        if let notice = state.reachedAgain(source) {
          try await tell([notice])
          state.staleSince = nil
          try place.save(state)
        }
      } catch let failure as NetAnswer.Failure {
        result.outcome = try await fail(failure, &state, place, isByHand: !onlyWhenDue, tell)
      }
      result.state = state
      return result
    } catch {
      // Our own disk: the source is not to blame, and is asked again soon.
      return Result(
        outcome: .failed(NetAnswer.Failure("net.disk", "\(error)", isPassing: true)))
    }
  }

  /// What is asked in this round, and of whom.
  struct Question {
    var fetch: NetRequest.Fetch
    let net: NetProgram
    let isWanted: @Sendable () -> Bool
    let progress: @Sendable (_ done: Int, _ total: Int?) -> Void

    func answer(listing: Bool = false) async throws(NetAnswer.Failure) -> NetAnswer {
      let answer = await net.answer(
        to: listing ? .list(fetch) : .fetch(fetch), while: isWanted, progress: progress)
      if case .failed(let failure) = answer { throw failure }
      return answer
    }
  }

  private func request(
    _ source: Source, _ state: SourceState, _ place: SourceFolder
  ) throws(NetAnswer.Failure) -> NetRequest.Fetch {
    var fetch = state.request(source, folder: place.folder.path.string)
    fetch.login.key = source.key.map { active.absolute($0).string }
    if let password = source.password {
      do throws(PluginFailure) {
        fetch.login.password = try Secrets(active).text(password, "password")
      } catch {
        throw NetAnswer.Failure(error.code, error.message, isPassing: true)
      }
    }
    return fetch
  }

  private func takeFile(
    _ question: Question, _ state: inout SourceState, _ place: SourceFolder,
    _ files: inout [(name: String, bytes: Int)]
  ) async throws -> Outcome {
    let source = place.source
    guard case .received(let file) = try await question.answer() else {
      state.unchanged(source, at: wallTime())
      try place.save(state)
      try confirm(state, source)
      return .unchanged
    }
    let sha256 = try place.digest().sha256
    let actions = state.received(file, sha256: sha256, source, at: wallTime(), isDated: true)
    guard case .handIn(let handing)? = actions.first else {
      try place.discardBody()
      try place.save(state)
      try confirm(state, source)
      return .unchanged
    }
    try place.save(state)
    files.append((try finish(handing, &state, place), file.bytes))
    return .received
  }

  private func fail(
    _ failure: NetAnswer.Failure, _ state: inout SourceState, _ place: SourceFolder, isByHand: Bool,
    _ tell: ([Notice]) async throws -> Void
  ) async throws -> Outcome {
    guard failure.code != "host.stopping" else { return .stopped }
    let actions = state.failed(failure, place.source, at: wallTime(), isByHand: isByHand)
    for case .tell(let notice) in actions { try await tell([notice]) }
    try place.save(state)
    return .failed(failure)
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
  func finish(
    _ handing: SourceState.HandingIn, _ state: inout SourceState, _ place: SourceFolder
  ) throws(FileError) -> String {
    let name = try place.handIn(handing, inbox: active.inbox, at: wallTime())
    state.handedIn(as: name, place.source, at: wallTime())
    try place.save(state)
    return name
  }
}
